/**
 * Random programs of threads that pause while they wait: counters that decide between a pause and a sleep, delays that
 * grow, random back-off from a thread-local variable; crossed with counters that are used after all: in an assertion, a
 * store, an early exit; with counters that have no value, and with pauses that never end. Local variables are in
 * registers, in a local object, or in one that is changed by functions which get its address.
 */
import { type FunctionBuilder, ProgramBuilder } from '../../src/program/builder.ts';
import type { AddressOperand, Operand, Program } from '../../src/program/ir.ts';
import type { Prng } from '../../src/util/prng.ts';

export type PauseStyle = 'registers' | 'memory' | 'calls';
export const PAUSE_STYLES: readonly PauseStyle[] = ['registers', 'memory', 'calls'];

/** Counters per thread. */
const COUNTERS = 3;
const SHARED = 3;

export interface Pausing {
  readonly program: Program;
  /** What occurs in it. */
  readonly words: ReadonlySet<string>;
}

export function pausingProgram(prng: Prng, style: PauseStyle): Pausing {
  return new Generator(prng, style).run();
}

const int = (value: number): Operand => ({ kind: 'constant', type: 'i32', value });
const reg = (index: number): Operand => ({ kind: 'register', index });

class Generator {
  private readonly prng: Prng;
  private readonly style: PauseStyle;
  private readonly p = new ProgramBuilder('pauses');
  private readonly words = new Set<string>();
  private readonly shared: readonly AddressOperand[];
  private readonly clock: AddressOperand;
  private readonly seed: AddressOperand;
  private readonly sleep: FunctionBuilder;
  private readonly now: FunctionBuilder;
  private readonly random: FunctionBuilder;
  private readonly delay: FunctionBuilder;
  private readonly bump: FunctionBuilder;
  private readonly note: FunctionBuilder;

  constructor(prng: Prng, style: PauseStyle) {
    this.prng = prng;
    this.style = style;
    const { p } = this;
    this.shared = Array.from({ length: SHARED }, (_, i) => p.global(`x${i}`, 'i32'));
    this.clock = p.addGlobal({ name: 'clock', size: 4, align: 4, threadLocal: true });
    this.seed = p.addGlobal({ name: 'seed', size: 4, align: 4, threadLocal: true });
    this.sleep = this.clockFunction('sleep', false);
    this.now = this.clockFunction('now', true);
    this.random = this.randomFunction();
    this.delay = this.delayFunction();
    this.bump = this.bumpFunction();
    this.note = this.noteFunction();
  }

  run(): Pausing {
    const threads = 2 + this.prng.below(2);
    for (let t = 0; t < threads; t++) {
      const f = this.p.function(`P${t}`);
      new Thread(f, this.prng, this.style, this.words, {
        shared: this.shared,
        sleep: this.sleep,
        now: this.now,
        random: this.random,
        delay: this.delay,
        bump: this.bump,
        note: this.note,
      }).run(t === 0);
      this.p.root(`P${t}`, f);
    }
    return { program: this.p.build(), words: this.words };
  }

  /** Sleeping moves the thread's clock on, as in our library; reading it, too. */
  private clockFunction(name: string, reads: boolean): FunctionBuilder {
    const f = this.p.function(name, [], reads ? { result: 'i32' } : {});
    const [at, old, next] = [f.register('at', 'i32'), f.register('old', 'i32'), f.register('next', 'i32')];
    f.add({ op: 'threadlocal', dest: at, global: this.clock.kind === 'global' ? this.clock.index : 0 });
    f.add({ op: 'glance', dest: old, address: reg(at) });
    f.binary('add', next, reg(old), int(reads ? 1 : 5));
    f.add({ op: 'poke', address: reg(at), value: reg(next), ...(reads ? {} : { isIdle: true }) });
    f.return(reads ? reg(old) : undefined);
    return f;
  }

