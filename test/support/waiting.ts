/**
 * Small programs that wait: nested loops, test-and-set, back-off, calls, early exits; as C, and for a separate machine
 * (`waiting-oracle.ts`). Everything that loops in them only reads, stores back what it read, or leaves.
 */
import type { Prng } from '../../src/util/prng.ts';

export type Order = 'relaxed' | 'release' | 'seq_cst';

/** An operation with a value. `cas` and `trylock` return 1 if they succeed, the others the old value. */
export type Access =
  | { readonly op: 'load'; readonly at: number }
  | { readonly op: 'exchange' | 'or'; readonly at: number; readonly value: number; readonly order: Order }
  | {
      readonly op: 'cas';
      readonly at: number;
      readonly value: number;
      readonly expected: number;
      readonly order: Order;
    }
  | { readonly op: 'trylock' }
  /** A compare-exchange from a local variable to the other of 0 and 1, which gets the value if it fails. */
  | { readonly op: 'carry'; readonly at: number; readonly local: number; readonly order: Order };

export type Condition =
  | { readonly access: Access; readonly isZero: boolean }
  /** A local variable is below a bound. */
  | { readonly local: number; readonly below: number }
  | 'always';

export type Statement =
  | { readonly op: 'store'; readonly at: number; readonly value: number; readonly order: Order }
  | { readonly op: 'fence' }
  | { readonly op: 'lock' | 'unlock' }
  | { readonly op: 'set'; readonly local: number; readonly value: number }
  /** A load into a local variable. */
  | { readonly op: 'read'; readonly local: number; readonly at: number }
  /** local = min(local * 2 + 1, limit): back-off. */
  | { readonly op: 'grow'; readonly local: number; readonly limit: number }
  /** Another attempt; after this many, starts over. */
  | { readonly op: 'count'; readonly local: number; readonly limit: number }
  | { readonly op: 'while' | 'do'; readonly condition: Condition; readonly body: readonly Statement[] }
  | { readonly op: 'if'; readonly condition: Condition; readonly body: readonly Statement[] }
  /** Leaves this many loops: `break` or `goto`. */
  | { readonly op: 'leave'; readonly loops: number }
  /** Begins the next iteration of the innermost loop. */
  | { readonly op: 'continue' }
  /** A separate function with its own locals; `return` leaves it. */
  | { readonly op: 'call'; readonly body: readonly Statement[] }
  | { readonly op: 'return' }
  /** Fails if the location has this value. `name` is unique in the program. */
  | { readonly op: 'assert'; readonly at: number; readonly not: number; readonly name: string };

export interface Waiting {
  readonly threads: readonly (readonly Statement[])[];
  /** After all threads have been joined. */
  readonly final: readonly Statement[];
}

export const LOCATIONS = 3;
export const LOCALS = 2;

/** Several programs as one C file; program i begins at `main_i`. */
/** How local variables are accessed: by name, by functions that are passed their addresses, or as parts of a structure that is copied. */
export type Style = 'names' | 'addresses' | 'structures';
export const STYLES: readonly Style[] = ['names', 'addresses', 'structures'];

export function printWaiting(programs: readonly Waiting[], style: Style = 'names'): string {
  return [
    '#include <assert.h>',
    '#include <pthread.h>',
    '#include <stdatomic.h>',
    'static atomic_int x0, x1, x2; static pthread_mutex_t m;',
    'static int cas(atomic_int *p, int e, int d) { return atomic_compare_exchange_strong(p, &e, d); }',
    'static int relaxed_cas(atomic_int *p, int e, int d) {',
    '  return atomic_compare_exchange_strong_explicit(p, &e, d, memory_order_relaxed, memory_order_relaxed);',
    '}',
    ...(style === 'addresses' ? BY_ADDRESS : style === 'structures' ? ['struct two { int n[2]; };'] : []),
    ...programs.map((program, i) => new Printer(i, style).print(program)),
  ].join('\n');
}

const BY_ADDRESS = [
  'static void get(atomic_int *p, int *to) { int v = atomic_load_explicit(p, memory_order_relaxed); *to = v; }',
  'static void get_deeper(atomic_int *p, int *to) { get(p, to); }',
];

class Printer {
  private readonly index: number;
  private readonly style: Style;
  /** Whether a local variable changes by itself. */
  private counts = false;
  private readonly functions: string[] = [];
  private labels = 0;

  constructor(index: number, style: Style) {
    this.index = index;
    this.style = style;
  }

  print({ threads, final }: Waiting): string {
    this.counts = /"op":"(?:set|grow|count|carry)"/.test(JSON.stringify(threads));
    const starts = threads.map((body) => this.addFunction(body));
    const main = this.addFunction(final);
    const wrappers = starts.map((f) => `static void *${f}_start(void *_) { ${f}(); return _; }`);
    const create = starts.map((f, i) => `pthread_create(&t[${i}], 0, ${f}_start, 0);`);
    const join = starts.map((_, i) => `pthread_join(t[${i}], 0);`);
    const entry = `int main_${this.index}(void) { pthread_t t[${threads.length}]; ${create.join(' ')} ${join.join(' ')} ${main}(); return 0; }`;
    return [...this.functions, ...wrappers, entry].join('\n');
  }

