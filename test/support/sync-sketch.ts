/**
 * Small programs with everything that makes threads wait: mutexes (in any order, so that deadlocks occur), trylocks,
 * condition variables, creation and joins; with frees, choices, loops and accesses of different sizes in between.
 * Generated for fast-check; the searches are compared on them.
 */
import fc from 'fast-check';
import { type FunctionBuilder, int, ProgramBuilder, reg } from '../../src/program/builder.ts';
import type { AddressOperand, Program } from '../../src/program/ir.ts';
import type { Order } from '../../src/program/types.ts';

export type SyncOp =
  | { readonly op: 'store' | 'load' | 'add' | 'storeByte'; readonly at: number }
  | { readonly op: 'locked'; readonly mutex: number; readonly body: readonly SyncOp[] }
  | { readonly op: 'tryLocked'; readonly mutex: number; readonly body: readonly SyncOp[] }
  /** Under the mutex of the same number, unless it has been signalled; `awaitTimed` may give up. */
  | { readonly op: 'await' | 'awaitTimed'; readonly condition: number }
  /** A semaphore that starts with 1; `down2` takes two at once. */
  | { readonly op: 'down' | 'down2' | 'tryDown' | 'up' }
  | { readonly op: 'signal' | 'broadcast'; readonly condition: number }
  | { readonly op: 'choose'; readonly body: readonly SyncOp[] }
  | { readonly op: 'twice'; readonly body: readonly SyncOp[] }
  | { readonly op: 'atomic'; readonly body: readonly SyncOp[] }
  /** `body`, unless something else than 0 is read. */
  | { readonly op: 'ifZero'; readonly at: number; readonly body: readonly SyncOp[] }
  /** Locks, and unlocks unless something else than 0 is read. */
  | { readonly op: 'leaky'; readonly mutex: number; readonly at: number }
  | { readonly op: 'useHeap' | 'freeHeap' | 'fence' | 'release' };

export interface SyncSketch {
  /** The code of each thread that main creates. */
  readonly threads: readonly (readonly SyncOp[])[];
  /** What main does before it joins them. */
  readonly main: readonly SyncOp[];
  /** Whether main joins them at the end. */
  readonly joins: boolean;
}

const small = (n: number): fc.Arbitrary<number> => fc.nat(n - 1);

const simple: fc.Arbitrary<SyncOp> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constantFrom('load' as const), at: small(2) }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constantFrom('store' as const), at: small(2) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('add' as const, 'storeByte' as const), at: small(2) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('fence' as const, 'release' as const) }) },
);

function blocks(body: fc.Arbitrary<readonly SyncOp[]>): fc.Arbitrary<SyncOp> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ op: fc.constant('locked' as const), mutex: small(2), body }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('tryLocked' as const), mutex: small(2), body }) },
    {
      weight: 2,
      arbitrary: fc.record({ op: fc.constantFrom('await' as const, 'awaitTimed' as const), condition: small(1) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        op: fc.constantFrom('down' as const, 'up' as const, 'down2' as const, 'tryDown' as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ op: fc.constantFrom('signal' as const, 'broadcast' as const), condition: small(1) }),
    },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('choose' as const), body }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('twice' as const), body }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('useHeap' as const, 'freeHeap' as const) }) },
  );
}

/** Accesses of two locations by more than one thread, of whole words and of bytes, with little that orders them. */
export function racySyncSketches(options: { readonly atomic?: boolean } = {}): fc.Arbitrary<SyncSketch> {
  const at = small(2);
  const access = (op: 'load' | 'store' | 'storeByte' | 'add'): fc.Arbitrary<SyncOp> =>
    fc.record({ op: fc.constant(op), at });
  const section: fc.Arbitrary<SyncOp> = fc.record({
    op: fc.constant('atomic' as const),
    body: fc.array(simple, { maxLength: 2 }),
  });
  const any = fc.oneof(
    { weight: 6, arbitrary: access('load') },
    { weight: 6, arbitrary: access('store') },
    { weight: 2, arbitrary: access('storeByte') },
    { weight: 1, arbitrary: access('add') },
    { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('useHeap' as const, 'freeHeap' as const) }) },
    { weight: 2, arbitrary: blocks(fc.array(simple, { maxLength: 1 })) },
    ...(options.atomic === true ? [{ weight: 3, arbitrary: section }] : []),
  );
  return fc.record({
    threads: fc.array(fc.array(any, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 }),
    main: fc.array(access('load'), { maxLength: 1 }),
    joins: fc.boolean(),
  });
}

