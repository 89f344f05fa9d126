/**
 * Threads that meet at barriers for as many threads as there are, fewer or more; that check which thread arrived last,
 * or do not; that reinitialise barriers, destroy them too early, copy and free them; mixed with everything that could
 * reveal the order of arrivals.
 */
import type { Prng } from '../../src/util/prng.ts';

export interface Arriving {
  readonly setUp: string;
  readonly threads: readonly string[];
  readonly main: string;
}

const PLACES = ['a.w', 'a.w', 'b.w', 'a.h[0]', 'a.c[1]'] as const;
const ORDERS = ['__ATOMIC_RELAXED', '__ATOMIC_SEQ_CST'] as const;
/** A static barrier, one on the heap, one on main's stack, and a copy of the first. */
const BARRIERS = ['&one', '&one', '&one', 'heap', 'local'] as const;

export class ArrivingGenerator {
  private readonly prng: Prng;
  private barrier = '';
  private waits = 0;
  private accesses = 0;

  constructor(prng: Prng) {
    this.prng = prng;
  }

  program(): Arriving {
    this.waits = 0;
    const count = this.pick([2, 2, 2, 2, 3, 3, 3, 4]);
    // Every access multiplies the states.
    this.accesses = Math.max(0, 3 - count + this.prng.below(2));
    this.barrier = this.pick(BARRIERS);
    const mainWaits = this.prng.below(5) === 0;
    const users = count + (mainWaits ? 1 : 0);
    const places = this.prng.below(3) > 0 ? users : 1 + this.prng.below(3);
    const rounds = this.pick(count < 3 ? [1, 1, 2, 2, 3] : count < 4 ? [1, 1, 1, 2] : [1]);
    const isOdd = count < 4 && this.prng.below(3) === 0;
    const threads = Array.from({ length: count }, () => this.thread(rounds, count, isOdd));
    // A thread that only destroys or reinitialises the barrier.
    if (count < 4 && this.prng.below(5) === 0)
      threads[this.prng.below(count)] = this.pick([
        `pthread_barrier_destroy(${this.barrier});`,
        `pthread_barrier_destroy(${this.barrier}); pthread_barrier_init(${this.barrier}, 0, places);`,
        `pthread_barrier_init(${this.barrier}, 0, ${1 + this.prng.below(3)});`,
      ]);
    const main = mainWaits
      ? Array.from({ length: rounds }, () => this.wait()).join(' ')
      : this.maybe(8, () => this.access());
    return { setUp: `places = ${places};`, threads, main };
  }

  private pick<T>(of: readonly T[]): T {
    return of[this.prng.below(of.length)]!;
  }

  private maybe(oneIn: number, make: () => string): string {
    return this.prng.below(oneIn) === 0 ? make() : '';
  }

  private thread(rounds: number, count: number, isOdd: boolean): string {
    const parts: string[] = [];
    for (let round = 0; round < rounds; round++) {
      parts.push(this.maybe(count > 3 ? 6 : 2, () => this.access()));
      parts.push(isOdd && this.prng.below(4) === 0 ? this.odd() : this.wait());
    }
    if (rounds > 1 && this.prng.below(6) === 0)
      parts.splice(0, parts.length, `for (int i = 0; i < ${rounds}; i++) { ${this.wait()} }`);
    parts.push(this.maybe(count > 3 ? 6 : 2, () => this.access()));
    return parts.filter((part) => part !== '').join(' ');
  }

  private wait(): string {
    const wait = `pthread_barrier_wait(${this.barrier})`;
    const kind = this.prng.below(24);
    if (kind < 14) return `${wait};`;
    if (kind < 17) return `(*through)(${this.barrier});`;
    if (kind < 18) return `if (${wait}) k++;`;
    switch (kind) {
      case 18:
        return `k = 2 * k + (${wait} != 0);`;
      case 19:
        return `if (${wait}) p = n;`;
      case 20:
        return `int r${this.waits++} = ${wait}; assert(r${this.waits - 1} == 0 || r${this.waits - 1} == PTHREAD_BARRIER_SERIAL_THREAD);`;
      case 21:
        return `wrapped(${this.barrier});`;
      case 22:
        return `if (${wait}) { pthread_barrier_destroy(${this.barrier}); pthread_barrier_init(${this.barrier}, 0, places); }`;
      default:
        return `pthread_mutex_lock(&m); ${wait}; pthread_mutex_unlock(&m);`;
    }
  }

