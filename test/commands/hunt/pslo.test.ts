/**
 * PSLO for whole programs: `check` enumerates it, `hunt` samples it, and the two agree. Also what unlocking orders, in
 * both readings of the paper.
 */
import { describe, expect, it } from 'vitest';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import { explore } from '../../../src/explore/explore.ts';
import { Replay } from '../../../src/explore/replay.ts';
import { parseSchedule } from '../../../src/explore/schedule.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { MAX_CHOICES, stepOf } from '../../../src/machine/state/process.ts';
import type { Model, RelaxedModel } from '../../../src/models/index.ts';
import { int, ProgramBuilder } from '../../../src/program/builder.ts';
import type { Program } from '../../../src/program/ir.ts';
import { traceKey } from '../../../src/trace/trace-key.ts';
import { check, compileC, verdict } from '../../support/c.ts';
import { forAll, forAllSketches, SKIPPED } from '../../support/for-all.ts';
import { confirmed, hunt } from '../../support/hunt.ts';
import { type Visited, visit } from '../../support/searches.ts';
import { buildSizedProgram, type SizedSketch, sizedSketches } from '../../support/sized-sketch.ts';
import { buildProgram } from '../../support/sketch.ts';
import { buildSyncProgram, printSyncSketch, racySyncSketches, syncSketches } from '../../support/sync-sketch.ts';
import { floor } from '../../support/tier.ts';

