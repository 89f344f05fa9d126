import { describe, expect, it } from 'vitest';
import * as arithmetic from '../code/arithmetic.ts';
import { BINARY_OPERATORS, PREDICATES } from '../code/opcodes.ts';
import * as text from './generate-text.ts';

const WIDTHS = [1, 8, 16, 32];
const INTERESTING = [0, 1, 2, 3, 5, 7, 8, 31, 100, 127, 128, 255, 256, 32767, 32768, 65535, 2 ** 31 - 1];
/** As registers hold them. */
const valuesOf = (bits: number): number[] => [
  ...new Set(INTERESTING.flatMap((v) => [v, -v, ~v]).map((v) => arithmetic.normalise(v, bits))),
];

function run(expression: string): (a: number, b: number) => number {
  // Through a word of the state, as in generated code.
  return new Function('a', 'b', `const w = new Int32Array(1); w[0] = ${expression}; return w[0];`) as never;
}

function expectSame(
  bits: number,
  expression: string,
  compute: (a: number, b: number) => number,
  isDefined: (a: number, b: number) => boolean = () => true,
): void {
  const generated = run(expression);
  for (const a of valuesOf(bits)) {
    for (const b of valuesOf(bits)) {
      if (isDefined(a, b)) expect(generated(a, b), `${expression} of ${a}, ${b}`).toBe(compute(a, b) | 0);
    }
  }
}

describe.each(WIDTHS)('integers of %i bits', (bits) => {
  const isOfWidth = (name: string): boolean => !name.startsWith('f') && (bits === 32 || !/scale|displace/.test(name));
  it.each([...BINARY_OPERATORS.entries()].filter(([, name]) => isOfWidth(name)))(
    'have the results of the interpreter for operator %i, %s',
    (operator, name) => {
      const compute = (a: number, b: number): number => arithmetic.binary32(operator, bits, a, b);
      if (arithmetic.isDivision(operator)) {
        expectSame(bits, text.division32(name, bits, 'a', 'b'), compute, (_, b) => b !== 0 && b !== -1);
      } else expectSame(bits, text.binary32(name, bits, 'a', 'b')!, compute);
    },
  );

  it.each([...PREDICATES.entries()].filter(([, name]) => !name.startsWith('f')))(
    'compare as in the interpreter for predicate %i, %s',
    (predicate) => {
      const expression = `${text.compare32(predicate, bits, 'a', 'b')} ? 1 : 0`;
      expectSame(bits, expression, (a, b) => arithmetic.compare32(predicate, bits, a, b));
    },
  );

  it('have the literals and extensions of the interpreter', () => {
    for (const value of valuesOf(32)) {
      expect(run(text.literal(value))(0, 0)).toBe(value);
      expect(run(text.normalise('a', bits))(value, 0)).toBe(arithmetic.normalise(value, bits));
      expect(run(`${text.unsigned('a', bits)} | 0`)(value, 0)).toBe(arithmetic.unsigned(value, bits) | 0);
    }
  });
});
