/**
 * A sketch is a small concurrent program that a test writes or generates: threads of accesses, fences and short
 * branches over a few shared locations, initially zero. The machine runs it as a `Program` (`buildProgram`); the
 * axiomatic oracle reads the sketch itself, so that the two share nothing but this description.
 *
 * Every operation that reads has its own register, numbered r0, r1, … within its thread in textual order (both branches
 * count). A final state over registers therefore shows every value read.
 */
import { type FunctionBuilder, int, type Value as Operand, ProgramBuilder } from '../../src/program/builder.ts';
import type { AddressOperand, Dest, Program } from '../../src/program/ir.ts';

export type StoreOrder = 'plain' | 'relaxed' | 'release' | 'seq_cst';
export type LoadOrder = 'plain' | 'relaxed' | 'acquire' | 'seq_cst';
export type RmwOrder = 'relaxed' | 'acquire' | 'release' | 'acq_rel' | 'seq_cst';
export type FailureOrder = 'relaxed' | 'acquire' | 'seq_cst';
export type FenceOrder = 'acquire' | 'release' | 'acq_rel' | 'seq_cst';

/** A constant, or what the thread read last (at run time, whichever branch it took); 0 before its first read. */
export type Value = number | 'last';

export interface Store {
  readonly op: 'store';
  readonly location: number;
  readonly value: Value;
  readonly order: StoreOrder;
}

export interface Load {
  readonly op: 'load';
  readonly location: number;
  readonly order: LoadOrder;
}

export interface Rmw {
  readonly op: 'rmw';
  readonly operator: 'xchg' | 'add';
  readonly location: number;
  readonly value: Value;
  readonly order: RmwOrder;
}

export interface Cas {
  readonly op: 'cas';
  readonly location: number;
  readonly expected: Value;
  readonly desired: Value;
  readonly order: RmwOrder;
  readonly failureOrder: FailureOrder;
}

export interface Fence {
  readonly op: 'fence';
  readonly order: FenceOrder;
}

/** Takes `then` if the value last read equals `value`, and `else` otherwise. */
export interface IfLast {
  readonly op: 'ifLast';
  readonly value: number;
  readonly then: readonly Op[];
  readonly else: readonly Op[];
}

export type Read = Load | Rmw | Cas;
export type Access = Store | Read;
export type Op = Access | Fence | IfLast;

/** One list of operations per thread. */
export type Sketch = readonly (readonly Op[])[];

/** Per thread: the operations of its atomic section, from the first to before the second; undefined if it has none. */
export type Sections = readonly (readonly [number, number] | undefined)[];

export function store(location: number, value: Value, order: StoreOrder = 'plain'): Store {
  return { op: 'store', location, value, order };
}

export function load(location: number, order: LoadOrder = 'plain'): Load {
  return { op: 'load', location, order };
}

export function rmw(operator: 'xchg' | 'add', location: number, value: Value, order: RmwOrder = 'seq_cst'): Rmw {
  return { op: 'rmw', operator, location, value, order };
}

export function cas(
  location: number,
  expected: Value,
  desired: Value,
  order: RmwOrder = 'seq_cst',
  failureOrder: FailureOrder = 'seq_cst',
): Cas {
  return { op: 'cas', location, expected, desired, order, failureOrder };
}

export function fence(order: FenceOrder = 'seq_cst'): Fence {
  return { op: 'fence', order };
}

export function ifLast(value: number, then: readonly Op[], otherwise: readonly Op[] = []): IfLast {
  return { op: 'ifLast', value, then, else: otherwise };
}

const NAMES = 'xyzwvutsrqponm';

/** Locations are named x, y, z, w, v, … by number. */
export function locationName(location: number): string {
  const name = NAMES[location];
  if (name === undefined) throw new RangeError(`a sketch has at most ${NAMES.length} locations, not ${location + 1}`);
  return name;
}

/** Names of the locations 0 … highest one used; the globals of the program and the locations of a state. */
export function locationsOf(sketch: Sketch): string[] {
  let count = 0;
  for (const op of sketch.flatMap(flatten)) if ('location' in op) count = Math.max(count, op.location + 1);
  return Array.from({ length: count }, (_, location) => locationName(location));
}

/** For each thread the number of its registers r0, r1, …; register k is IR register k of function P‹thread›. */
export function registersOf(sketch: Sketch): number[] {
  return sketch.map(countReads);
}

/** How many of `ops`, branches included, have a register. */
export function countReads(ops: readonly Op[]): number {
  return ops.flatMap(flatten).filter(isRead).length;
}

/** How many accesses and fences `ops` has, those of both branches included. */
export function countOps(ops: readonly Op[]): number {
  return ops.flatMap(flatten).filter((op) => op.op !== 'ifLast').length;
}

/** `op` and everything in it, in textual order. */
function flatten(op: Op | readonly Op[]): Op[] {
  if ('length' in op) return op.flatMap(flatten);
  return op.op === 'ifLast' ? [op, ...flatten(op.then), ...flatten(op.else)] : [op];
}

export function isRead(op: Op): op is Read {
  return op.op === 'load' || op.op === 'rmw' || op.op === 'cas';
}

/** Prints a final state: `registers[t][k]` is rk of thread t, `memory[l]` location l. */
export function printState(registers: readonly (readonly number[])[], memory: readonly number[]): string {
  return [
    ...registers.flatMap((values, thread) => values.map((value, k) => `${thread}:r${k}=${value}`)),
    ...memory.map((value, location) => `${locationName(location)}=${value}`),
  ].join(',');
}

