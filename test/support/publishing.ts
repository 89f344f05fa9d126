/**
 * Threads that prepare a node and publish it by a compare-exchange, retrying until it succeeds. They vary in what they
 * write to the node and when, and in which threads may know the node by then. Other threads read the nodes that they
 * find.
 */
import type { Prng } from '../../src/util/prng.ts';
import { printThreadPrograms, ThreadGenerator, type ThreadProgram } from './thread-programs.ts';

export class PublishingGenerator extends ThreadGenerator {
  constructor(prng: Prng) {
    super(prng, 3);
  }

  program(): ThreadProgram {
    const three = this.prng.below(4) === 0;
    const threads = [this.publisher(), this.prng.below(2) === 0 ? this.publisher() : this.other(3)];
    if (three) threads.push(this.other(1));
    return { threads };
  }

  private publisher(): string {
    const early = this.chance(5) ? `${this.show()} ` : '';
    const between = this.chance(4) ? this.other(1) : '';
    const second = this.chance(4) ? 'm = malloc(sizeof *m); m->a = 0; m->b = 0; ' : '';
    const late = this.chance(2) ? this.show() : '';
    return `n = malloc(sizeof *n); set(&n->a, 0); set(&n->b, 0); ${second}${early}${between}${this.retry()} ${late}`;
  }

  /** Makes the node known to other threads, openly or in disguise. */
  private show(): string {
    return this.pick(['set(&box, n);', 'set(&box, n);', 'set(&secret, ~(unsigned long)n);', 'box = n;']);
  }

  private retry(): string {
    const order = this.pick(['relaxed', 'release', 'seq_cst', 'seq_cst']);
    const failure = order === 'seq_cst' ? 'seq_cst' : 'relaxed';
    const how = this.pick(['strong', 'weak']);
    const exchange = (place: string, expected: string, value: string): string =>
      `atomic_compare_exchange_${how}_explicit(&${place}, &${expected}, ${value}, memory_order_${order}, memory_order_${failure})`;
    if (this.chance(3)) {
      const body = `set(&n->next, q); ${this.chance(3) ? this.write() : ''}`;
      const loop = this.chance(2)
        ? `do { q = get(&top); ${body} } while (!${exchange('top', 'q', 'n')});`
        : `q = get(&top); do { ${body} } while (!${exchange('top', 'q', 'n')});`;
      return `${loop} ${this.chance(3) ? 'pop();' : ''}`;
    }
    const desired = this.pick(['(o + 1) % 3', `${this.value()}`, 't', '(int)get(&n->a)']);
    const body = this.some(3, () => this.write());
    const loops = [
      `do { o = get(&x); ${body} } while (!${exchange('x', 'o', desired)});`,
      `o = ${this.pick(['get(&x)', `${this.value()}`])}; do { ${body} } while (!${exchange('x', 'o', desired)});`,
      `for (;;) { o = get(&x); ${body} if (${exchange('x', 'o', desired)}) break; ${this.chance(2) ? this.write() : ''} }`,
    ];
    return this.pick(loops);
  }

  /** What an iteration writes. */
  private write(): string {
    return this.pick([
      'set(&n->a, o);',
      'set(&n->a, o);',
      'set(&n->a, o);',
      'set(&n->b, o + 1);',
      'set(&n->b, 2);',
      'atomic_store_explicit(&n->b, o, memory_order_release);',
      'atomic_store(&n->a, o);',
      `if (o == ${this.value()}) set(&n->b, o);`,
      'set(&n->f[o & 1], 3);',
      'set(&n->h[0], (short)o);',
      'set(&n->a, get(&n->a) + 1);',
      'u = get(&n->a);',
      't = !t;',
      'u = o;',
      `if (o == ${this.value()}) break;`,
      't = get(&y);',
      'atomic_thread_fence(memory_order_seq_cst);',
      'if (m) set(&m->a, o);',
      'set(&box, n);',
      'set(&y, o);',
      'm = malloc(sizeof *m); set(&m->a, o); n = m;',
      'sched_yield();',
    ]);
  }

  /** The body of a thread that retries nothing. */
  private other(most: number): string {
    return this.some(most, () =>
      this.pick([
        `set(&x, ${this.value()});`,
        `set(&x, ${this.value()}); set(&x, ${this.value()});`,
        `atomic_fetch_xor(&x, ${1 + this.prng.below(2)});`,
        `set(&y, ${this.value()});`,
        'p = get(&box); if (p) { t = get(&p->a); u = get(&p->b); }',
        'p = get(&box); if (p) set(&p->a, 2);',
        's = get(&secret); if (s) { p = (struct node *)~s; t = get(&p->a); set(&p->b, 1); }',
        'p = get(&top); if (p) { set(&box, get(&p->next)); u = get(&p->a); }',
        'p = get(&top); if (p) set(&top, get(&p->next));',
        'pop();',
      ]),
    );
  }
}

/** One translation unit; `main_i` runs program i and leaves its threads' results in `kept`. */
export function printPublishing(programs: readonly ThreadProgram[]): string {
  const header = `#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { union { atomic_int a; atomic_short h[2]; }; atomic_int b; atomic_int f[2]; struct node *_Atomic next; };
atomic_int x, y; int kept[3]; struct node *_Atomic top, *_Atomic box; atomic_ulong secret;
#define get(place) atomic_load_explicit(place, memory_order_relaxed)
#define set(place, value) atomic_store_explicit(place, value, memory_order_relaxed)
static void pop(void) { struct node *old; do { old = get(&top); if (!old) return; } while (!atomic_compare_exchange_strong(&top, &old, get(&old->next))); }`;
  return printThreadPrograms(programs, {
    header,
    locals:
      'int o = 0, t = 0, u = 0; unsigned long s = 0; struct node *n = 0, *m = 0, *p = 0, *q = 0; (void)q; (void)s;',
    kept: 'o + 4 * t + 16 * u + 64 * (p ? (int)get(&p->a) : 0) + 256 * (n ? (int)get(&n->b) : 0)',
  });
}