  private odd(): string {
    const { barrier } = this;
    return this.pick([
      '',
      `pthread_barrier_wait(&two);`,
      `pthread_barrier_wait(&copy);`,
      `pthread_barrier_destroy(${barrier});`,
      `pthread_barrier_destroy(${barrier}); pthread_barrier_init(${barrier}, 0, ${1 + this.prng.below(3)});`,
      `pthread_barrier_init(${barrier}, 0, ${1 + this.prng.below(3)});`,
      `pthread_t u; pthread_create(&u, 0, child, 0); pthread_join(u, 0);`,
      `pthread_t v; pthread_create(&v, 0, child, 0); ${this.wait()} pthread_join(v, 0);`,
      `if (__atomic_load_n(&a.w, __ATOMIC_RELAXED)) { ${this.wait()} }`,
      `if (__atomic_load_n(&a.w, __ATOMIC_RELAXED) == 1) return 0;`,
      `free(heap);`,
      // What a thread stores may still be in its buffer when others arrive.
      `*(${barrier}) = (pthread_barrier_t){0};`,
      `*(${barrier}) = (pthread_barrier_t){0}; pthread_barrier_init(${barrier}, 0, places);`,
      `pthread_barrier_t *fresh = malloc(sizeof *fresh); *fresh = (pthread_barrier_t){0}; pthread_barrier_init(fresh, 0, places); heap = fresh; ${this.wait()}`,
      `((volatile int *)(${barrier}))[${this.prng.below(3)}] = ${this.pick(['0', '2', '((volatile int *)&two)[0]', '((volatile int *)&two)[1]'])};`,
      `while (__atomic_load_n(&a.w, __ATOMIC_ACQUIRE) < 2);`,
    ]);
  }

  private access(): string {
    if (this.accesses-- <= 0) return '';
    const place = this.pick(PLACES);
    const order = this.pick(ORDERS);
    switch (this.prng.below(9)) {
      case 0:
      case 1:
        return `__atomic_fetch_add(&${place}, 1, ${order});`;
      case 2:
        return `k = 4 * k + __atomic_load_n(&${place}, ${order});`;
      case 3:
        return `__atomic_store_n(&${place}, n, ${order});`;
      case 4:
        return 'p = n;';
      case 5:
        return 'k = 4 * k + p;';
      case 6:
        return `k += __atomic_fetch_add(&${place}, n, ${order});`;
      case 7:
        return `assert(__atomic_load_n(&${place}, ${order}) != ${this.prng.below(6)});`;
      default:
        return 'assert(p < 3);';
    }
  }
}

/** One translation unit; `main_i` runs program i and leaves its threads' results in `kept`. */
export function printArriving(programs: readonly Arriving[]): string {
  const functions = programs.map(({ setUp, threads, main }, number) => {
    const bodies = threads.map(
      (body, i) =>
        `static void *f${number}_${i}(void *_) { int k = 0, n = 1 + ${i}; (void)n; ${body} kept[${i}] = k; return 0; }`,
    );
    const create = threads.map((_, i) => `pthread_create(&t[${i}], 0, f${number}_${i}, 0);`).join(' ');
    const join = threads.map((_, i) => `pthread_join(t[${i}], 0);`).join(' ');
    return `${bodies.join('\n')}
int main_${number}(void) { pthread_t t[${threads.length}]; int n = 9, k = 0; (void)n; pthread_barrier_t stack; ${setUp} local = &stack;
heap = malloc(sizeof *heap); pthread_barrier_init(&one, 0, places); pthread_barrier_init(heap, 0, places);
pthread_barrier_init(local, 0, places); pthread_barrier_init(&two, 0, 2); copy = one;
${create} ${main} ${join} kept[4] = k; return 0; }`;
  });
  return `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
union mixed { int w; short h[2]; unsigned char c[4]; };
union mixed a, b; int p, kept[5], places; pthread_mutex_t m; pthread_barrier_t one, two, copy, *heap, *local;
static int (*through)(pthread_barrier_t *) = pthread_barrier_wait;
static void wrapped(pthread_barrier_t *barrier) { pthread_barrier_wait(barrier); }
static void *child(void *_) { pthread_barrier_wait(&one); return 0; }
${functions.join('\n')}
`;
}