  /** For reports: what the thread is doing. */
  private noteFunction(): FunctionBuilder {
    const noted = this.p.addGlobal({ name: NOTED, size: 4, align: 4, threadLocal: true });
    const f = this.p.function('note', [{ name: 'what', type: 'i32' }]);
    const at = f.register('at', 'i32');
    f.add({ op: 'threadlocal', dest: at, global: noted.kind === 'global' ? noted.index : 0 });
    f.add({ op: 'poke', address: reg(at), value: reg(0), isIdle: true });
    f.return();
    return f;
  }

  private randomFunction(): FunctionBuilder {
    const f = this.p.function('random', [], { result: 'i32' });
    const [at, old, next] = [f.register('at', 'i32'), f.register('old', 'i32'), f.register('next', 'i32')];
    f.add({ op: 'threadlocal', dest: at, global: this.seed.kind === 'global' ? this.seed.index : 0 });
    f.add({ op: 'peek', dest: old, address: reg(at) });
    f.binary('mul', next, reg(old), int(5));
    f.binary('add', next, reg(next), int(3));
    f.binary('and', next, reg(next), int(7));
    f.add({ op: 'poke', address: reg(at), value: reg(next) });
    f.return(reg(next));
    return f;
  }

  /** Sleeps `n` times. */
  private delayFunction(): FunctionBuilder {
    const f = this.p.function('delay', [{ name: 'n', type: 'i32' }]);
    const [i, more] = [f.register('i', 'i32'), f.register('more', 'i1')];
    const [head, body, end] = [f.block('head'), f.block('body'), f.block('end')];
    f.move(i, int(0));
    f.jump(head);
    f.startBlock(head);
    f.compare('slt', more, reg(i), reg(0));
    f.branch(reg(more), body, end);
    f.startBlock(body);
    f.call(undefined, this.sleep);
    f.binary('add', i, reg(i), int(1));
    f.jump(head);
    f.startBlock(end);
    f.return();
    return f;
  }

  /** Adds one to what a pointer points to, modulo a limit; says whether it was reached. */
  private bumpFunction(): FunctionBuilder {
    const parameters = [
      { name: 'p', type: 'i32' },
      { name: 'limit', type: 'i32' },
    ] as const;
    const f = this.p.function('bump', parameters, { result: 'i32' });
    const [v, is, result] = [f.register('v', 'i32'), f.register('is', 'i1'), f.register('result', 'i32')];
    const [wraps, end] = [f.block('wraps'), f.block('end')];
    f.add({ op: 'peek', dest: v, address: reg(0) });
    f.binary('add', v, reg(v), int(1));
    f.add({ op: 'poke', address: reg(0), value: reg(v) });
    f.move(result, int(0));
    f.compare('sge', is, reg(v), reg(1));
    f.branch(reg(is), wraps, end);
    f.startBlock(wraps);
    f.add({ op: 'poke', address: reg(0), value: int(0) });
    f.move(result, int(1));
    f.jump(end);
    f.startBlock(end);
    f.return(reg(result));
    return f;
  }
}

/** Reports read it; no program does. */
export const NOTED = '__fencepost_noted';

interface Parts {
  readonly shared: readonly AddressOperand[];
  readonly sleep: FunctionBuilder;
  readonly now: FunctionBuilder;
  readonly random: FunctionBuilder;
  readonly delay: FunctionBuilder;
  readonly bump: FunctionBuilder;
  readonly note: FunctionBuilder;
}

class Thread {
  private readonly f: FunctionBuilder;
  private readonly prng: Prng;
  private readonly style: PauseStyle;
  private readonly words: Set<string>;
  private readonly parts: Parts;
  /** Registers of the counters, or of their addresses. */
  private readonly counters: number[] = [];

  constructor(f: FunctionBuilder, prng: Prng, style: PauseStyle, words: Set<string>, parts: Parts) {
    this.f = f;
    this.prng = prng;
    this.style = style;
    this.words = words;
    this.parts = parts;
  }

