/**
 * The simulator's own form of a generated program: a list of small operations per thread. It shares nothing with
 * `src/`.
 */
import {
  type Body,
  type FuzzProgram,
  type How,
  type Operator,
  type Order,
  type Place,
  REGISTERS,
  type Statement,
  unknown,
  type Value,
  type Wait,
} from '../ast.ts';

// The layout. Unions come first, 8 bytes each; pointers are never 0.
export const SPIN = 16;
export const SEMAPHORE = 20;
export const RWLOCK = 24;
export const ARRIVED = 28;
export const GATE = 32;
export const ONCE = 36;
export const POINTER = 40;
export const OBJECTS = 48;
export const OBJECT_BYTES = 8;

// Registers that the program does not name.
const E = REGISTERS;
const Q = REGISTERS + 1;
const TLS = REGISTERS + 2;
const LAST = REGISTERS + 3;
export const ALL_REGISTERS: number = REGISTERS + 4;

const WRITER = 0x10000;

/** What the locked instructions do to memory. */
const LOCKED = {
  add: 'add',
  sub: 'sub',
  and: 'and',
  or: 'or',
  xor: 'xor',
  inc: 'add',
  dec: 'sub',
  xadd: 'add',
  xchg: 'xchg',
  not: 'xor',
  bts: 'or',
  btr: 'and',
  btc: 'xor',
} as const satisfies Record<string, Operator>;

/** `strong` operations wait until the thread's buffer is empty; others wait only as relaxed ones do. */
export type Op =
  | { readonly k: 'load'; readonly at: number; readonly size: number; readonly to: number }
  | { readonly k: 'loadThrough'; readonly pointer: number; readonly to: number }
  | {
      readonly k: 'store';
      readonly at: number;
      readonly size: number;
      readonly value: Value;
      readonly barrier: boolean;
    }
  | { readonly k: 'storeThrough'; readonly pointer: number; readonly value: Value; readonly barrier: boolean }
  | {
      readonly k: 'rmw';
      readonly at: number;
      readonly size: number;
      readonly operator: Operator;
      readonly strong: boolean;
      readonly value: Value;
      readonly to: number;
      /** Receives whether the new value is zero. */
      readonly zero?: number;
    }
  | {
      readonly k: 'cas';
      readonly at: number;
      readonly size: number;
      readonly strong: boolean;
      readonly expected: Value;
      readonly desired: Value;
      readonly ok: number;
      readonly old: number;
    }
  /** Changes the word if the relation holds; waits until it does, or returns whether it did. */
  | {
      readonly k: 'guard';
      readonly at: number;
      readonly test: 'lt' | 'ne' | 'eq' | 'ge';
      readonly bound: Value;
      readonly change: 'add' | 'set' | 'none';
      readonly amount: number;
      readonly blocks: boolean;
      readonly ok: number;
      readonly old: number;
    }
  | { readonly k: 'arrive'; readonly end: number; readonly last: number }
  | { readonly k: 'fence' | 'barrier' | 'acquireFence' }
  | { readonly k: 'lock' | 'unlock' | 'condWait' | 'timedWait' | 'signal' | 'broadcast'; readonly object: number }
  | { readonly k: 'trylock'; readonly object: number; readonly to: number }
  | { readonly k: 'wake'; readonly object: number; readonly to: number }
  | { readonly k: 'create' | 'detach'; readonly thread: number }
  | { readonly k: 'join'; readonly thread: number; readonly to: number }
  | { readonly k: 'free'; readonly pointer: number }
  | { readonly k: 'endLocal'; readonly at: number }
  | { readonly k: 'exit' | 'abort' | 'sectionBegin' | 'sectionEnd' }
  /** `returns`: from main, after which the process may end. */
  | { readonly k: 'finish'; readonly returns: boolean }
  | { readonly k: 'assert' | 'assume'; readonly reg: number; readonly not: number }
  | { readonly k: 'choose'; readonly count: number; readonly to: number }
  | { readonly k: 'set'; readonly to: number; readonly value: Value }
  /** Jumps if the register has this value; with `other`, if both registers have the same value. */
  | {
      readonly k: 'branch';
      readonly reg: number;
      readonly equals: number;
      readonly other?: number;
      readonly target: number;
    }
  | { readonly k: 'jump'; readonly target: number };

