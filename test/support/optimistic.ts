/**
 * Generated programs with optimistic reads, as in a seqlock, and with near misses: stamps that return to an old value,
 * or are written in parts or by their own reader; loops that count, write, leave early or branch on the data;
 * validations that do not validate.
 */
import { type FunctionBuilder, int, ProgramBuilder } from '../../src/program/builder.ts';
import type { AddressOperand, Program } from '../../src/program/ir.ts';
import type { RmwOperator } from '../../src/program/operators.ts';
import type { FenceOrder, Order, Type } from '../../src/program/types.ts';
import type { Prng } from '../../src/util/prng.ts';

const PLACES = ['s', 't', 'a', 'b'] as const;
type Place = (typeof PLACES)[number];

export type Write =
  | { readonly op: 'store'; readonly place: Place; readonly value: number; readonly order: Order }
  | { readonly op: 'half'; readonly place: Place; readonly upper: boolean; readonly value: number }
  | {
      readonly op: 'rmw';
      readonly place: Place;
      readonly operator: RmwOperator;
      readonly value: number;
      readonly keeps: boolean;
    }
  | { readonly op: 'cas'; readonly place: Place; readonly expected: number; readonly value: number }
  | { readonly op: 'fence'; readonly order: FenceOrder };

/** What a loop does between its stamp and the validation. */
export type Between =
  | { readonly op: 'load'; readonly place: Place; readonly order: Order }
  | { readonly op: 'fence'; readonly order: FenceOrder }
  | { readonly op: 'leave'; readonly value: number }
  | { readonly op: 'assert'; readonly value: number }
  | { readonly op: 'write'; readonly place: Place; readonly value: number };

export interface Reading {
  readonly op: 'read';
  readonly stamp: Place;
  readonly order: Order;
  /** Whether the stamp is read again until it is even. */
  readonly waits: 'no' | 'again' | 'anew';
  readonly between: readonly Between[];
  readonly validates: 'ne' | 'eq' | 'swapped' | 'wide' | 'less' | 'bits' | 'other' | 'late' | 'also';
  /** Whether the stamp and the validation are in their own function. */
  readonly calls: readonly [boolean, boolean];
  readonly counts: boolean;
  readonly checks: 'nothing' | 'same' | 'sum';
}

export type Statement = Write | Reading;
export interface Optimistic {
  readonly type: Type;
  readonly threads: readonly (readonly Statement[])[];
}

const ORDERS: readonly Order[] = ['relaxed', 'relaxed', 'acquire', 'seq_cst'];
const FENCES: readonly FenceOrder[] = ['acquire', 'release', 'seq_cst'];

export class OptimisticGenerator {
  private readonly prng: Prng;

  constructor(prng: Prng) {
    this.prng = prng;
  }

  program(): Optimistic {
    const threads: (readonly Statement[])[] = [];
    const count = this.chance(6) ? 3 : 2;
    threads.push(this.writer());
    for (let i = 1; i < count; i++) threads.push(this.reader());
    if (count === 2 && this.chance(8)) threads.push([this.write()]);
    return { type: this.pick(['i32', 'i32', 'i32', 'i64', 'i8']), threads };
  }

  private chance(n: number): boolean {
    return this.prng.below(n) === 0;
  }
  private pick<T>(from: readonly T[]): T {
    return from[this.prng.below(from.length)]!;
  }

  /** Often a seqlock's writer: the stamp becomes odd, data are written, it becomes even again. */
  private writer(): readonly Statement[] {
    if (this.chance(4)) return Array.from({ length: 1 + this.prng.below(4) }, () => this.write());
    if (this.chance(4)) return this.back();
    const adds = this.chance(2);
    const next = (value: number): Write =>
      adds
        ? { op: 'rmw', place: 's', operator: 'add', value: 1, keeps: this.chance(2) }
        : { op: 'store', place: 's', value, order: this.pick(['relaxed', 'release']) };
    const rounds = this.chance(10) ? 2 : 1;
    const all: Statement[] = [];
    for (let round = 0; round < rounds; round++) {
      all.push(next(2 * round + 1));
      if (this.chance(2)) all.push({ op: 'fence', order: this.pick(FENCES) });
      // A value that exists only while the stamp is odd.
      if (this.chance(4)) all.push({ op: 'store', place: 'a', value: 3, order: 'relaxed' });
      all.push({ op: 'store', place: 'a', value: round + 1, order: 'relaxed' });
      if (this.chance(2)) all.push({ op: 'store', place: 'b', value: round + 1, order: 'relaxed' });
      all.push(next(this.chance(8) ? 0 : 2 * round + 2));
    }
    if (this.chance(5)) all.splice(this.prng.below(all.length + 1), 0, this.write());
    return all;
  }

