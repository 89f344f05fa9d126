/** Checks of operands; shared by instructions, the arguments of root threads, and initialisers. */
import { unreachable } from '../util/unreachable.ts';
import type { Func, Operand, Program } from './ir.ts';
import { bitsOf, isFloat, POINTER, type Type } from './types.ts';

export interface Scope {
  readonly program: Program;
  /** The function whose registers can be named; absent outside of code. */
  readonly func?: Func;
  /** Takes a problem of the thing being checked; the caller knows where that is. */
  readonly report: (message: string) => void;
}

/**
 * The type of a well-formed operand. `undefined` if it has none: that has then been reported, and checks that need the
 * type skip it, so that one mistake gives one problem.
 */
export function checkOperand(scope: Scope, role: string, operand: Operand): Type | undefined {
  switch (operand.kind) {
    case 'register':
      return checkRegister(scope, role, operand.index);
    case 'constant':
      checkConstant(scope, role, operand.type, operand.value);
      return operand.type;
    case 'global':
      checkGlobal(scope, role, operand.index, operand.offset);
      return operand.isWide === true ? 'i64' : POINTER;
    case 'function':
      checkFunction(scope, role, operand.index);
      return operand.isWide === true ? 'i64' : POINTER;
    default:
      return unreachable(operand);
  }
}

export function checkRegister(scope: Scope, role: string, index: number): Type | undefined {
  if (scope.func === undefined) {
    scope.report(`${role}: a register has no value before the program starts`);
    return undefined;
  }
  const register = scope.func.registers[index];
  if (register === undefined) {
    scope.report(`${role}: register ${index} does not exist (the function has ${scope.func.registers.length})`);
  }
  return register?.type;
}

export function checkConstant(scope: Scope, role: string, type: Type, value: number | bigint): boolean {
  const problem = problemOfConstant(type, value);
  if (problem !== undefined) scope.report(`${role}: ${problem}`);
  return problem === undefined;
}

function problemOfConstant(type: Type, value: number | bigint): string | undefined {
  const big = typeof value === 'bigint';
  if (big !== (type === 'i64')) {
    return `an ${type} constant must be a ${big ? 'number' : 'bigint'}, but ${value} is a ${typeof value}`;
  }
  if (isFloat(type)) return undefined;
  if (!big && !Number.isInteger(value)) return `an ${type} constant must be an integer, but is ${value}`;
  return inRange(bitsOf(type), BigInt(value)) ? undefined : `${value} does not fit ${type}`;
}

/** Signed and unsigned spellings both fit: an `i8` may be written -1 or 255. */
function inRange(bits: number, value: bigint): boolean {
  return value >= -(2n ** BigInt(bits - 1)) && value < 2n ** BigInt(bits);
}

/** C programs compute addresses one past the end, so that offset is allowed. */
function checkGlobal(scope: Scope, role: string, index: number, offset: number): void {
  const global = scope.program.globals[index];
  if (global === undefined) {
    scope.report(`${role}: global ${index} does not exist (the program has ${scope.program.globals.length})`);
  } else if (global.threadLocal === true) {
    scope.report(`${role}: ${global.name} is thread-local, so its address depends on the thread`);
  } else if (!Number.isInteger(offset) || offset < 0 || offset > global.size) {
    scope.report(`${role}: offset ${offset} is outside of ${global.name}, which has ${global.size} bytes`);
  }
}

export function checkFunction(scope: Scope, role: string, index: number): Func | undefined {
  const func = scope.program.functions[index];
  if (func === undefined) {
    scope.report(`${role}: function ${index} does not exist (the program has ${scope.program.functions.length})`);
  }
  return func;
}

/** `callee` is unknown in a call through a pointer; its arguments must still be operands. */
export function checkArguments(scope: Scope, callee: Func | undefined, args: readonly Operand[]): void {
  const types = args.map((arg, i) => checkOperand(scope, `argument ${i}`, arg));
  if (callee === undefined) return;
  if (args.length !== callee.parameters) {
    scope.report(`${callee.name} takes ${callee.parameters} arguments, not ${args.length}`);
    return;
  }
  types.forEach((type, i) => {
    // A parameter without a register is reported with the callee.
    const parameter = callee.registers[i]?.type;
    if (parameter !== undefined) expectType(scope, `argument ${i}`, type, parameter);
  });
}

export function expectType(scope: Scope, role: string, actual: Type | undefined, expected: Type): void {
  if (actual !== undefined && actual !== expected) scope.report(`${role} must be ${expected}, but is ${actual}`);
}

export function isPowerOfTwo(value: number): boolean {
  // Above 2^30 the bit trick would be wrong, and no 32-bit address has such an alignment.
  return Number.isInteger(value) && value > 0 && value <= 2 ** 30 && (value & (value - 1)) === 0;
}
