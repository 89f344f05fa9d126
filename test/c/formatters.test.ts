/** `printf`, which the machine formats, and `snprintf`, which our library formats, give the same text (decision 19). */
import { expect, it } from 'vitest';
import { Prng } from '../../src/util/prng.ts';
import { compileC, runAlone } from '../support/c.ts';
import { SEED, samples } from '../support/tier.ts';

const INTEGERS = ['0', '1', '-1', '42', '-12345', '2147483647', '(-2147483647 - 1)'];
const WIDE = [
  ...INTEGERS.map((value) => `(long long)${value}`),
  '9223372036854775807LL',
  '(-9223372036854775807LL - 1)',
];
const DOUBLES = [
  '0.0',
  '-0.0',
  '1.0',
  '-2.5',
  '0.1',
  '123456.789',
  '1e300',
  '5e-324',
  '1e-7',
  '-1.0 / zero',
  'zero / zero',
];
const STRINGS = ['""', '"a"', '"hello"'];

/** A format with one conversion, and its arguments. */
function makeCase(prng: Prng): readonly [format: string, args: string] {
  const pick = <T>(list: readonly T[]): T => list[prng.below(list.length)]!;
  const [conversion, values] = pick<readonly [string, readonly string[]]>([
    [pick(['d', 'i', 'u', 'x', 'X', 'o']), INTEGERS],
    [pick(['hd', 'hhu', 'ld', 'zu', 'hx']), INTEGERS],
    [pick(['lld', 'llu', 'llx', 'jo']), WIDE],
    [pick(['f', 'F', 'e', 'E', 'g', 'G', 'a']), DOUBLES],
    ['s', STRINGS],
    ['c', ["'a'", "'%'"]],
  ]);
  const isText = conversion === 's' || conversion === 'c';
  const flags = ['-', ...(isText ? [] : ['+', ' ', '0', ...(/[xXoaefgEFG]$/.test(conversion) ? ['#'] : [])])];
  const chosen = flags.filter(() => prng.below(4) === 0).join('');
  const width = pick(['', '', '1', '6', '12', '*']);
  const precision = conversion === 'c' ? '' : pick(['', '', '.0', '.1', '.3', '.10', '.*']);
  const stars = [width, precision].filter((part) => part.endsWith('*')).map(() => pick(['0', '3', '9']));
  return [`%${chosen}${width}${precision}${conversion}`, [...stars, pick(values)].join(', ')];
}

it('on generated formats', async () => {
  const cases = Array.from({ length: samples(60) }, (_, i) => makeCase(new Prng(SEED, i)));
  const lines = cases.flatMap(([format, args]) => [
    `  printf("[${format}]\\n", ${args});`,
    `  snprintf(buffer, sizeof buffer, "[${format}]", ${args});`,
    '  puts(buffer);',
  ]);
  const source = `#include <stdio.h>\nstatic volatile double zero;\nint main(void) {\n  char buffer[1000];\n${lines.join('\n')}\n}\n`;
  const printed = runAlone(await compileC(source))
    .trimEnd()
    .split('\n');
  expect(printed).toHaveLength(2 * cases.length);
  const shown = (which: 0 | 1): string[] =>
    cases.map(([format, args], i) => `${format}, ${args}: ${printed[2 * i + which]}`);
  expect(shown(1)).toEqual(shown(0));
});