export function syncSketches(options: { readonly atomic?: boolean } = {}): fc.Arbitrary<SyncSketch> {
  const inner = fc.array(simple, { maxLength: 2 });
  const nested = fc.array(fc.oneof({ weight: 3, arbitrary: simple }, { weight: 1, arbitrary: blocks(inner) }), {
    maxLength: 2,
  });
  const section: fc.Arbitrary<SyncOp> = fc.record({ op: fc.constant('atomic' as const), body: inner });
  const any = fc.oneof(
    { weight: 2, arbitrary: simple },
    { weight: 3, arbitrary: blocks(nested) },
    ...(options.atomic === true ? [{ weight: 3, arbitrary: section }] : []),
  );
  const thread = fc.array(any, { minLength: 1, maxLength: 2 });
  return fc.record({
    threads: fc.array(thread, { minLength: 1, maxLength: 3 }),
    main: fc.array(simple, { maxLength: 1 }),
    joins: fc.boolean(),
  });
}

/** What threads do next depends on what they have read: whether they unlock, wait or signal. */
export function conditionalSyncSketches(): fc.Arbitrary<SyncSketch> {
  const inner = fc.array(
    fc.oneof({ weight: 1, arbitrary: simple }, { weight: 2, arbitrary: blocks(fc.constant([])) }),
    {
      minLength: 1,
      maxLength: 2,
    },
  );
  const any = fc.oneof(
    { weight: 3, arbitrary: simple },
    { weight: 2, arbitrary: blocks(fc.array(simple, { maxLength: 1 })) },
    { weight: 3, arbitrary: fc.record({ op: fc.constant('ifZero' as const), at: small(2), body: inner }) },
    { weight: 3, arbitrary: fc.record({ op: fc.constant('leaky' as const), mutex: small(2), at: small(2) }) },
  );
  const thread = fc.array(any, { minLength: 1, maxLength: 2 });
  return fc.record({
    threads: fc.array(thread, { minLength: 2, maxLength: 3 }),
    main: fc.array(simple, { maxLength: 1 }),
    joins: fc.boolean(),
  });
}

/** Three or four threads that mostly lock; some keep a lock, depending on what they read. */
export function lockingSketches(): fc.Arbitrary<SyncSketch> {
  const access = fc.record({ op: fc.constantFrom('load' as const, 'store' as const, 'add' as const), at: small(2) });
  const leaky = fc.record({ op: fc.constant('leaky' as const), mutex: small(2), at: small(2) });
  const locked = (body: fc.Arbitrary<readonly SyncOp[]>): fc.Arbitrary<SyncOp> =>
    fc.record({ op: fc.constant('locked' as const), mutex: small(2), body });
  const inner = fc.array(fc.oneof(access, locked(fc.constant([])), leaky), { maxLength: 1 });
  const any = fc.oneof(
    { weight: 6, arbitrary: locked(inner) },
    { weight: 3, arbitrary: leaky },
    { weight: 3, arbitrary: access },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('ifZero' as const), at: small(2), body: inner }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('choose' as const), body: inner }) },
    {
      weight: 1,
      arbitrary: fc.record({ op: fc.constantFrom('await' as const, 'signal' as const), condition: small(1) }),
    },
  );
  return fc.record({
    threads: fc.array(fc.array(any, { minLength: 1, maxLength: 2 }), { minLength: 3, maxLength: 4 }),
    main: fc.array(access, { maxLength: 1 }),
    joins: fc.boolean(),
  });
}

