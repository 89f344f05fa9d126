/**
 * Removes redundancy left by unoptimised code and by inlining; effects stay the same. Registers that are no longer read
 * are no longer written, so this is for programs whose registers are not observed.
 *
 *   - a block is merged into its only predecessor if that jumps to it; unreachable blocks are removed
 *   - inside a block, and into a block with a single predecessor, copies and constants are propagated
 *   - branches on constants become jumps
 *   - dead computations are removed; a value that is only copied is computed directly into its destination
 */
import {
  forEachRead,
  forEachWritten,
  mapOperands,
  renameRegisters,
  retarget,
  successorsOf,
  writtenRegisters,
} from './flow.ts';
import {
  type Block,
  type ConstantOperand,
  type Func,
  type Global,
  type Instruction,
  type Operand,
  type Program,
  typeOf,
} from './ir.ts';
import { type LiveRegisters, liveRegisters } from './live-registers.ts';
import type { Predicate } from './operators.ts';
import { bitsOf, isFloat } from './types.ts';

/** After this many rounds little is left to find. */
const ROUNDS = 2;

/** A function that is already in `simplified`, at its index, is kept. */
export function simplify(program: Program, simplified: readonly (Func | undefined)[] = []): Program {
  const { globals } = program;
  const functions = program.functions.map((func, i) =>
    func === simplified[i] ? func : simplifyFunction(func, globals),
  );
  return { ...program, functions };
}

/** Functions of our library only, before they are inlined. */
export function simplifyLibrary(program: Program): Program {
  const { globals } = program;
  const functions = program.functions.map((func) => (func.isLibrary === true ? simplifyFunction(func, globals) : func));
  return { ...program, functions };
}

function simplifyFunction(func: Func, globals: readonly Global[]): Func {
  let result = func;
  let isSettled = false;
  for (let round = 0; round < ROUNDS && !isSettled; round++) {
    const before = result;
    // Before propagating copies, which would keep their originals alive.
    result = removeDead(joinBlocks(result));
    result = propagateCopies(result, globals);
    isSettled = result === before;
  }
  if (!isSettled) result = removeDead(joinBlocks(result));
  return { ...dropRegisters(result), sharesWords: true };
}

// ---- blocks

function joinBlocks(func: Func): Func {
  const ways = waysInto(func);
  const continued = func.blocks.map(({ body }, block) => continuation(block, body.at(-1)!, ways));
  /** Blocks that are merged into another. */
  const joined = new Set(continued);
  const kept = func.blocks.flatMap((_, block) => (ways[block] === 0 || joined.has(block) ? [] : [block]));
  if (kept.length === func.blocks.length) return func;
  const numbers = new Map(kept.map((block, number) => [block, number]));
  const renumber = (block: number): number => numbers.get(block)!;
  const blocks = kept.map((first): Block => {
    const body: Instruction[] = [];
    let last = first;
    for (let next = continued[last]; next !== undefined; next = continued[last]) {
      for (const instruction of func.blocks[last]!.body.slice(0, -1)) body.push(instruction);
      last = next;
    }
    for (const instruction of func.blocks[last]!.body.slice(0, -1)) body.push(instruction);
    return { name: func.blocks[first]!.name, body: [...body, retarget(func.blocks[last]!.body.at(-1)!, renumber)] };
  });
  return { ...func, blocks };
}

/** The block to merge into this one, if any: the target of its jump, where no other jump leads. */
function continuation(block: number, last: Instruction, ways: readonly number[]): number | undefined {
  if (last.op !== 'jump' || ways[block] === 0) return undefined;
  const { target } = last;
  // Not the entry, which is also reached from outside.
  return target === block || target === 0 || ways[target] !== 1 ? undefined : target;
}

/** Per block, how many jumps from reachable blocks lead there; the entry has one more. */
function waysInto(func: Func): number[] {
  const successors = successorsOf(func);
  const ways = func.blocks.map(() => 0);
  const waiting = [0];
  ways[0] = 1;
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    for (const target of successors[block]!) {
      if (ways[target] === 0) waiting.push(target);
      ways[target]!++;
    }
  }
  return ways;
}

// ---- copies and constants