  private addFunction(body: readonly Statement[]): string {
    const text = this.block(body, []);
    const name = `f${this.index}_${this.functions.length}`;
    this.functions.push(`static void ${name}(void) { int n0 = 0, n1 = 0, r; (void)n0; (void)n1; (void)r; ${text} }`);
    return name;
  }

  /** `exits`: the labels after the loops around it, outermost first. */
  private block(body: readonly Statement[], exits: readonly string[]): string {
    return body.map((statement) => this.statement(statement, exits)).join(' ');
  }

  private statement(s: Statement, exits: readonly string[]): string {
    switch (s.op) {
      case 'store':
        return `atomic_store_explicit(&x${s.at}, ${s.value}, memory_order_${s.order});`;
      case 'fence':
        return 'atomic_thread_fence(memory_order_seq_cst);';
      case 'lock':
      case 'unlock':
        return `pthread_mutex_${s.op}(&m);`;
      case 'set':
      case 'read':
      case 'grow':
      case 'count':
        return this.local(s);
      case 'while':
      case 'do': {
        const exit = `l${this.labels++}`;
        const inside = this.block(s.body, [...exits, exit]);
        const test = this.condition(s.condition);
        const loop = s.op === 'while' ? `while (${test}) { ${inside} }` : `do { ${inside} } while (${test});`;
        return inside.includes(`goto ${exit};`) ? `${loop} ${exit}: ;` : loop;
      }
      case 'if':
        return `if (${this.condition(s.condition)}) { ${this.block(s.body, exits)} }`;
      case 'leave':
        return s.loops === 1 ? 'break;' : `goto ${exits.at(-s.loops)};`;
      case 'continue':
      case 'return':
        return `${s.op};`;
      case 'call':
        return `${this.addFunction(s.body)}();`;
      case 'assert':
        return `{ int ${s.name} = atomic_load_explicit(&x${s.at}, memory_order_relaxed); assert(${s.name} != ${s.not}); }`;
    }
  }

  /** A statement about a local variable. One that changes it in every round must not go through its address: that is no waiting. */
  private local(s: Extract<Statement, { op: 'set' | 'read' | 'grow' | 'count' }>): string {
    const n = `n${s.local}`;
    switch (s.op) {
      case 'set':
        return `${n} = ${s.value};`;
      case 'read':
        return this.style === 'addresses' && !this.counts
          ? `get${s.at === 1 ? '_deeper' : ''}(&x${s.at}, &${n});`
          : `${n} = ${this.load(s.at)};`;
      case 'grow':
        return `${n} = ${n} * 2 + 1; if (${n} > ${s.limit}) ${n} = ${s.limit};`;
      case 'count':
        return `if (++${n} >= ${s.limit}) ${n} = 0;`;
    }
  }

  private load(at: number): string {
    const load = `atomic_load_explicit(&x${at}, memory_order_relaxed)`;
    if (this.style === 'addresses') return `({ get${at === 2 ? '_deeper' : ''}(&x${at}, &r); r; })`;
    if (this.style === 'structures') return `({ struct two u = {{${at}, ${load}}}, w = u; w.n[1]; })`;
    return load;
  }

  private condition(c: Condition): string {
    if (c === 'always') return '1';
    if ('local' in c) return `n${c.local} < ${c.below}`;
    const { access: a, isZero } = c;
    return `${isZero ? '!' : ''}${a.op === 'load' ? this.load(a.at) : access(a)}`;
  }
}

function access(a: Exclude<Access, { op: 'load' }>): string {
  switch (a.op) {
    case 'exchange':
      return `atomic_exchange_explicit(&x${a.at}, ${a.value}, memory_order_${a.order})`;
    case 'or':
      return `atomic_fetch_or_explicit(&x${a.at}, ${a.value}, memory_order_${a.order})`;
    case 'cas':
      return `${a.order === 'relaxed' ? 'relaxed_' : ''}cas(&x${a.at}, ${a.expected}, ${a.value})`;
    case 'trylock':
      return '(pthread_mutex_trylock(&m) == 0)';
    case 'carry': {
      const orders = a.order === 'relaxed' ? 'relaxed, memory_order_relaxed' : 'seq_cst, memory_order_seq_cst';
      return `atomic_compare_exchange_strong_explicit(&x${a.at}, &n${a.local}, n${a.local} ^ 1, memory_order_${orders})`;
    }
  }
}

/** A program with two or three threads that set flags, wait for each other in some composed way, and check. */
export class WaitingGenerator {
  private readonly prng: Prng;
  private names = 0;

  constructor(prng: Prng) {
    this.prng = prng;
  }

  program(): Waiting {
    this.names = 0;
    const threads = Array.from({ length: this.chance(6) ? 3 : 2 }, () => this.thread());
    // At most one assertion, in most programs: the first failure hides the rest.
    const asserting = this.prng.below(threads.length + 2);
    threads[asserting]?.push(this.assertion());
    return { threads, final: asserting === threads.length ? [this.assertion()] : [] };
  }