export function printSyncSketch(sketch: SyncSketch): string {
  const ops = (body: readonly SyncOp[]): string => body.map(op).join('; ');
  const op = (o: SyncOp): string => {
    const { op: name, ...rest } = o;
    const body = 'body' in o ? ` { ${ops(o.body)} }` : '';
    const operand = Object.entries(rest).find(([key]) => key !== 'body')?.[1] ?? '';
    return `${name}${operand === '' ? '' : ` ${String(operand)}`}${body}`;
  };
  return [
    ...sketch.threads.map((t, i) => `T${i + 1}: ${ops(t)}`),
    `main: ${ops(sketch.main)}`,
    `joins: ${sketch.joins}`,
  ]
    .map((line) => `\n  ${line}`)
    .join('');
}

/** With this order of accesses that are not read-modify-writes. */
export function buildSyncProgram(sketch: SyncSketch, order: Order = 'plain'): Program {
  const program = new ProgramBuilder('sync');
  const shared: Shared = {
    data: [program.global('x', 'i32'), program.global('y', 'i32')],
    mutexes: [program.global('m0', 'i32'), program.global('m1', 'i32')],
    conditions: [program.global('c0', 'i32')],
    ready: [program.global('ready0', 'i32')],
    heap: program.global('heap', 'i32'),
    semaphore: program.global('semaphore', 'i32', [1]),
  };
  const main = program.function('main');
  program.root('main', main);
  const bodies = sketch.threads.map((ops, i) => {
    const func = program.function(`T${i + 1}`);
    new Body(func, shared, order).build(ops);
    return func;
  });
  const usesHeap = JSON.stringify(sketch).includes('Heap');
  const body = new Body(main, shared, order);
  if (usesHeap) {
    const block = main.register('block', 'i32');
    main.add({ op: 'allocate', what: 'heap', dest: block, size: int(4, 'i32') });
    main.store(shared.heap, reg(block), 'seq_cst');
  }
  const handles = bodies.map((func, i) => {
    const handle = main.register(`thread${i}`, 'i32');
    main.spawn(handle, func);
    return handle;
  });
  body.addAll(sketch.main);
  if (sketch.joins) for (const handle of handles) main.join(reg(handle));
  main.return();
  return program.build();
}

interface Shared {
  readonly data: readonly AddressOperand[];
  readonly mutexes: readonly AddressOperand[];
  readonly conditions: readonly AddressOperand[];
  readonly ready: readonly AddressOperand[];
  readonly heap: AddressOperand;
  readonly semaphore: AddressOperand;
}

class Body {
  private readonly func: FunctionBuilder;
  private readonly shared: Shared;
  private readonly order: Order;
  private next = 0;

  constructor(func: FunctionBuilder, shared: Shared, order: Order) {
    this.func = func;
    this.shared = shared;
    this.order = order;
  }

  build(ops: readonly SyncOp[]): void {
    this.addAll(ops);
    this.func.return();
  }

  addAll(ops: readonly SyncOp[]): void {
    for (const op of ops) this.add(op);
  }

  private register(type: 'i1' | 'i32' = 'i32'): number {
    return this.func.register(`r${this.next++}`, type);
  }