/** What is known about registers at some point of a block. All changes can be undone. */
class Known {
  /** By register: a register or constant with the same value, until either is written. */
  readonly copies = new Map<number, Operand>();
  /** By register: the 32-bit value that it extends, until either is written. */
  readonly extended = new Map<number, Operand>();
  /** By register: those that are copies or extensions of it, now or earlier. */
  private readonly users = new Map<number, User>();
  private readonly changes: (() => void)[] = [];

  get changed(): number {
    return this.changes.length;
  }

  /** Undoes all but the first `changes` changes. */
  undo(changes: number): void {
    while (this.changes.length > changes) this.changes.pop()!();
  }

  private set<T>(map: Map<number, T>, register: number, value: T | undefined): void {
    const old = map.get(register);
    if (old === value) return;
    if (value === undefined) map.delete(register);
    else map.set(register, value);
    this.changes.push(() => {
      if (old === undefined) map.delete(register);
      else map.set(register, old);
    });
  }

  /** Notes that `register` has the value of an operand, or extends it. */
  note(known: Map<number, Operand>, register: number, of: Operand): void {
    this.set(known, register, of);
    if (of.kind === 'register') this.set(this.users, of.index, { register, next: this.users.get(of.index) });
  }

  forget(written: number): void {
    this.set(this.copies, written, undefined);
    this.set(this.extended, written, undefined);
    for (let user = this.users.get(written); user !== undefined; user = user.next) {
      for (const known of [this.copies, this.extended]) {
        const of = known.get(user.register);
        if (of?.kind === 'register' && of.index === written) this.set(known, user.register, undefined);
      }
    }
    this.set(this.users, written, undefined);
  }
}

interface User {
  readonly register: number;
  readonly next: User | undefined;
}

/** Inside blocks, and into blocks that only one jump leads to. The same function if that changes nothing. */
function propagateCopies(func: Func, globals: readonly Global[]): Func {
  const successors = successorsOf(func);
  const ways = waysInto(func);
  const bodies = func.blocks.map(({ body }) => body as Instruction[]);
  let isSame = true;
  for (let first = 0; first < bodies.length; first++) {
    if (ways[first] === 0 || (ways[first] === 1 && first !== 0)) continue;
    // Blocks that only one jump leads to form a tree below one that is different.
    const known = new Known();
    const waiting = [{ block: first, changed: 0 }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { block } = next;
      known.undo(next.changed);
      const body = bodies[block]!;
      const propagated = propagate(func, globals, body, known);
      isSame &&= propagated.every((instruction, i) => instruction === body[i]);
      bodies[block] = propagated;
      for (const target of successors[block]!)
        if (ways[target] === 1 && target !== 0) waiting.push({ block: target, changed: known.changed });
    }
  }
  if (isSame) return func;
  return { ...func, blocks: func.blocks.map(({ name }, block) => ({ name, body: bodies[block]! })) };
}

/** Straight-line code; `known` is updated. */
function propagate(func: Func, globals: readonly Global[], body: readonly Instruction[], known: Known): Instruction[] {
  const { copies, extended } = known;
  const resolve = (operand: Operand): Operand =>
    operand.kind === 'register' ? (copies.get(operand.index) ?? operand) : operand;
  return body.map((original) => {
    let hasCopies = false;
    if (copies.size > 0)
      forEachRead(original, (register) => {
        hasCopies ||= copies.has(register);
      });
    const resolved = hasCopies ? withCallee(mapOperands(original, resolve), original) : original;
    const folded = fold(func, lookUp(func, globals, resolved));
    const instruction = shorten(func, folded, extended);
    forEachWritten(instruction, (written) => known.forget(written));
    const source = sourceOf(func, instruction);
    if (source !== undefined && instruction.op === 'cast') known.note(extended, instruction.dest, source);
    if (instruction.op === 'move') {
      const { dest, value } = instruction;
      if (value.kind !== 'register' || value.index !== dest) known.note(copies, dest, value);
    }
    return instruction;
  });
}

/** The `i32` that a cast sign-extends to an `i64`. */
function sourceOf(func: Func, instruction: Instruction): Operand | undefined {
  if (instruction.op !== 'cast' || instruction.operator !== 'sext') return undefined;
  const { value, dest } = instruction;
  return typeOf(func, value) === 'i32' && func.registers[dest]?.type === 'i64' ? value : undefined;
}