export function buildProgram(sketch: Sketch, name = 'sketch', sections: Sections = []): Program {
  const program = new ProgramBuilder(name);
  const globals = locationsOf(sketch).map((location) => program.global(location, 'i32'));
  sketch.forEach((ops, thread) => {
    const func = program.function(`P${thread}`);
    new ThreadBuilder(func, globals, ops).build(sections[thread]);
    program.root(`P${thread}`, func);
  });
  return program.build();
}

class ThreadBuilder {
  private readonly func: FunctionBuilder;
  private readonly globals: readonly AddressOperand[];
  private readonly ops: readonly Op[];
  /** Holds the value read last: after a branch it is not known statically which rk that is. */
  private readonly last: Dest | undefined;
  private readonly condition: Dest | undefined;
  private nextRead = 0;
  private nextBranch = 0;

  constructor(func: FunctionBuilder, globals: readonly AddressOperand[], ops: readonly Op[]) {
    this.func = func;
    this.globals = globals;
    this.ops = ops;
    // These come first, so that register k of the sketch is register k of the function.
    for (let k = 0; k < countReads(ops); k++) func.register(`r${k}`, 'i32');
    const all = ops.flatMap(flatten);
    if (all.some(usesLast)) this.last = func.register('last', 'i32');
    if (all.some((op) => op.op === 'ifLast')) this.condition = func.register('taken', 'i1');
  }

  build(section: readonly [number, number] = [-1, -1]): void {
    this.ops.forEach((op, i) => {
      if (i === section[0]) this.func.add({ op: 'beginatomic' });
      this.add(op);
      if (i + 1 === section[1]) this.func.add({ op: 'endatomic' });
    });
    this.func.return();
  }

  private addAll(ops: readonly Op[]): void {
    for (const op of ops) this.add(op);
  }

  private add(op: Op): void {
    const { func } = this;
    switch (op.op) {
      case 'store':
        func.store(this.globals[op.location]!, this.operand(op.value), op.order);
        break;
      case 'load':
        this.read((dest) => func.load(dest, this.globals[op.location]!, op.order));
        break;
      case 'rmw':
        this.read((dest) => func.rmw(op.operator, dest, this.globals[op.location]!, this.operand(op.value), op.order));
        break;
      case 'cas':
        this.read((dest) =>
          func.cmpxchg(
            dest,
            undefined,
            this.globals[op.location]!,
            this.operand(op.expected),
            this.operand(op.desired),
            op.order,
            op.failureOrder,
          ),
        );
        break;
      case 'fence':
        func.fence(op.order);
        break;
      case 'ifLast': {
        const branch = this.nextBranch++;
        const then = func.block(`then${branch}`);
        const otherwise = func.block(`else${branch}`);
        const end = func.block(`end${branch}`);
        func.compare('eq', this.condition!, this.last!, int(op.value));
        func.branch(this.condition!, then, otherwise);
        func.startBlock(then);
        this.addAll(op.then);
        func.jump(end);
        func.startBlock(otherwise);
        this.addAll(op.else);
        func.jump(end);
        func.startBlock(end);
        break;
      }
    }
  }

  private read(emit: (dest: Dest) => void): void {
    const dest = this.nextRead++;
    emit(dest);
    if (this.last !== undefined) this.func.move(this.last, dest);
  }

  private operand(value: Value): Operand {
    return value === 'last' ? this.last! : int(value);
  }
}

function usesLast(op: Op): boolean {
  switch (op.op) {
    case 'store':
    case 'rmw':
      return op.value === 'last';
    case 'cas':
      return op.expected === 'last' || op.desired === 'last';
    case 'ifLast':
      return true;
    default:
      return false;
  }
}

/** One thread per column, with the registers that hold what was read. */
export function printSketch(sketch: Sketch): string {
  const columns = sketch.map((ops, thread) => [`P${thread}`, ...printOps(ops, { next: 0 })]);
  const height = Math.max(0, ...columns.map((column) => column.length));
  const widths = columns.map((column) => Math.max(...column.map((line) => line.length)));
  const lines = Array.from({ length: height }, (_, row) =>
    columns
      .map((column, thread) => (column[row] ?? '').padEnd(widths[thread]!))
      .join(' | ')
      .trimEnd(),
  );
  return lines.join('\n');
}

function printOps(ops: readonly Op[], register: { next: number }): string[] {
  return ops.flatMap((op) => printOp(op, register));
}

function printOp(op: Op, register: { next: number }): string[] {
  switch (op.op) {
    case 'store':
      return [`${locationName(op.location)} = ${op.value}${printOrder(op.order)}`];
    case 'load':
      return [`r${register.next++} = ${locationName(op.location)}${printOrder(op.order)}`];
    case 'rmw':
      return [`r${register.next++} = ${op.operator} ${locationName(op.location)}, ${op.value}${printOrder(op.order)}`];
    case 'cas': {
      const orders = `${op.order}, ${op.failureOrder}`;
      return [`r${register.next++} = cas ${locationName(op.location)}, ${op.expected} -> ${op.desired} (${orders})`];
    }
    case 'fence':
      return [`fence${printOrder(op.order)}`];
    case 'ifLast': {
      const then = printOps(op.then, register).map((line) => `  ${line}`);
      const otherwise = printOps(op.else, register).map((line) => `  ${line}`);
      return [`if last == ${op.value} {`, ...then, ...(otherwise.length > 0 ? ['} else {', ...otherwise] : []), '}'];
    }
  }
}

function printOrder(order: string): string {
  return order === 'plain' ? '' : ` (${order})`;
}