  /** The stamp changes, data are written, and the stamp may return to its old value. */
  private back(): readonly Statement[] {
    const data: Write = { op: 'store', place: this.pick(['a', 'b']), value: 1, order: 'relaxed' };
    const change = (value: number): Write => {
      switch (this.prng.below(4)) {
        case 0:
          return { op: 'half', place: 's', upper: false, value };
        case 1:
          return { op: 'cas', place: 's', expected: 1 - value, value };
        case 2:
          return { op: 'rmw', place: 's', operator: value === 1 ? 'add' : 'sub', value: 1, keeps: this.chance(2) };
        default:
          return { op: 'store', place: 's', value, order: 'relaxed' };
      }
    };
    const all: Statement[] = this.chance(4) ? [data, change(0)] : [change(1), data, change(0)];
    return this.chance(3) ? [...all, this.write()] : all;
  }

  private write(): Write {
    const place = this.chance(2) ? 's' : this.pick(PLACES);
    switch (this.prng.below(8)) {
      case 0:
        return { op: 'half', place, upper: this.chance(2), value: this.prng.below(3) };
      case 1:
        return { op: 'fence', order: this.pick(FENCES) };
      case 2:
        return { op: 'cas', place, expected: this.prng.below(3), value: this.prng.below(4) };
      case 3:
      case 4: {
        const operator = this.pick<RmwOperator>(['add', 'add', 'add', 'xchg', 'xor', 'sub', 'or']);
        return { op: 'rmw', place, operator, value: 1 + this.prng.below(2), keeps: this.chance(2) };
      }
      default:
        return { op: 'store', place, value: this.prng.below(4), order: this.pick(['relaxed', 'release', 'seq_cst']) };
    }
  }

  private reader(): readonly Statement[] {
    const all: Statement[] = [];
    if (this.chance(3)) all.push(this.write());
    all.push(this.reading());
    if (this.chance(6)) all.push(this.chance(2) ? this.reading() : this.write());
    return all;
  }

  private reading(): Reading {
    const stamp = this.chance(5) ? 't' : 's';
    const between: Between[] = [];
    const loads = this.prng.below(3);
    for (let i = 0; i < loads; i++) {
      const place = this.chance(8) ? this.pick(PLACES) : this.pick(['a', 'b'] as const);
      between.push({ op: 'load', place, order: this.chance(12) ? 'plain' : this.pick(ORDERS) });
    }
    const add = (n: number, make: () => Between): void => {
      if (this.chance(n)) between.splice(this.prng.below(between.length + 1), 0, make());
    };
    add(4, () => ({ op: 'fence', order: this.pick(FENCES) }));
    add(10, () => ({ op: 'leave', value: this.prng.below(2) }));
    add(6, () => ({ op: 'assert', value: 1 + this.prng.below(3) }));
    add(12, () => ({ op: 'write', place: this.pick(PLACES), value: this.prng.below(3) }));
    return {
      op: 'read',
      stamp,
      order: this.pick(ORDERS),
      waits: this.pick(['no', 'again', 'anew', 'anew']),
      between,
      validates: this.chance(4)
        ? this.pick(['less', 'bits', 'other', 'late', 'wide', 'also'])
        : this.pick(['ne', 'eq', 'swapped']),
      calls: [this.chance(3), this.chance(3)],
      counts: this.chance(10),
      checks: this.pick(['nothing', 'same', 'sum']),
    };
  }
}

class Writer {
  private readonly builder = new ProgramBuilder('optimistic');
  private readonly type: Type;
  private readonly places = new Map<Place, AddressOperand>();
  private readonly fetch: FunctionBuilder;
  private readonly changed: FunctionBuilder;
  private outs = 0;

