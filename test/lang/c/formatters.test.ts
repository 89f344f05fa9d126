/**
 * `printf` and `snprintf` print generated values with generated formats like this machine's C library (decision 19).
 */
import { describe, expect, it } from 'vitest';
import { Machine } from '../../../src/machine/machine.ts';
import { Prng } from '../../../src/util/prng.ts';
import { check, compileC, outputOf, runAlone } from '../../support/c.ts';
import { mayCompare, runNatively } from '../../support/native.ts';
import { SEED, samples } from '../../support/tier.ts';

const INTEGERS = ['0', '1', '-1', '42', '-12345', '2147483647', '(-2147483647 - 1)'];
const WIDE = [
  ...INTEGERS.map((value) => `(long long)${value}`),
  '9223372036854775807LL',
  '(-9223372036854775807LL - 1)',
];
const DOUBLES = [
  ...[
    '0.0',
    '-0.0',
    '1.0',
    '-2.5',
    '0.1',
    '0.5',
    '1.5',
    '9.5',
    '0.00012345',
    '999999.5',
    '123456.789',
    '1e300',
    '5e-324',
  ],
  ...['1e-7', '1e22', '1.7976931348623157e308', '__builtin_inf()', '-__builtin_inf()', '__builtin_nan("")'],
];
const STRINGS = ['""', '"a"', '"hello"', 'word'];

/** A format with one conversion, and its arguments. */
function makeCase(prng: Prng): readonly [format: string, args: string] {
  const pick = <T>(list: readonly T[]): T => list[prng.below(list.length)]!;
  const [conversion, values] = pick<readonly [string, readonly string[]]>([
    [pick(['d', 'i', 'u', 'x', 'X', 'o']), INTEGERS],
    [pick(['hd', 'hhd', 'hhu', 'hx']), INTEGERS],
    [pick(['ld', 'zd', 'td']), INTEGERS.map((value) => `(long)${value}`)],
    [pick(['lld', 'llu', 'llx', 'jo']), WIDE],
    [pick(['f', 'F', 'e', 'E', 'g', 'G', 'a', 'A']), DOUBLES],
    ['s', STRINGS],
    ['c', ["'a'", "'%'"]],
  ]);
  const isText = conversion === 's' || conversion === 'c';
  const flags = ['-', ...(isText ? [] : ['+', ' ', '0', ...(/[xXoaAefgEFG]$/.test(conversion) ? ['#'] : [])])];
  const chosen = flags.filter(() => prng.below(4) === 0).join('');
  const width = pick(['', '', '1', '6', '12', '40', '*']);
  const precision = conversion === 'c' ? '' : pick(['', '', '.', '.0', '.1', '.3', '.10', '.35', '.*']);
  const stars = [width, precision].filter((part) => part.endsWith('*')).map(() => pick(['0', '3', '9', '-1', '-12']));
  return [`%${chosen}${width}${precision}${conversion}`, [...stars, pick(values)].join(', ')];
}

/** Longer than any piece. */
const LONG: readonly (readonly [format: string, args: string])[] = [
  ['%.300f', '0.1'],
  ['%.1074f', '5e-324'],
  ['%f', '-1.7976931348623157e308'],
  ['%.1200e', '0.5'],
  ['%#.1200g', '0.5'],
  ['%.1200g', '0.1'],
  ['%.1200a', '-0.5'],
  ['%1500d', '-1'],
  ['%-1500d', '-1'],
  ['%01500d', '-1'],
  ['%#01500x', '255'],
  ['%.1500d', '-1'],
  ['%1500s', '"hello"'],
  ['%-1500s', 'word'],
  ['%100c', "'a'"],
];

function programOf(cases: readonly (readonly [format: string, args: string])[]): string {
  const lines = cases.flatMap(([format, args]) => [
    `  printf("[${format}%n] %%\\n", ${args}, &count);`,
    '  printf("%d\\n", count);',
    `  printf("%d ", snprintf(buffer, sizeof buffer, "[${format}] %%", ${args}));`,
    '  puts(buffer);',
    `  snprintf(buffer, 9, "${format}", ${args});`,
    '  puts(buffer);',
  ]);
  return (
    '#include <stdio.h>\nstatic char word[] = "a word";\nstatic char buffer[2000];\n' +
    `int main(void) {\n  int count;\n${lines.join('\n')}\n}\n`
  );
}

describe.runIf(mayCompare)('printf prints as the C library does', () => {
  it.each([
    ['generated formats', Array.from({ length: samples(60) }, (_, i) => makeCase(new Prng(SEED, i)))],
    ['long ones', LONG],
  ])('%s', async (_, cases) => {
    const source = programOf(cases);
    const shown = (text: string): string[] => {
      const lines = text.split('\n');
      return cases.map(([format, args], i) => `${format}, ${args}: ${lines.slice(4 * i, 4 * i + 4).join(' ')}`);
    };
    expect(shown(runAlone(await compileC({ 'generated.c': source })))).toEqual(shown(runNatively(source)));
  });
});

it.each([
  ['"%y"', /printf conversion not modelled \(%y, .*test\.c:4:3/],
  ['"100%"', /printf conversion not modelled \(%, .*test\.c:4:3/],
  ['"%.200000f", 1.0', /not modelled \(printing a number with more than 100,000 digits, .*test\.c:4:3/],
])('refuses %s, in both', async (given, message) => {
  for (const call of [`printf(${given})`, `snprintf(buffer, 9, ${given})`]) {
    const program = await compileC(`#include <stdio.h>\nstatic char buffer[9];\nint main(void) {\n  ${call};\n}\n`);
    const result = check(program, 'sc');
    expect(result.verdict.kind).toBe('inconclusive');
    expect(result.bounds.join()).toMatch(message);
  }
});

it('a call is one output, when it ends, whoever prints in between', async () => {
  const program = await compileC(
    '#include <pthread.h>\n#include <stdio.h>\nstatic char text[] = "ab", rest[] = "\\xa4", own[] = "other";\n' +
      'static void *other(void *p) { puts(own); return p; }\n' +
      'int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, other, 0);\n' +
      '  printf("<%s%c%s>", text, 0xc3, rest);\n  pthread_join(t, 0);\n}\n',
  );
  const machine = new Machine(program, 'sc');
  const seen = new Set<string>();
  // The other thread prints after `before` steps of the first.
  for (let before = 1; before < 9; before++) {
    machine.rollback(0);
    for (let depth = 0; machine.enabled() > 0; depth++) {
      machine.step(machine.steps.get(depth < before ? 0 : machine.steps.length - 1));
    }
    expect(machine.printer.output.map(({ text }) => text).toSorted()).toEqual(['<ab\u00e4>', 'other\n']);
    seen.add(outputOf(machine));
  }
  expect([...seen].toSorted()).toEqual(['<ab\u00e4>other\n', 'other\n<ab\u00e4>']);
});
