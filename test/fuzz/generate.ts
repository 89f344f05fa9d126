/**
 * Generates a program from a seed. Each seed determines three rare features that the program must have; the rest is
 * random, and small: a few threads with a few operations each.
 */
import { BARRIERS, givesOld, isChange, LOCKED, PLAIN, SPELLINGS, setsZero, takesBit, takesValue } from './assembly.ts';
import {
  type Body,
  type FuzzProgram,
  type How,
  MUTEXES,
  type Operator,
  type Order,
  type Place,
  REGISTERS,
  type Size,
  type Statement,
  UNIONS,
  type Value,
  type Wait,
} from './ast.ts';
import { FEATURES, type Feature, THREES } from './features.ts';
import { Dice } from './random.ts';

const ORDERS: readonly Order[] = ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'];
const LOADS: readonly How[] = ['plain', 'volatile', 'relaxed', 'acquire', 'seq_cst'];
const STORES: readonly How[] = ['plain', 'volatile', 'relaxed', 'release', 'seq_cst'];
const FAILURES: readonly Order[] = ['relaxed', 'acquire', 'seq_cst'];
const OPERATORS: readonly Operator[] = ['xchg', 'add', 'sub', 'and', 'or', 'xor'];

/** `attempt`: another program for the same features, if the first was too large. */
export function generate(seed: number, attempt: number = 0): FuzzProgram {
  return new Generator(seed, attempt).program();
}

/** What a statement may contain. */
interface Context {
  readonly depth: number;
  /** Uses no register and does not wait: for the body of `once`. */
  readonly simple: boolean;
  /** Inside a waiting loop: reads only. */
  readonly reads: boolean;
  readonly section: boolean;
}

const TOP: Context = { depth: 0, simple: false, reads: false, section: false };

class Generator {
  private readonly dice: Dice;
  private readonly seed: number;
  private readonly attempt: number;
  /** Places that this program prefers. */
  private readonly places: Place[] = [];
  /** Remaining number of visible operations. */
  private budget = 0;
  private threads: Statement[][] = [];
  /** Flags for which a thread waits: another thread should set them. */
  private wanted: { place: Place; thread: number }[] = [];
  private thread = 0;
  private escapes = new Set<number>();
  /** What main does after it has joined the others. */
  private last: Statement[] = [];

  constructor(seed: number, attempt: number) {
    this.seed = seed;
    this.attempt = attempt;
    this.dice = new Dice(seed * 64 + attempt);
  }

  program(): FuzzProgram {
    const { dice } = this;
    const count = 2 + (dice.chance(0.4) ? 1 : 0) + (dice.chance(0.05) ? 1 : 0);
    this.budget = Math.max(3, 6 + dice.below(5) - Math.floor(this.attempt / 2));
    this.choosePlaces();
    this.threads = Array.from({ length: count + 1 }, () => []);
    if (dice.chance(0.5)) this.skeleton();
    const structural: Feature[] = [];
    for (const feature of THREES[this.seed % THREES.length]!) {
      if (STRUCTURAL.has(feature)) {
        structural.push(feature);
        continue;
      }
      this.thread = 1 + dice.below(count);
      this.add(this.thread, this.withFeature(feature));
    }
    this.satisfyWants();
    for (let t = 1; t <= count; t++) if (this.threads[t]!.length === 0) this.add(t, this.random(TOP));
    while (this.budget > 0) {
      this.thread = dice.chance(0.08) ? 0 : 1 + dice.below(count);
      this.add(this.thread, this.random(TOP));
      if (dice.chance(0.85)) this.satisfyWants();
    }
    const semaphore = dice.below(2);
    const round = dice.chance(0.8) ? 2 : 1 + dice.below(3);
    this.structure(structural, count);
    const once: Body = this.uses('once') ? [this.simpleStatement()] : [];
    if (this.uses('section') && dice.chance(0.5)) this.returnInSection();
    return { seed: this.seed, threads: this.threads, once, semaphore, round };
  }