  constructor({ type, threads }: Optimistic) {
    this.type = type;
    const { builder } = this;
    for (const place of PLACES) this.places.set(place, builder.global(place, this.typeOf(place), [0]));
    this.fetch = builder.function('fetch', [{ name: 'p', type: 'i32' }], { result: type });
    const value = this.fetch.register('value', type);
    this.fetch.load(value, 0, 'acquire');
    this.fetch.return(value);
    this.changed = builder.function(
      'changed',
      [
        { name: 'p', type: 'i32' },
        { name: 'old', type },
      ],
      { result: 'i32' },
    );
    const now = this.changed.register('now', type);
    const differs = this.changed.register('differs', 'i1');
    const wide = this.changed.register('wide', 'i32');
    this.changed.load(now, 0, 'relaxed');
    this.changed.compare('ne', differs, now, 1);
    this.changed.cast('zext', wide, differs);
    this.changed.return(wide);
    for (const [i, statements] of threads.entries()) {
      const func = builder.function(`f${i}`);
      for (const statement of statements) this.statement(func, statement);
      func.return();
      builder.root(`P${i}`, func);
    }
  }

  private typeOf(place: Place): Type {
    return place === 's' || place === 't' ? this.type : 'i32';
  }

  build(): Program {
    return this.builder.build();
  }

  private out(): AddressOperand {
    return this.builder.global(`out${this.outs++}`, 'i32', [0]);
  }

  private statement(f: FunctionBuilder, statement: Statement): void {
    if (statement.op === 'read') return this.reading(f, statement);
    if (statement.op === 'fence') return f.fence(statement.order);
    const address = this.places.get(statement.place)!;
    const type = this.typeOf(statement.place);
    switch (statement.op) {
      case 'store':
        return f.store(address, int(statement.value, type), statement.order);
      case 'half': {
        const part: Type = type === 'i64' ? 'i32' : type === 'i32' ? 'i16' : 'i8';
        const offset = statement.upper && part !== type ? (part === 'i32' ? 4 : part === 'i16' ? 2 : 0) : 0;
        return f.store({ ...address, offset } as AddressOperand, int(statement.value, part), 'relaxed');
      }
      case 'rmw': {
        const old = f.register('old', type);
        f.rmw(statement.operator, old, address, int(statement.value, type), 'acq_rel');
        if (statement.keeps) this.keep(f, old, type);
        return;
      }
      case 'cas': {
        const old = f.register('old', type);
        f.add({
          op: 'cmpxchg',
          dest: old,
          address,
          expected: int(statement.expected, type),
          desired: int(statement.value, type),
          order: 'seq_cst',
          failureOrder: 'relaxed',
        });
        return this.keep(f, old, type);
      }
    }
  }

  /** Stores a value where the final state shows it. */
  private keep(f: FunctionBuilder, register: number, type: Type): void {
    let value = register;
    if (type !== 'i32') {
      value = f.register('kept', 'i32');
      f.cast(type === 'i64' ? 'trunc' : 'zext', value, register);
    }
    f.store(this.out(), value, 'relaxed');
  }

