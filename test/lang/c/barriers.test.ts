/**
 * Barriers whose words differ from what the library last wrote: because an initialisation is still in a store buffer,
 * or because of stores by the program. A barrier consists of words in the program's memory, which decide which threads
 * pass it.
 */
import { expect, it } from 'vitest';
import { check, compileC, MODELS, verdict } from '../../support/c.ts';
import { DEEP } from '../../support/tier.ts';

const HEAD = `
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, ready;
static struct { int before[2]; pthread_barrier_t barrier; } s;
`;

/** The barrier is reinitialised in the second round; threads that wait at it may see its words too early. */
const AGAIN = `${HEAD}
static void *other(void *b) {
  pthread_barrier_wait(b);
  while (!atomic_load_explicit(&ready, memory_order_acquire));
  pthread_barrier_wait(b);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_t barrier;
  for (int round = 0; round < 2; round++) {
    pthread_barrier_init(&barrier, 0, 2);
    if (round == 0) pthread_create(&t, 0, other, &barrier);
    else atomic_store_explicit(&ready, 1, ORDER);
    pthread_barrier_wait(&barrier);
  }
  pthread_join(t, 0);
}`;

/** Zeroes that may still be in the buffer when the barrier is initialised. */
const ZEROED = `${HEAD}
static void *other(void *a) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  (void)atomic_load_explicit(&y, memory_order_relaxed);
  while (!atomic_load_explicit(&ready, memory_order_acquire));
  pthread_barrier_wait(&s.barrier);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  s.barrier = (pthread_barrier_t){0};
  pthread_barrier_init(&s.barrier, 0, 2);
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, memory_order_release);
  pthread_barrier_wait(&s.barrier);
  pthread_join(t, 0);
}`;

/** Writes past the array into the barrier, over the arrival of the other thread. */
const OVERRUN = `${HEAD}
static void *other(void *a) { pthread_barrier_wait(&s.barrier); return 0; }
int main(void) {
  pthread_t t;
  pthread_barrier_init(&s.barrier, 0, 2);
  pthread_create(&t, 0, other, 0);
  volatile int end = 4;
  for (int i = 0; i < end; i++) s.before[i] = i == 2 ? 2 : 0;
  pthread_barrier_wait(&s.barrier);
  pthread_join(t, 0);
}`;

/** A barrier in memory that a running thread allocates and clears: the gate's address arrives after the zeroes. */
const ALLOCATED = `${HEAD}
#include <stdlib.h>
static _Atomic(pthread_barrier_t *) place;
static void *maker(void *a) {
  pthread_barrier_t *b = malloc(sizeof *b);
  *(volatile int *)b = 0;
  pthread_barrier_init(b, 0, 2);
  atomic_store_explicit(&place, b, memory_order_release);
  pthread_barrier_wait(b);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, maker, 0);
  pthread_barrier_t *b;
  while (!(b = atomic_load_explicit(&place, memory_order_acquire)));
  pthread_barrier_wait(b);
  pthread_join(t, 0);
  free(b);
}`;

/** The last thread starts again while the other one is still on its way out. */
const BEGUN_ANEW = `${HEAD}
static void *pass(void *a) {
  if (!pthread_barrier_wait(&s.barrier)) return 0;
  pthread_barrier_destroy(&s.barrier);
  pthread_barrier_init(&s.barrier, 0, 1);
  pthread_barrier_wait(&s.barrier);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_barrier_init(&s.barrier, 0, 2);
  pthread_create(&t, 0, pass, 0);
  pthread_create(&u, 0, pass, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}`;

/** A thread initialises a barrier that another one may be passing: with rounds of one thread only, none waits. */
const WHILE_PASSING = `${HEAD}
#include <stdlib.h>
static void *pass(void *b) { pthread_barrier_wait(b); return 0; }
int main(void) {
  pthread_t t;
  pthread_barrier_t *b = malloc(sizeof *b);
  pthread_barrier_init(b, 0, 1);
  pthread_create(&t, 0, pass, b);
  pthread_barrier_init(b, 0, 1);
  pthread_barrier_wait(b);
  pthread_join(t, 0);
  free(b);
}`;