  private thread(): Statement[] {
    const body: Statement[] = [];
    const parts = 1 + this.prng.below(3);
    for (let i = 0; i < parts; i++) {
      const kind = this.prng.below(16);
      if (kind === 0) body.push({ op: 'fence' });
      else if (kind < 6) body.push(...this.wait(1 + this.prng.below(3), 0));
      else body.push(this.store());
    }
    if (this.chance(8)) return [{ op: 'lock' }, ...body, { op: 'unlock' }];
    return body;
  }

  /** A waiting loop, at most this deep; `loops` are around it in the same function. */
  private wait(depth: number, loops: number): Statement[] {
    const inner = (more = 1): Statement[] => {
      if (depth <= 1) return this.prng.below(3) === 0 ? [this.attempt()] : [];
      if (this.chance(4)) return [{ op: 'call', body: this.wait(depth - 1, 0) }];
      return this.wait(depth - 1, loops + more);
    };
    switch (this.prng.below(11)) {
      case 0:
      case 1:
      case 2:
        return [{ op: 'while', condition: this.condition(), body: inner() }];
      case 3:
        return [{ op: 'do', condition: this.condition(), body: inner() }];
      case 4: {
        // Leaves by `break`, `goto` or `return`.
        const how: Statement = this.chance(3)
          ? { op: 'return' }
          : { op: 'leave', loops: 1 + this.prng.below(loops + 1) };
        const test: Statement = { op: 'if', condition: this.condition(), body: [how] };
        const body = this.chance(2) ? [test, ...inner()] : [...inner(), test];
        return [{ op: 'while', condition: 'always', body }];
      }
      case 5: {
        // This many checks, then something else.
        const local = this.prng.below(LOCALS);
        const look: Statement = { op: 'if', condition: this.condition(), body: [{ op: 'leave', loops: 2 }] };
        const spin: Statement[] = [
          { op: 'set', local, value: 0 },
          {
            op: 'while',
            condition: { local, below: 2 },
            body: [look, { op: 'count', local, limit: 9 }],
          },
        ];
        return [{ op: 'while', condition: 'always', body: [...spin, ...(this.chance(2) ? inner() : [])] }];
      }
      case 6:
        return [{ op: 'while', condition: this.condition(), body: [this.attempt(), ...inner()] }];
      case 7: {
        const again: Statement = { op: 'if', condition: this.condition(), body: [{ op: 'continue' }] };
        const done: Statement = { op: 'if', condition: this.condition(), body: [{ op: 'leave', loops: 1 }] };
        return [{ op: 'while', condition: 'always', body: [again, done] }];
      }
      case 8: {
        // Tries again with the value that it found.
        const local = this.prng.below(LOCALS);
        const at = this.prng.below(LOCATIONS);
        const order = this.chance(3) ? 'relaxed' : 'seq_cst';
        const first: Statement = this.chance(2) ? { op: 'read', local, at } : { op: 'set', local, value: 0 };
        const again: Condition = { access: { op: 'carry', at, local, order }, isZero: true };
        return [first, { op: 'while', condition: again, body: this.chance(4) ? inner() : [] }];
      }
      case 9: {
        // Reads before the loop and at its end.
        const local = this.prng.below(LOCALS);
        const read: Statement = { op: 'read', local, at: this.prng.below(LOCATIONS) };
        return [
          read,
          { op: 'while', condition: { local, below: 1 }, body: [...(this.chance(4) ? inner() : []), read] },
        ];
      }
      default:
        return [{ op: 'call', body: this.wait(depth, 0) }];
    }
  }

  private attempt(): Statement {
    const local = this.prng.below(LOCALS);
    return this.chance(2) ? { op: 'grow', local, limit: 3 } : { op: 'count', local, limit: 2 + this.prng.below(2) };
  }

  private condition(): Condition {
    return { access: this.access(), isZero: this.chance(2) };
  }

  private access(): Access {
    const at = this.prng.below(LOCATIONS);
    const value = this.value();
    const order = this.chance(3) ? 'relaxed' : 'seq_cst';
    switch (this.prng.below(12)) {
      case 0:
      case 1:
        return { op: 'exchange', at, value: 1, order };
      case 2:
        return { op: 'or', at, value, order };
      case 3:
        return { op: 'cas', at, value: 1, expected: 0, order };
      case 4:
        return this.chance(3) ? { op: 'trylock' } : { op: 'cas', at, value, expected: value, order };
      default:
        return { op: 'load', at };
    }
  }

  private store(): Statement {
    const orders: readonly Order[] = ['relaxed', 'relaxed', 'release', 'seq_cst'];
    return {
      op: 'store',
      at: this.prng.below(LOCATIONS),
      value: this.value(),
      order: orders[this.prng.below(orders.length)]!,
    };
  }

  private assertion(): Statement {
    return { op: 'assert', at: this.prng.below(LOCATIONS), not: this.prng.below(2), name: `a${this.names++}` };
  }

  private value(): number {
    return this.prng.below(3) === 0 ? 0 : 1;
  }

  private chance(n: number): boolean {
    return this.prng.below(n) === 0;
  }
}