  private reading(f: FunctionBuilder, r: Reading): void {
    const place = this.places.get(r.stamp)!;
    const type = this.typeOf(r.stamp);
    const stamp = f.register('stamp', type);
    const now = f.register('now', type);
    const again = f.register('again', 'i1');
    const sum = f.register('sum', 'i32');
    const data = f.register('data', 'i32');
    const rounds = f.register('rounds', 'i32');
    const flag = f.register('flag', 'i1');
    if (r.counts) f.move(rounds, int(0));
    const head = f.block('head');
    const inside = f.block('inside');
    const end = f.block('end');
    f.jump(head);
    f.startBlock(head);
    f.move(sum, int(0));
    f.move(data, int(0));
    if (r.counts) f.binary('add', rounds, rounds, int(1));
    if (r.waits === 'no') {
      this.readStamp(f, r, stamp, place);
      f.jump(inside);
    } else {
      const odd = f.register('odd', type);
      let from = head;
      if (r.waits === 'again') {
        from = f.block('wait');
        f.jump(from);
        f.startBlock(from);
      }
      this.readStamp(f, r, stamp, place);
      f.binary('and', odd, stamp, int(1, type));
      f.compare('ne', flag, odd, int(0, type));
      f.branch(flag, from, inside);
    }
    f.startBlock(inside);
    for (const b of r.between) {
      switch (b.op) {
        case 'load': {
          const bits = f.register('bits', this.typeOf(b.place));
          f.load(bits, this.places.get(b.place)!, b.order);
          if (this.typeOf(b.place) === 'i32') f.move(data, bits);
          else f.cast(this.typeOf(b.place) === 'i64' ? 'trunc' : 'zext', data, bits);
          f.binary('mul', sum, sum, int(4));
          f.binary('add', sum, sum, data);
          break;
        }
        case 'fence':
          f.fence(b.order);
          break;
        case 'leave':
        case 'assert': {
          const rest = f.block('rest');
          f.compare(b.op === 'leave' ? 'eq' : 'ne', flag, data, int(b.value));
          if (b.op === 'leave') f.branch(flag, end, rest);
          else {
            f.assert(flag, `data is ${b.value}`);
            f.jump(rest);
          }
          f.startBlock(rest);
          break;
        }
        case 'write':
          f.store(this.places.get(b.place)!, int(b.value, this.typeOf(b.place)), 'relaxed');
          break;
      }
    }
    this.validate(f, r, { stamp, now, again, place, type });
    f.branch(again, head, end);
    f.startBlock(end);
    if (r.checks === 'sum') {
      f.compare('ne', flag, sum, int(4));
      f.assert(flag, 'the data are of two times');
    }
    f.store(this.out(), sum, 'relaxed');
    if (r.checks !== 'nothing') this.keep(f, stamp, type);
    if (r.counts) f.store(this.out(), rounds, 'relaxed');
  }

  private readStamp(f: FunctionBuilder, r: Reading, stamp: number, place: AddressOperand): void {
    if (r.calls[0]) f.call(stamp, this.fetch, [place]);
    else f.load(stamp, place, r.order);
  }

  private validate(
    f: FunctionBuilder,
    r: Reading,
    {
      stamp,
      now,
      again,
      place,
      type,
    }: { stamp: number; now: number; again: number; place: AddressOperand; type: Type },
  ): void {
    if (r.calls[1] && r.validates === 'ne') {
      const differs = f.register('differs', 'i32');
      f.call(differs, this.changed, [place, stamp]);
      return f.compare('ne', again, differs, int(0));
    }
    const from = r.validates === 'other' ? this.places.get(r.stamp === 's' ? 't' : 's')! : place;
    f.load(now, from, r.order === 'seq_cst' ? 'seq_cst' : 'relaxed');
    switch (r.validates) {
      case 'eq': {
        const same = f.register('same', 'i1');
        f.compare('eq', same, now, stamp);
        return f.binary('xor', again, same, int(1, 'i1'));
      }
      case 'swapped':
        return f.compare('ne', again, stamp, now);
      case 'wide': {
        if (type === 'i64') return f.compare('ne', again, now, stamp);
        const [one, two] = [f.register('one', 'i64'), f.register('two', 'i64')];
        f.cast('zext', one, stamp);
        f.cast('sext', two, now);
        return f.compare('ne', again, two, one);
      }
      case 'less':
        return f.compare('ult', again, stamp, now);
      case 'bits': {
        const [one, two] = [f.register('one', type), f.register('two', type)];
        f.binary('and', one, stamp, int(2, type));
        f.binary('and', two, now, int(2, type));
        return f.compare('ne', again, one, two);
      }
      case 'also': {
        // It continues only with some stamps.
        const [differs, bit, isSet] = [f.register('differs', 'i1'), f.register('bit', type), f.register('isSet', 'i1')];
        f.compare('ne', differs, now, stamp);
        f.binary('and', bit, stamp, int(2, type));
        f.compare('eq', isSet, bit, int(0, type));
        return f.binary('or', again, differs, isSet);
      }
      case 'late': {
        const last = f.register('last', 'i32');
        f.load(last, this.places.get('a')!, 'relaxed');
        return f.compare('ne', again, now, stamp);
      }
      default:
        return f.compare('ne', again, now, stamp);
    }
  }
}

export function buildOptimistic(optimistic: Optimistic): Program {
  return new Writer(optimistic).build();
}
