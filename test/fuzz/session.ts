/** A range of seeds: programs are generated, compiled in batches and compared; disagreements are shrunk. */
import type { Program } from '../../src/program/ir.ts';
import { DEEP } from '../support/tier.ts';
import type { FuzzProgram } from './ast.ts';
import { type BatchOptions, compileEach, Refused } from './batch.ts';
import {
  type Compiled,
  compare,
  type Disagreement,
  type Plan,
  planFor,
  planOf,
  type Simulations,
  simulateAll,
  type Tally,
} from './compare.ts';
import { withoutRaces } from './compare-options.ts';
import type { Coverage } from './coverage.ts';
import { withFreshValues } from './fresh.ts';
import { generate } from './generate.ts';
import { shrink } from './shrink.ts';

/** How often a program is replaced. */
const MAX_ATTEMPTS = 12;

/**
 * In a batch with npm's clang, it compiles one in this many seeds, each of which must be read and lowered once more.
 */
const NPM_SHARE = DEEP ? 2 : 8;

export interface Chosen {
  readonly program: FuzzProgram;
  readonly simulations: Simulations;
}

export interface Finding {
  readonly program: FuzzProgram;
  readonly disagreements: readonly Disagreement[];
}

/** A program for the seed that the simulator can handle; `undefined` if it can handle none of the first few. */
export function programFor(seed: number, tally: Tally): Chosen | undefined {
  for (let attempt = 0; attempt <= MAX_ATTEMPTS; attempt++) {
    const program = generate(seed, attempt);
    const simulations = simulateAll(program);
    if (typeof simulations !== 'string') return { program, simulations };
    tally.add(`replaced: ${simulations}`);
  }
  tally.add('given up: no program is small enough');
  return undefined;
}

/** How programs are compiled; tests substitute failures. */
export type Compile = typeof compileEach;

/** Compares the programs of these seeds; with `npm`, some of them also as compiled by the clang from npm. */
export async function runSeeds(
  seeds: readonly number[],
  tally: Tally,
  coverage: Coverage,
  npm: boolean = false,
): Promise<Finding[]> {
  const chosen = seeds.flatMap((seed) => programFor(seed, tally) ?? []);
  for (const { program } of chosen) coverage.add(program);
  const plans = chosen.map(({ program }, i) => ({ ...planFor(program.seed), npm: npm && i % NPM_SHARE === 0 }));
  return await compareAll(chosen, plans, tally);
}

/** Compiles the programs in all forms that their plans require, and compares them. */
export async function compareAll(
  chosen: readonly Chosen[],
  plans: readonly Plan[],
  tally: Tally,
  compile: Compile = compileEach,
): Promise<Finding[]> {
  const some = async (
    isWanted: (plan: Plan) => boolean,
    options: BatchOptions,
    form: (program: FuzzProgram) => FuzzProgram | undefined = (program) => program,
  ): Promise<(i: number) => Program | Refused | undefined> => {
    const forms = chosen.map(({ program }, i) => (isWanted(plans[i]!) ? form(program) : undefined));
    const wanted = chosen.map((_, i) => i).filter((i) => forms[i] !== undefined);
    const programs = await compile(
      wanted.map((i) => forms[i]!),
      options,
    );
    const byIndex = new Map(wanted.map((i, n) => [i, programs[n]!]));
    return (i) => byIndex.get(i);
  };
  const simplified = await some(() => true, {});
  const written = await some((plan) => plan.asWritten, { asWritten: true });
  const fromNpm = await some((plan) => plan.npm, { clang: 'npm' });
  const withJunk = await some((plan) => plan.junk, { junk: true });
  const undefinedCalls = await some((plan) => plan.undefinedCall, { undefinedCall: true });
  const fresh = await some((plan) => plan.uninitialised, { uninitialised: true }, withFreshValues);
  const freshWritten = await some(
    (plan) => plan.uninitialised && plan.asWritten,
    { uninitialised: true, asWritten: true },
    withFreshValues,
  );
  const atOne = await some((plan) => plan.optimise === '1', { optimise: '1' }, withoutRaces);
  const atTwo = await some((plan) => plan.optimise === '2', { optimise: '2' }, withoutRaces);
  const found: Finding[] = [];
  for (const [i, { program, simulations }] of chosen.entries()) {
    const forms = {
      program: simplified(i),
      asWritten: written(i),
      npm: fromNpm(i),
      junk: withJunk(i),
      undefinedCall: undefinedCalls(i),
      uninitialised: fresh(i),
      uninitialisedAsWritten: freshWritten(i),
      optimised: atOne(i) ?? atTwo(i),
    };
    const disagreements = Object.entries(forms).flatMap(([form, compiled]) =>
      compiled instanceof Refused ? [refusal(form, compiled)] : [],
    );
    for (const form of Object.keys(forms) as (keyof typeof forms)[])
      if (forms[form] instanceof Refused) forms[form] = undefined;
    if (forms.program !== undefined)
      disagreements.push(...compareSafely(program, simulations, forms as Compiled, plans[i]!, tally));
    if (disagreements.length > 0) found.push({ program, disagreements });
  }
  return found;
}

const FORMS: Readonly<Record<string, string>> = {
  npm: ' from npm clang',
  asWritten: ' as written',
  junk: ' with junk',
  undefinedCall: ' with an undefined call',
  uninitialised: ' uninitialised',
  uninitialisedAsWritten: ' uninitialised, as written',
  optimised: ' after -O1 or -O2',
};

function refusal(form: string, { reason, message }: Refused): Disagreement {
  return { what: `refused${FORMS[form] ?? ''}: ${reason}`, model: 'sc', detail: message };
}

/** An exception in the tool is a disagreement too. */
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

/** The smallest program that disagrees in the same way, and its disagreements. */
export async function shrinkFinding(
  { program, disagreements }: Finding,
  tally: Tally,
  compile: Compile = compileEach,
): Promise<Finding> {
  const { what } = disagreements[0]!;
  let last = disagreements;
  const plan = planOf(what);
  // A few at a time: the first bad one is enough. More with the clang from npm, which takes long to start.
  const size = plan.npm ? 60 : 12;
  const isBad = async (candidates: readonly FuzzProgram[]): Promise<number> => {
    for (let at = 0; at < candidates.length; at += size) {
      const group = candidates.slice(at, at + size).flatMap((candidate): Chosen[] => {
        const simulations = simulateAll(candidate);
        return typeof simulations === 'string' ? [] : [{ program: candidate, simulations }];
      });
      const found = await compareAll(
        group,
        group.map(() => plan),
        tally,
        compile,
      );
      const first = found.find((finding) => finding.disagreements.some((d) => d.what === what));
      if (first === undefined) continue;
      last = [...first.disagreements].sort((a, b) => Number(b.what === what) - Number(a.what === what));
      return candidates.indexOf(first.program);
    }
    return -1;
  };
  const small = await shrink(program, isBad);
  return { program: small, disagreements: last };
}
