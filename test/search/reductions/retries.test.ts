/**
 * Threads do not prepare a node again after a compare-exchange that failed to publish it: fewer executions, with the
 * same final states and errors (docs/decisions/0029-retries.md).
 */
import { expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import { Prng } from '../../../src/util/prng.ts';
import { check, compileC, MODELS } from '../../support/c.ts';
import { finalStates, type Limited } from '../../support/final-states.ts';
import { PublishingGenerator, printPublishing } from '../../support/publishing.ts';
import { DEEP, QUICK, SEED, samples } from '../../support/tier.ts';

const PROGRAMS = samples(8);
/** Programs in one translation unit. */
const BATCH = 8;
/** Larger programs run in the deep tier: most of the time goes into the few largest. */
const MAX_STATES = DEEP ? 30_000 : 5000;

const LIMITED: Limited = { maxExecutions: 5000, maxDepth: 300, globals: /^(x|y|kept|top|box)$/ };

const seen = { compared: 0, cut: 0, saved: 0 };

it.each(Array.from({ length: PROGRAMS / BATCH }, (_, batch) => batch))(
  'programs have the same ends without retries: batch %i',
  async (batch) => {
    const generator = new PublishingGenerator(new Prng(SEED, batch));
    const programs = Array.from({ length: BATCH }, () => generator.program());
    const source = printPublishing(programs);
    for (const [i, publishing] of programs.entries()) {
      const program = await compileC(source, { entry: `main_${i}` });
      let isCut = false;
      for (const model of MODELS) {
        seen.compared++;
        // A program too large under one model is not smaller under a weaker one.
        const all = isCut ? undefined : finalStates(program, model, (m) => new Enumerator(m, MAX_STATES), {}, LIMITED);
        if (all === undefined) {
          isCut = true;
          seen.cut++;
          continue;
        }
        const without = { awaits: true, retries: false };
        const plain = finalStates(program, model, (m) => new MachineDpor(m, 'optimal'), without, LIMITED);
        for (const mode of ['optimal', 'source'] as const) {
          const found = finalStates(program, model, (m) => new MachineDpor(m, mode), { awaits: true }, LIMITED);
          const what = `${mode}, ${model}\n${printPublishing([publishing])}`;
          if (found === undefined) continue;
          expect([found.finals, found.errors], what).toEqual([all.finals, all.errors]);
          if (plain === undefined) continue;
          expect(found.executions, what).toBeLessThanOrEqual(plain.executions);
          if (found.executions < plain.executions) seen.saved++;
        }
      }
    }
  },
);

it.skipIf(QUICK)('most were small enough, and some were saved', () => {
  expect(seen.cut).toBeLessThan(seen.compared / (DEEP ? 5 : 3));
  expect(seen.saved).toBeGreaterThan(seen.compared / 20);
});

const THREADS = (bodies: readonly string[]): string => `
  #include <assert.h>
  #include <pthread.h>
  #include <stdatomic.h>
  #include <stdlib.h>
  #define get(place) atomic_load_explicit(place, memory_order_relaxed)
  #define set(place, value) atomic_store_explicit(place, value, memory_order_relaxed)
  struct node { struct node *_Atomic next; atomic_int a, b; };
  static struct node first, second; static struct node *_Atomic top, *_Atomic box; static atomic_ulong secret; static atomic_int x;
  ${bodies.map((body, i) => `static void *f${i}(void *_) { ${body} return 0; }`).join('\n')}
  int main(void) {
    pthread_t t[${bodies.length}];
    ${bodies.map((_, i) => `pthread_create(&t[${i}], 0, f${i}, 0);`).join(' ')}
    ${bodies.map((_, i) => `pthread_join(t[${i}], 0);`).join(' ')}
  }`;

const PUSH =
  'struct node *n = malloc(sizeof *n), *old; do { old = top; n->next = old; } while (!atomic_compare_exchange_strong(&top, &old, n));';
const CARRY =
  'struct node *n = malloc(sizeof *n), *old = top; do n->next = old; while (!atomic_compare_exchange_strong(&top, &old, n));';
const POP =
  'struct node *was; do { was = top; if (!was) break; } while (!atomic_compare_exchange_strong(&top, &was, was->next));';

it.each([
  ['two that push and pop', [PUSH + POP, PUSH + POP], 10, 6],
  ['three that push', [PUSH, PUSH, PUSH], 6, 15],
  ['three that push, with the value found', [CARRY, CARRY, CARRY], 6, 15],
  ['three that push and pop', [PUSH + POP, PUSH + POP, PUSH + POP], 270, 387],
])('executions are counted, and retries named: %s', async (_, bodies, executions, blocked) => {
  const program = await compileC(THREADS(bodies));
  for (const model of MODELS) {
    const result = check(program, model, { strategy: 'optimal', monitors: false });
    expect([model, result.verdict.kind, result.executions, result.blocked]).toEqual([
      model,
      'verified',
      executions,
      blocked,
    ]);
    expect(result.loops.map(({ why }) => why)).toContainEqual(expect.stringContaining('retries a compare-exchange'));
  }
});

const FAIL = 'while (!atomic_compare_exchange_strong(&x, &o, 3));';
const LOOK = 'if (p) { int s = p->a, e = p->a; assert(!(s == 1 && e == 2)); }';
const NEW = 'struct node *n = malloc(sizeof *n); set(&n->a, 0); set(&n->b, 0); int o;';

/** Programs in which only a failed iteration leads to the error. */
it.each([
  [
    'a node that others know',
    [`${NEW} box = n; do { o = x; n->a = o; } ${FAIL}`, `x = 1; x = 2; struct node *p = box; ${LOOK}`],
    MODELS,
  ],
  [
    'a node that others can compute',
    [
      `${NEW} secret = ~(unsigned long)n; do { o = x; n->a = o; } ${FAIL}`,
      `x = 1; x = 2; unsigned long v = secret; struct node *p = v ? (struct node *)~v : 0; ${LOOK}`,
    ],
    MODELS,
  ],
  [
    'a field that is not written again',
    [
      `${NEW} do { o = x; n->a = o; if (o == 1) n->b = 1; } ${FAIL} assert(!(n->b == 1 && n->a == 2));`,
      'x = 1; x = 2;',
    ],
    MODELS,
  ],
  [
    'a field that is read before it is written again',
    [`${NEW} int k = 0; do { o = x; k = 2 * n->a + o; n->a = o; } ${FAIL} assert(k != 4);`, 'x = 1; x = 2;'],
    MODELS,
  ],
  [
    'a count of the iterations',
    [`${NEW} int k = 0; do { o = x; n->a = o; k++; } ${FAIL} assert(k != 2);`, 'x = 1; x = 2;'],
    MODELS,
  ],
  [
    'an older pointer, which another thread sees because the newer one is late',
    [
      `struct node *n = malloc(sizeof *n), *q; set(&n->next, &second); atomic_thread_fence(memory_order_seq_cst);
       do { q = get(&top); set(&n->next, q); }
       while (!atomic_compare_exchange_strong_explicit(&top, &q, n, memory_order_relaxed, memory_order_relaxed));`,
      'set(&top, &first); struct node *p = get(&top); if (p != 0 && p != &first) assert(get(&p->next) != 0);',
    ],
    ['pso'],
  ],
])('finds the error behind %s', async (_, bodies, failing: readonly string[]) => {
  const program = await compileC(THREADS(bodies));
  for (const strategy of ['optimal', 'source'] as const) {
    for (const model of MODELS) {
      const { errors } = check(program, model, { strategy, monitors: false });
      expect([model, errors[0]?.error.kind]).toEqual([model, failing.includes(model) ? 'assertion' : undefined]);
    }
  }
});
