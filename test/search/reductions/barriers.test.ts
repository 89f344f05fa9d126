/**
 * Arrivals at a barrier are explored in one order unless some thread checks whether it was last: fewer executions, the
 * same final states, errors and hangs (docs/decisions/0038-barriers.md). Exact counts are at the end.
 */
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { ALL_SHORTCUTS, type Shortcuts } from '../../../src/explore/dpor/shortcuts.ts';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import { withMergedArrivals } from '../../../src/explore/merged-arrivals.ts';
import type { MachineOptions } from '../../../src/machine/machine.ts';
import type { Program } from '../../../src/program/ir.ts';
import { Prng } from '../../../src/util/prng.ts';
import { ArrivingGenerator, printArriving } from '../../support/arriving.ts';
import { type CheckedModel, check, compileC, MODELS } from '../../support/c.ts';
import { finalStates } from '../../support/final-states.ts';
import { SHORTCUT_VARIANTS } from '../../support/shortcuts.ts';
import { DEEP, SEED, samples } from '../../support/tier.ts';

const PROGRAMS = samples(8);
/** Programs in one translation unit. */
const BATCH = 8;
const MAX_STATES = 3000;

const COMMUTING: Shortcuts = { ...ALL_SHORTCUTS, commuting: true };
const READING: MachineOptions = { spin: true };
const WAITING: MachineOptions = { spin: true, awaits: true };
const LIMITS = { maxExecutions: 400, maxDepth: 160, globals: /^(a|b|p|kept)$/ };

const seen = { compared: 0, cut: 0, inOrder: 0, hanging: 0, failing: 0, misused: 0, saved: 0, proved: 0 };

describe('generated programs have the same ends if arrivals are merged', () => {
  it.each(Array.from({ length: PROGRAMS / BATCH }, (_, batch) => batch))('batch %i', async (batch) => {
    const prng = new Prng(SEED, batch);
    const generator = new ArrivingGenerator(prng);
    const programs = Array.from({ length: BATCH }, () => generator.program());
    const source = printArriving(programs);
    for (const [i, arriving] of programs.entries()) {
      const program = await compileC(source, { entry: `main_${i}` });
      const text = printArriving([arriving]);
      let isCut = false;
      for (const model of MODELS) {
        seen.compared++;
        // A program too large under one model is not smaller under a weaker one.
        isCut ||= !compare(program, model, text, prng);
        if (isCut) seen.cut++;
      }
    }
  });

  it.runIf(DEEP)('many were small enough, and every kind occurred', () => {
    expect(seen.cut).toBeLessThan((seen.compared * 2) / 3);
    for (const kind of ['inOrder', 'hanging', 'failing', 'misused', 'saved', 'proved'] as const)
      expect(seen[kind], kind).toBeGreaterThan(seen.compared / 50);
  });
});

/** False if the program is too large for the oracle. */
function compare(program: Program, model: CheckedModel, source: string, prng: Prng): boolean {
  const all = finalStates(program, model, (m) => new Enumerator(m, MAX_STATES), READING, {
    ...LIMITS,
    maxExecutions: 1000,
  });
  if (all === undefined) return false;
  if (all.errors.includes('liveness') || all.errors.includes('deadlock')) seen.hanging++;
  if (all.errors.includes('assertion')) seen.failing++;
  if (all.errors.includes('misuse')) seen.misused++;
  const plain = finalStates(program, model, (m) => new MachineDpor(m, 'optimal'), WAITING, LIMITS);
  const variant = SHORTCUT_VARIANTS[prng.below(SHORTCUT_VARIANTS.length)]!;
  const searches: [string, 'optimal' | 'source', Shortcuts, MachineOptions][] = [
    ['optimal', 'optimal', COMMUTING, WAITING],
    ['source', 'source', COMMUTING, WAITING],
    [`optimal without ${variant.without}`, 'optimal', { ...variant.shortcuts, commuting: true }, WAITING],
    ['optimal, reading', 'optimal', COMMUTING, READING],
  ];
  // Always the first one, and one of the others.
  const chosen = [searches[0]!, searches[1 + prng.below(searches.length - 1)]!];
  for (const [name, mode, shortcuts, options] of chosen) {
    const what = `${name}, ${model}\n${source}`;
    const found = finalStates(
      withMergedArrivals(program),
      model,
      (m) => new MachineDpor(m, mode, shortcuts),
      options,
      LIMITS,
    );
    if (found === undefined) seen.cut++;
    if (found === undefined) continue;
    // An error of the program or of the merged arrivals: the search would start again without merging.
    if (found.errors.length > 0) {
      if (all.errors.length === 0) seen.inOrder++;
      continue;
    }
    expect(all.errors, what).toEqual([]);
    expect(found.finals, what).toEqual(all.finals);
    seen.proved++;
    if (mode === 'optimal') expect(found.abandoned, what).toBe(0);
    if (plain !== undefined && found.executions < plain.executions) seen.saved++;
  }
  // A check gives the right answer, and its errors exist without merging.
  const what = `check, ${model}\n${source}`;
  const result = check(program, model, { strategy: 'optimal', monitors: false, maxSteps: LIMITS.maxDepth });
  expect(result.verdict.kind, what).toBe(all.errors.length > 0 ? 'violation' : 'verified');
  for (const { error } of result.errors) expect(all.errors, what).toContain(error.kind);
  return true;
}

const round = (n: number, users: number, body: string, main = ''): string => `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_barrier_t b; atomic_int x; int z;
static void *f(void *own) { long i = (long)own; (void)i; ${body} return 0; }
int main(void) { pthread_t t[${users}]; pthread_barrier_init(&b, 0, ${n});
  for (long i = 0; i < ${users}; i++) pthread_create(&t[i], 0, f, (void *)i); ${main}
  for (int i = 0; i < ${users}; i++) pthread_join(t[i], 0); return 0; }`;
const WAIT = 'pthread_barrier_wait(&b);';

const cases: readonly [name: string, source: string, executions: number, ordered: number][] = [
  ['five threads', round(5, 5, WAIT), 1, 120],
  ['seven threads', round(7, 7, WAIT), 1, 5040],
  ['two rounds', round(4, 4, WAIT + WAIT), 1, 576],
  ['rounds in a loop', round(3, 3, `for (int i = 0; i < 4; i++) ${WAIT}`), 1, 1296],
  ['a thread asks who was last', round(4, 4, `if (i == 0) z = ${WAIT} else ${WAIT}`), 8, 24],
  ['all ask', round(4, 4, `if (${WAIT.slice(0, -1)}) z = 1;`), 24, 24],
  ['a result that is kept and not used', round(4, 4, `int last = ${WAIT} (void)last;`), 1, 24],
  ['more threads than places', round(2, 4, WAIT), 72, 96],
  ['the same threads in each round', round(3, 2, WAIT + WAIT, WAIT + WAIT), 1, 36],
];

it.each(cases)('arrivals are merged: %s', async (_, source, executions, ordered) => {
  const program = await compileC(source);
  for (const model of MODELS) {
    const options = { strategy: 'optimal', monitors: false } as const;
    expect(check(program, model, options)).toMatchObject({ executions, verdict: { kind: 'verified' } });
    if (ordered > 600) continue;
    expect(check(program, model, { ...options, countOrders: true }).executions).toBe(ordered);
  }
});