/** Truncating a sign-extended `i32`, or converting it to an address, gives back the `i32`. */
function shorten(func: Func, instruction: Instruction, extended: ReadonlyMap<number, Operand>): Instruction {
  if (instruction.op !== 'cast') return instruction;
  const { value, operator, op: _, ...rest } = instruction;
  if (operator !== 'address' && !(operator === 'trunc' && func.registers[rest.dest]?.type === 'i32'))
    return instruction;
  if (operator === 'address' && (value.kind === 'global' || value.kind === 'function')) {
    const { isWide: __, ...narrow } = value;
    return { ...rest, op: 'move', value: narrow };
  }
  const word = value.kind === 'register' ? extended.get(value.index) : undefined;
  return word === undefined ? instruction : { ...rest, op: 'move', value: word };
}

/** Keeps the callee: calls through an address are checked when they run, calls by name before the program runs. */
function withCallee(instruction: Instruction, original: Instruction): Instruction {
  return 'callee' in original ? ({ ...instruction, callee: original.callee } as Instruction) : instruction;
}

/** Evaluates what is known about globals: a `glance` at a constant word, and `isstatic`. */
function lookUp(func: Func, globals: readonly Global[], instruction: Instruction): Instruction {
  if (instruction.op !== 'glance' && instruction.op !== 'isstatic') return instruction;
  const { address, op, ...rest } = instruction;
  if (address.kind !== 'global') return instruction;
  const { init, relocations = [], readOnly, size, threadLocal } = globals[address.index]!;
  if (threadLocal === true || address.offset < 0 || address.offset + 4 > size) return instruction;
  if (op === 'isstatic') return { ...rest, op: 'move', value: { kind: 'constant', type: 'i32', value: 1 } };
  if (readOnly !== true || init === undefined || address.offset + 4 > init.length || relocations.length > 0)
    return instruction;
  if (func.registers[rest.dest]?.type !== 'i32') return instruction;
  const value = new DataView(init.buffer, init.byteOffset, init.length).getInt32(address.offset, true);
  return { ...rest, op: 'move', value: { kind: 'constant', type: 'i32', value } };
}

function fold(func: Func, instruction: Instruction): Instruction {
  if (instruction.op === 'compare') {
    const { predicate, left, right, op: _, ...rest } = instruction;
    const [a, b] = [integer(left), integer(right)];
    const holds = HOLDS[predicate];
    if (a === undefined || b === undefined || holds === undefined) return instruction;
    const bits = bitsOf((left as ConstantOperand).type);
    const value = holds(a, b, BigInt.asIntN(bits, a), BigInt.asIntN(bits, b)) ? 1 : 0;
    return { ...rest, op: 'move', value: { kind: 'constant', type: 'i1', value } };
  }
  if (
    instruction.op === 'cast' &&
    instruction.operator === 'zext' &&
    func.registers[instruction.dest]?.type === 'i32'
  ) {
    const { value, operator: _, ...rest } = instruction;
    const bits = integer(value);
    if (bits !== undefined)
      return { ...rest, op: 'move', value: { kind: 'constant', type: 'i32', value: Number(bits) } };
  }
  if (instruction.op === 'binary' && instruction.operator === 'add' && integer(instruction.right) === 0n) {
    const { left: value, right: _, operator: __, ...rest } = instruction;
    return { ...rest, op: 'move', value };
  }
  if (instruction.op === 'branch') {
    const { condition, ifTrue, ifFalse, op: _, ...rest } = instruction;
    const value = integer(condition);
    if (value !== undefined) return { ...rest, op: 'jump', target: value === 0n ? ifFalse : ifTrue };
  }
  return instruction;
}

/** Integer predicates, of two numbers without and with sign. */
const HOLDS: { readonly [predicate in Predicate]?: (a: bigint, b: bigint, s: bigint, t: bigint) => boolean } = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  ult: (a, b) => a < b,
  ule: (a, b) => a <= b,
  ugt: (a, b) => a > b,
  uge: (a, b) => a >= b,
  slt: (_, __, s, t) => s < t,
  sle: (_, __, s, t) => s <= t,
  sgt: (_, __, s, t) => s > t,
  sge: (_, __, s, t) => s >= t,
};

/** The bits of an integer constant. */
function integer(operand: Operand): bigint | undefined {
  if (operand.kind !== 'constant' || isFloat(operand.type)) return undefined;
  return BigInt.asUintN(bitsOf(operand.type), BigInt(operand.value));
}