export interface SimCode {
  readonly threads: readonly (readonly Op[])[];
  /** How many stores may be buffered at a time, per thread. */
  readonly room: readonly number[];
  readonly bytes: number;
  readonly initial: ReadonlyMap<number, number>;
  readonly hasLoops: boolean;
  /** Atomic sections block steps of other threads that would otherwise be invisible. */
  readonly hasSections: boolean;
  readonly round: number;
}

export function simCode(program: FuzzProgram): SimCode {
  const builder = new Builder(program);
  const threads = program.threads.map((body, t) => builder.thread(body, t));
  return {
    threads,
    room: threads.map((ops) => {
      const stores = ops.filter(
        (op) => op.k === 'store' || op.k === 'storeThrough' || op.k === 'free' || op.k === 'endLocal',
      ).length;
      return Math.min(12, stores);
    }),
    bytes: OBJECTS + builder.objects * OBJECT_BYTES,
    initial: new Map([[SEMAPHORE, program.semaphore]]),
    hasSections: threads.some((ops) => ops.some(({ k }) => k === 'sectionBegin')),
    hasLoops: threads.some((ops) => ops.some((op, i) => (op.k === 'branch' || op.k === 'jump') && op.target <= i)),
    round: program.round,
  };
}

const ALL_ONES: Value = { reg: -1, low: -1, high: -1 };

/** The operand of a locked instruction. */
function valueOfLocked({ operator, value, place }: Statement & { op: 'asmLocked' }): Value {
  const bit = value.low % (8 * place.size);
  const mask: Value = { reg: -1, low: bit < 32 ? 1 << bit : 0, high: bit < 32 ? 0 : 1 << (bit - 32) };
  switch (operator) {
    case 'inc':
    case 'dec':
      return constant(1);
    case 'not':
      return ALL_ONES;
    case 'bts':
    case 'btc':
      return mask;
    case 'btr':
      return { reg: -1, low: ~mask.low, high: ~mask.high };
    default:
      return value;
  }
}

const constant = (low: number): Value => ({ reg: -1, low, high: 0 });
const register = (reg: number): Value => ({ reg, low: 0, high: 0 });
const releases = (how: How): boolean => how === 'release' || how === 'acq_rel' || how === 'seq_cst';
const addressOf = ({ union, offset }: Place): number => union * 8 + offset;

class Builder {
  objects = 0;
  private readonly program: FuzzProgram;
  private ops: Op[] = [];
  private isMain = false;
  private local = -1;

  constructor(program: FuzzProgram) {
    this.program = program;
  }

  thread(body: Body, thread: number): readonly Op[] {
    this.ops = [];
    this.isMain = thread === 0;
    this.local = body.some((s) => s.op === 'escape') ? this.newObject() : -1;
    this.ops.push({ k: 'set', to: TLS, value: constant(5) });
    this.body(body);
    this.end('return');
    return this.ops;
  }

  private newObject(): number {
    return OBJECTS + OBJECT_BYTES * this.objects++;
  }

  private end(how: 'pthread_exit' | 'return'): void {
    if (this.local >= 0) this.ops.push({ k: 'endLocal', at: this.local });
    this.ops.push({ k: 'finish', returns: this.isMain && how === 'return' });
  }

  private body(body: Body): void {
    for (const statement of body) this.statement(statement);
  }

  /** Runs the block only if the register is not 0. */
  private unlessZero(reg: number, block: () => void): void {
    const at = this.ops.length;
    this.ops.push({ k: 'jump', target: -1 });
    block();
    this.ops[at] = { k: 'branch', reg, equals: 0, target: this.ops.length };
  }

  private cas(
    s: { place: Place; order: Order; failure: Order },
    expected: Value,
    desired: Value,
    ok: number,
    old: number,
  ): void {
    const strong = releases(s.order) || releases(s.failure);
    this.ops.push({ k: 'cas', at: addressOf(s.place), size: s.place.size, strong, expected, desired, ok, old });
  }

  private forget(...registers: number[]): void {
    for (const to of registers) this.ops.push({ k: 'set', to, value: constant(0) });
  }

