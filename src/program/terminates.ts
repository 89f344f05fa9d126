/**
 * Whether a thread that enters some blocks surely leaves them: every cycle among them counts. A loop counts if every
 * round passes a test that can leave it, and once a step by which a number goes up or down by one; the test compares
 * this number, or one that is always as far from it, with a value that no round changes, and each step goes towards
 * where the test fails: it fails before the number wraps around. A number that must wrap around first does not count. If
 * it is signed, C does not say what happens; if it has 64 bits, nobody lives to see it. So `!=` does not count: on which
 * side of the bound the number starts is not known.
 */
import { cycles } from './cycles.ts';
import { type Func, type Instruction, type Operand, typeOf } from './ir.ts';
import { bitsOf, isFloat } from './types.ts';

interface Text {
  readonly func: Func;
  readonly successors: readonly (readonly number[])[];
  /** The instructions that write each register. */
  readonly writers: readonly (readonly Instruction[])[];
  readonly blockOf: ReadonlyMap<Instruction, number>;
}

export function endsSurely(text: Text, blocks: ReadonlySet<number>): boolean {
  return cycles(text.successors, blocks).every((cycle) => {
    for (const block of cycle) {
      if (!counts(text, cycle, block)) continue;
      const rest = new Set(cycle);
      rest.delete(block);
      return endsSurely(text, rest);
    }
    return false;
  });
}

/** Whether the test at the end of `block` leaves the cycle at some time, if it is passed again and again. */
function counts(text: Text, cycle: ReadonlySet<number>, block: number): boolean {
  const last = text.func.blocks[block]!.body.at(-1)!;
  if (last.op !== 'branch') return false;
  const [stays, leaves] = [cycle.has(last.ifTrue), cycle.has(last.ifFalse)];
  if (stays === leaves) return false;
  let { condition } = last;
  let isStaying = stays;
  for (;;) {
    const test = onlyWriter(text, condition);
    if (test === undefined || !isOncePerRound(text, cycle, block, text.blockOf.get(test)!)) return false;
    if (test.op === 'compare') {
      const { predicate, left, right } = test;
      const ahead = isStaying ? predicate : NEGATED[predicate];
      if (ahead === undefined) return false;
      return (
        (isInvariant(text, cycle, right) && fails(ahead, right, stepOf(text, cycle, block, left))) ||
        (isInvariant(text, cycle, left) && fails(SWAPPED[ahead]!, left, stepOf(text, cycle, block, right)))
      );
    }
    if (test.op === 'move') condition = test.value;
    else if (test.op === 'binary' && test.operator === 'xor' && typeOf(text.func, test.left) === 'i1') {
      if (test.right.kind !== 'constant' || Number(test.right.value) === 0) return false;
      condition = test.left;
      isStaying = !isStaying;
    } else return false;
  }
}

/** Integer predicates, and those that hold when they do not. */
const NEGATED: Readonly<Record<string, string>> = {
  ...{
    eq: 'ne',
    ne: 'eq',
    slt: 'sge',
    sge: 'slt',
    sgt: 'sle',
    sle: 'sgt',
    ult: 'uge',
    uge: 'ult',
    ugt: 'ule',
    ule: 'ugt',
  },
};

/** The same with the operands exchanged. */
const SWAPPED: Readonly<Record<string, string>> = {
  ...{
    eq: 'eq',
    ne: 'ne',
    slt: 'sgt',
    sge: 'sle',
    sgt: 'slt',
    sle: 'sge',
    ult: 'ugt',
    uge: 'ule',
    ugt: 'ult',
    ule: 'uge',
  },
};

/** Whether a number that changes by `step` each time does not satisfy `number predicate bound` at last, without wrapping. */
function fails(predicate: string, bound: Operand, step: bigint): boolean {
  if (step === 0n) return false;
  // After one step it is another number.
  if (predicate === 'eq') return true;
  if (!/^[su][lg][te]$/.test(predicate) || (predicate[1] === 'l') !== step > 0n) return false;
  // No number is less than the least one, nor greater than the greatest.
  if (predicate.endsWith('t')) return true;
  if (bound.kind !== 'constant' || isFloat(bound.type)) return false;
  const bits = bitsOf(bound.type);
  const isSigned = predicate.startsWith('s');
  const value = isSigned ? BigInt.asIntN(bits, BigInt(bound.value)) : BigInt.asUintN(bits, BigInt(bound.value));
  const half = 1n << BigInt(bits - 1);
  const greatest = isSigned ? half - 1n : 2n * half - 1n;
  const least = isSigned ? -half : 0n;
  return predicate.endsWith('le') ? value !== greatest : value !== least;
}

