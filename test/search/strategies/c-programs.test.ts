/**
 * Generated C programs with mutexes in any order, condition variables, semaphores, joins, frees, choices and loops:
 * `optimal` and `source` find what `exhaustive` finds by trying every schedule. At least 40 programs; the fuzzer
 * (`test/fuzz`) has many more, with other features.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Program } from '../../../src/program/ir.ts';
import { compileC } from '../../support/c.ts';
import { DPOR_MODELS, visit } from '../../support/searches.ts';
import { syncFile } from '../../support/sync-c.ts';
import { printSyncSketch, type SyncSketch, syncSketches } from '../../support/sync-sketch.ts';
import { SEED, samples } from '../../support/tier.ts';

const PROGRAMS = samples(16);
const PER_FILE = 10;
/** A program with more schedules than this does not count. */
const MAX_SCHEDULES = 3000;

/** Returns the number of models under which all schedules could be tried. */
function compare(program: Program, what: string): number {
  let compared = 0;
  for (const model of DPOR_MODELS) {
    const all = visit(program, model, 'exhaustive', MAX_SCHEDULES);
    if (all.bounds.length > 0) continue;
    compared++;
    for (const search of ['optimal', 'source'] as const) {
      const found = visit(program, model, search);
      const where = `${model}, ${search}: ${what}`;
      expect(found.errors > 0, where).toBe(all.errors > 0);
      // An error ends its execution, so other threads do not finish.
      if (all.errors > 0) continue;
      expect([...found.distinct].sort(), where).toEqual([...all.distinct].sort());
      if (search === 'optimal') expect([found.traces.length, found.asleep], where).toEqual([all.distinct.size, 0]);
    }
  }
  return compared;
}

it(`${PROGRAMS} programs in C have the traces of the enumerator`, async () => {
  const seed = SEED;
  const sketches: readonly SyncSketch[] = fc.sample(
    syncSketches().filter(({ threads }) => threads.length <= 2),
    { numRuns: 4 * PROGRAMS, seed },
  );
  let compared = 0;
  for (let at = 0; at < sketches.length && compared < PROGRAMS; at += PER_FILE) {
    const group = sketches.slice(at, at + PER_FILE);
    const source = syncFile(group);
    for (const [i, sketch] of group.entries()) {
      const program = await compileC(source, { entry: `p${i}` });
      if (compare(program, `seed ${seed}, ${printSyncSketch(sketch)}`) > 0) compared++;
    }
  }
  expect(compared).toBeGreaterThanOrEqual(PROGRAMS);
});

it('a write in several parts may follow more reads than are looked through one by one', async () => {
  const loads = 'atomic_load_explicit(&x, memory_order_relaxed); '.repeat(24);
  const program = await compileC(`#include <pthread.h>
#include <stdatomic.h>
static _Atomic long x;
static void *reader(void *u) { ${loads} return u; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  x = 1;
  pthread_join(t, 0);
}
`);
  for (const model of DPOR_MODELS) {
    const { traces, asleep } = visit(program, model, 'optimal');
    expect([traces.length, asleep], model).toEqual([25, 0]);
  }
});