  private guard(
    at: number,
    test: 'lt' | 'ne' | 'eq' | 'ge',
    bound: Value,
    change: 'add' | 'set' | 'none',
    amount: number,
    blocks: boolean,
    ok: number = -1,
    old: number = -1,
  ): void {
    this.ops.push({ k: 'guard', at, test, bound, change, amount, blocks, ok, old });
  }

  private load(place: Place, to: number): void {
    this.ops.push({ k: 'load', at: addressOf(place), size: place.size, to });
  }

  private store(at: number, size: number, value: Value, how: How): void {
    this.ops.push({ k: 'store', at, size, value, barrier: releases(how) });
    if (how === 'seq_cst') this.ops.push({ k: 'fence' });
  }

  private statement(s: Statement): void {
    const { ops } = this;
    switch (s.op) {
      case 'load':
        return this.load(s.place, s.to);
      case 'store':
        return this.store(addressOf(s.place), s.place.size, s.value, s.how);
      case 'rmw': {
        const { place, operator, value, to } = s;
        ops.push({ k: 'rmw', at: addressOf(place), size: place.size, operator, strong: releases(s.order), value, to });
        return;
      }
      case 'cas':
        // Both are computed before anything is assigned.
        return this.cas(s, s.expected, s.desired, s.ok, s.old);
      case 'casLoop': {
        this.forget(E);
        const head = ops.length;
        this.cas(s, register(E), { reg: E, low: s.add, high: 0 }, LAST, E);
        ops.push({ k: 'branch', reg: LAST, equals: 0, target: head });
        ops.push({ k: 'set', to: s.to, value: register(E) });
        return this.forget(E, LAST);
      }
      case 'fence':
        if (s.order === 'seq_cst') ops.push({ k: 'fence' });
        else ops.push({ k: s.order === 'acquire' ? 'acquireFence' : 'barrier' });
        return;
      case 'asm':
        if (s.strength === 'full') ops.push({ k: 'fence' });
        else if (s.strength === 'stores') ops.push({ k: 'barrier' });
        return;
      case 'asmKeep':
        if (s.form === 'tied') ops.push({ k: 'set', to: s.to, value: register(s.from) });
        if (s.form === 'swapped') {
          ops.push({ k: 'set', to: Q, value: register(s.from) });
          ops.push({ k: 'set', to: s.from, value: register(s.to) }, { k: 'set', to: s.to, value: register(Q) });
          this.forget(Q);
        }
        return;
      case 'asmTouch':
        if (s.form === 'memory') return;
        this.load(s.place, Q);
        this.store(addressOf(s.place), s.place.size, register(Q), 'plain');
        return this.forget(Q);
      case 'asmLocked': {
        const { place, to, zero } = s;
        const operator = LOCKED[s.operator];
        const value = valueOfLocked(s);
        ops.push({ k: 'rmw', at: addressOf(place), size: place.size, operator, strong: true, value, to, zero });
        return;
      }
      case 'asmPlain': {
        const { place, operator, to } = s;
        if (operator === 'load') return this.load(place, to);
        if (operator === 'store') return this.store(addressOf(place), place.size, s.value, 'relaxed');
        // Other threads may run between the two.
        this.load(place, Q);
        const { low, high } = operator === 'inc' ? constant(1) : operator === 'dec' ? ALL_ONES : s.value;
        this.store(addressOf(place), place.size, { reg: Q, low, high }, 'relaxed');
        if (operator === 'xadd') ops.push({ k: 'set', to, value: register(Q) });
        return this.forget(Q);
      }
      case 'asmCas':
        return this.cas({ ...s, order: 'seq_cst', failure: 'seq_cst' }, s.expected, s.desired, s.ok, s.old);
      case 'locked':
        if (s.how === 'lock') {
          ops.push({ k: 'lock', object: s.mutex }, { k: 'set', to: s.to, value: constant(1) });
          this.body(s.body);
          ops.push({ k: 'unlock', object: s.mutex });
          return;
        }
        ops.push({ k: 'trylock', object: s.mutex, to: s.to });
        return this.unlessZero(s.to, () => {
          this.body(s.body);
          ops.push({ k: 'unlock', object: s.mutex });
        });
      case 'unlock':
        ops.push({ k: 'unlock', object: s.mutex });
        return;
      case 'await': {
        ops.push({ k: 'lock', object: s.mutex });
        const head = ops.length;
        this.load(s.place, Q);
        const branch = ops.length;
        ops.push({ k: 'jump', target: -1 });
        if (s.timed)
          ops.push(
            { k: 'timedWait', object: s.mutex },
            { k: 'wake', object: s.mutex, to: s.to },
            { k: 'lock', object: s.mutex },
          );
        else ops.push({ k: 'condWait', object: s.mutex }, { k: 'lock', object: s.mutex }, { k: 'jump', target: head });
        ops[branch] = { k: 'branch', reg: Q, equals: 0, target: branch + 2 };
        ops.splice(branch + 1, 0, { k: 'jump', target: ops.length + 1 });
        this.forget(Q);
        this.body(s.body);
        ops.push({ k: 'unlock', object: s.mutex });
        return;
      }
      case 'notify':
        if (s.locked) ops.push({ k: 'lock', object: s.mutex });
        this.store(addressOf(s.place), s.place.size, constant(1), 'plain');
        ops.push({ k: s.all ? 'broadcast' : 'signal', object: s.mutex });
        if (s.locked) ops.push({ k: 'unlock', object: s.mutex });
        return;
      case 'rwlocked': {
        const amount = s.writes ? WRITER : 1;
        this.guard(RWLOCK, 'lt', constant(s.writes ? 1 : WRITER), 'add', amount, s.call === 'lock', s.to);
        return this.unlessZero(s.to, () => {
          this.body(s.body);
          ops.push({ k: 'rmw', at: RWLOCK, size: 4, operator: 'sub', strong: true, value: constant(amount), to: -1 });
        });
      }
      case 'post':
        ops.push({ k: 'rmw', at: SEMAPHORE, size: 4, operator: 'add', strong: true, value: constant(1), to: -1 });
        return;
      case 'down':
        return this.guard(SEMAPHORE, 'ne', constant(0), 'add', -1, true);
      case 'tryDown':
        return this.guard(SEMAPHORE, 'ne', constant(0), 'add', -1, false, s.to);
      case 'barrier': {
        ops.push({ k: 'arrive', end: E, last: LAST });
        const at = ops.length;
        ops.push({ k: 'jump', target: -1 });
        ops.push({
          k: 'rmw',
          at: GATE,
          size: 4,
          operator: 'add',
          strong: true,
          value: constant(this.program.round),
          to: -1,
        });
        ops.push({ k: 'jump', target: at + 4 });
        ops[at] = { k: 'branch', reg: LAST, equals: 0, target: at + 3 };
        this.guard(GATE, 'ge', register(E), 'none', 0, true);
        ops.push({ k: 'set', to: s.to, value: register(LAST) });
        return this.forget(E, LAST);
      }
      case 'spinLocked':
        this.guard(SPIN, 'lt', constant(1), 'set', 1, !s.tries, s.to);
        return this.unlessZero(s.to, () => {
          this.body(s.body);
          this.store(SPIN, 4, constant(0), 'release');
        });
      case 'once': {
        this.guard(ONCE, 'eq', constant(0), 'set', 1, false, LAST, E);
        this.unlessZero(LAST, () => {
          this.body(this.program.once);
          ops.push({ k: 'rmw', at: ONCE, size: 4, operator: 'xchg', strong: true, value: constant(2), to: -1 });
        });
        const at = ops.length;
        ops.push({ k: 'branch', reg: E, equals: 1, target: at + 2 }, { k: 'jump', target: at + 3 });
        this.guard(ONCE, 'ne', constant(1), 'none', 0, true);
        return this.forget(E, LAST);
      }
      case 'create':
      case 'detach':
        ops.push({ k: s.op, thread: s.thread });
        return;
      case 'join':
        ops.push({ k: 'join', thread: s.thread, to: s.to });
        return;
      case 'end':
        if (s.how === 'exit' || s.how === 'abort') ops.push({ k: s.how });
        else this.end(s.how);
        return;
      case 'assert':
      case 'assume':
        ops.push({ k: s.op, reg: s.reg, not: s.not });
        return;
      case 'tls':
        ops.push(
          { k: 'set', to: TLS, value: { reg: TLS, low: s.add, high: 0 } },
          { k: 'set', to: s.to, value: register(TLS) },
        );
        return;
      case 'malloc':
        return this.store(POINTER, 4, constant(this.newObject()), s.how);
      case 'escape':
        return this.store(POINTER, 4, constant(this.local), s.how);
      case 'free':
        // Nothing happens to a null pointer, checked or not.
        ops.push({ k: 'load', at: POINTER, size: 4, to: Q });
        this.unlessZero(Q, () => ops.push({ k: 'free', pointer: Q }));
        return this.forget(Q);
      case 'usePointer': {
        ops.push({ k: 'load', at: POINTER, size: 4, to: Q });
        const use = (): void => {
          if (!s.writes) ops.push({ k: 'loadThrough', pointer: Q, to: s.to });
          else {
            ops.push({ k: 'storeThrough', pointer: Q, value: constant(s.value), barrier: releases(s.how) });
            if (s.how === 'seq_cst') ops.push({ k: 'fence' });
          }
        };
        if (s.checked) this.unlessZero(Q, use);
        else use();
        return this.forget(Q);
      }
      case 'validated': {
        const head = ops.length;
        this.load(s.place, E);
        this.body(s.body);
        this.load(s.place, Q);
        ops.push({ k: 'branch', reg: Q, equals: 0, other: E, target: ops.length + 2 }, { k: 'jump', target: head });
        ops.push({ k: 'set', to: s.to, value: register(E) });
        return this.forget(E, Q);
      }
      case 'wait':
        return this.wait(s.form, s.wait, s.body);
      case 'if': {
        const at = ops.length;
        ops.push({ k: 'jump', target: -1 });
        this.body(s.no);
        const over = ops.length;
        ops.push({ k: 'jump', target: -1 });
        ops[at] = { k: 'branch', reg: s.reg, equals: s.equals, target: ops.length };
        this.body(s.yes);
        ops[over] = { k: 'jump', target: ops.length };
        return;
      }
      case 'choose':
        ops.push({ k: 'choose', count: s.count, to: s.to });
        return;
      case 'section':
        ops.push({ k: 'sectionBegin' });
        this.body(s.body);
        ops.push({ k: 'sectionEnd' });
        return;
      case 'repeat':
        this.body(s.body);
        this.body(s.body);
        return;
      default:
        return unknown(s);
    }
  }

