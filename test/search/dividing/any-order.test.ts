/**
 * Optimal-DPOR in any order, by any number of workers, some of which vanish: exactly the traces of one search, each
 * once, none given up.
 */
import type fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { ALL_SHORTCUTS, type Shortcuts } from '../../../src/explore/dpor/shortcuts.ts';
import { explore } from '../../../src/explore/explore.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { Program } from '../../../src/program/ir.ts';
import { CommutingWait } from '../../../src/trace/commuting-writes.ts';
import { MixedWait } from '../../../src/trace/wait-order.ts';
import { Prng } from '../../../src/util/prng.ts';
import { type Divided, searchDivided } from '../../support/any-order.ts';
import { type CheckedModel, compileC, MODELS } from '../../support/c.ts';
import { CommutingGenerator, printCommuting } from '../../support/commuting.ts';
import { commutingTrace } from '../../support/commuting-trace.ts';
import { everything, forAll, SKIPPED } from '../../support/for-all.ts';
import { sketches } from '../../support/generate.ts';
import { printRetrying, RetryingGenerator } from '../../support/retrying.ts';
import { DPOR_MODELS, visit } from '../../support/searches.ts';
import { buildSizedProgram, sizedSketches } from '../../support/sized-sketch.ts';
import { buildProgram, printSketch } from '../../support/sketch.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../../support/sync-sketch.ts';
import { floor, SEED, samples } from '../../support/tier.ts';
import { WaitingGenerator } from '../../support/waiting.ts';
import { buildWaiting, printIr } from '../../support/waiting-ir.ts';

interface Sample {
  readonly program: Program;
  toString(): string;
}

const kinds: readonly [string, number, fc.Arbitrary<Sample>][] = [
  [
    'accesses of one size',
    165,
    sketches({ ...everything, threads: 4, totalOps: 7, locations: 2 })
      .filter((sketch) => sketch.length > 0)
      .map((sketch) => ({ program: buildProgram(sketch), toString: () => printSketch(sketch) })),
  ],
  [
    'accesses of several sizes',
    165,
    sizedSketches(3, 6).map((sketch) => ({ program: buildSizedProgram(sketch), toString: () => sketch.toString() })),
  ],
  [
    'locks, conditions, joins, frees, choices, loops',
    170,
    syncSketches().map((sketch) => ({ program: buildSyncProgram(sketch), toString: () => printSyncSketch(sketch) })),
  ],
];

/** More would take too long. */
const MOST = 150;

const sums = { proposed: 0, appended: 0, divided: 0, lost: 0, merged: 0, searches: 0 };

function note(found: Divided): void {
  expect(found.asleep).toBe(0);
  sums.searches++;
  for (const key of ['proposed', 'appended', 'divided', 'lost', 'merged'] as const) sums[key] += found[key];
}

describe('parts in any order visit what the whole search visits', () => {
  it.each(kinds)('of %s: %d programs', (_, count, samples) => {
    forAll({ from: samples, count, print: String, compared: 0.5 }, ({ program }, seed) => {
      let compared = 0;
      for (const [i, model] of DPOR_MODELS.entries()) {
        const expected = visit(program, model, 'optimal', MOST);
        // An error ends its execution, so the set of executions depends on their order.
        if (expected.bounds.length > 0 || expected.errors > 0 || expected.deadlocks > 0) continue;
        compared++;
        const workers = 1 + ((seed + i) % 4);
        const found = searchDivided(program, model, { workers, seed: seed + i, maxExecutions: 3 * MOST });
        expect([...found.traces].sort(), `${model}, ${workers} workers`).toEqual([...expected.traces].sort());
        note(found);
      }
      return compared === 0 ? SKIPPED : undefined;
    });
  });

  it('of programs that wait', () => {
    const prng = new Prng(SEED);
    for (const waiting of Array.from({ length: samples(12) }, () => new WaitingGenerator(prng).program())) {
      const program = buildWaiting(waiting, 'registers');
      for (const model of MODELS) compareWaiting(program, model, prng, printIr(waiting, 'registers'));
    }
  });

  const [retrying, commuting] = [RetryingGenerator, CommutingGenerator];
  it.each<[string, (prng: Prng) => string]>([
    ['retry', (prng) => printRetrying(several(new retrying(prng)))],
    ['commute', (prng) => printCommuting(several(new commuting(prng)))],
  ])('of programs that %s', async (_, print) => {
    for (let batch = 0; batch < samples(1); batch++) {
      const prng = new Prng(SEED, batch);
      const source = print(prng);
      for (let i = 0; i < BATCH; i++) {
        const program = await compileC(source, { entry: `main_${i}` });
        for (const model of MODELS) compareWaiting(program, model, prng, source);
      }
    }
  });

  // Otherwise nothing was shared, and nothing has been tested.
  it('nodes were shared, proposals made and refused, jobs divided and lost', () => {
    expect(sums.appended).toBeGreaterThan(floor(sums.searches / 4));
    expect(sums.proposed).toBeGreaterThan(floor(sums.appended));
    expect(sums.divided).toBeGreaterThan(floor(sums.searches / 2));
    expect(sums.lost).toBeGreaterThan(floor(sums.searches / 4));
    expect(sums.merged).toBeGreaterThan(sums.searches / 16);
  });
});

/** Programs in one translation unit. */
const BATCH = 6;

function several<T>(generator: { program(): T }): T[] {
  return Array.from({ length: BATCH }, () => generator.program());
}

/** Threads that wait before idle reads, and operations that commute. */
function compareWaiting(program: Program, model: CheckedModel, prng: Prng, source: string): void {
  const shortcuts: Shortcuts = { ...ALL_SHORTCUTS, commuting: true };
  const options = { spin: true, awaits: true };
  const machine = new Machine(program, model, {}, options);
  const expected: string[] = [];
  try {
    const { errors, bounds } = explore(machine, new MachineDpor(machine, 'optimal', shortcuts), {
      maxExecutions: MOST,
      maxDepth: 120,
      onExecution: (_, outcome) => {
        expected.push(`${outcome} ${commutingTrace(machine)}`);
      },
    });
    if (errors.length > 0 || bounds.length > 0) return;
  } catch (error) {
    if (error instanceof MixedWait || error instanceof CommutingWait) return;
    throw error;
  }
  const found = searchDivided(program, model, {
    workers: 1 + prng.below(4),
    seed: prng.next(),
    maxExecutions: 3 * MOST,
    shortcuts,
    machine: options,
    limits: {},
    key: commutingTrace,
  });
  expect([...found.traces].sort(), `${model}\n${source}`).toEqual(expected.sort());
  note(found);
}
