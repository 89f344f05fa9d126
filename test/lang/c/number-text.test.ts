/** Numbers from text: how many characters are consumed, their values, and errno, as in glibc on x86. */
import { expect, it } from 'vitest';
import { compileC, runAlone } from '../../support/c.ts';

const ERANGE = 34;
const EINVAL = 22;

/** For strtod: the value as %a prints it, the number of characters consumed, errno. */
const DOUBLES: readonly [text: string, value: string, length: number, errno: number][] = [
  ['', '0x0p+0', 0, 0],
  ['-', '0x0p+0', 0, 0],
  ['-x', '0x0p+0', 0, 0],
  [' -.e5', '0x0p+0', 0, 0],
  ['-0', '-0x0p+0', 2, 0],
  ['-0x', '-0x0p+0', 2, 0],
  ['0x.p1', '0x0p+0', 1, 0],
  ['-0x1p', '-0x1p+0', 4, 0],
  ['1e+', '0x1p+0', 1, 0],
  ['1e 5', '0x1p+0', 1, 0],
  ['0e99999999999999999999', '0x0p+0', 22, 0],
  ['1e99999999999999999999', 'inf', 22, ERANGE],
  ['-1e-99999999999999999999', '-0x0p+0', 24, ERANGE],
  ['0x1p-99999999999', '0x0p+0', 16, ERANGE],
  ['nan', 'nan', 3, 0],
  ['-nan', '-nan', 4, 0],
  ['nan()', 'nan', 5, 0],
  ['nan(12)', 'nan', 7, 0],
  ['NAN(a_b9)z', 'nan', 9, 0],
  ['nan(12', 'nan', 3, 0],
  ['nan(1 2)', 'nan', 3, 0],
  ['infinitx', 'inf', 3, 0],
  ['-1e309', '-inf', 6, ERANGE],
  ['0x1.fffffffffffff7fp1023', '0x1.fffffffffffffp+1023', 24, 0],
  ['0x1.fffffffffffff8p1023', 'inf', 23, ERANGE],
  ['2.2250738585072014e-308', '0x1p-1022', 23, 0],
  ['2.2250738585072011e-308', '0x0.fffffffffffffp-1022', 23, ERANGE],
  ['2.22507385850720125e-308', '0x1p-1022', 24, ERANGE],
  ['2.22507385850720138e-308', '0x1p-1022', 24, 0],
  ['-1e-310', '-0x0.012688b70e62bp-1022', 7, ERANGE],
  ['5e-324', '0x0.0000000000001p-1022', 6, ERANGE],
  ['2e-324', '0x0p+0', 6, ERANGE],
  ['0x1p-1074', '0x0.0000000000001p-1022', 9, 0],
  ['0x1p-1075', '0x0p+0', 9, ERANGE],
  ['0x1.8p-1075', '0x0.0000000000001p-1022', 11, ERANGE],
  ['0x1.0000000000001p-1023', '0x0.8p-1022', 23, ERANGE],
  ['0x1.000000000000080000000000000001p0', '0x1.0000000000001p+0', 36, 0],
  ['9007199254740993', '0x1p+53', 16, 0],
];

/** For strtof, which rounds once. */
const FLOATS: readonly [text: string, value: string, length: number, errno: number][] = [
  ['-x', '0x0p+0', 0, 0],
  ['1.00000005960464477539062500001', '0x1.000002p+0', 31, 0],
  ['1.000000059604644775390625', '0x1p+0', 26, 0],
  ['3.4028235e38', '0x1.fffffep+127', 12, 0],
  ['3.4028236e38', 'inf', 12, ERANGE],
  ['0x1.ffffffp127', 'inf', 14, ERANGE],
  ['1e-40', '0x1.16c2p-133', 5, ERANGE],
  ['1.4012984643248171e-45', '0x1p-149', 22, ERANGE],
  ['0x1p-149', '0x1p-149', 8, 0],
  ['7e-46', '0x0p+0', 5, ERANGE],
];

/** For strtol in a base. */
const INTEGERS: readonly [text: string, base: number, value: number | bigint, length: number, errno: number][] = [
  ['12', 1, 0, -1, EINVAL],
  ['12', 37, 0, -1, EINVAL],
  ['12', -2, 0, -1, EINVAL],
  ['-', 10, 0, 0, 0],
  ['- 1', 10, 0, 0, 0],
  ['0x', 16, 0, 1, 0],
  ['-0xg', 0, 0, 2, 0],
  ['08', 0, 0, 1, 0],
  ['z', 36, 35, 1, 0],
  ['-2147483648', 10, -2147483648, 11, 0],
  ['-2147483649', 10, -2147483649, 11, 0],
  ['-9223372036854775808', 10, -9223372036854775808n, 20, 0],
  ['-9223372036854775809', 10, -9223372036854775808n, 20, ERANGE],
  ['99999999999999999999x', 10, 9223372036854775807n, 20, ERANGE],
];

const line = (call: string, text: string, value: string, conversion: string): string =>
  `  { const char *text = ${JSON.stringify(text)}; char *end = (char *)text - 1; errno = 0; ${call};
    printf("${conversion} %d %d\\n", ${value}, (int)(end - text), errno); }\n`;

it('strtod, strtof and strtol read numbers as C says', async () => {
  const source = `#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
${DOUBLES.map(([text]) => line('double d = strtod(text, &end)', text, 'd', '%a')).join('')}
${FLOATS.map(([text]) => line('float f = strtof(text, &end)', text, '(double)f', '%a')).join('')}
${INTEGERS.map(([text, base]) => line(`long n = strtol(text, &end, ${base})`, text, 'n', '%ld')).join('')}
  return 0;
}
`;
  const printed = runAlone(await compileC(source))
    .trimEnd()
    .split('\n');
  const texts = [...DOUBLES, ...FLOATS, ...INTEGERS].map(([text]) => text);
  const wanted = [
    ...DOUBLES.map(([, ...rest]) => rest.join(' ')),
    ...FLOATS.map(([, ...rest]) => rest.join(' ')),
    ...INTEGERS.map(([, , ...rest]) => rest.join(' ')),
  ];
  expect(printed.map((found, i) => `${texts[i]}: ${found}`)).toEqual(wanted.map((found, i) => `${texts[i]}: ${found}`));
});