  /** Two threads as in a litmus test that distinguishes memory models, with other statements in between. */
  private skeleton(): void {
    const { dice } = this;
    const [x, y] = [0, 1].map((union) => this.places.find((place) => place.union === union));
    const first: Place = x ?? { union: 0, offset: 0, size: 4 };
    const second: Place = y ?? { union: 1, offset: 0, size: 4 };
    if (x === undefined) this.places.push(first);
    if (y === undefined) this.places.push(second);
    const weak: readonly How[] = ['plain', 'plain', 'volatile', 'relaxed'];
    const how = (strong: How): How => (dice.chance(0.85) ? dice.pick(weak) : strong);
    let written = 0;
    const write = (place: Place): Statement => {
      const value: Value = { reg: -1, low: 1 + (written++ % 3), high: 0 };
      return { op: 'store', place, how: how('release'), value };
    };
    let read = 0;
    const look = (place: Place): Statement => ({ op: 'load', place, how: how('acquire'), to: read++ % REGISTERS });
    const modify = (place: Place): Statement => {
      const value: Value = { reg: -1, low: 2, high: 0 };
      const order = dice.pick<Order>(['relaxed', 'acquire', 'release']);
      const isAligned = place.offset % place.size === 0;
      return isAligned ? { op: 'rmw', place, operator: 'xchg', order, value, to: -1 } : write(place);
    };
    const shapes: readonly (readonly [readonly Statement[], readonly Statement[]])[] = [
      [
        [write(first), look(second)],
        [write(second), look(first)],
      ],
      [
        [write(first), write(second)],
        [look(second), look(first)],
      ],
      [
        [write(first), write(second)],
        [write(second), write(first)],
      ],
      [
        [write(first), write(second)],
        [write(second), look(first)],
      ],
      [
        [write(first), look(first), look(second)],
        [write(second), write(first)],
      ],
      [
        [write(first), write(second)],
        [look(second), write(first)],
      ],
      [
        [write(first), modify(second)],
        [look(second), look(first)],
      ],
      [
        [modify(first), look(second)],
        [write(second), look(first)],
      ],
    ];
    const shape = dice.pick(shapes);
    const [one, two] = [[...shape[0]], [...shape[1]]];
    this.budget -= 3;
    // The operation that makes the difference, unless another one does.
    if (dice.chance(0.35)) {
      const fence = (): Statement =>
        dice.chance(0.3)
          ? { op: 'asm', ...dice.pick(BARRIERS) }
          : { op: 'fence', order: dice.pick<Order>(['seq_cst', 'seq_cst', 'release', 'acq_rel']) };
      one.splice(1, 0, fence());
      two.splice(1, 0, fence());
    }
    if (shape === shapes[0] && dice.chance(0.3)) {
      // Both read 0: main checks at the end.
      const place: Place = { union: 1, offset: 7, size: 1 };
      const count: Value = { reg: -1, low: 1, high: 0 };
      for (const [thread, last] of [
        [one, one.at(-1)],
        [two, two.at(-1)],
      ] as const) {
        const reg = last?.op === 'load' ? last.to : 0;
        const add: Statement = { op: 'rmw', place, operator: 'add', order: 'relaxed', value: count, to: -1 };
        thread.push({ op: 'if', reg, equals: 0, yes: [add], no: [] });
      }
      this.last = [
        { op: 'load', place, how: 'plain', to: 0 },
        { op: 'assert', reg: 0, not: 2 },
      ];
      this.budget -= 2;
    } else if (shape === shapes[1] && dice.chance(0.3)) {
      // If the second store was seen, the first must be seen too.
      const [flag, data] = two.filter((s) => s.op === 'load') as readonly (Statement & { op: 'load' })[];
      two.push({ op: 'if', reg: flag!.to, equals: 2, yes: [{ op: 'assert', reg: data!.to, not: 0 }], no: [] });
    }
    this.threads[1]!.push(...one);
    this.threads[2]!.push(...two);
  }

  private uses(op: string): boolean {
    return JSON.stringify(this.threads).includes(`"op":"${op}"`);
  }