  /** `isFirst`: sometimes its counters have no value. */
  run(isFirst: boolean): void {
    const { f } = this;
    const lacksValue = isFirst && this.chance(8) ? this.prng.below(COUNTERS) : -1;
    if (lacksValue >= 0) this.words.add('no value');
    const object = this.style === 'registers' ? -1 : f.register('object', 'i32');
    if (object >= 0)
      f.add({
        op: 'alloca',
        dest: object,
        size: 4 * COUNTERS,
        align: 4,
        ...(lacksValue < 0 ? {} : { isUndefined: true }),
      });
    for (let c = 0; c < COUNTERS; c++) {
      const register = f.register(`n${c}`, 'i32');
      this.counters.push(register);
      if (object >= 0) f.binary('add', register, reg(object), int(4 * c));
      if (c !== lacksValue) this.set(c, int(this.prng.below(3)));
      else if (object < 0) f.add({ op: 'undefine', dest: register });
    }
    const statements = 1 + this.prng.below(3);
    for (let s = 0; s < statements; s++) this.statement();
    f.return();
  }

  private chance(of: number): boolean {
    return this.prng.below(of) === 0;
  }

  private counter(): number {
    return this.prng.below(COUNTERS);
  }

  private get(counter: number): Operand {
    if (this.style === 'registers') return reg(this.counters[counter]!);
    const value = this.f.register('', 'i32');
    this.f.add({ op: 'peek', dest: value, address: reg(this.counters[counter]!) });
    return reg(value);
  }

  private set(counter: number, value: Operand): void {
    if (this.style === 'registers') this.f.move(this.counters[counter]!, value);
    else this.f.add({ op: 'poke', address: reg(this.counters[counter]!), value });
  }

  private sharedOne(): AddressOperand {
    return this.parts.shared[this.prng.below(SHARED)]!;
  }

  private statement(): void {
    const { f } = this;
    switch (this.prng.below(6)) {
      case 0:
      case 1:
        return this.wait();
      case 2:
        return f.store(this.sharedOne(), int(1 + this.prng.below(2)), this.chance(2) ? 'seq_cst' : 'relaxed');
      case 3:
        return this.use();
      case 4:
        return this.pause(2);
      default: {
        const old = f.register('old', 'i32');
        return f.rmw('add', old, this.sharedOne(), int(1));
      }
    }
  }

  /** A loop that pauses until a variable has some value, or until an early exit. */
  private wait(): void {
    const { f } = this;
    const [head, body, end] = [f.block('wait'), f.block('pause'), f.block('go')];
    const [v, is] = [f.register('v', 'i32'), f.register('is', 'i1')];
    f.jump(head);
    f.startBlock(head);
    f.load(v, this.sharedOne(), this.chance(2) ? 'acquire' : 'relaxed');
    f.compare(this.chance(2) ? 'ne' : 'eq', is, reg(v), int(this.prng.below(3)));
    f.branch(reg(is), end, body);
    f.startBlock(body);
    const pauses = 1 + this.prng.below(2);
    for (let s = 0; s < pauses; s++) this.pause(2);
    if (this.chance(5)) {
      this.words.add('early exit');
      const [late, back] = [f.register('late', 'i1'), f.block('back')];
      f.compare('sge', late, this.get(this.counter()), int(1 + this.prng.below(3)));
      f.branch(reg(late), end, back);
      f.startBlock(back);
    }
    if (this.chance(10)) this.use();
    f.jump(head);
    f.startBlock(end);
  }

  /** Somebody observes a counter, the clock, or the random number. */
  private use(): void {
    const { f } = this;
    switch (this.prng.below(4)) {
      case 0: {
        this.words.add('stored');
        return f.store(this.sharedOne(), this.get(this.counter()), 'relaxed');
      }
      case 1: {
        this.words.add('asserted');
        const small = f.register('small', 'i1');
        f.compare('slt', small, this.get(this.counter()), int(2 + this.prng.below(4)));
        return f.assert(reg(small), 'small');
      }
      case 2: {
        this.words.add('clock read');
        const now = f.register('now', 'i32');
        f.call(now, this.parts.now);
        return f.store(this.sharedOne(), reg(now), 'relaxed');
      }
      default: {
        this.words.add('random used');
        const value = f.register('value', 'i32');
        f.call(value, this.parts.random);
        return f.store(this.sharedOne(), reg(value), 'relaxed');
      }
    }
  }

