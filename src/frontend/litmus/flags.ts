/** The flags that conditional jumps test: how instructions set them, and how jumps combine them. */
import type { Operand } from '../../program/ir.ts';
import { bitsOf, type Type } from '../../program/types.ts';
import { type Frame, integer } from './frame.ts';
import type { Arithmetic, BranchCondition } from './instructions.ts';

/** Sets all flags for `result = left operator right`. */
export function setFlags(
  frame: Frame,
  operator: Arithmetic,
  type: Type,
  left: Operand,
  right: Operand,
  result: Operand,
): void {
  const { func } = frame;
  setResultFlags(frame, type, result);
  const zero = integer(type, 0n);
  const xor = (a: Operand, b: Operand) => frame.compute(type, (dest) => func.binary('xor', dest, a, b));
  switch (operator) {
    case 'add': {
      func.compare('ult', frame.flag('CF'), result, left);
      // The result's sign differs from that of both operands.
      const [a, b] = [xor(left, result), xor(right, result)];
      const both = frame.compute(type, (dest) => func.binary('and', dest, a, b));
      func.compare('slt', frame.flag('OF'), both, zero);
      return;
    }
    case 'sub': {
      func.compare('ult', frame.flag('CF'), left, right);
      // The operands' signs differ, and the result's is not that of the left one.
      const [a, b] = [xor(left, right), xor(left, result)];
      const both = frame.compute(type, (dest) => func.binary('and', dest, a, b));
      func.compare('slt', frame.flag('OF'), both, zero);
      return;
    }
    default:
      func.move(frame.flag('CF'), integer('i1', 0n));
      func.move(frame.flag('OF'), integer('i1', 0n));
  }
}

/** Sets the flags of INC and DEC, which leave the carry flag alone. */
export function setStepFlags(frame: Frame, operator: 'add' | 'sub', type: Type, result: Operand): void {
  setResultFlags(frame, type, result);
  const smallest = -(1n << BigInt(bitsOf(type) - 1));
  const overflown = operator === 'add' ? smallest : -smallest - 1n;
  frame.func.compare('eq', frame.flag('OF'), result, integer(type, overflown));
}

function setResultFlags(frame: Frame, type: Type, result: Operand): void {
  frame.func.compare('eq', frame.flag('ZF'), result, integer(type, 0n));
  frame.func.compare('slt', frame.flag('SF'), result, integer(type, 0n));
}

/** The condition of a jump as an `i1`, without its negation. */
export function readCondition(frame: Frame, test: BranchCondition['test']): Operand {
  const { func } = frame;
  const less = () => frame.compute('i1', (dest) => func.binary('xor', dest, frame.flag('SF'), frame.flag('OF')));
  switch (test) {
    case 'below-or-equal':
      return frame.compute('i1', (dest) => func.binary('or', dest, frame.flag('CF'), frame.flag('ZF')));
    case 'less':
      return less();
    case 'less-or-equal': {
      const isLess = less();
      return frame.compute('i1', (dest) => func.binary('or', dest, isLess, frame.flag('ZF')));
    }
    default:
      return { kind: 'register', index: frame.flag(test) };
  }
}