/** The program's threads besides `main`, which waits for all of them. The static barrier is for `places` threads. */
function threads(places: number, bodies: readonly string[], main = ''): string {
  const functions = bodies.map((body, i) => `static void *t${i}(void *a) { ${body} return 0; }`).join('\n');
  const create = bodies.map((_, i) => `pthread_create(&t[${i}], 0, t${i}, 0);`).join(' ');
  const join = bodies.map((_, i) => `pthread_join(t[${i}], 0);`).join(' ');
  return `${HEAD}
static pthread_barrier_t b, copy;
static int last;
${functions}
int main(void) { pthread_t t[${bodies.length}]; pthread_barrier_init(&b, 0, ${places}); ${create} ${main} ${join} }`;
}

const WAIT = 'pthread_barrier_wait(&b);';
const ASK = 'if (pthread_barrier_wait(&b)) last = 1;';
const DESTROY = 'pthread_barrier_destroy(&b);';

/** An uninitialised barrier in place of another object. */
const UNION = `${HEAD}
struct node { struct node *next; int v[10]; };
static struct node tail = {0, {2}};
static union { struct node node; pthread_barrier_t barrier; } u = {{&tail}};
static void *pass(void *a) { pthread_barrier_wait(&u.barrier); return 0; }
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, pass, 0);
  pthread_create(&t[1], 0, pass, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}`;

const BAD = ['misuse', 'misuse', 'misuse'];
const GOOD = ['verified', 'verified', 'verified'];

it.each<[string, string, readonly string[]]>([
  ['initialised again, and published', AGAIN.replace('ORDER', 'memory_order_release'), GOOD],
  [
    'initialised again, and published too early',
    AGAIN.replace('ORDER', 'memory_order_relaxed'),
    ['verified', 'verified', 'deadlock'],
  ],
  ['zeroed and initialised by a running thread', ZEROED, GOOD],
  ['allocated, cleared and initialised by a running thread', ALLOCATED, GOOD],
  ['destroyed and initialised again by whoever leaves first', BEGUN_ANEW, GOOD],
  ['initialised again while a thread passes', WHILE_PASSING, GOOD],
  // The first word points to the gate, so the other thread follows a wild pointer.
  ['destroyed while threads arrive', threads(2, [ASK, ASK, DESTROY]), BAD],
  ['destroyed while threads arrive who do not ask', threads(2, [WAIT, WAIT, DESTROY]), BAD],
  ['destroyed while the only thread passes', threads(1, [ASK, DESTROY]), BAD],
  ['destroyed while the only thread passes, which does not ask', threads(1, [WAIT], DESTROY), BAD],
  [
    'destroyed and initialised again while a thread passes',
    threads(1, [WAIT, ''], `${DESTROY} pthread_barrier_init(&b, 0, 1);`),
    BAD,
  ],
  [
    'copied, and destroyed while a thread passes the copy',
    threads(1, ['copy = b; if (pthread_barrier_wait(&copy)) last = 1;', DESTROY]),
    BAD,
  ],
  ['not initialised, where a pointer was', UNION, BAD],
  ['overrun', OVERRUN, ['memory', 'memory', 'memory']],
])('a barrier has its verdicts: %s', async (_, source, expected) => {
  const program = await compileC(source);
  // There are many ways for zeroes to reach memory.
  const strategies = source === ZEROED && !DEEP ? (['optimal'] as const) : (['optimal', 'enumerate'] as const);
  for (const strategy of strategies) {
    const answers = MODELS.map((model) => verdict(check(program, model, { strategy })).split(':')[0]);
    expect(answers, strategy).toEqual(expected);
  }
});