  private wait(form: 'while' | 'do', wait: Wait, body: Body): void {
    const { ops } = this;
    const head = ops.length;
    if (form === 'do') this.body(body);
    // Branches that keep waiting, and branches that leave; their targets are filled in later.
    const stays: number[] = [];
    const leaves: number[] = [];
    const test = (place: Place): void => {
      this.load(place, Q);
    };
    const when = (reg: number, list: number[]): void => {
      list.push(ops.length);
      ops.push({ k: 'branch', reg, equals: 0, target: -1 });
    };
    switch (wait.kind) {
      case 'zero':
        test(wait.place);
        when(Q, stays);
        break;
      case 'either':
        test(wait.first);
        when(Q, stays);
        test(wait.second);
        when(Q, stays);
        break;
      case 'both': {
        test(wait.first);
        const at = ops.length;
        ops.push({ k: 'branch', reg: Q, equals: 0, target: at + 2 });
        leaves.push(ops.length);
        ops.push({ k: 'jump', target: -1 });
        test(wait.second);
        when(Q, stays);
        break;
      }
      case 'exchange':
        ops.push({
          k: 'rmw',
          at: addressOf(wait.place),
          size: wait.place.size,
          operator: 'xchg',
          strong: releases(wait.order),
          value: constant(1),
          to: Q,
        });
        when(Q, leaves);
        stays.push(ops.length);
        ops.push({ k: 'jump', target: -1 });
        break;
      case 'cas':
        this.cas(wait, constant(0), constant(1), Q, LAST);
        this.forget(LAST);
        when(Q, stays);
        break;
      default:
        return unknown(wait);
    }
    leaves.push(ops.length);
    ops.push({ k: 'jump', target: -1 });
    const again = ops.length;
    if (form === 'while') this.body(body);
    ops.push({ k: 'jump', target: head });
    const fill = (list: number[], target: number): void => {
      for (const at of list) ops[at] = { ...ops[at]!, target } as Op;
    };
    fill(stays, again);
    fill(leaves, ops.length);
    this.forget(Q);
  }
}
