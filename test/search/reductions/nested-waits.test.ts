/**
 * Read-modify-writes that fail, and after which their thread would wait, are not taken: fewer executions, with the same
 * final states, errors and hangs (docs/decisions/0030-nested-waits.md).
 */
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import type { Program } from '../../../src/program/ir.ts';
import { Prng } from '../../../src/util/prng.ts';
import { type CheckedModel, check, compileC, MODELS } from '../../support/c.ts';
import { type FinalStates, finalStates, type Limited } from '../../support/final-states.ts';
import { NestingGenerator, printNesting } from '../../support/nesting.ts';
import { DEEP, SEED, samples } from '../../support/tier.ts';

const PROGRAMS = samples(8);
/** Programs in one translation unit. */
const BATCH = 8;
const MAX_STATES = 8000;

const LIMITED: Limited = { maxExecutions: 1500, maxDepth: 200, globals: /^(x|y|kept)$/ };

const seen = { compared: 0, cut: 0, mixed: 0, hanging: 0, failing: 0, saved: 0 };

describe('generated programs have the same ends if nested loops wait', () => {
  it.each(Array.from({ length: PROGRAMS / BATCH }, (_, batch) => batch))('batch %i', async (batch) => {
    const generator = new NestingGenerator(new Prng(SEED, batch));
    const programs = Array.from({ length: BATCH }, () => generator.program());
    const source = printNesting(programs);
    for (const [i, nesting] of programs.entries()) {
      const program = await compileC(source, { entry: `main_${i}` });
      const text = printNesting([nesting]);
      let isCut = false;
      for (const model of MODELS) {
        seen.compared++;
        // A program too large under one model is not smaller under a weaker one.
        isCut ||= !compare(program, model, text);
        if (isCut) seen.cut++;
      }
    }
  });

  it.runIf(DEEP)('most were small enough, and every kind occurred', () => {
    expect(seen.cut).toBeLessThan(seen.compared / 4);
    for (const kind of ['mixed', 'hanging', 'failing', 'saved'] as const)
      expect(seen[kind], kind).toBeGreaterThan(seen.compared / 50);
  });
});

/** False if the program is too large for the oracle. */
function compare(program: Program, model: CheckedModel, source: string): boolean {
  const all = finalStates(program, model, (m) => new Enumerator(m, MAX_STATES), {}, LIMITED);
  if (all === undefined) return false;
  if (all.errors.includes('liveness')) seen.hanging++;
  if (all.errors.includes('assertion')) seen.failing++;
  for (const mode of ['optimal', 'source'] as const) {
    const run = (nested: boolean): FinalStates | undefined =>
      finalStates(program, model, (m) => new MachineDpor(m, mode), { awaits: true, nested }, LIMITED);
    const [plain, found] = [run(false), run(true)];
    const what = `${mode}, ${model}\n${source}`;
    if (plain === undefined) continue;
    if (found === undefined) {
      seen.mixed++;
      continue;
    }
    for (const { errors, finals } of [plain, found]) {
      // An error ends its execution, and may hide others.
      expect(errors.length > 0, what).toBe(all.errors.length > 0);
      for (const kind of errors) expect(all.errors, what).toContain(kind);
      for (const state of finals) expect(all.finals, what).toContain(state);
      if (!all.errors.some((kind) => kind !== 'liveness'))
        expect([finals, errors], what).toEqual([all.finals, all.errors]);
    }
    if (all.errors.some((kind) => kind !== 'liveness')) continue;
    expect(found.executions, what).toBe(plain.executions);
    expect(found.blocked, what).toBeLessThanOrEqual(plain.blocked);
    if (found.blocked < plain.blocked) seen.saved++;
  }
  return true;
}

const THREADS = (bodies: readonly string[]): string => `
  #include <assert.h>
  #include <pthread.h>
  #include <stdatomic.h>
  static atomic_int l = 1; static _Thread_local int own;
  ${bodies.map((body, i) => `static void *f${i}(void *_) { ${body} return 0; }`).join('\n')}
  int main(void) {
    pthread_t t[${bodies.length}];
    ${bodies.map((_, i) => `pthread_create(&t[${i}], 0, f${i}, 0);`).join(' ')}
    ${bodies.map((_, i) => `pthread_join(t[${i}], 0);`).join(' ')}
  }`;

