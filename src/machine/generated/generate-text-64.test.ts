import { describe, expect, it } from 'vitest';
import * as arithmetic from '../code/arithmetic.ts';
import { BINARY_OPERATORS, PREDICATES } from '../code/opcodes.ts';
import { toBigint } from '../run/evaluate.ts';
import * as text from './generate-text-64.ts';

const WORDS = [0, 1, 2, 7, 31, 32, 33, 63, 64, 2 ** 16, 2 ** 31 - 1, -(2 ** 31), -1, -2, -4096];
const VALUES = WORDS.flatMap((high) => WORDS.map((low) => [low, high] as const));
const A = { low: 'a', high: 'A' };
const B = { low: 'b', high: 'B' };

type Words = readonly [number, number];

/** Runs the text of both words as generated code does, on words of an `Int32Array`. */
function run(lines: readonly string[], low: string, high: string): (a: Words, b: Words) => bigint {
  const body = `const w = new Int32Array(2); ${lines.join(' ')} w[0] = ${low}; w[1] = ${high}; return w;`;
  const compute = new Function('a', 'A', 'b', 'B', body) as (...words: number[]) => Int32Array;
  return (a, b) => {
    const words = compute(...a, ...b);
    return toBigint(words[0]!, words[1]!);
  };
}

function generated(name: string, constant?: bigint): ((a: Words, b: Words) => bigint) | undefined {
  const lines: string[] = [];
  const found = text.binary64(name, A, B, constant, (expression) => {
    lines.push(`const v${lines.length} = ${expression};`);
    return `v${lines.length - 1}`;
  });
  return found === undefined ? undefined : run(lines, ...found);
}

const integers = [...BINARY_OPERATORS.entries()].filter(([, name]) => !name.startsWith('f'));

describe('64-bit integers in two words', () => {
  it.each(integers)('have the results of the interpreter for operator %i, %s', (operator, name) => {
    let compared = 0;
    const wrong: unknown[] = [];
    for (const b of VALUES) {
      const compute = generated(name, toBigint(...b)) ?? generated(name);
      if (compute === undefined) continue;
      for (const a of VALUES) {
        if (compute(a, b) !== arithmetic.binary64(operator, toBigint(...a), toBigint(...b))) wrong.push([a, b]);
        compared++;
      }
    }
    expect(wrong).toEqual([]);
    expect(compared > 0).toBe(!/div|rem|scale|displace/.test(name));
  });

  it.each([...PREDICATES.entries()].filter(([, name]) => !name.startsWith('f')))(
    'compare as in the interpreter for predicate %i, %s',
    (predicate) => {
      const holds = new Function('a', 'A', 'b', 'B', `return ${text.compare64(predicate, A, B)} ? 1 : 0;`);
      const wrong = VALUES.flatMap((a) =>
        VALUES.filter((b) => holds(...a, ...b) !== arithmetic.compare64(predicate, toBigint(...a), toBigint(...b))),
      );
      expect(wrong).toEqual([]);
    },
  );

  it('are addresses only where the upper word says so', () => {
    const compute = new Function('a', 'A', `return ${text.addressText(A)};`);
    for (const [low, high] of VALUES) expect(compute(low, high)).toBe(arithmetic.addressOf(low, high));
    expect(arithmetic.addressOf(4096, 0)).toBe(4096);
    expect(arithmetic.addressOf(4096, 1)).toBe(arithmetic.NO_ADDRESS);
    expect(arithmetic.addressOf(-16, -1)).toBe(-16);
    expect(arithmetic.addressOf(-16, 0)).toBe(arithmetic.NO_ADDRESS);
  });
});
