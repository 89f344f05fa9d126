/** A stretch of seeds: programs are generated, compiled in batches and compared; what disagrees is made small. */
import type { Program } from '../../src/program/ir.ts';
import type { FuzzProgram } from './ast.ts';
import { type BatchOptions, compileBatch } from './batch.ts';
import {
  type Compiled,
  compare,
  type Disagreement,
  EVERYTHING,
  type Plan,
  planFor,
  type Simulations,
  simulateAll,
  type Tally,
} from './compare.ts';
import type { Coverage } from './coverage.ts';
import { generate } from './generate.ts';
import { shrink } from './shrink.ts';

/** Where a program is replaced, how often. */
const MAX_ATTEMPTS = 12;

export interface Finding {
  readonly program: FuzzProgram;
  readonly disagreements: readonly Disagreement[];
}

/** A program for the seed that the simulator can answer. */
export function programFor(seed: number, tally: Tally): { program: FuzzProgram; simulations: Simulations } {
  for (let attempt = 0; ; attempt++) {
    const program = generate(seed, attempt);
    const simulations = simulateAll(program);
    if (typeof simulations !== 'string') return { program, simulations };
    tally.add(`replaced: ${simulations}`);
    if (attempt > MAX_ATTEMPTS) throw new Error(`seed ${seed}: no program is small enough`);
  }
}

/** Compares the programs of these seeds. */
export async function runSeeds(
  seeds: readonly number[],
  tally: Tally,
  coverage: Coverage,
  npm: boolean = false,
): Promise<Finding[]> {
  const chosen = seeds.map((seed) => programFor(seed, tally));
  const programs = chosen.map(({ program }) => program);
  for (const program of programs) coverage.add(program);
  const compiled = await compileBatch(programs);
  const plans = programs.map(({ seed }) => planFor(seed));
  const written = await compileSome(
    programs,
    plans.map((plan) => plan.asWritten),
    { asWritten: true },
  );
  const fromNpm = await compileSome(
    programs,
    programs.map((_, i) => npm && i % 4 === 0),
    { clang: 'npm' },
  );
  const found: Finding[] = [];
  for (const [i, { program, simulations }] of chosen.entries()) {
    const forms: Compiled = {
      program: compiled[i]!,
      ...(written[i] === undefined ? {} : { asWritten: written[i] }),
      ...(fromNpm[i] === undefined ? {} : { npm: fromNpm[i] }),
    };
    const disagreements = compareSafely(program, simulations, forms, plans[i]!, tally);
    if (disagreements.length > 0) found.push({ program, disagreements });
  }
  return found;
}

async function compileSome(
  programs: readonly FuzzProgram[],
  wanted: readonly boolean[],
  options: BatchOptions,
): Promise<readonly (Program | undefined)[]> {
  const some = programs.filter((_, i) => wanted[i]);
  if (some.length === 0) return [];
  const compiled = [...(await compileBatch(some, options))];
  return programs.map((_, i) => (wanted[i] ? compiled.shift() : undefined));
}

/** What the tool throws is a disagreement too. */
function compareSafely(
  program: FuzzProgram,
  simulations: Simulations,
  forms: Compiled,
  plan: Plan,
  tally: Tally,
): readonly Disagreement[] {
  try {
    return compare(program, simulations, forms, plan, tally);
  } catch (error) {
    return [
      {
        what: `the tool fails: ${(error as Error).message.slice(0, 80)}`,
        model: 'sc',
        detail: String((error as Error).stack),
      },
    ];
  }
}

/** The smallest program that disagrees in the same way, and how. */
export async function shrinkFinding({ program, disagreements }: Finding, tally: Tally): Promise<Finding> {
  const { what } = disagreements[0]!;
  let last = disagreements;
  const isBad = async (candidates: readonly FuzzProgram[]): Promise<number> => {
    // A few at a time: the first that is bad will do.
    for (let at = 0; at < candidates.length; at += 12) {
      const group = candidates.slice(at, at + 12);
      const compiled = await compileBatch(group);
      const written = what.includes('as written') ? await compileBatch(group, { asWritten: true }) : [];
      for (const [i, candidate] of group.entries()) {
        const simulations = simulateAll(candidate);
        if (typeof simulations === 'string') continue;
        const forms: Compiled = {
          program: compiled[i]!,
          ...(written[i] === undefined ? {} : { asWritten: written[i] }),
        };
        const again = compareSafely(candidate, simulations, forms, EVERYTHING, tally);
        if (!again.some((d) => d.what === what)) continue;
        last = again;
        return at + i;
      }
    }
    return -1;
  };
  const small = await shrink(program, isBad);
  return { program: small, disagreements: last };
}