  private choosePlaces(): void {
    const { dice } = this;
    const mixed = dice.chance(0.45);
    if (mixed) {
      const union = dice.below(UNIONS);
      for (let i = 2 + dice.below(3); i > 0; i--)
        this.places.push(this.anyPlace(dice.chance(0.8) ? union : dice.below(UNIONS)));
      return;
    }
    const size = dice.pick<Size>([4, 4, 4, 1, 2, 8]);
    this.places.push({ union: 0, offset: 0, size }, { union: 1, offset: 0, size });
  }

  private anyPlace(union: number): Place {
    const { dice } = this;
    const size = dice.pick<Size>([1, 2, 4, 4, 8, 8]);
    return { union, size, offset: size * dice.below(8 / size) };
  }

  private place(): Place {
    return this.dice.pick(this.places);
  }

  private atomicPlace(): Place {
    const aligned = this.places.filter((p) => p.offset % p.size === 0);
    return aligned.length > 0 ? this.dice.pick(aligned) : { union: 0, offset: 0, size: 4 };
  }

  private register(): number {
    return this.dice.below(REGISTERS);
  }

  private value(): Value {
    const { dice } = this;
    if (dice.chance(0.12)) return { reg: this.register(), low: dice.below(2), high: 0 };
    const low = dice.pick([0, 1, 1, 1, 2, 2, 3, 0x101, 0x10001, 0x1010101]);
    return { reg: -1, low, high: dice.pick([0, 0, 0, 1, 2, 0x10001]) };
  }

  private constant(): Value {
    return { reg: -1, low: this.dice.pick([0, 0, 0, 1, 2]), high: 0 };
  }

  private add(thread: number, statements: readonly Statement[]): void {
    const body = this.threads[thread]!;
    if (body.length > 0 && this.dice.chance(0.3)) body.splice(this.dice.below(body.length), 0, ...statements);
    else body.push(...statements);
  }

  /** Makes other threads set what threads wait for. */
  private satisfyWants(): void {
    const { dice } = this;
    for (const { place, thread } of this.wanted.splice(0)) {
      if (dice.chance(0.12)) continue;
      const others = this.threads.map((_, t) => t).filter((t) => t > 0 && t !== thread);
      const t = others.length === 0 ? 0 : dice.pick(others);
      const value: Value = { reg: -1, low: 1, high: 0 };
      this.add(t, [{ op: 'store', place, how: dice.pick(STORES), value }]);
      this.budget--;
    }
  }

  // ---- statements

  private random(context: Context): Statement[] {
    const { dice } = this;
    const easy: readonly Feature[] = [
      'plain',
      'plain',
      'volatile',
      'relaxed',
      'acquire',
      'release',
      'seq_cst',
      'rmw',
      'rmw unused',
      'cas strong',
      'cas weak',
      'fence full',
      'fence release',
    ];
    if (dice.chance(0.55)) return this.withFeature(dice.pick(easy), context);
    const feature = dice.pick(ANYWHERE);
    if (!this.isAllowed(feature, context)) return this.withFeature(dice.pick(easy), context);
    // Statements that end a program early hide what comes after them.
    if (
      (feature === 'abort' || feature === 'wrong unlock' || feature === 'assert' || feature === 'exit') &&
      dice.chance(0.6)
    )
      return this.withFeature(dice.pick(easy), context);
    return this.withFeature(feature, context);
  }

  private isAllowed(feature: Feature, { depth, section }: Context): boolean {
    if (depth >= 2 && BLOCKS.has(feature)) return false;
    if (
      depth > 0 &&
      (feature === 'escape' || feature === 'spin nested' || feature === 'spin validated' || feature === 'section')
    )
      return false;
    return !section || !ENDS.has(feature);
  }

  private inner(context: Context, changes: Partial<Context> = {}): Body {
    const { dice } = this;
    const inside = { ...context, ...changes, depth: context.depth + 1 };
    const body: Statement[] = [];
    for (let n = dice.chance(0.75) ? 1 : dice.below(3); n > 0; n--) body.push(...this.random(inside));
    return body;
  }

  private simpleStatement(): Statement {
    const { dice } = this;
    const place = this.atomicPlace();
    const value: Value = { reg: -1, low: 1 + dice.below(2), high: 0 };
    if (dice.chance(0.5)) return { op: 'store', place, how: dice.pick(STORES), value };
    return { op: 'rmw', place, operator: dice.pick(OPERATORS), order: dice.pick(ORDERS), value, to: -1 };
  }