  private pause(depth: number): void {
    const { f } = this;
    const c = this.counter();
    switch (this.prng.below(depth > 0 ? 10 : 6)) {
      case 0:
        return f.call(undefined, this.parts.sleep);
      case 1: {
        // n = (n + 1) % limit
        const limit = 2 + this.prng.below(3);
        if (this.style === 'calls') {
          const reached = this.chance(2) ? f.register('reached', 'i32') : undefined;
          this.words.add('passed on');
          return f.call(reached, this.parts.bump, [reg(this.counters[c]!), int(limit)]);
        }
        const [more, rest] = [f.register('more', 'i32'), f.register('rest', 'i32')];
        f.binary('add', more, this.get(c), int(1));
        f.binary('srem', rest, reg(more), int(limit));
        return this.set(c, reg(rest));
      }
      case 2: {
        this.words.add('delay');
        return f.call(undefined, this.parts.delay, [this.get(c)]);
      }
      case 3: {
        const value = f.register('value', 'i32');
        this.words.add('random');
        f.call(value, this.parts.random);
        return this.chance(2) ? f.call(undefined, this.parts.delay, [reg(value)]) : this.set(c, reg(value));
      }
      case 4: {
        if (this.chance(2)) return f.call(undefined, this.parts.note, [int(this.prng.below(9))]);
        // Read, but not observed.
        const now = f.register('now', 'i32');
        return f.call(now, this.parts.now);
      }
      case 5:
        return this.set(c, int(this.prng.below(3)));
      case 6:
      case 7: {
        // if (n < limit) … else …
        const [less, yes, no, end] = [f.register('less', 'i1'), f.block('yes'), f.block('no'), f.block('end')];
        f.compare('slt', less, this.get(c), int(1 + this.prng.below(3)));
        f.branch(reg(less), yes, no);
        f.startBlock(yes);
        if (this.chance(2)) {
          const sum = f.register('sum', 'i32');
          f.binary('add', sum, this.get(c), this.chance(2) ? this.get(c) : int(1));
          this.set(c, reg(sum));
        } else this.pause(depth - 1);
        f.jump(end);
        f.startBlock(no);
        if (this.chance(12)) {
          this.words.add('used in a branch');
          f.store(this.sharedOne(), int(1), 'relaxed');
        } else if (this.chance(2)) this.pause(depth - 1);
        f.jump(end);
        return f.startBlock(end);
      }
      default:
        return this.count(depth);
    }
  }

  /** A loop of its own: `for (i = from; i predicate bound; i += step) pause`; some of them never end. */
  private count(depth: number): void {
    const { f } = this;
    const [i, next, more] = [f.register('i', 'i8'), f.register('next', 'i8'), f.register('more', 'i1')];
    const [head, body, end] = [f.block('count'), f.block('counted'), f.block('end')];
    const [step, predicate, bound] = [
      [1, -1, 1, 2][this.prng.below(4)]!,
      (['slt', 'ne', 'sgt', 'ule', 'eq', 'sle'] as const)[this.prng.below(6)]!,
      [3, 127, -1, 0][this.prng.below(4)]!,
    ];
    this.words.add(`counts by ${step}`);
    f.move(i, { kind: 'constant', type: 'i8', value: this.prng.below(3) });
    f.jump(head);
    f.startBlock(head);
    f.compare(predicate, more, reg(i), { kind: 'constant', type: 'i8', value: bound });
    const isNegated = this.chance(3);
    if (isNegated) f.binary('xor', more, reg(more), { kind: 'constant', type: 'i1', value: 1 });
    f.branch(reg(more), isNegated ? end : body, isNegated ? body : end);
    f.startBlock(body);
    if (depth > 1 && this.chance(3)) this.pause(0);
    if (this.chance(2)) {
      f.binary('add', next, reg(i), { kind: 'constant', type: 'i8', value: step });
      f.move(i, reg(next));
    } else f.binary('add', i, reg(i), { kind: 'constant', type: 'i8', value: step });
    f.jump(head);
    f.startBlock(end);
  }
}