// ---- dead values

/** The same function if nothing in it is dead. */
function removeDead(func: Func): Func {
  const successors = successorsOf(func);
  const liveAt = liveRegisters(func, successors);
  const live = new LiveNow(func);
  let isSame = true;
  const blocks = func.blocks.map(({ name, body }, block): Block => {
    live.clear();
    for (const target of successors[block]!) live.addAll(liveAt, target);
    const kept: Instruction[] = [];
    const rest = [...body];
    for (let last = rest.pop(); last !== undefined; last = rest.pop()) {
      const instruction = withoutResult(computedThere(last, rest, live) ?? last, live);
      isSame &&= instruction === last;
      if (isPure(instruction) && !live.isWritten(instruction)) {
        isSame = false;
        continue;
      }
      live.before(instruction);
      kept.push(instruction);
    }
    return { name, body: kept.reverse() };
  });
  return isSame ? func : { ...func, blocks };
}

/** The live registers at one point of a block, which moves backwards. */
class LiveNow {
  /** By register: `turn` if it is live. */
  private readonly turns: Uint32Array;
  private turn = 1;
  private readonly remove = (register: number): void => {
    this.turns[register] = 0;
  };
  private readonly add = (register: number): void => {
    this.turns[register] = this.turn;
  };

  constructor(func: Func) {
    this.turns = new Uint32Array(func.registers.length);
  }

  has(register: number): boolean {
    return this.turns[register] === this.turn;
  }

  clear(): void {
    this.turn++;
  }

  addAll(all: LiveRegisters, block: number): void {
    all.forEach(block, this.add);
  }

  /** Whether the instruction writes a register that is live after it. */
  isWritten(instruction: Instruction): boolean {
    let found = false;
    forEachWritten(instruction, (register) => {
      found ||= this.has(register);
    });
    return found;
  }

  before(instruction: Instruction): void {
    forEachWritten(instruction, this.remove);
    forEachRead(instruction, this.add);
  }
}

/**
 * If `last` only copies the result of the instruction before it, and that result is not used elsewhere: that
 * instruction, writing to the destination of the copy. It is then removed from the end of `before`.
 */
function computedThere(last: Instruction, before: Instruction[], live: LiveNow): Instruction | undefined {
  if (last.op !== 'move' || last.value.kind !== 'register' || last.value.index === last.dest) return undefined;
  const { dest, value } = last;
  const maker = before.at(-1);
  if (maker === undefined || !('dest' in maker) || maker.dest !== value.index || live.has(value.index))
    return undefined;
  if (writtenRegisters(maker).length > 1) return undefined;
  before.pop();
  return { ...maker, dest } as Instruction;
}

/** Drops a result that is never read, where the instruction allows it. */
function withoutResult(instruction: Instruction, live: LiveNow): Instruction {
  if (instruction.op !== 'join' || instruction.dest === undefined || live.has(instruction.dest)) return instruction;
  const { dest: _, ...rest } = instruction;
  return rest;
}

/** Whether its only effect is to write a register. */
export function isPure(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'move':
    case 'undefine':
    case 'unary':
    case 'compare':
    case 'cast':
    case 'select':
    case 'self':
    case 'isconstant':
    case 'isstatic':
    case 'progress':
      return true;
    case 'binary':
      // Division by zero is an error.
      return !/div|rem/.test(instruction.operator);
    default:
      return false;
  }
}

/** Removes registers that no instruction mentions, for smaller frames. */
function dropRegisters(func: Func): Func {
  const used = new Set(Array.from({ length: func.parameters }, (_, parameter) => parameter));
  const use = (register: number): void => void used.add(register);
  for (const { body } of func.blocks) {
    for (const instruction of body) {
      forEachWritten(instruction, use);
      forEachRead(instruction, use);
    }
  }
  if (used.size === func.registers.length) return func;
  const kept = [...used].sort((a, b) => a - b);
  const numbers = new Map(kept.map((register, number) => [register, number]));
  const rename = (register: number): number => numbers.get(register)!;
  return {
    ...func,
    registers: kept.map((register) => func.registers[register]!),
    blocks: func.blocks.map(({ name, body }) => ({ name, body: body.map((i) => renameRegisters(i, rename)) })),
  };
}
