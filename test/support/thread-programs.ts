/** Generated C programs whose threads are given as text: the shared part of their generators, and printing. */
import type { Prng } from '../../src/util/prng.ts';

export interface ThreadProgram {
  readonly threads: readonly string[];
}

export abstract class ThreadGenerator {
  protected readonly prng: Prng;
  /** Every value is below this, so that old values recur. */
  protected readonly values: number;

  constructor(prng: Prng, values: number) {
    this.prng = prng;
    this.values = values;
  }

  abstract program(): ThreadProgram;

  protected pick<T>(of: readonly T[]): T {
    return of[this.prng.below(of.length)]!;
  }

  protected chance(one: number): boolean {
    return this.prng.below(one) === 0;
  }

  protected some(most: number, make: () => string): string {
    return Array.from({ length: 1 + this.prng.below(most) }, make).join(' ');
  }

  protected value(): number {
    return this.prng.below(this.values);
  }
}

export interface ThreadText {
  /** The beginning of the translation unit. It declares `kept`, one int per thread. */
  readonly header: string;
  /** Locals of each thread. */
  readonly locals: string;
  /** An expression for a thread's result. */
  readonly kept: string;
}

/** One translation unit; `main_i` runs program i. */
export function printThreadPrograms(programs: readonly ThreadProgram[], { header, locals, kept }: ThreadText): string {
  const functions = programs.map(({ threads }, p) => {
    const bodies = threads.map(
      (body, i) => `static void *f${p}_${i}(void *_) { ${locals}\n  ${body} kept[${i}] = ${kept}; return 0; }`,
    );
    const create = threads.map((_, i) => `pthread_create(&t[${i}], 0, f${p}_${i}, 0);`).join(' ');
    const join = threads.map((_, i) => `pthread_join(t[${i}], 0);`).join(' ');
    return `${bodies.join('\n')}\nint main_${p}(void) { pthread_t t[${threads.length}]; ${create} ${join} return 0; }`;
  });
  return `${header}\n${functions.join('\n')}\n`;
}