function onlyWriter({ writers }: Text, operand: Operand): Instruction | undefined {
  const found = operand.kind === 'register' ? writers[operand.index]! : [];
  return found.length === 1 ? found[0] : undefined;
}

function isInvariant(text: Text, cycle: ReadonlySet<number>, operand: Operand): boolean {
  return operand.kind !== 'register' || writersIn(text, cycle, operand.index).length === 0;
}

function writersIn({ writers, blockOf }: Text, cycle: ReadonlySet<number>, register: number): readonly Instruction[] {
  return writers[register]!.filter((writer) => cycle.has(blockOf.get(writer)!));
}

/** By how much, 1 or -1, the operand changes from each time that `block` is passed to the next; else 0. */
function stepOf(text: Text, cycle: ReadonlySet<number>, block: number, operand: Operand, depth = 0): bigint {
  if (operand.kind !== 'register' || depth > 4) return 0n;
  const inside = writersIn(text, cycle, operand.index);
  const [writer] = inside;
  if (writer === undefined || inside.length > 1) return 0n;
  if (!isOncePerRound(text, cycle, block, text.blockOf.get(writer)!)) return 0n;
  if (writer.op === 'move') {
    const step = stepBack(text, cycle, block, writer.value, operand.index);
    return step !== 0n ? step : stepOf(text, cycle, block, writer.value, depth + 1);
  }
  const from = displaced(writer);
  if (from === undefined) return 0n;
  const { left, by } = from;
  const isOne = by === 1n || by === -1n;
  if (left.kind === 'register' && left.index === operand.index) return isOne ? by : 0n;
  // Written from another number; if that is written from this one, as `t = i + 1; i = t`, it is this number's step.
  const [source] = left.kind === 'register' ? writersIn(text, cycle, left.index) : [];
  const isBack = source?.op === 'move' && source.value.kind === 'register' && source.value.index === operand.index;
  const step = stepOf(text, cycle, block, left, depth + 1);
  return isBack && !isOne ? 0n : step;
}

/** The step of one by which `value` is, in each round, computed once from the number in `register`; 0 if it is not. */
function stepBack(text: Text, cycle: ReadonlySet<number>, block: number, value: Operand, register: number): bigint {
  if (value.kind !== 'register') return 0n;
  const inside = writersIn(text, cycle, value.index);
  const from = inside.length === 1 ? displaced(inside[0]!) : undefined;
  if (from === undefined || (from.by !== 1n && from.by !== -1n)) return 0n;
  if (from.left.kind !== 'register' || from.left.index !== register) return 0n;
  return isOncePerRound(text, cycle, block, text.blockOf.get(inside[0]!)!) ? from.by : 0n;
}

/** The number that an instruction adds a constant to. */
function displaced(i: Instruction): { readonly left: Operand; readonly by: bigint } | undefined {
  if (i.op !== 'binary' || (i.operator !== 'add' && i.operator !== 'sub')) return undefined;
  if (i.right.kind !== 'constant' || isFloat(i.right.type)) return undefined;
  const value = BigInt.asIntN(bitsOf(i.right.type), BigInt(i.right.value));
  return { left: i.left, by: i.operator === 'add' ? value : -value };
}

/** Whether each way around the cycle from `block` to itself passes `other` exactly once. */
function isOncePerRound(text: Text, cycle: ReadonlySet<number>, block: number, other: number): boolean {
  if (!cycle.has(other)) return false;
  if (other === block) return true;
  const without = (gone: number): ReadonlySet<number> => new Set([...cycle].filter((member) => member !== gone));
  const isOn = (member: number, blocks: ReadonlySet<number>): boolean =>
    cycles(text.successors, blocks).some((one) => one.has(member));
  return !isOn(block, without(other)) && !isOn(other, without(block));
}