  private load(how: How): Statement {
    const place = how === 'plain' || how === 'volatile' ? this.place() : this.atomicPlace();
    return { op: 'load', place, how, to: this.register() };
  }

  private store(how: How): Statement {
    const place = how === 'plain' || how === 'volatile' ? this.place() : this.atomicPlace();
    return { op: 'store', place, how, value: this.value() };
  }

  private rmw(order: Order, used: boolean): Statement {
    const { dice } = this;
    const operator = dice.pick(OPERATORS);
    return {
      op: 'rmw',
      place: this.atomicPlace(),
      operator,
      order,
      value: this.value(),
      to: used ? this.register() : -1,
    };
  }

  private cas(weak: boolean, order: Order, failure: Order): Statement[] {
    const { dice } = this;
    if (dice.chance(0.15)) {
      const add = 1 + dice.below(2);
      return [{ op: 'casLoop', place: this.atomicPlace(), weak, order, failure, add, to: this.register() }];
    }
    const place = this.atomicPlace();
    const [ok, old] = [this.register(), this.register()];
    const first: Statement = {
      op: 'cas',
      place,
      weak,
      order,
      failure,
      expected: this.constant(),
      desired: this.value(),
      ok,
      old,
    };
    if (ok === old || !dice.chance(0.3)) return [first];
    // Tries once more, with the result of the first one.
    this.budget--;
    const expected: Value = { reg: old, low: 0, high: 0 };
    const again: Statement = { ...first, expected, desired: this.value(), ok: this.register(), old: this.register() };
    return [first, { op: 'if', reg: ok, equals: 0, yes: [again], no: [] }];
  }

  /** Some operation with this order. */
  private ordered(order: How): Statement {
    const { dice } = this;
    if (order === 'plain' || order === 'volatile') return dice.chance(0.5) ? this.load(order) : this.store(order);
    const ways: (() => Statement)[] = [() => this.rmw(order, dice.chance(0.6))];
    if (LOADS.includes(order))
      ways.push(
        () => this.load(order),
        () => this.load(order),
      );
    if (STORES.includes(order))
      ways.push(
        () => this.store(order),
        () => this.store(order),
      );
    return dice.pick(ways)();
  }

  private wait(depth: number): Statement {
    const { dice } = this;
    const place = this.atomicPlace();
    const want = (p: Place): Place => {
      this.wanted.push({ place: p, thread: this.thread });
      return p;
    };
    const zero = (): Wait => ({ kind: 'zero', place: want(place), how: dice.pick(LOADS.slice(1)) });
    const body: Statement[] = [];
    if (depth === 0 && dice.chance(0.2)) body.push({ op: 'fence', order: dice.pick(ORDERS.slice(1)) });
    return { op: 'wait', form: 'while', wait: zero(), body };
  }

  /** A reader as in a sequence lock, and often a writer. */
  private validated(): Statement[] {
    const { dice } = this;
    const place = this.atomicPlace();
    const how = dice.pick<How>(['relaxed', 'acquire', 'seq_cst']);
    const loads = (): Statement => this.load(dice.chance(0.1) ? dice.pick(LOADS) : dice.pick(LOADS.slice(2)));
    const body: Statement[] = [loads()];
    if (dice.chance(0.4)) body.push(loads());
    if (dice.chance(0.2)) body.push({ op: 'fence', order: dice.pick(ORDERS.slice(1)) });
    if (dice.chance(0.1)) body.push(this.wait(1));
    this.budget -= 2;
    if (dice.chance(0.8)) {
      const next = (low: number): Statement =>
        dice.chance(0.7)
          ? {
              op: 'store',
              place,
              how: dice.pick<How>(['relaxed', 'release', 'seq_cst']),
              value: { reg: -1, low, high: 0 },
            }
          : {
              op: 'rmw',
              place,
              operator: 'add',
              order: 'relaxed',
              value: { reg: -1, low: 1, high: 0 },
              to: dice.chance(0.5) ? this.register() : -1,
            };
      const data = this.store(dice.pick(STORES));
      const writes = dice.chance(0.5) ? [next(1), data] : [next(1), data, next(dice.chance(0.8) ? 2 : 0)];
      this.budget -= writes.length;
      this.add(dice.below(this.threads.length), writes);
    }
    return [{ op: 'validated', place, how, body, to: this.register() }];
  }

