/** Functions called without a prototype, or with a wrong one: called as defined, or refused with the place. */
import { describe, expect, it } from 'vitest';
import { check, compileC, enumerate, refusal, runAlone, verdict } from '../../support/c.ts';

describe('without a prototype', () => {
  it('library functions keep their types', async () => {
    const source = `int main() {
  char text[20], *copy = malloc(4);
  int i = 0;
  printf("%d\\n", i);
  sprintf(text, "%d %s %.1f %lld", 1, "x", 2.5, 1ll << 33);
  puts(text);
  memset(copy, 'a', 3); memcpy(text, copy, 3); text[strlen("abc")] = 0;
  printf("%s|%d\\n", text, strcmp(text, "aaa"));
  free(copy);
  return 0;
}
`;
    expect(runAlone(await compileC(source))).toBe('0\n1 x 2.5 8589934592\naaa|0\n');
  });

  it('threads keep theirs, too', async () => {
    const source = `int x; void *f(void *argument) { x++; return argument; }
int main() { unsigned long t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return x; }`;
    expect(verdict(check(await compileC(source), 'sc', { strategy: 'optimal' }))).toBe('verified');
  });

  it('functions of another file take any number of arguments', async () => {
    const sources = {
      'main.c': 'int r, sum(); int main() { r = sum(3, 1, 2.5, 1ll << 40); return 0; }',
      'sum.c': `#include <stdarg.h>
int sum(int n, ...) {
  va_list list; va_start(list, n);
  int r = va_arg(list, int); r += va_arg(list, double) * 10; r += va_arg(list, long long) >> 34;
  va_end(list); return r;
}`,
    };
    expect(enumerate(await compileC(sources), 'sc', ['r']).outcomes).toEqual(['90']);
  });

  it('a result that is declared and not used is ignored', async () => {
    expect(runAlone(await compileC('void printf(); int main() { free(malloc(1)); printf("a\\n"); return 0; }'))).toBe(
      'a\n',
    );
  });
});

describe('a program is refused', () => {
  const OTHER = 'is called with types that do not match its definition';
  it.each([
    ['pthread_create(&t);', `pthread_create ${OTHER}`],
    ['pthread_create(&t, 0, 0, 0, 5);', `pthread_create ${OTHER}`],
    ['pthread_create(&t, 0, 0, 1.0);', `pthread_create ${OTHER}`],
    ['pthread_create();', 'pthread_create takes 4 arguments, but is called with 0'],
    ['memset();', `memset ${OTHER}`],
    ['memset(b, 0);', `memset ${OTHER}`],
    ['memcpy(b, 1.5, 4);', `memcpy ${OTHER}`],
    ['memcpy(b, b, 1, 2);', `memcpy ${OTHER}`],
    ['double memmove(); memmove(b, b, 1);', `memmove ${OTHER}`],
    ['printf();', 'printf takes 1 arguments, but is called with 0'],
    ['int printf(double); printf(1.5);', `printf ${OTHER}`],
    ['t = free(0);', 'free returns nothing, but its result is used'],
    ['extern int puts; t = puts;', '"puts" is declared as a variable, but is a function'],
    ['int stderr(); stderr();', '"stderr" is declared as a function, but is a variable'],
    ['struct s by_value(); by_value();', 'by_value is called with structures that do not match its definition'],
    ['int take(); take(5);', 'take is called with structures that do not match its definition'],
    ['struct s s; int number(); number(s);', 'number is called with structures that do not match its definition'],
    ['__fencepost_unlock(3.5);', 'the declared parameter type does not match'],
    ['double __fencepost_self(); __fencepost_self();', 'the declared result type does not match'],
  ])('for %s', async (body, reason) => {
    const sources = {
      'a.c': `struct s { int a[5]; };\nint main() { unsigned long t; char b[4];\n  ${body}\n  return 0; }\n`,
      'b.c': `struct s { int a[5]; };
int by_value(void) { return 1; } int take(struct s s) { return s.a[0]; } int number(int n) { return n; }\n`,
    };
    const { message } = await refusal(sources);
    expect(message).toContain(reason);
    expect(message).toMatch(/a\.c:3:\d+: /);
  });

  it.each([
    ['int main(int argc, ...) { return 0; }', 'main'],
    ['struct s { int a[5]; } main(void) { struct s s = {{0}}; return s; }', 'main'],
    ['int start(double x) { return 0; }', 'start'],
    ['int start(int a, char **b, char **c, int d) { return 0; }', 'start'],
  ])('if it begins with %s', async (source, entry) => {
    expect((await refusal(source, { entry })).message).toMatch(/test\.c:1: "\w+" cannot be the start/);
  });
});

it.each([
  'int (*p)() = printf; p("%d\\n", 1);',
  'int (*p)(const char *, int) = (int (*)(const char *, int))printf; p("%d\\n", 1);',
])('a pointer that does not say "...": %s is misuse', async (body) => {
  const program = await compileC(`extern int printf(const char *, ...);\nint main(void) { ${body} return 0; }`);
  expect(verdict(check(program, 'sc'))).toBe(
    'misuse: call through a pointer that is not a function with these parameters',
  );
});

describe('what libuv and liburing name of sockets, processes and Linux', () => {
  const HEAD = `#include <grp.h>
#include <linux/errqueue.h>
#include <linux/ioctl.h>
#include <linux/stat.h>
#include <linux/swab.h>
#include <linux/time_types.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>
`;
  it('is declared, with the numbers of Linux', async () => {
    const source = `${HEAD}#include <assert.h>
struct mmsghdr messages[2]; struct ipv6_mreq group; struct ip_mreq_source source; struct group_source_req request;
int main(void) {
  assert(_IOW('f', 2, long) == 0x40086602 && _IO(0x12, 0) == 0x1200);
  assert(SOL_IP == 0 && SOL_IPV6 == 41 && IP_RECVERR == 11 && IPV6_RECVERR == 25 && PF_PACKET == 17);
  assert(IN_ATTRIB == 4 && IN_MOVE == 0xc0 && POSIX_SPAWN_SETSIGMASK == 8 && __NR_prlimit64 == 302);
  return 0;
}
`;
    expect(verdict(check(await compileC(source), 'sc'))).toBe('verified');
  });

  it.each([
    'setgroups(0, 0)',
    'recvmmsg(0, 0, 0, 0, 0)',
    'lchown("", 0, 0)',
    'posix_spawnattr_init(0)',
    'cfmakeraw(0)',
  ])('is refused when it is called: %s', async (call) => {
    const { verdict: found, bounds } = check(await compileC(`${HEAD}int main(void) { ${call}; }`), 'sc');
    expect([found.kind, bounds]).toEqual(['inconclusive', [expect.stringContaining(call.split('(')[0]!)]]);
  });
});
