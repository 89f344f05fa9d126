/**
 * Threads that poll, in rounds that write: to private memory, the value that is there, and what the round itself undoes.
 * Some come back to the state they were in, some only after several rounds, and some never.
 */
import type { Prng } from '../../src/util/prng.ts';
import { printThreadPrograms, ThreadGenerator, type ThreadProgram } from './thread-programs.ts';

/** What rounds write. */
export type Writes = 'private' | 'silent' | 'undone' | 'locked';

export class PollingGenerator extends ThreadGenerator {
  private readonly kinds: readonly Writes[];
  /** The thread that is being written. */
  private thread = 0;

  constructor(prng: Prng, kinds: readonly Writes[]) {
    super(prng, 3);
    this.kinds = kinds;
  }

  program(): ThreadProgram {
    const threads: string[] = [];
    const count = this.chance(4) ? 3 : 2;
    for (this.thread = 0; this.thread < count; this.thread++) {
      const polls = this.thread === 0 || (this.thread === 1 && this.chance(3));
      threads.push(polls ? this.poller() : this.some(3, () => this.write()));
    }
    return { threads };
  }

  private poller(): string {
    const before = this.chance(3) ? this.write() : this.chance(4) ? 'box[1] = 1;' : '';
    const after = this.chance(3) ? this.write() : this.chance(4) ? 'assert(box[1] != 2);' : '';
    return `${before} ${this.loop()} ${after}`;
  }

  private place(): string {
    return this.pick(['x', 'x', 'x', 'y']);
  }

  /** Writes that others see. */
  private write(): string {
    const at = this.place();
    const ways = [
      `set(&${at}, ${this.value()});`,
      `set(&${at}, 1);`,
      'set(&x, 1);',
      `atomic_store(&${at}, ${this.value()});`,
      `atomic_fetch_add(&${at}, 1);`,
      `assert(get(&${at}) != ${this.value()});`,
    ];
    if (this.kinds.includes('locked')) {
      ways.push(`LOCK data = ${this.value()}; UNLOCK`, 'LOCK data = 1; UNLOCK', 'LOCK data = 1; UNLOCK');
      // Whoever finds the mutex taken says so, and only then can the thread that had it go on.
      ways.push('if (TRY) { LOCK data = 2; UNLOCK } else { data = 1; UNLOCK }');
      if (this.chance(4))
        ways.push(`data = ${this.value()};`, 'if (!TRY) { data++; UNLOCK } else assert(get(&y) != 2);');
    }
    if (this.kinds.includes('undone') && this.chance(2))
      ways.push('atomic_fetch_add(&n, 1);', `assert(get(&n) != ${this.value()});`, 't = get(&n);', 'set(&n, 0);');
    if (this.kinds.includes('silent') && this.chance(3))
      ways.push(`cache[${this.prng.below(2)}] = ${this.value()};`, `t = cache[${this.prng.below(2)}];`);
    return this.pick(ways);
  }

  private loop(): string {
    const op = this.pick(['==', '!=']);
    // What rounds of others undo may be what this thread waits for.
    const at = this.kinds.includes('undone') && this.chance(3) ? 'n' : this.place();
    const body = (): string => (this.chance(2) ? this.some(2, () => this.step()) : '');
    const value = op === '==' ? this.pick([0, 0, 2]) : this.pick([1, 1, 2]);
    return this.pick([
      `do { ${body()} fetch(&${at}, &box[0]); ${body()} } while (box[0] ${op} ${value});`,
      `while (get(&${at}) ${op} ${value}) { ${body()} ${this.step()} }`,
      `for (;;) { ${body()} if (!(get(&${at}) ${op} ${value})) break; ${this.step()} }`,
      `for (;;) { ${body()} fetch(&y, &box[1]); if (box[1] == 1) break; ${body()} fetch(&x, &box[1]); if (box[1]) break; ${body()} }`,
      this.special(at),
    ]);
  }