  private lockWait(): Statement[] {
    const { dice } = this;
    const place = this.atomicPlace();
    const order = dice.pick<Order>(['acquire', 'acquire', 'relaxed', 'acq_rel', 'seq_cst']);
    const wait: Wait = dice.chance(0.5)
      ? { kind: 'exchange', place, order }
      : { kind: 'cas', place, weak: dice.chance(0.5), order, failure: dice.pick(FAILURES) };
    const body: Statement[] = dice.chance(0.5)
      ? [{ op: 'wait', form: 'while', wait: { kind: 'exchange', place, order: 'relaxed' }, body: [] }]
      : [];
    // While the lock is taken, only reads.
    const looks: Statement = { op: 'load', place, how: 'relaxed', to: this.register() };
    const inner: Statement[] = body.length > 0 ? [looks] : [];
    const unlock: Statement = { op: 'store', place, how: 'release', value: { reg: -1, low: 0, high: 0 } };
    const lock: Statement = { op: 'wait', form: 'while', wait, body: inner };
    return dice.chance(0.85) ? [lock, ...this.inner({ ...TOP, depth: 1 }), unlock] : [lock];
  }

  withFeature(feature: Feature, context: Context = TOP): Statement[] {
    this.budget--;
    const { dice } = this;
    const mutex = dice.chance(0.8) ? 0 : dice.below(MUTEXES);
    const to = this.register();
    const place = this.atomicPlace();
    const inside = (changes: Partial<Context> = {}): Body => this.inner(context, changes);
    switch (feature) {
      case 'size 1':
      case 'size 2':
      case 'size 4':
      case 'size 8': {
        const size = Number(feature.slice(-1)) as Size;
        const union = dice.below(UNIONS);
        this.places.push({ union, size, offset: size * dice.below(8 / size) });
        const own = this.places.at(-1)!;
        const s = this.ordered(dice.pick(['plain', 'relaxed', 'acq_rel', 'seq_cst']));
        return ['place' in s ? { ...s, place: own } : s];
      }
      case 'mixed sizes': {
        const union = dice.below(UNIONS);
        const wide: Place = { union, offset: 0, size: 8 };
        const part: Place = this.anyPlace(union);
        const narrow: Place = part.size === 8 ? { union, offset: 4, size: 4 } : part;
        this.places.push(wide, narrow);
        this.add(1 + dice.below(this.threads.length - 1), [
          { ...this.ordered(dice.pick(ORDERS)), place: narrow } as Statement,
        ]);
        this.budget--;
        return [{ ...this.cas(false, dice.pick(ORDERS), dice.pick(FAILURES))[0]!, place: wide } as Statement];
      }
      case 'misaligned': {
        const size = dice.pick<Size>([2, 4]);
        const own: Place = { union: dice.below(UNIONS), size, offset: 1 + 2 * dice.below(2) };
        this.places.push(own);
        const s = this.ordered(dice.pick(['plain', 'volatile']));
        return ['place' in s ? { ...s, place: own } : s];
      }
      case 'plain':
      case 'volatile':
      case 'relaxed':
      case 'acquire':
      case 'release':
      case 'acq_rel':
      case 'seq_cst':
        return [this.ordered(feature)];
      case 'rmw':
      case 'rmw unused':
        return [this.rmw(dice.pick(ORDERS), feature === 'rmw')];
      case 'cas strong':
      case 'cas weak':
        return this.cas(feature === 'cas weak', dice.pick(ORDERS), dice.pick(FAILURES));
      case 'cas carried': {
        const [weak, order, failure] = [dice.chance(0.5), dice.pick(ORDERS), dice.pick(FAILURES)];
        return [{ op: 'casLoop', place, weak, order, failure, add: 1 + dice.below(2), to }];
      }
      case 'fence full':
        return [{ op: 'fence', order: 'seq_cst' }];
      case 'fence release':
        return [{ op: 'fence', order: dice.pick(['release', 'acq_rel']) }];
      case 'fence acquire':
        return [{ op: 'fence', order: 'acquire' }];
      case 'asm':
        return [{ op: 'asm', ...dice.pick(BARRIERS) }];
      case 'asm operands': {
        if (dice.chance(0.4)) return [{ op: 'asmTouch', form: dice.pick(['memory', 'register']), place: this.place() }];
        const from = (to + 1 + dice.below(REGISTERS - 1)) % REGISTERS;
        return [{ op: 'asmKeep', form: dice.pick(['register', 'local', 'tied', 'swapped']), from, to }];
      }
      case 'asm locked': {
        const operator = dice.pick(LOCKED.filter((one) => place.size > 1 || !takesBit(one)));
        const bit = takesBit(operator) ? dice.below(8 * place.size) : 1;
        return [
          {
            op: 'asmLocked',
            place,
            operator,
            value: takesValue(operator) && !takesBit(operator) ? this.value() : { reg: -1, low: bit, high: 0 },
            to: givesOld(operator) && dice.chance(0.8) ? to : -1,
            zero: setsZero(operator) && dice.chance(0.4) ? this.register() : -1,
            spelling: dice.below(SPELLINGS),
          },
        ];
      }
      case 'asm unlocked': {
        const operator = dice.pick(PLAIN);
        const value = isChange(operator) ? this.constant() : this.value();
        return [{ op: 'asmPlain', place, operator, value, to, spelling: dice.below(SPELLINGS) }];
      }
      case 'asm cmpxchg': {
        const own: Place = place.size === 8 ? { ...place, offset: 4 * dice.below(2), size: 4 } : place;
        const [expected, desired] = [this.constant(), this.value()];
        return [
          {
            op: 'asmCas',
            place: own,
            expected,
            desired,
            ok: this.register(),
            old: this.register(),
            spelling: dice.below(SPELLINGS),
          },
        ];
      }
      case 'lock':
      case 'trylock':
      case 'timedlock':
        return [{ op: 'locked', how: feature, mutex, body: inside(), to }];
      case 'wrong unlock':
        return [{ op: 'unlock', mutex }];
      case 'cond wait':
      case 'cond timedwait': {
        const flag: Place = { union: place.union, offset: 0, size: 4 };
        const others = this.threads.map((_, t) => t).filter((t) => t > 0 && t !== this.thread);
        if (others.length > 0 && dice.chance(0.85)) {
          this.add(dice.pick(others), [
            { op: 'notify', mutex, place: flag, all: dice.chance(0.4), locked: dice.chance(0.7) },
          ]);
          this.budget -= 2;
        }
        return [
          {
            op: 'await',
            mutex,
            place: flag,
            timed: feature === 'cond timedwait',
            to,
            body: dice.chance(0.3) ? inside() : [],
          },
        ];
      }
      case 'signal':
      case 'broadcast': {
        const flag: Place = { union: place.union, offset: 0, size: 4 };
        return [{ op: 'notify', mutex, place: flag, all: feature === 'broadcast', locked: dice.chance(0.6) }];
      }
      case 'rwlock':
      case 'rwlock try':
      case 'rwlock clock': {
        const call = feature === 'rwlock' ? 'lock' : feature === 'rwlock try' ? 'try' : 'clock';
        return [{ op: 'rwlocked', writes: dice.chance(0.5), call, body: inside(), to }];
      }
      case 'sem wait':
        return [{ op: 'down' }];
      case 'sem post':
        return [{ op: 'post' }];
      case 'sem try':
        return [{ op: 'tryDown', to }];
      case 'barrier': {
        const others = this.threads.map((_, t) => t).filter((t) => t > 0 && t !== this.thread);
        if (others.length > 0 && context.depth === 0 && dice.chance(0.8)) {
          this.add(dice.pick(others), [{ op: 'barrier', to: this.register() }]);
          this.budget--;
        }
        return [{ op: 'barrier', to }];
      }
      case 'spin lock':
        return [{ op: 'spinLocked', tries: dice.chance(0.3), body: inside(), to }];
      case 'once':
        return [{ op: 'once' }];
      case 'exit':
      case 'pthread_exit':
      case 'abort':
      case 'early return': {
        const how = feature === 'early return' ? 'return' : feature;
        if (dice.chance(0.3)) return [{ op: 'end', how }];
        const reg = this.register();
        const look: Statement = { ...this.load(dice.pick(LOADS)), to: reg } as Statement;
        return [look, { op: 'if', reg, equals: dice.below(3), yes: [{ op: 'end', how }], no: [] }];
      }
      case 'assert': {
        const reg = this.register();
        const look: Statement = { ...this.load(dice.pick(LOADS)), to: reg } as Statement;
        return [look, { op: 'assert', reg, not: dice.pick([1, 2, 3, 257]) }];
      }
      case 'assume': {
        const reg = this.register();
        const look: Statement = { ...this.load(dice.pick(LOADS)), to: reg } as Statement;
        return [look, { op: 'assume', reg, not: dice.below(3) }];
      }
      case 'tls':
        return [{ op: 'tls', add: 1 + dice.below(2), to }];
      case 'malloc': {
        this.budget--;
        this.add(1 + dice.below(this.threads.length - 1), [this.usePointer()]);
        return [{ op: 'malloc', how: dice.pick(STORES) }];
      }
      case 'free': {
        if (!this.uses('malloc') && dice.chance(0.8))
          this.add(dice.chance(0.5) ? 0 : this.thread, [{ op: 'malloc', how: dice.pick(STORES) }]);
        return [{ op: 'free', checked: dice.chance(0.5) }];
      }
      case 'escape': {
        if (this.escapes.has(this.thread)) return [this.usePointer()];
        this.escapes.add(this.thread);
        this.add(1 + dice.below(this.threads.length - 1), [this.usePointer()]);
        this.budget--;
        return [{ op: 'escape', how: dice.pick(STORES) }];
      }
      case 'spin':
        return [this.wait(context.depth)];
      case 'spin do': {
        const s = this.wait(1) as Statement & { op: 'wait' };
        const body: Body = dice.chance(0.5) ? [this.load(dice.pick(LOADS))] : [];
        return [{ ...s, form: 'do', body }];
      }
      case 'spin nested': {
        const s = this.wait(1) as Statement & { op: 'wait' };
        return [{ ...s, form: dice.chance(0.3) ? 'do' : 'while', body: [this.wait(1)] }];
      }
      case 'spin two flags': {
        const [first, second] = [place, this.atomicPlace()];
        for (const p of [first, second]) this.wanted.push({ place: p, thread: this.thread });
        return [
          {
            op: 'wait',
            form: 'while',
            wait: { kind: dice.pick(['either', 'both']), first, second, how: dice.pick(LOADS.slice(1)) },
            body: [],
          },
        ];
      }
      case 'spin validated':
        return this.validated();
      case 'spin rmw':
        return this.lockWait();
      case 'if': {
        const reg = this.register();
        const look: Statement = { ...this.load(dice.pick(LOADS)), to: reg } as Statement;
        return [look, { op: 'if', reg, equals: dice.below(3), yes: inside(), no: dice.chance(0.3) ? inside() : [] }];
      }
      case 'choose': {
        const choose: Statement = { op: 'choose', count: 2 + dice.below(2), to };
        return dice.chance(0.5) ? [choose] : [choose, { op: 'if', reg: to, equals: 1, yes: inside(), no: [] }];
      }
      case 'section':
        return [{ op: 'section', body: inside({ section: true }) }];
      case 'repeat':
        this.budget--;
        return [{ op: 'repeat', body: [this.ordered(dice.pick(LOADS))] }];
      case 'nested create':
      case 'unjoined':
      case 'detached':
        return [];
    }
  }

