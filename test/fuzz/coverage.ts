/** How many programs contain each pair of features. */
import type { FuzzProgram } from './ast.ts';
import { FEATURES, type Feature, featuresOf, PAIRS } from './features.ts';

export class Coverage {
  private readonly counts = new Map<string, number>();
  programs = 0;

  add(program: FuzzProgram): void {
    this.programs++;
    const features = FEATURES.filter((feature) => featuresOf(program).has(feature));
    for (const [i, a] of features.entries()) for (const b of features.slice(i + 1)) this.count(a, b, 1);
  }

  private count(a: Feature, b: Feature, n: number): void {
    this.counts.set(`${a} × ${b}`, (this.counts.get(`${a} × ${b}`) ?? 0) + n);
  }

  merge(counts: readonly (readonly [string, number])[], programs: number): void {
    this.programs += programs;
    for (const [pair, n] of counts) this.counts.set(pair, (this.counts.get(pair) ?? 0) + n);
  }

  get entries(): readonly (readonly [string, number])[] {
    return [...this.counts];
  }

  /** Every pair, the rarest first. */
  get pairs(): readonly (readonly [string, number])[] {
    const all = PAIRS.map(([a, b]): readonly [string, number] => [`${a} × ${b}`, this.counts.get(`${a} × ${b}`) ?? 0]);
    return all.sort((a, b) => a[1] - b[1]);
  }

  get empty(): readonly string[] {
    return this.pairs.filter(([, n]) => n === 0).map(([pair]) => pair);
  }

  /** One line and one column per feature. */
  matrix(): string {
    const width = Math.max(...FEATURES.map((feature) => feature.length));
    const rows = FEATURES.map((a, i) => {
      const cells = FEATURES.slice(0, i).map((b) => String(this.counts.get(`${b} × ${a}`) ?? 0).padStart(5));
      return `${String(i + 1).padStart(3)} ${a.padEnd(width)}${cells.join('')}`;
    });
    const head = `${' '.repeat(width + 4)}${FEATURES.slice(1)
      .map((_, i) => String(i + 1).padStart(5))
      .join('')}`;
    return [head, ...rows].join('\n');
  }
}
