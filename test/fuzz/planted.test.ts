/** Would the fuzzer notice? Defects are planted in programs, in memory models and in searches; each must be reported. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Strategy } from '../../src/explore/strategy.ts';
import type { Instruction, Program } from '../../src/program/ir.ts';
import type { FuzzProgram } from './ast.ts';
import { compileBatch } from './batch.ts';
import { compare, type Plan, type Searches, type Simulations, Tally } from './compare.ts';
import { enumerate, exhaustive, type MakeStrategy, optimal, source } from './searches.ts';
import { programFor } from './session.ts';
import { shrink } from './shrink.ts';

const SEEDS = Array.from({ length: 150 }, (_, i) => 401 + 11 * i);
const NOTHING: Plan = {
  source: false,
  enumerate: false,
  exhaustive: false,
  compiled: false,
  noSpin: false,
  check: false,
  robust: false,
  shortcuts: [],
  traces: false,
  asWritten: false,
};
const SEARCHES: Searches = { optimal, source, enumerate, exhaustive };

let programs: readonly { program: FuzzProgram; simulations: Simulations; compiled: Program }[] = [];
beforeAll(async () => {
  const chosen = SEEDS.map((seed) => programFor(seed, new Tally()));
  const compiled = await compileBatch(chosen.map(({ program }) => program));
  programs = chosen.map((one, i) => ({ ...one, compiled: compiled[i]! }));
});

/** What is reported of all programs, each once. */
function reports(plant: {
  readonly program?: (program: Program) => Program;
  readonly simulations?: (simulations: Simulations) => Simulations;
  readonly searches?: Partial<Searches>;
  readonly plan?: Partial<Plan>;
}): readonly string[] {
  const found = programs.flatMap(({ program, simulations, compiled }) =>
    compare(
      program,
      plant.simulations?.(simulations) ?? simulations,
      { program: plant.program?.(compiled) ?? compiled },
      { ...NOTHING, ...plant.plan },
      new Tally(),
      { ...SEARCHES, ...plant.searches },
    ),
  );
  return [...new Set(found.map(({ what }) => what))];
}

/** The program with other instructions in place of some; `undefined` takes one out. */
function changed(program: Program, change: (instruction: Instruction) => Instruction | undefined): Program {
  const functions = program.functions.map((func) => ({
    ...func,
    blocks: func.blocks.map((block) => ({ ...block, body: block.body.flatMap((i) => change(i) ?? []) })),
  }));
  return { ...program, functions };
}

it('finds nothing where nothing is planted', () =>
  expect(reports({ plan: { source: true, enumerate: true, traces: true } })).toEqual([]));

describe('in programs', () => {
  it.each<[string, (i: Instruction) => Instruction | undefined]>([
    ['fences are lost', (i) => (i.op === 'fence' ? undefined : i)],
    ['release stores are relaxed', (i) => (i.op === 'store' && i.order === 'release' ? { ...i, order: 'relaxed' } : i)],
    ['relaxed read-modify-writes are seq_cst', (i) => (i.op === 'rmw' ? { ...i, order: 'seq_cst' } : i)],
    ['subtraction adds', (i) => (i.op === 'rmw' && i.operator === 'sub' ? { ...i, operator: 'add' } : i)],
    ['mutexes are not unlocked', (i) => (i.op === 'unlock' ? undefined : i)],
    ['signals are lost', (i) => (i.op === 'signal' || i.op === 'broadcast' ? undefined : i)],
    ['joins are lost', (i) => (i.op === 'join' && i.dest === undefined ? undefined : i)],
    ['nothing is freed', (i) => (i.op === 'free' ? undefined : i)],
  ])('%s', (_, change) => expect(reports({ program: (program) => changed(program, change) })).not.toEqual([]));
});

describe('in memory models', () => {
  it('TSO reorders stores', () =>
    expect(reports({ simulations: (all) => ({ ...all, tso: all.pso }) })).not.toEqual([]));
  it('TSO is SC', () => expect(reports({ simulations: (all) => ({ ...all, tso: all.sc }) })).not.toEqual([]));
});

describe('in searches', () => {
  /** Ends after so many executions, and says that this was all. */
  const ending =
    (make: MakeStrategy, after: number): MakeStrategy =>
    (machine) => {
      const inner = make(machine);
      let begun = 0;
      return new Proxy<Strategy>(inner, {
        get: (target, name) => {
          if (name === 'beginExecution') return () => (begun++ < after ? target.beginExecution() : -1);
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    };

  it.each(Object.entries(SEARCHES))('%s ends early', (name, make) =>
    expect(reports({ searches: { [name]: ending(make, 3) }, plan: { [name]: true } })).not.toEqual([]),
  );
});

it('what is found is made small, and stays what it is', async () => {
  const hasLoad = ({ threads }: FuzzProgram): boolean => JSON.stringify(threads).includes('"op":"load"');
  const bad = programs.find(({ program }) => hasLoad(program))!;
  const tried: FuzzProgram[] = [];
  const small = await shrink(bad.program, async (candidates) => {
    tried.push(...candidates);
    return candidates.findIndex(hasLoad);
  });
  expect(hasLoad(small)).toBe(true);
  // One statement is left, and what creates its thread.
  expect(small.threads.flat().filter(({ op }) => op !== 'create')).toHaveLength(1);
  expect(tried.length).toBeGreaterThan(0);
});