/** Programs in which only a failed exchange leads to the error. */
it.each([
  [
    'a value that the exchange would take, and the load waits for ever with',
    'while (atomic_exchange(&l, 1) == 1) while (l) ;',
    'l = 2;',
    'liveness',
  ],
  [
    'a value that only the load sees',
    'int v = 1; while (atomic_exchange(&l, 1) == 1) { while ((v = l) == 1) ; assert(v != 2); }',
    'l = 2; l = 0;',
    'assertion',
  ],
  [
    'a value that only the load sees, and that is kept',
    'int v = 0; while (atomic_exchange(&l, 1) == 1) while ((v = l) == 1) ; assert(v != 2);',
    'l = 2; l = 0;',
    'assertion',
  ],
  [
    'a value that the exchange has found',
    'int v; while ((v = atomic_fetch_or(&l, 0)) != 0) while (l == v) ;',
    'l = 2; l = 1;',
    'liveness',
  ],
  [
    'a value that the exchange has found, in private memory',
    'while (!atomic_compare_exchange_strong(&l, &(int){0}, 3)) { own = 1; while (l == 1) ; } assert(own == 0);',
    'l = 0;',
    'assertion',
  ],
  [
    'a value that the exchange has found, and with which only a later one goes on',
    'int v; while ((v = atomic_fetch_or(&l, 0)) != 0) { while (l && v != 2) ; if (v == 2) break; }',
    'l = 2;',
    'liveness',
  ],
  [
    'what an iteration does before it waits',
    'int n[2] = {0}, o = 0; while (!atomic_compare_exchange_strong(&l, &o, 3)) { n[o & 1] = 1; while (l == 1) ; o = 0; } assert(n[1] == 0);',
    'l = 0;',
    'assertion',
  ],
  [
    'what an iteration does after it has waited',
    'int n[2] = {0}, o = 0; while (!atomic_compare_exchange_strong(&l, &o, 3)) { int v; while ((v = l) == 1) ; n[v & 1] = 1; o = 0; } assert(n[0] == 0);',
    'l = 0;',
    'assertion',
  ],
  [
    'what changes while it waits',
    'int n = 0; while (atomic_exchange(&l, 1) == 1) while (l == 1) n = 1 - n; assert(n == 0);',
    'l = 0;',
    'assertion',
  ],
  [
    'a fault on the way',
    'while (atomic_exchange(&l, 1) == 1) { int v; while ((v = l) == 1) ; assert(6 / v != 6); }',
    'l = 0;',
    'misuse',
  ],
])('finds the error behind %s', async (_, waits, writes, kind) => {
  const program = await compileC(THREADS([waits, writes]));
  for (const strategy of ['optimal', 'source'] as const) {
    for (const model of MODELS) {
      const { errors } = check(program, model, { strategy, monitors: false });
      expect([model, errors[0]?.error.kind]).toEqual([model, kind]);
    }
  }
});

it.each([
  [
    'a value that differs from what the exchange has found',
    'for (int v, found; (found = atomic_fetch_or(&l, 0)) != 0; ) { while ((v = l) == found) ; assert(v != 2); }',
    'l = 2;',
  ],
  [
    'a value of another place',
    'while (atomic_exchange(&l, 1) == 1) { int v; while ((v = k) == 0) ; assert(v != 1); }',
    'k = 1; k = 0;',
  ],
])('finds the error behind %s, even if the program ends while the thread waits', async (_, waits, writes) => {
  const program = await compileC(`
    #include <assert.h>
    #include <pthread.h>
    #include <stdatomic.h>
    static atomic_int l = 1, k;
    static void *f(void *_) { ${waits} return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); ${writes} return 0; }`);
  for (const model of MODELS) {
    const { errors } = check(program, model, { strategy: 'optimal', monitors: false });
    expect([model, errors[0]?.error.kind]).toEqual([model, 'assertion']);
  }
});
