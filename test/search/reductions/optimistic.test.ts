/**
 * Optimistic reads, as in a seqlock, are never in vain (docs/decisions/0045-optimistic-reads.md): fewer executions,
 * with the same final states, errors and hangs as the enumerator without this; and the same traces as the enumerator
 * that keeps writers waiting, each once.
 */
import { expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import type { Machine } from '../../../src/machine/machine.ts';
import type { Program } from '../../../src/program/ir.ts';
import { traceKey } from '../../../src/trace/trace-key.ts';
import { Prng } from '../../../src/util/prng.ts';
import { type CheckedModel, check, compileC, MODELS } from '../../support/c.ts';
import { finalStates, type Limited } from '../../support/final-states.ts';
import { buildOptimistic, OptimisticGenerator } from '../../support/optimistic.ts';
import { QUICK, SEED, samples } from '../../support/tier.ts';

const PROGRAMS = samples(40);
const BATCH = 20;
const MAX_STATES = 3000;
const LIMITED: Limited = { maxExecutions: 600, maxDepth: 80, globals: /./ };

const seen = { compared: 0, cut: 0, checked: 0, refused: 0, traces: 0, saved: 0, clean: 0, failing: 0, hanging: 0 };

it.each(Array.from({ length: PROGRAMS / BATCH }, (_, batch) => batch))(
  'programs have the same ends if no read is in vain: batch %i',
  (batch) => {
    const generator = new OptimisticGenerator(new Prng(SEED, batch));
    for (let i = 0; i < BATCH; i++) {
      const optimistic = generator.program();
      const program = buildOptimistic(optimistic);
      for (const model of MODELS) {
        seen.compared++;
        const all = finalStates(program, model, (m) => new Enumerator(m, MAX_STATES), {}, LIMITED);
        if (all === undefined) {
          seen.cut++;
          continue;
        }
        if (all.errors.includes('assertion')) seen.failing++;
        if (all.errors.includes('liveness')) seen.hanging++;
        const what = (mode: string): string => `${mode}, ${model}\n${JSON.stringify(optimistic)}`;
        const without = { awaits: true, optimistic: false };
        const plain = finalStates(program, model, (m) => new MachineDpor(m, 'optimal'), without, LIMITED);
        let known: readonly (readonly string[])[] | undefined;
        const enumerated = (): readonly (readonly string[])[] => {
          known ??= [true, false].flatMap((isKept) => tracesOf(program, model, isKept));
          return known;
        };
        for (const mode of ['optimal', 'source'] as const) {
          const keys: string[] = [];
          const noting = { ...LIMITED, onComplete: (m: Machine) => keys.push(traceKey(m)) };
          const found = finalStates(program, model, (m) => new MachineDpor(m, mode), { awaits: true }, noting);
          // A stamp may return to an old value; then the search does without this.
          if (found === undefined) {
            seen.refused++;
            continue;
          }
          seen.checked++;
          // After an error, DPOR does not explore what other threads would have done.
          const isRight = all.errors.every((kind) => kind === 'liveness');
          if (isRight) expect([found.finals, found.errors], what(mode)).toEqual([all.finals, all.errors]);
          else {
            expect(found.errors.length, what(mode)).toBeGreaterThan(0);
            expect(all.errors, what(mode)).toEqual(expect.arrayContaining([...found.errors]));
            continue;
          }
          if (plain !== undefined) {
            expect(found.executions, what(mode)).toBeLessThanOrEqual(plain.executions);
            if (found.blocked < plain.blocked) seen.saved++;
            if (found.blocked === 0 && plain.blocked > 0) seen.clean++;
          }
          for (const traces of enumerated()) {
            seen.traces++;
            expect([...new Set(keys)].sort(), what(mode)).toEqual(traces);
            if (mode === 'optimal') expect(keys.length, what(mode)).toBe(traces.length);
          }
        }
      }
    }
  },
);

/**
 * Traces by the enumerator that keeps writers waiting, or by the one that does not, where reads in vain are blocked.
 * Empty if there are too many.
 */
function tracesOf(program: Program, model: CheckedModel, isKept: boolean): readonly (readonly string[])[] {
  const traces = new Set<string>();
  const enumerated = finalStates(
    program,
    model,
    (m) => new Enumerator(m, MAX_STATES),
    { awaits: true, optimistic: isKept },
    { ...LIMITED, onComplete: (m) => traces.add(traceKey(m)) },
  );
  return enumerated === undefined ? [] : [[...traces].sort()];
}

it.skipIf(QUICK)('most were small enough, and every kind occurred', () => {
  expect(seen.cut).toBeLessThan(seen.compared / 6);
  expect(seen.checked).toBeGreaterThan(seen.compared);
  for (const kind of ['saved', 'clean', 'failing', 'hanging', 'traces'] as const)
    expect(seen[kind]).toBeGreaterThan(seen.compared / 100);
});

const PROGRAM = (threads: readonly string[]): string => `
  #include <assert.h>
  #include <pthread.h>
  #include <stdatomic.h>
  #include <stdlib.h>
  #define get(place) atomic_load_explicit(&place, memory_order_relaxed)
  #define set(place, value) atomic_store_explicit(&place, value, memory_order_relaxed)
  #define fence() atomic_thread_fence(memory_order_seq_cst)
  static _Alignas(8) atomic_int s = 4; static atomic_int t, a, b, c; static int plain; static atomic_int *_Atomic place;
  static int fetch(atomic_int *from) { return atomic_load(from); }
  static int begin(atomic_int *lock) { int stamp; while ((stamp = atomic_load(lock)) & 1) ; return stamp; }
  static int retry(atomic_int *lock, int stamp) { atomic_thread_fence(memory_order_acquire); return atomic_load(lock) != stamp; }
  ${threads.map((body, i) => `static void *f${i}(void *_) { ${body} return 0; }`).join('\n')}
  int main(void) {
    pthread_t threads[${threads.length}];
    ${threads.map((_, i) => `pthread_create(&threads[${i}], 0, f${i}, 0);`).join(' ')}
    ${threads.map((_, i) => `pthread_join(threads[${i}], 0);`).join(' ')}
  }`;

const WRITE = 'set(s, s + 1); fence(); set(a, a + 1); fence(); set(b, b + 1); fence(); set(s, s + 1); fence();';
const ADD =
  'atomic_fetch_add(&s, 1); fence(); set(a, a + 1); fence(); set(b, b + 1); fence(); atomic_fetch_add(&s, 1);';
const LOCKED = `for (int v; ; ) { v = s; if (!(v & 1) && atomic_compare_exchange_strong(&s, &v, v + 1)) break; }
  set(a, a + 1); set(b, b + 1); fence(); atomic_store_explicit(&s, s + 1, memory_order_release);`;
const READ =
  'int v, x, y; do { while ((v = get(s)) & 1) ; x = get(a); y = get(b); } while (get(s) != v); assert(x == y);';
/** Fails if the first is older than the second, which cannot be observed between two writes of the stamp. */
const OLD =
  'int v, x, y; do { while ((v = get(s)) & 1) ; x = get(a); y = get(b); } while (get(s) != v); assert(!(x == 0 && y == 1));';
const CALLS = 'int v, x, y; do { v = begin(&s); x = get(a); y = get(b); } while (retry(&s, v)); assert(x == y);';

const HELPED =
  'int v, x, y; do { while ((v = fetch(&s)) & 1) ; x = fetch(&a); y = fetch(&b); } while (fetch(&s) != v); assert(x == y);';
const LAST = 'int v, x, y; do { v = get(s); x = get(a); y = get(b); } while (get(s) != v || v & 1); assert(x == y);';
const EARLIER = 'int v, x, y; do { v = get(s); x = get(a); y = get(b); } while (v & 1 || get(s) != v); assert(x == y);';

/** Each reader reads before, between or after the updates. */
it.each([
  ['one update', [WRITE, READ], 2],
  ['two updates', [WRITE + WRITE, READ], 3],
  ['three readers', [WRITE, READ, READ, READ], 8],
  ['three readers, two updates', [WRITE + WRITE, READ, READ, READ], 27],
  ['functions, and additions', [ADD + ADD, CALLS, CALLS], 9],
  ['one function for all loads', [WRITE + WRITE, HELPED, HELPED], 9],
  // A thread does not even read an odd stamp, since it would start again whatever it reads after it.
  ['a loop that looks at the stamp only in the end', [WRITE + WRITE, LAST, LAST], 9],
  ['the same with three readers', [WRITE + WRITE, LAST, LAST, LAST], 27],
  ['a loop that looks at the stamp before it validates', [WRITE + WRITE, EARLIER, EARLIER], 9],
  // The writers' compare-exchanges may fail.
  ['two writers, with a lock in the stamp', [LOCKED, LOCKED, READ], 6, 4],
])('no read is in vain: %s', async (_, threads, executions, blocked = 0) => {
  const program = await compileC(PROGRAM(threads));
  for (const model of MODELS) {
    for (const strategy of ['optimal', 'source'] as const) {
      const result = check(program, model, { strategy, monitors: false });
      expect([model, strategy, result.verdict.kind, result.executions, result.blocked]).toEqual([
        model,
        strategy,
        'verified',
        executions,
        blocked,
      ]);
    }
  }
});

/** A loop that validates, so that the search looks for such loops at all. */
const ANOTHER = 'int q; do q = get(t); while (get(t) != q);';

/** Programs in which only a read during a write leads to the error, or would lead to a false one. */
it.each([
  ['a stamp that comes back', ['set(s, 5); set(a, 1); set(s, 4); fence(); set(b, 1);', OLD], MODELS],
  ['a stamp that is written with what it is', ['set(a, 1); set(s, 4); fence(); set(b, 1);', OLD], MODELS],
  [
    'a stamp that comes back in parts',
    [
      '((volatile short *)&s)[1] = 1; fence(); set(a, 1); fence(); ((volatile short *)&s)[1] = 0;  fence(); set(b, 1);',
      OLD,
    ],
    MODELS,
  ],
  [
    'a stamp to which others add and subtract',
    ['atomic_fetch_add(&s, 2); set(a, 1); atomic_fetch_sub(&s, 2); fence(); set(b, 1);', OLD],
    MODELS,
  ],
  [
    'an assertion in between',
    [WRITE, 'int v, x, y; do { v = begin(&s); x = get(a); y = get(b); assert(x == y); } while (get(s) != v);'],
    MODELS,
  ],
  [
    'a place that is not there any more',
    [
      'place = malloc(4); *place = 1; set(s, 6); fence(); atomic_int *old = place; set(s, 7); fence(); place = 0; free(old);',
      'int v, x = 0; do { v = begin(&s); atomic_int *p = place; if (p) x = *p; } while (retry(&s, v));',
    ],
    MODELS,
  ],
  [
    'memory that ends during a read',
    [
      'atomic_int *m = malloc(4); *m = 1; place = m; set(s, 5); fence(); free(m); fence(); set(s, 6);',
      'atomic_int *p = place; int v, x; if (p) do { v = begin(&s); if (v == 6) break; x = *p; } while (retry(&s, v));',
    ],
    MODELS,
  ],
  [
    'a compare-exchange of the stamp that fails in between',
    ['set(a, 1); int e = 9; atomic_compare_exchange_strong(&s, &e, 10); set(b, 1);', OLD],
    MODELS,
  ],
  [
    'a way that the data choose',
    [
      WRITE,
      'int v, x, y; do { v = begin(&s); x = get(a); y = get(b); if (x > y) break; } while (get(s) != v); assert(x <= y);',
    ],
    MODELS,
  ],
  [
    'a count of the reads',
    [WRITE, 'int v, n = 0; do { v = begin(&s); n++; (void)get(a); } while (get(s) != v); assert(n < 2);'],
    MODELS,
  ],
  // The thread comes back from every read of an even stamp, but not as it was.
  [
    'a count of the reads in vain',
    [
      'set(a, 1); fence(); set(s, 5);',
      'int v, n = 0; do { v = get(s); n++; (void)get(a); } while (!(v & 1) || get(s) != v); assert(n < 2);',
    ],
    MODELS,
  ],
  [
    'data of a read in vain that the loop keeps',
    [
      'set(a, 1); fence(); set(a, 2); fence(); set(s, 5);',
      'int v, x = 0; do { v = get(s); x |= get(a); } while (!(v & 1) || get(s) != v); assert(x == 2);',
    ],
    MODELS,
  ],
  [
    'a read in vain that some data end',
    [
      'set(a, 1); fence(); set(a, 2); fence(); set(s, 5);',
      'int v, x; do { v = get(s); x = get(a); if (x == 1) break; } while (!(v & 1) || get(s) != v); assert(v & 1);',
    ],
    MODELS,
  ],
  [
    'a place that is not there during a read in vain',
    [
      'place = malloc(4); *place = 1; fence(); atomic_int *old = place; free(old); fence(); set(s, 5);',
      'int v, x = 0; do { v = get(s); atomic_int *p = place; if (p) x = *p; } while (!(v & 1) || get(s) != v);',
    ],
    MODELS,
  ],
  [
    'a stamp with which no read ends',
    ['set(a, 1); fence(); set(s, 6);', 'int v, x; do { v = get(s); x = get(a); } while (!(v & 1) || get(s) != v);'],
    MODELS,
  ],
  [
    'the newest data, that the loop keeps',
    [
      WRITE,
      'int v, x = 0; do { v = begin(&s); if (x == 0) x = 1 + get(a); } while (get(s) != v); assert(!(x == 1 && v == 6));',
    ],
    MODELS,
  ],
  [
    'a validation of something else',
    [WRITE, 'int v, x, y; do { v = get(t); x = get(a); y = get(b); } while (get(t) != v); assert(x == y);'],
    MODELS,
  ],
  [
    'a validation that is too weak',
    [
      WRITE,
      `${ANOTHER} int v, x, y; do { v = begin(&s); x = get(a); y = get(b); } while (get(s) < v); assert(x == y);`,
    ],
    MODELS,
  ],
  [
    'a validation in one direction',
    [
      'set(s, 2); fence(); set(b, 1);',
      `${ANOTHER} int v, y; do { v = get(s); y = get(b); } while (get(s) > v); assert(!(v == 4 && y == 1));`,
    ],
    MODELS,
  ],
  [
    'a validation of one bit',
    [
      'set(s, 6); fence(); set(b, 1);',
      `${ANOTHER} int v, y; do { v = get(s); y = get(b); } while ((get(s) ^ v) & 1); assert(!(v == 4 && y == 1));`,
    ],
    MODELS,
  ],
  ['missing fences', ['set(s, 5); set(a, 1); set(b, 1); set(s, 6);', READ], ['pso']],
  [
    'a valid stamp that is not enough',
    [
      'set(s, 5); fence(); set(a, 1); fence(); set(b, 1); fence(); set(s, 6);',
      'int v, x, y; do { v = begin(&s); x = get(a); y = get(b); } while (retry(&s, v) || v == 4); assert(x == 1 && y == 1);',
    ],
    [],
  ],
  [
    'readers that wait for what they wrote, with a fence',
    [
      'set(t, 2); int v, x; do { v = get(s); fence(); x = get(a); } while (get(s) != v);',
      'set(s, 6); int v, x; do { v = get(t); fence(); x = get(b); } while (get(t) != v);',
    ],
    [],
  ],
  [
    'a reader that has written the stamp',
    ['set(s, 6); set(a, 1);', 'set(s, 8); int v, x; do { v = get(s); x = get(a); } while (get(s) != v);'],
    [],
  ],
])('the verdict is right for %s', async (_, threads, failing: readonly string[]) => {
  const program = await compileC(PROGRAM(threads));
  for (const strategy of ['optimal', 'source'] as const) {
    for (const model of MODELS) {
      const { verdict } = check(program, model, { strategy, monitors: false });
      expect([model, strategy, verdict.kind]).toEqual([
        model,
        strategy,
        failing.includes(model) ? 'violation' : 'verified',
      ]);
    }
  }
});

const BEGINS = 'do { v = begin(&s); x = __atomic_load_n(&plain, 5); } while (retry(&s, v));';

it.each<[string, string, string?]>([
  ['data', 'set(s, 5); fence(); plain = 1; fence(); set(s, 6);'],
  ['a stamp', '*(int *)&s = 6;'],
  [
    'data, in vain',
    'atomic_fetch_add(&s, 1); plain = 1; atomic_fetch_add(&s, 1);',
    'do { v = get(s); x = __atomic_load_n(&plain, 5); } while (v & 1 || get(s) != v);',
  ],
])('warns of races of %s read optimistically and written plainly', async (_, writer, loop = BEGINS) => {
  const data = `int v, x; ${loop}`;
  const program = await compileC(PROGRAM([writer, data]));
  for (const model of MODELS) {
    const warnings = (countOrders: boolean): readonly string[] =>
      check(program, model, { strategy: 'optimal', monitors: false, countOrders }).warnings.map((w) => w.message);
    expect(warnings(false).length).toBeGreaterThan(0);
    expect(warnings(false)).toEqual(warnings(true));
  }
});
