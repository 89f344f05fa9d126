/**
 * Threads that change the same places by read-modify-writes, some of whose results are used, mixed with everything that
 * could reveal their order: reads, waits, compare-exchanges, accesses of other sizes, locks, barriers, semaphores, the
 * end of memory.
 */
import type { Prng } from '../../src/util/prng.ts';

/** Places of four bytes, and parts of them. */
const WORDS = ['a.w', 'a.w', 'a.w', 'b.w'] as const;
const PARTS = ['a.h[0]', 'a.h[1]', 'a.c[0]', 'a.c[1]', 'b.c[0]'] as const;
const ORDERS = ['__ATOMIC_RELAXED', '__ATOMIC_RELEASE', '__ATOMIC_ACQUIRE', '__ATOMIC_SEQ_CST'] as const;

export interface Commuting {
  readonly threads: readonly string[];
  readonly main: string;
}

export class CommutingGenerator {
  private readonly prng: Prng;
  private waits = 0;

  constructor(prng: Prng) {
    this.prng = prng;
  }

  program(): Commuting {
    this.waits = 0;
    const count = this.pick([2, 3, 3, 4]);
    const threads = Array.from({ length: count }, () => this.some(5 - count, () => this.statement()));
    const main = this.prng.below(3) === 0 ? this.change() : '';
    return { threads, main };
  }

  private pick<T>(of: readonly T[]): T {
    return of[this.prng.below(of.length)]!;
  }

  private some(most: number, make: () => string): string {
    return Array.from({ length: 1 + this.prng.below(most) }, make).join(' ');
  }

  private place(): string {
    return this.prng.below(5) === 0 ? this.pick(PARTS) : this.pick(WORDS);
  }

  /** A read-modify-write; often one that commutes. */
  private rmw(): string {
    const operator = this.pick(['add', 'add', 'add', 'sub', 'xor', 'xor', 'or', 'and']);
    const value = this.pick(['1', '1', '2', '3', '255', 'n', '0']);
    return `__atomic_fetch_${operator}(&${this.place()}, ${value}, ${this.pick(ORDERS)})`;
  }

  private change(): string {
    return `${this.rmw()};`;
  }

  private statement(): string {
    const kind = this.prng.below(20);
    if (kind < 11) return this.change();
    switch (kind) {
      case 11:
        return `k += ${this.rmw()};`;
      case 12:
        return `k = 4 * k + __atomic_load_n(&${this.place()}, ${this.pick(['__ATOMIC_RELAXED', '__ATOMIC_SEQ_CST'])});`;
      case 13:
        return `__atomic_store_n(&${this.place()}, ${this.prng.below(4)}, ${this.pick(['__ATOMIC_RELAXED', '__ATOMIC_RELEASE', '__ATOMIC_SEQ_CST'])});`;
      case 14:
        return this.exchange();
      case 15:
        return this.wait();
      case 16:
        return `pthread_mutex_lock(&m); ${this.change()} p++; ${this.prng.below(2) === 0 ? this.change() : ''} pthread_mutex_unlock(&m);`;
      case 17:
        return this.pick([
          '__atomic_thread_fence(__ATOMIC_SEQ_CST);',
          `for (int i = 0; i < 2; i++) ${this.change()}`,
          `if (__atomic_load_n(&${this.pick(WORDS)}, __ATOMIC_RELAXED) == ${this.prng.below(4)}) { ${this.change()} }`,
          `while (__atomic_load_n(&b.w, __ATOMIC_ACQUIRE) == 1) ${this.change()}`,
        ]);
      case 18:
        return this.pick([
          'sem_post(&s);',
          'sem_wait(&s); k++;',
          'if (!sem_trywait(&s)) k++;',
          'if (!pthread_mutex_trylock(&m)) { p++; pthread_mutex_unlock(&m); }',
          'pthread_barrier_wait(&two);',
          '__atomic_fetch_add(q, 1, __ATOMIC_RELAXED);',
          'k += q ? __atomic_load_n(q, __ATOMIC_RELAXED) : 0;',
          'pthread_t u; pthread_create(&u, 0, child, 0); pthread_join(u, 0);',
        ]);
      default:
        return `assert(__atomic_load_n(&${this.pick(WORDS)}, __ATOMIC_RELAXED) != ${this.prng.below(8)});`;
    }
  }

  private exchange(): string {
    const place = this.place();
    const expected = this.prng.below(4);
    return `{ __typeof__(${place}) e = ${expected}; k += 2 * __atomic_compare_exchange_n(&${place}, &e, ${this.prng.below(4)}, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); }`;
  }

  private wait(): string {
    if (this.waits++ > 1) return this.change();
    const place = this.pick([...WORDS, this.place()]);
    const value = this.prng.below(5);
    const read = `__atomic_load_n(&${place}, ${this.pick(['__ATOMIC_RELAXED', '__ATOMIC_ACQUIRE', '__ATOMIC_SEQ_CST'])})`;
    return this.pick([
      `while (${read} < ${value});`,
      `while (${read} != ${value});`,
      `while (!(${read} & ${1 + (value & 1)}));`,
      `while (${read} < ${value}) sched_yield();`,
      `while (__atomic_fetch_or(&${place}, 1, __ATOMIC_SEQ_CST) & 1);`,
      `{ __typeof__(${place}) e = ${value}; while (!__atomic_compare_exchange_n(&${place}, &e, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) e = ${value}; }`,
      `{ __typeof__(${place}) e = ${value}; while (!__atomic_compare_exchange_n(&${place}, &e, e + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); }`,
    ]);
  }
}

/** One translation unit; `main_i` runs program i and leaves its threads' results in `kept`. */
export function printCommuting(programs: readonly Commuting[]): string {
  const functions = programs.map(({ threads, main }, p) => {
    const bodies = threads.map(
      (body, i) =>
        `static void *f${p}_${i}(void *_) { int k = 0, n = 1 + ${i}; ${body} kept[${i}] = k + n; return 0; }`,
    );
    const create = threads.map((_, i) => `pthread_create(&t[${i}], 0, f${p}_${i}, 0);`).join(' ');
    const join = threads.map((_, i) => `pthread_join(t[${i}], 0);`).join(' ');
    return `${bodies.join('\n')}\nint main_${p}(void) { pthread_t t[${threads.length}]; int n = 1; (void)n; q = &z; pthread_barrier_init(&two, 0, 2); ${create} ${main} ${join} return 0; }`;
  });
  return `#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
union mixed { int w; short h[2]; unsigned char c[4]; };
union mixed a, b; int z, *q, p, kept[4]; pthread_mutex_t m; sem_t s; pthread_barrier_t two;
static void *child(void *_) { __atomic_fetch_add(&a.w, 1, __ATOMIC_RELAXED); return 0; }
${functions.join('\n')}
`;
}