  private add(op: SyncOp): void {
    const { func, shared } = this;
    switch (op.op) {
      case 'load':
        return func.load(this.register(), shared.data[op.at]!, this.order);
      case 'store':
        return func.store(shared.data[op.at]!, int(1 + (this.next++ % 3), 'i32'), this.order);
      case 'storeByte':
        return func.store(
          { ...(shared.data[op.at] as { kind: 'global'; index: number; offset: number }), offset: 1 },
          int(1, 'i8'),
        );
      case 'add':
        return func.rmw('add', this.register(), shared.data[op.at]!, int(1, 'i32'), 'relaxed');
      case 'fence':
        return func.fence('seq_cst');
      case 'release':
        return func.fence('release');
      case 'locked':
        func.lock(shared.mutexes[op.mutex]!);
        this.addAll(op.body);
        return func.unlock(shared.mutexes[op.mutex]!);
      case 'tryLocked': {
        const taken = this.register('i1');
        func.trylock(taken, shared.mutexes[op.mutex]!);
        return this.when(taken, () => {
          this.addAll(op.body);
          func.unlock(shared.mutexes[op.mutex]!);
        });
      }
      case 'await':
      case 'awaitTimed': {
        const [ready, isNotReady] = [this.register(), this.register('i1')];
        func.lock(shared.mutexes[op.condition]!);
        func.load(ready, shared.ready[op.condition]!, this.order);
        func.compare('eq', isNotReady, reg(ready), int(0, 'i32'));
        const timedOut = this.register('i1');
        this.when(isNotReady, () =>
          func.add({
            op: 'wait',
            condition: shared.conditions[op.condition]!,
            mutex: shared.mutexes[op.condition]!,
            ...(op.op === 'awaitTimed' ? { timedOut } : {}),
          }),
        );
        return func.unlock(shared.mutexes[op.condition]!);
      }
      case 'down':
      case 'down2':
      case 'tryDown': {
        const count = op.op === 'down2' ? 2 : 1;
        return func.add({
          op: 'await',
          dest: this.register(),
          success: this.register('i1'),
          address: shared.semaphore,
          predicate: 'sge',
          bound: int(count, 'i32'),
          operator: 'sub',
          value: int(count, 'i32'),
          order: 'acquire',
          blocks: op.op !== 'tryDown',
        });
      }
      case 'up':
        return func.rmw('add', this.register(), shared.semaphore, int(1, 'i32'), 'release');
      case 'signal':
      case 'broadcast':
        func.store(shared.ready[op.condition]!, int(1, 'i32'), this.order);
        if (op.op === 'signal') return func.signal(shared.conditions[op.condition]!);
        return func.broadcast(shared.conditions[op.condition]!);
      case 'choose': {
        const chosen = this.register('i1');
        func.choose(chosen, 2);
        return this.when(chosen, () => this.addAll(op.body));
      }
      case 'ifZero':
        return this.whenZero(op.at, () => this.addAll(op.body));
      case 'leaky':
        func.lock(shared.mutexes[op.mutex]!);
        return this.whenZero(op.at, () => func.unlock(shared.mutexes[op.mutex]!));
      case 'twice':
        return this.twice(op.body);
      case 'atomic':
        func.add({ op: 'beginatomic' });
        this.addAll(op.body);
        return func.add({ op: 'endatomic' });
      case 'useHeap':
      case 'freeHeap': {
        const block = this.register();
        func.load(block, shared.heap);
        if (op.op === 'useHeap') func.store(reg(block), int(1, 'i32'));
        else func.add({ op: 'free', what: 'heap', address: reg(block) });
        return;
      }
    }
  }

  private whenZero(at: number, then: () => void): void {
    const { func, shared } = this;
    const [value, isZero] = [this.register(), this.register('i1')];
    func.load(value, shared.data[at]!, this.order);
    func.compare('eq', isZero, reg(value), int(0, 'i32'));
    this.when(isZero, then);
  }

  private when(condition: number, then: () => void): void {
    const { func } = this;
    const [yes, after] = [func.block(`then${this.next}`), func.block(`after${this.next++}`)];
    func.branch(reg(condition), yes, after);
    func.startBlock(yes);
    then();
    func.jump(after);
    func.startBlock(after);
  }

  private twice(body: readonly SyncOp[]): void {
    const { func } = this;
    const [count, again] = [this.register(), this.register('i1')];
    const [head, after] = [func.block(`head${this.next}`), func.block(`out${this.next++}`)];
    func.move(count, int(0, 'i32'));
    func.jump(head);
    func.startBlock(head);
    this.addAll(body);
    func.binary('add', count, reg(count), int(1, 'i32'));
    func.compare('slt', again, reg(count), int(2, 'i32'));
    func.branch(reg(again), head, after);
    func.startBlock(after);
  }
}