  /** A loop as people write it. */
  private special(at: string): string {
    switch (this.pick(this.kinds)) {
      case 'private':
        return `do { box[0] = -1; box[1] = get(&${at}); if (box[1] >= 0) box[0] = box[1]; ${this.note()} } while (box[0] == 0);`;
      case 'silent':
        return `for (;;) { if (cache[${this.thread & 1}] == ${this.value()}) { cache[${this.thread & 1}] = get(&${at}); if (cache[${this.thread & 1}] != 1) ${this.pick(['continue', 'continue', 'break'])}; } break; }`;
      case 'undone': {
        const [enter, leave] = this.undo();
        return `for (;;) { ${enter} if (get(&${at})) break; ${this.chance(4) ? this.note() : ''} ${leave} }`;
      }
      default:
        return this.pick([
          'for (t = 0; !t; ) { LOCK t = data; UNLOCK }',
          'for (t = 0; !t; ) { LOCK t = data; UNLOCK sched_yield(); }',
          'for (;;) { if (TRY) continue; t = data; UNLOCK if (t) break; }',
          `for (;;) { if (TRY) { ${this.pick(['continue', 'break', 'sched_yield(); continue'])}; } t = data; UNLOCK if (t) break; }`,
          `for (t = 0; !t; ) { LOCK t = data; ${this.step()} UNLOCK }`,
        ]);
    }
  }

  private undo(): readonly [string, string] {
    const value = this.pick([1, 1, 2]);
    return this.pick([
      ['atomic_fetch_add(&n, 1);', 'atomic_fetch_sub(&n, 1);'],
      ['atomic_fetch_add(&n, 1);', 'atomic_fetch_sub(&n, 1);'],
      [`t = atomic_fetch_add(&n, ${value});`, `atomic_fetch_sub(&n, ${value});`],
      ['atomic_fetch_xor(&n, 1);', 'atomic_fetch_xor(&n, 1);'],
      [`atomic_exchange(&n, ${value});`, 'atomic_exchange(&n, 0);'],
      [`atomic_fetch_add(&n, ${value});`, 'atomic_fetch_sub(&n, 1);'],
      [`set(&n, ${value});`, 'set(&n, 0);'],
    ]);
  }

  /** What a round does besides. */
  private step(): string {
    switch (this.pick(this.kinds)) {
      case 'private':
        return this.note();
      case 'silent':
        return this.pick([
          `cache[${this.thread & 1}] = get(&${this.place()});`,
          `cache[${this.thread & 1}] = ${this.value()};`,
          `t = cache[${this.thread & 1}];`,
          `set(&y, ${this.pick([0, 0, 1])});`,
        ]);
      case 'undone': {
        const [enter, leave] = this.undo();
        return `${enter} ${this.chance(3) ? this.note() : ''} ${leave}`;
      }
      default:
        return this.pick(['LOCK UNLOCK', 'LOCK t = data; UNLOCK', 'if (!TRY) { t = data; UNLOCK }', 'sched_yield();']);
    }
  }

  /** Writes to private memory. */
  private note(): string {
    return this.pick([
      `box[0] = ${this.value()};`,
      'box[1] = !box[1];',
      'box[1] = (box[1] + 1) % 3;',
      'box[t & 1] = t & 3;',
      't = box[1];',
      `if (box[1] == ${this.value()}) box[0] = ${this.value()};`,
      'swap(box);',
      `own = ${this.value()};`,
      'own = !own;',
      'own = box[0];',
      'scratch(&box[1]);',
      `box[1] = helper(&${this.place()});`,
      'memset(box, 0, sizeof box);',
      `assert(box[1] != ${this.value()});`,
      'if (box[1] == 2) break;',
      'if (box[1] < 3) box[1]++;',
      `box[0] = 3; box[0] = ${this.value()};`,
      '{ int more[2] = {box[0], box[1]}; swap(more); box[1] = more[0]; }',
    ]);
  }
}

/** One translation unit; `main_i` runs program i and leaves its threads' results in `kept`. */
export function printPolling(programs: readonly ThreadProgram[]): string {
  const header = `#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
atomic_int x, y, n; int kept[3], data, cache[2]; static _Thread_local int own;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define LOCK pthread_mutex_lock(&m);
#define UNLOCK pthread_mutex_unlock(&m);
#define TRY pthread_mutex_trylock(&m)
#define get(place) atomic_load_explicit(place, memory_order_relaxed)
#define set(place, value) atomic_store_explicit(place, value, memory_order_relaxed)
static void fetch(atomic_int *p, int *out) { *out = get(p); }
static void swap(int *p) { int t = p[0]; p[0] = p[1]; p[1] = t; }
static void scratch(int *p) { int a[3] = {0, *p, 2}; for (int i = 0; i < 3; i++) a[i] = a[i] ^ 1; *p = a[*p & 1]; }
static int helper(atomic_int *p) { int a[2]; fetch(p, &a[1]); a[0] = a[1] & 1; return a[0]; }`;
  return printThreadPrograms(programs, {
    header,
    locals: 'int t = 0, box[2] = {0, 0};',
    kept: 't + 4 * (box[0] & 3) + 16 * (box[1] & 3) + 64 * own',
  });
}
