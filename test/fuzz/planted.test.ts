/** Would the fuzzer notice? Defects are planted in programs, in memory models and in searches; each must be reported. */
import { describe, expect, it } from 'vitest';
import type { Strategy } from '../../src/explore/strategy.ts';
import { int } from '../../src/program/builder.ts';
import type { Dest, Instruction, Program } from '../../src/program/ir.ts';
import type { FuzzProgram } from './ast.ts';
import { compileBatch } from './batch.ts';
import { compare, type Disagreement, type Plan, type Searches, type Simulations, Tally } from './compare.ts';
import { enumerate, exhaustive, type MakeStrategy, optimal, source } from './searches.ts';
import { programFor } from './session.ts';
import { shrink } from './shrink.ts';

const PER_BATCH = 50;
const BATCHES = 12;
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

interface Sample {
  readonly program: FuzzProgram;
  readonly simulations: Simulations;
  readonly compiled: Program;
}

/** Each made when it is asked for. */
const batches: Promise<readonly Sample[]>[] = [];

function batch(index: number): Promise<readonly Sample[]> {
  batches[index] ??= makeBatch(index);
  return batches[index];
}

async function makeBatch(index: number): Promise<readonly Sample[]> {
  const seeds = Array.from({ length: PER_BATCH }, (_, i) => 401 + 11 * (index * PER_BATCH + i));
  const chosen = seeds.map((seed) => programFor(seed, new Tally()));
  const compiled = await compileBatch(chosen.map(({ program }) => program));
  return chosen.map((one, i) => ({ ...one, compiled: compiled[i]! }));
}

interface Plant {
  readonly program?: (program: Program) => Program;
  readonly simulations?: (simulations: Simulations) => Simulations;
  readonly searches?: Partial<Searches>;
  readonly plan?: Partial<Plan>;
}

/** What is reported first. */
async function firstReport(plant: Plant, count: number = BATCHES): Promise<Disagreement | undefined> {
  for (let index = 0; index < count; index++) {
    for (const { program, simulations, compiled } of await batch(index)) {
      const [first] = compare(
        program,
        plant.simulations?.(simulations) ?? simulations,
        { program: plant.program?.(compiled) ?? compiled },
        { ...NOTHING, ...plant.plan },
        new Tally(),
        { ...SEARCHES, ...plant.searches },
      );
      if (first !== undefined) return first;
    }
  }
  return undefined;
}

function nothing(dest: Dest): Instruction {
  return { op: 'move', dest, value: int(0) };
}

/** The program with other instructions in place of some; `undefined` takes one out. */
function changed(program: Program, change: (instruction: Instruction) => Instruction | undefined): Program {
  const functions = program.functions.map((func) => ({
    ...func,
    blocks: func.blocks.map((block) => ({ ...block, body: block.body.flatMap((i) => change(i) ?? []) })),
  }));
  return { ...program, functions };
}

it('finds nothing where nothing is planted', async () =>
  expect(await firstReport({ plan: { source: true, traces: true } }, 2)).toBeUndefined());

describe('in programs', () => {
  it.each<[string, (i: Instruction) => Instruction | undefined]>([
    ['fences are lost', (i) => (i.op === 'fence' ? undefined : i)],
    ['release stores are relaxed', (i) => (i.op === 'store' && i.order === 'release' ? { ...i, order: 'relaxed' } : i)],
    ['relaxed read-modify-writes are seq_cst', (i) => (i.op === 'rmw' ? { ...i, order: 'seq_cst' } : i)],
    ['subtraction adds', (i) => (i.op === 'rmw' && i.operator === 'sub' ? { ...i, operator: 'add' } : i)],
    ['mutexes are not unlocked', (i) => (i.op === 'unlock' ? undefined : i)],
    ['signals are lost', (i) => (i.op === 'signal' || i.op === 'broadcast' ? undefined : i)],
    ['joins are lost', (i) => (i.op === 'join' ? (i.dest === undefined ? undefined : nothing(i.dest)) : i)],
    ['nothing is freed', (i) => (i.op === 'free' ? undefined : i)],
  ])('%s', async (_, change) => {
    expect(await firstReport({ program: (program) => changed(program, change) })).toBeDefined();
  });
});

describe('in memory models', () => {
  it('TSO reorders stores', async () =>
    expect(await firstReport({ simulations: (all) => ({ ...all, tso: all.pso }) })).toBeDefined());
  it('TSO is SC', async () =>
    expect(await firstReport({ simulations: (all) => ({ ...all, tso: all.sc }) })).toBeDefined());
});

describe('in searches', () => {
  /** Ends after so many executions, and says that this was all. */
  const ending =
    (make: MakeStrategy, after: number): MakeStrategy =>
    (machine) => {
      let begun = 0;
      return new Proxy<Strategy>(make(machine), {
        get: (target, name) => {
          if (name === 'beginExecution') return () => (begun++ < after ? target.beginExecution() : -1);
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    };

  it.each(Object.entries(SEARCHES))('%s ends early', async (name, make) => {
    const plan = { source: false, enumerate: false, exhaustive: false, [name]: true };
    expect(await firstReport({ searches: { [name]: ending(make, 3) }, plan })).toBeDefined();
  });
});

it('what is found is made small, and stays what it is', async () => {
  const hasLoad = ({ threads }: FuzzProgram): boolean => JSON.stringify(threads).includes('"op":"load"');
  const { program } = (await batch(0)).find((sample) => hasLoad(sample.program))!;
  const small = await shrink(program, async (candidates) => candidates.findIndex(hasLoad));
  expect(hasLoad(small)).toBe(true);
  // One statement is left, and what creates its thread.
  expect(small.threads.flat().filter(({ op }) => op !== 'create')).toHaveLength(1);
});
