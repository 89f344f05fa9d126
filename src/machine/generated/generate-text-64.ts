/**
 * JavaScript text for 64-bit integers, which are two words: as in `arithmetic.ts`, without bigints. Pointers are such
 * integers, so these are what most programs compute with.
 */
import { NO_ADDRESS } from '../code/arithmetic.ts';
import { PREDICATES } from '../code/opcodes.ts';

/** The text of both words of a value; each is a name or a number. */
export interface Words {
  readonly low: string;
  readonly high: string;
}

/** Up to here, a product of a word and a factor is exact as a double. */
const MAX_FACTOR = 2n ** 20n;

/**
 * Both words of the result; `undefined` if the operator is left to the interpreter. `constant` is the value of `b` if
 * it is known; `name` gives the value of an expression a name.
 */
export function binary64(
  operator: string,
  a: Words,
  b: Words,
  constant: bigint | undefined,
  name: (text: string) => string,
): readonly [string, string] | undefined {
  switch (operator) {
    case 'add': {
      const low = name(`(${a.low} + ${b.low}) | 0`);
      return [low, `(${a.high} + ${b.high} + (${low} >>> 0 < ${a.low} >>> 0 ? 1 : 0)) | 0`];
    }
    case 'sub':
      return [
        name(`(${a.low} - ${b.low}) | 0`),
        `(${a.high} - ${b.high} - (${a.low} >>> 0 < ${b.low} >>> 0 ? 1 : 0)) | 0`,
      ];
    case 'mul': {
      if (constant === undefined || constant < 0n || constant > MAX_FACTOR) return undefined;
      const carry = `Math.floor((${a.low} >>> 0) * ${constant} / 4294967296)`;
      return [name(`Math.imul(${a.low}, ${constant})`), `(Math.imul(${a.high}, ${constant}) + ${carry}) | 0`];
    }
    case 'and':
      return [name(`${a.low} & ${b.low}`), `${a.high} & ${b.high}`];
    case 'or':
      return [name(`${a.low} | ${b.low}`), `${a.high} | ${b.high}`];
    case 'xor':
    case 'differ':
      return [name(`${a.low} ^ ${b.low}`), `${a.high} ^ ${b.high}`];
    case 'shl':
    case 'lshr':
    case 'ashr':
      return constant === undefined ? undefined : shift(operator, a, Number(constant & 63n), name);
    default:
      return undefined;
  }
}

function shift(
  operator: 'shl' | 'lshr' | 'ashr',
  a: Words,
  by: number,
  name: (text: string) => string,
): [string, string] {
  if (by === 0) return [a.low, a.high];
  const right = operator === 'ashr' ? '>>' : '>>>';
  if (by >= 32) {
    if (operator === 'shl') return ['0', `${a.low} << ${by - 32}`];
    return [name(`${a.high} ${right} ${by - 32} | 0`), operator === 'ashr' ? `${a.high} >> 31` : '0'];
  }
  if (operator === 'shl') {
    return [name(`${a.low} << ${by}`), `${a.high} << ${by} | ${a.low} >>> ${32 - by}`];
  }
  return [name(`${a.low} >>> ${by} | ${a.high} << ${32 - by}`), `${a.high} ${right} ${by} | 0`];
}

const SIGNS: Readonly<Record<string, readonly [strict: string, sign: string]>> = {
  lt: ['<', '<'],
  le: ['<', '<='],
  gt: ['>', '>'],
  ge: ['>', '>='],
};

export function compare64(predicate: number, a: Words, b: Words): string {
  const name = PREDICATES[predicate]!;
  if (name === 'eq') return `(${a.low} === ${b.low} && ${a.high} === ${b.high})`;
  if (name === 'ne') return `(${a.low} !== ${b.low} || ${a.high} !== ${b.high})`;
  const [strict, sign] = SIGNS[name.slice(1)]!;
  const [high, other] = name.startsWith('u') ? [`${a.high} >>> 0`, `${b.high} >>> 0`] : [a.high, b.high];
  const low = `${a.low} >>> 0 ${sign} ${b.low} >>> 0`;
  return `(${a.high} === ${b.high} ? ${low} : ${high} ${strict} ${other})`;
}

/** As `addressOf` in `arithmetic.ts`. */
export function addressText({ low, high }: Words): string {
  return `${high} === ${low} >> 31 ? ${low} : ${NO_ADDRESS}`;
}