  private usePointer(): Statement {
    const { dice } = this;
    const writes = dice.chance(0.5);
    return {
      op: 'usePointer',
      checked: dice.chance(0.85),
      writes,
      how: dice.pick(writes ? STORES : LOADS),
      to: this.register(),
      value: 1 + dice.below(3),
    };
  }

  // ---- threads

  /** Main begins a section after the first thread exists, and returns inside it, perhaps only if it reads a value. */
  private returnInSection(): void {
    const { dice } = this;
    const main = this.threads[0]!;
    const from = 1 + main.findIndex(({ op }) => op === 'create');
    const end: Statement = { op: 'end', how: 'return' };
    const reg = this.register();
    const look: Statement = { op: 'load', place: this.place(), how: 'plain', to: reg };
    const body: Statement[] = dice.chance(0.4)
      ? [end]
      : [look, { op: 'if', reg, equals: dice.below(2), yes: [end], no: [] }];
    if (dice.chance(0.5)) body.unshift(this.simpleStatement());
    main.splice(from + dice.below(main.length - from + 1), 0, { op: 'section', body });
  }

  /** Which thread creates which, and which waits for which. */
  private structure(wanted: readonly Feature[], count: number): void {
    const { dice } = this;
    const creator = new Map<number, number>();
    const nested = wanted.includes('nested create') || dice.chance(0.12);
    for (let t = 1; t <= count; t++) creator.set(t, 0);
    if (nested && count > 1) creator.set(count, 1 + dice.below(count - 1));
    const unjoined = wanted.includes('unjoined')
      ? 1 + dice.below(count)
      : dice.chance(0.12)
        ? 1 + dice.below(count)
        : 0;
    let detached = wanted.includes('detached') ? 1 + dice.below(count) : dice.chance(0.06) ? 1 + dice.below(count) : 0;
    if (detached === unjoined && detached > 0 && wanted.includes('unjoined')) detached = 1 + (unjoined % count);
    const late: Statement[] = this.threads[0]!.splice(0);
    const before = late.filter((s) => s.op === 'malloc');
    const rest = late.filter((s) => s.op !== 'malloc');
    const heads: Statement[][] = this.threads.map(() => []);
    const tails: Statement[][] = this.threads.map(() => []);
    for (const [t, by] of creator) {
      heads[by]!.push({ op: 'create', thread: t });
      const detach: Statement = { op: 'detach', thread: t };
      const isDetachedBy =
        t === detached ? dice.pick(['creator, soon', 'creator, late', 'itself'] as const) : undefined;
      if (isDetachedBy === 'creator, soon') heads[by]!.push(detach);
      else if (isDetachedBy === 'creator, late') tails[by]!.push(detach);
      else if (isDetachedBy === 'itself') this.threads[t]!.splice(dice.below(this.threads[t]!.length + 1), 0, detach);
      // Joining a thread that detaches itself is wrong, whichever comes first.
      const isJoined = isDetachedBy === undefined ? t !== unjoined : isDetachedBy === 'itself' && dice.chance(0.5);
      if (isJoined) tails[by]!.push({ op: 'join', thread: t, to: dice.chance(0.1) ? this.register() : -1 });
    }
    if (dice.chance(0.25)) tails[0]!.reverse();
    const look: Statement[] = this.last;
    if (look.length === 0 && dice.chance(0.3) && tails[0]!.length > 0) look.push(this.load('plain'));
    this.threads = this.threads.map((body, t) => {
      if (t === 0) return [...before, ...heads[0]!, ...rest, ...tails[0]!, ...look];
      const cut = heads[t]!.length === 0 ? 0 : dice.below(body.length + 1);
      return [...body.slice(0, cut), ...heads[t]!, ...body.slice(cut), ...tails[t]!];
    });
  }
}

const STRUCTURAL: ReadonlySet<Feature> = new Set<Feature>(['nested create', 'unjoined', 'detached']);
const BLOCKS: ReadonlySet<Feature> = new Set<Feature>([
  'lock',
  'trylock',
  'timedlock',
  'rwlock',
  'rwlock try',
  'rwlock clock',
  'spin lock',
  'if',
  'choose',
  'section',
  'repeat',
  'cond wait',
  'cond timedwait',
]);
const ENDS: ReadonlySet<Feature> = new Set<Feature>(['exit', 'pthread_exit', 'early return', 'abort']);
const ANYWHERE: readonly Feature[] = FEATURES.filter((f) => !STRUCTURAL.has(f));
