/**
 * Threads that retry compare-exchanges in many ways: they vary in the value they carry, and in which of the values they
 * found they keep.
 */
import type { Prng } from '../../src/util/prng.ts';
import { printThreadPrograms, ThreadGenerator, type ThreadProgram } from './thread-programs.ts';

const LOCATIONS = ['x', 'y'] as const;
export class RetryingGenerator extends ThreadGenerator {
  constructor(prng: Prng) {
    super(prng, 4);
  }

  program(): ThreadProgram {
    const threads = Array.from({ length: 2 + this.prng.below(2) }, (_, i) => {
      // One thread may only write.
      if (i > 0 && this.prng.below(3) === 0) return this.some(3, () => this.write());
      return `${this.prng.below(3) === 0 ? this.write() : ''} ${this.retry()} ${this.prng.below(4) === 0 ? this.write() : ''}`;
    });
    return { threads };
  }

  private write(): string {
    const at = this.pick(LOCATIONS);
    const order = this.pick(['relaxed', 'release', 'seq_cst']);
    return this.pick([
      `atomic_store_explicit(&${at}, ${this.value()}, memory_order_${order});`,
      `atomic_fetch_xor(&${at}, ${1 + this.prng.below(3)});`,
      `put(&${at}, ${this.value()}, ${this.value()});`,
      'puts("on");',
    ]);
  }

  /** `o` is the expected value; `t` and `u` are kept, and their final values are checked. */
  private retry(): string {
    const at = this.pick(['x', 'x', 'x', 'y']);
    const start = this.pick([`o = atomic_load_explicit(&${at}, memory_order_relaxed);`, `o = ${this.value()};`]);
    const order = this.pick(['relaxed', 'seq_cst']);
    const desired = this.pick(['(o + 1) & 3', 'o ^ 1', `${this.value()}`, 't', 'u', '(o + t) & 3']);
    const how = this.pick(['strong', 'strong', 'weak']);
    const exchange = `atomic_compare_exchange_${how}_explicit(&${at}, &o, ${desired}, memory_order_${order}, memory_order_${order})`;
    const leave = this.prng.below(6) === 0 ? `if (o == ${this.value()}) break;` : '';
    const body = this.prng.below(3) === 0 ? leave : leave + this.some(2, () => this.note(at));
    return `${start} ${this.prng.below(4) === 0 ? this.note(at) : ''} while (!${exchange}) { ${body} }`;
  }

  private note(at: string): string {
    const other = this.pick(LOCATIONS);
    return this.pick([
      't = !t;',
      't = o;',
      'u = o;',
      'u = t; t = o;',
      't = o & 1;',
      'u = (u + 1) & 3;',
      `if (o == ${this.value()}) t = 1;`,
      `if (t == o) u = 3;`,
      `o = ${this.value()};`,
      `o = atomic_load_explicit(&${at}, memory_order_relaxed);`,
      `t = atomic_load_explicit(&${other}, memory_order_relaxed);`,
      `if (atomic_load(&${other}) == ${this.value()}) u = 2;`,
      'sched_yield();',
      'puts("again");',
      'look(&o);',
    ]);
  }
}

/** One translation unit; `main_i` runs program i and leaves its threads' results in `kept`. */
export function printRetrying(programs: readonly ThreadProgram[]): string {
  const header = `#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int x, y; int kept[3];
static void put(atomic_int *p, int e, int d) { atomic_compare_exchange_strong(p, &e, d); }
static void look(int *o) { if (*o == 3) *o = 1; }`;
  return printThreadPrograms(programs, { header, locals: 'int o = 0, t = 0, u = 0;', kept: 'o + 4 * t + 16 * u' });
}