/** The core of ms2 ([RELAXER] Fig. 10), with the store–store fence that PSO needs; numbers as in the figure. */
const MS2 = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t head, tail;
static int data;
static int *volatile next;
static void *enqueue(void *unused) {
  data = 1;                                  /* 2 */
  atomic_thread_fence(memory_order_release);
  pthread_mutex_lock(&tail);
  next = &data;                              /* 5 */
  pthread_mutex_unlock(&tail);
  return unused;
}
static int dequeue(void) {
  pthread_mutex_lock(&head);
  int *node = next;                          /* 10 */
  BEFORE;
  pthread_mutex_unlock(&head);               /* 13 */
  AFTER;
  return node ? *node : 1;                   /* 14 */
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, enqueue, 0);
  int seen = dequeue();
  assert(seen == 1);
  pthread_join(thread, 0);
  return 0;
}
`;
const LOAD_LOAD = 'atomic_thread_fence(memory_order_acquire)';

describe('after unlocking, a thread', () => {
  const verdicts = async (before: string, after: string): Promise<readonly string[]> => {
    const program = await compileC(MS2, { defines: [`BEFORE=${before}`, `AFTER=${after}`] });
    return (['pso', 'pslo-unlock', 'pslo'] as const).map((model) =>
      verdict(check(program, model, { strategy: 'optimal' })),
    );
  };
  const FAILS = 'assertion: seen == 1';

  it('may still read what memory held before, unless unlocking orders loads', async () => {
    expect(await verdicts('', '')).toEqual(['verified', 'verified', FAILS]);
  });

  it('may not with a load–load fence on either side', async () => {
    expect(await verdicts(LOAD_LOAD, '')).toEqual(['verified', 'verified', 'verified']);
    expect(await verdicts('', LOAD_LOAD)).toEqual(['verified', 'verified', 'verified']);
  });

  it('may not after locking again', async () => {
    const again = 'pthread_mutex_lock(&head); pthread_mutex_unlock(&head)';
    expect(await verdicts('', again)).toEqual(['verified', 'verified', 'verified']);
  });

  it('is found by a hunt, which needs the stale load', async () => {
    const program = await compileC(MS2, { defines: ['BEFORE=', 'AFTER='] });
    const harmful = (model: 'pslo' | 'pslo-unlock') =>
      hunt(program, model, { runs: 20, trials: 5 }).cycles.filter((c) => c.harmful > 0).length;
    expect(harmful('pslo')).toBeGreaterThan(0);
    expect(harmful('pslo-unlock')).toBe(0);
  });
});

describe('the enumerator loses nothing under PSLO', () => {
  it('with accesses of different sizes', () => {
    forAll(
      { from: sizedSketches(2, 4), count: 150, print: (sketch: SizedSketch) => sketch.toString(), compared: 0.5 },
      (sketch) => expectNothingLost(buildSizedProgram(sketch), 'pslo'),
    );
  });

  it('when one load overlaps two writes, which may have reached memory in either order', () => {
    const program = new ProgramBuilder('wide');
    const u = program.global('u', 'i64');
    const upper = { kind: 'global', index: 0, offset: 4 } as const;
    const z = program.global('z', 'i32');
    const low = program.function('P0');
    low.store(u, int(1));
    const high = low.register('high', 'i32');
    low.load(high, upper);
    low.fence('seq_cst');
    low.rmw('xchg', low.register('before', 'i32'), z, int(1), 'relaxed');
    low.return();
    const other = program.function('P1');
    other.store(upper, int(1));
    other.return();
    const reader = program.function('P2');
    reader.rmw('xchg', reader.register('after', 'i32'), z, int(2), 'relaxed');
    reader.load(reader.register('wide', 'i64'), u);
    reader.return();
    for (const [name, f] of Object.entries({ P0: low, P1: other, P2: reader })) program.root(name, f);
    const machine = new Machine(program.build(), 'pslo');
    const seen = new Set<string>();
    explore(machine, new Enumerator(machine), {
      onExecution: () =>
        seen.add([machine.register(0, 0)[0], machine.register(2, 0)[0], machine.register(2, 1)].join()),
    });
    // Both halves are in memory, and the reader has acted since; it may still pass either of them, or both.
    const wide = [...seen].filter((s) => s.startsWith('1,1,')).map((s) => s.slice(4));
    expect(wide.sort()).toEqual(['0,0', '0,1', '1,0', '1,1']);
  });

  it.each(['pslo', 'pslo-unlock'] as const)('with mutexes, joins, frees and waiting under %s', (model) => {
    forAll({ from: syncSketches(), count: 8, print: printSyncSketch, compared: 0.2 }, (sketch) =>
      expectNothingLost(buildSyncProgram(sketch), model),
    );
  });

  function expectNothingLost(program: Program, model: Model): typeof SKIPPED | undefined {
    const all = visit(program, model, 'exhaustive', 10_000);
    if (all.bounds.length > 0) return SKIPPED;
    const memoised = visit(program, model, 'enumerate');
    expect([...memoised.distinct].sort()).toEqual([...all.distinct].sort());
    expect(memoised.errors > 0).toBe(all.errors > 0);
    return undefined;
  }
});

describe('on generated programs', () => {
  it('PSO ⊆ PSLO with unlocking that orders loads ⊆ PSLO', () => {
    forAll({ from: syncSketches(), count: 10, print: printSyncSketch, compared: 0.5 }, (sketch) => {
      const program = buildSyncProgram(sketch);
      const visited = (['pso', 'pslo-unlock', 'pslo'] as const).map((model) => visit(program, model, 'enumerate'));
      if (visited.some(({ bounds }) => bounds.length > 0)) return SKIPPED;
      for (const [i, weak] of visited.slice(1).entries()) {
        const strong = visited[i]!;
        expect([...strong.distinct].filter((trace) => !weak.distinct.has(trace))).toEqual([]);
        if (strong.errors > 0) expect(weak.errors).toBeGreaterThan(0);
      }
      return undefined;
    });
  });

  it.each(['pslo', 'pslo-unlock'] as const)('what a hunt forces under %s, the enumerator has', (model) => {
    let forced = 0;
    forAll({ from: racySyncSketches(), count: 8, print: printSyncSketch, compared: 0.3 }, (sketch, seed) => {
      const program = buildSyncProgram(sketch);
      const all = visit(program, model, 'enumerate');
      if (all.bounds.length > 0) return SKIPPED;
      forced += expectAmong(all, program, model, seed);
      return undefined;
    });
    forAllSketches({ threads: 2, locations: 2, totalOps: 6 }, 80, (sketch, seed) => {
      const program = buildProgram(sketch);
      forced += expectAmong(visit(program, model, 'enumerate'), program, model, seed);
    });
    expect(forced).toBeGreaterThan(floor(10));
  });

  /** The number of forced executions; each is one of `all`, and so is each error. */
  function expectAmong(all: Visited, program: Program, model: RelaxedModel, seed: number): number {
    const found = hunt(program, model, { seed, runs: 10, trials: 2, attempts: 5, keepGoing: true });
    if (all.errors === 0 && all.deadlocks === 0) expect(found.errors).toEqual([]);
    let forced = 0;
    for (const { schedule } of confirmed(found)) {
      const machine = new Machine(program, model);
      let seen = '';
      explore(machine, new Replay(parseSchedule(machine, schedule!)), {
        onExecution: (_, outcome) => {
          seen = `${outcome} ${traceKey(machine)}`;
        },
      });
      if (!seen.startsWith('complete')) continue;
      expect(all.distinct.has(seen)).toBe(true);
      forced++;
    }
    return forced;
  }
});

it('a load with more values than a step can choose from ends in a bound', () => {
  const program = new ProgramBuilder('many');
  const x = program.global('x', 'i32');
  const writer = program.function('writer');
  for (let i = 0; i <= MAX_CHOICES; i++) writer.store(x, int(i));
  writer.return();
  const reader = program.function('reader');
  reader.load(reader.register('r', 'i32'), x);
  reader.return();
  program.root('0', writer);
  program.root('1', reader);
  const machine = new Machine(program.build(), 'pslo');
  for (let i = 0; i <= MAX_CHOICES; i++) for (const step of parseSchedule(machine, '0 0/x')) machine.step(step);
  const base = machine.depth;
  machine.step(stepOf(1, MAX_CHOICES - 2));
  expect(machine.outcome).not.toBe('limit');
  machine.rollback(base);
  machine.step(stepOf(1, MAX_CHOICES - 1));
  expect([machine.outcome, machine.bound]).toEqual(['limit', 'values of one load']);
});
