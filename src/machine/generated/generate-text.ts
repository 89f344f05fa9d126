/** JavaScript text for what single instructions compute: as in `arithmetic.ts`, with operators and widths known. */
import { NO_ADDRESS } from '../code/arithmetic.ts';
import { PREDICATES } from '../code/opcodes.ts';

export function literal(value: number): string {
  return value < 0 ? `(${value})` : `${value}`;
}

/** As in `arithmetic.ts`. */
export function normalise(text: string, bits: number): string {
  if (bits === 32) return `${text} | 0`;
  if (bits === 1) return `(${text}) & 1`;
  return `(${text}) << ${32 - bits} >> ${32 - bits}`;
}

export function unsigned(text: string, bits: number): string {
  return bits === 32 ? `(${text} >>> 0)` : `(${text} & ${2 ** bits - 1})`;
}

/** An operator on integers of up to 32 bits; `undefined` if it is left to the interpreter. */
export function binary32(operator: string, bits: number, a: string, b: string): string | undefined {
  const count = `(${b} & ${bits - 1})`;
  switch (operator) {
    case 'add':
      return normalise(`(${a} + ${b})`, bits);
    case 'sub':
      return normalise(`(${a} - ${b})`, bits);
    case 'mul':
      return normalise(`Math.imul(${a}, ${b})`, bits);
    case 'and':
      return `${a} & ${b}`;
    case 'or':
      return `${a} | ${b}`;
    case 'xor':
    case 'differ':
      return normalise(`(${a} ^ ${b})`, bits);
    case 'shl':
      return normalise(`(${a} << ${count})`, bits);
    case 'lshr':
      return normalise(`(${unsigned(a, bits)} >>> ${count})`, bits);
    case 'ashr':
      return normalise(`(${a} >> ${count})`, bits);
    case 'scale':
      return addressSum(a, b, `${a} * ${b}`);
    case 'displace':
      return addressSum(a, b, `${a} + ${b}`);
    default:
      return undefined;
  }
}

/** As `fitting` in `arithmetic.ts`; a literal is known to be an address or not. */
function addressSum(a: string, b: string, result: string): string {
  const operands = [a, b].filter(
    (operand) => !/^\(?-?\d+\)?$/.test(operand) || Number.parseInt(operand.replace('(', ''), 10) === NO_ADDRESS,
  );
  const isNone = [...operands.map((operand) => `${operand} === ${NO_ADDRESS}`), `(${result} | 0) !== ${result}`].join(
    ' || ',
  );
  return `${isNone} ? ${NO_ADDRESS} : ${result}`;
}

/** A division of integers by a divisor that is neither 0 nor -1. */
export function division32(operator: string, bits: number, a: string, b: string): string {
  switch (operator) {
    case 'udiv':
      return normalise(`(${unsigned(a, bits)} / ${unsigned(b, bits)} | 0)`, bits);
    case 'sdiv':
      return normalise(`(${a} / ${b} | 0)`, bits);
    case 'urem':
      return normalise(`(${unsigned(a, bits)} % ${unsigned(b, bits)} | 0)`, bits);
    case 'srem':
      return normalise(`(${a} % ${b} | 0)`, bits);
    default:
      throw new Error(`no division: ${operator}`);
  }
}

const SIGNS: Readonly<Record<string, string>> = {
  eq: '===',
  ne: '!==',
  ult: '<',
  ule: '<=',
  ugt: '>',
  uge: '>=',
  slt: '<',
  sle: '<=',
  sgt: '>',
  sge: '>=',
};

/** A comparison of integers of up to 32 bits. */
export function compare32(predicate: number, bits: number, a: string, b: string): string {
  const name = PREDICATES[predicate]!;
  const sign = SIGNS[name]!;
  const isUnsigned = name.startsWith('u');
  return isUnsigned ? `${unsigned(a, bits)} ${sign} ${unsigned(b, bits)}` : `${a} ${sign} ${b}`;
}
