/**
 * Threads that try a read-modify-write, wait with loads, and try again. They vary in which values let them continue
 * where, which of the values they found they keep, and what they do in between.
 */
import type { Prng } from '../../src/util/prng.ts';
import { printThreadPrograms, ThreadGenerator, type ThreadProgram } from './thread-programs.ts';

const LOCATIONS = ['x', 'x', 'x', 'y'] as const;

export class NestingGenerator extends ThreadGenerator {
  constructor(prng: Prng) {
    super(prng, 3);
  }

  program(): ThreadProgram {
    const threads = [this.waiter(), this.chance(2) ? this.waiter() : this.some(3, () => this.write())];
    if (this.chance(3)) threads.push(this.chance(3) ? this.waiter() : this.some(2, () => this.write()));
    return { threads };
  }

  private waiter(): string {
    const before = this.chance(3) ? this.write() : '';
    const after = this.chance(2) ? 'set(&x, 0);' : this.chance(2) ? this.write() : '';
    return `${before} ${this.nest()} ${after}`;
  }

  private write(): string {
    const at = this.pick(LOCATIONS);
    const order = this.pick(['relaxed', 'release', 'seq_cst']);
    return this.pick([
      `atomic_store_explicit(&${at}, ${this.value()}, memory_order_${order});`,
      `set(&${at}, ${this.value()});`,
      `atomic_fetch_xor(&${at}, ${1 + this.prng.below(3)});`,
      'atomic_fetch_add(&x, 1);',
      `put(&${at}, ${this.value()}, ${this.value()});`,
      `assert(get(&${at}) != ${this.value()});`,
    ]);
  }

  private nest(): string {
    const at = this.pick(LOCATIONS);
    const [first, again] = this.attempt(at);
    const inner = this.inner(this.chance(8) ? this.pick(LOCATIONS) : at);
    const before = this.chance(3) ? this.note() : '';
    const after = this.chance(3) ? this.note() : '';
    return this.chance(3)
      ? `for (;;) { ${first} if (!(${again})) break; ${before} ${inner} ${after} }`
      : `while (({ ${first} ${again}; })) { ${before} ${inner} ${after} }`;
  }

  /** A read-modify-write, and whether to try it again. */
  private attempt(at: string): readonly [statement: string, again: string] {
    const order = this.pick(['relaxed', 'seq_cst', 'seq_cst']);
    const again = this.pick(['o', 'o', `o == ${this.value()}`, `o != ${this.value()}`, 'o & 1']);
    const exchange = `atomic_exchange_explicit(&${at}, ${this.pick(['1', '1', '2'])}, memory_order_${order})`;
    const either = `atomic_fetch_or_explicit(&${at}, ${1 + this.prng.below(2)}, memory_order_${order})`;
    return this.pick([
      [`o = ${exchange};`, again],
      [`o = ${exchange};`, again],
      [`o = ${either};`, again],
      [`o = ${this.pick(['0', '0', '2'])}; r = take(&${at}, &o, ${1 + this.prng.below(2)});`, '!r'],
      [`o = 0; r = take(&${at}, &o, 1);`, this.pick(['!r', 'o', `!r && o != ${this.value()}`])],
    ]);
  }

  /** Waits with loads. */
  private inner(at: string): string {
    const load = `get(&${at})`;
    const fence = this.chance(6) ? 'atomic_thread_fence(memory_order_seq_cst);' : '';
    return this.pick([
      `while (${load}) { ${fence} }`,
      `while (${load}) { ${fence} }`,
      `while (${load} ${this.pick(['==', '!='])} ${this.value()}) { ${fence} }`,
      `do t = ${load}; while (t == ${this.value()});`,
      `while ((t = ${load}) ${this.pick(['==', '!='])} ${this.value()}) ;`,
      `while ((t = ${load}) == o) ;`,
      `while (${load} == o) ${this.pick([';', 'sched_yield();'])}`,
      `while ((t = ${load}) == 1) { if (get(&y)) break; }`,
      `t = ${load}; while (t) t = ${load};`,
    ]);
  }

  private note(): string {
    return this.pick([
      'u = o;',
      'u = t;',
      't = 0;',
      'u = !u;',
      `if (t == ${this.value()}) break;`,
      `if (o == ${this.value()}) u = 2;`,
      `assert(t != ${this.value()});`,
      'own = t;',
      'look(&o);',
      'atomic_thread_fence(memory_order_seq_cst);',
      'sched_yield();',
      't = get(&y);',
    ]);
  }
}

/** One translation unit; `main_i` runs program i and leaves its threads' results in `kept`. */
export function printNesting(programs: readonly ThreadProgram[]): string {
  const header = `#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
atomic_int x, y; int kept[3]; static _Thread_local int own;
#define get(place) atomic_load_explicit(place, memory_order_relaxed)
#define set(place, value) atomic_store_explicit(place, value, memory_order_relaxed)
#define take(place, old, new) atomic_compare_exchange_strong(place, old, new)
static void put(atomic_int *p, int e, int d) { atomic_compare_exchange_strong(p, &e, d); }
static void look(int *o) { if (*o == 3) *o = 1; }`;
  return printThreadPrograms(programs, {
    header,
    locals: 'int o = 0, r = 0, t = 0, u = 0; (void)r;',
    kept: 'u + 4 * (t & 3) + 16 * own',
  });
}
