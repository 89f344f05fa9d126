/** What programs get from a header of Linux, though no standard says so: the same output as natively. */
import { expect, it } from 'vitest';
import { compileC, runAlone } from '../../support/c.ts';
import { mayCompare, runNatively } from '../../support/native.ts';

const isComparable = mayCompare && process.platform === 'linux';

it.skipIf(!isComparable)('errors have the numbers and texts of Linux', async () => {
  const names = ['ENOTBLK', 'EDQUOT', 'EWOULDBLOCK', 'EDEADLOCK', 'EOPNOTSUPP', 'ENOTSUP', 'EHWPOISON', 'ENOTEMPTY'];
  const source = `#include <errno.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  for (int i = -1; i < 140; i++) printf("%d %s\\n", i, strerror(i));
  printf("${names.map(() => '%d').join(' ')}\\n", ${names.join(', ')});
}
`;
  expect(runAlone(await compileC(source))).toBe(runNatively(source));
});

it.skipIf(!isComparable)('headers define the types that programs expect of them', async () => {
  const types = {
    'stdlib.h': ['ssize_t', 'pid_t', 'u_int', 'u_int32_t', 'int64_t', 'uint', 'fd_set', 'sigset_t'],
    'semaphore.h': ['ssize_t', 'u_char', 'time_t'],
    'unistd.h': ['intptr_t', 'socklen_t', 'ssize_t', 'off_t', 'useconds_t'],
    'sys/types.h': ['dev_t', 'loff_t', 'daddr_t', 'u_quad_t', 'register_t', 'ino_t', 'id_t'],
    'signal.h': ['sigval_t', 'sig_t', 'sighandler_t', 'sigset_t'],
    'time.h': ['timer_t', 'clockid_t', 'pid_t'],
  };
  for (const [header, names] of Object.entries(types)) {
    const sizes = names.map((name) => `(int)sizeof(${name}), (${name} *)0 == 0`).join(', ');
    const source = `#define _GNU_SOURCE
#include <${header}>
int printf(const char *, ...);
int main(void) { printf("${names.map((name) => `${name} %d %d\\n`).join('')}", ${sizes}); }
`;
    expect(runAlone(await compileC(source)), header).toBe(runNatively(source));
  }
});

it('leaves exact unsigned types to the program that only includes stdlib.h', async () => {
  const source =
    '#include <stdlib.h>\n#include <stdio.h>\ntypedef unsigned long long uint64_t;\n' +
    'void raise(int x) { printf("%d", x); }\nint main(void) { uint64_t x = 1; raise((int)x); return 0; }\n';
  expect(runAlone(await compileC(source))).toBe('1');
});

it('formats for scanf match their types', async () => {
  const source = `#include <inttypes.h>
#include <stdio.h>
int main(void) {
  int8_t a; uint16_t b; int64_t c; uintmax_t d; intptr_t e; uint_least8_t f; int_fast16_t g;
  int n = sscanf("-1 2 -3 4 -5 6 -7", "%" SCNd8 " %" SCNu16 " %" SCNi64 " %" SCNuMAX " %" SCNdPTR " %" SCNuLEAST8 " %" SCNdFAST16,
                 &a, &b, &c, &d, &e, &f, &g);
  imaxdiv_t q = imaxdiv(-7, 2);
  printf("%d: %d %d %" PRId64 " %" PRIuMAX " %" PRIdPTR " %d %" PRIdFAST16 " %d %d", n, a, b, c, d, e, f, g, (int)q.quot, (int)q.rem);
}
`;
  const expected = '7: -1 2 -3 4 -5 6 -7 -3 -1';
  expect(runAlone(await compileC(source))).toBe(expected);
  if (isComparable) expect(runNatively(source)).toBe(expected);
});
