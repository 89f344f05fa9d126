/** Signals that threads send to themselves; manual/signal-flags.c tests what handlers see, too. */
import { describe, expect, it } from 'vitest';
import { check, compileC, enumerate, MODELS, runAlone, verdict } from '../../support/c.ts';

const HEAD =
  '#include <assert.h>\n#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n' +
  '#include <string.h>\n#include <unistd.h>\nstatic int order[8], count;\n' +
  'static void handle(int signal) { order[count++] = signal; }\n' +
  'static void print(void) { for (int i = 0; i < count; i++) printf("%d ", order[i]); }\n';

const main = (...lines: readonly string[]): string => `${HEAD}int main(void) {\n${lines.join('\n')}\n}\n`;

describe('a signal', () => {
  it.each([
    ['SIGTERM', 'killed by SIGTERM'],
    ['SIGKILL', 'killed by SIGKILL'],
    ['SIGRTMIN', 'killed by a signal'],
    ['SIGABRT', 'abort called'],
  ])('without a handler is an error where it is sent: %s', async (name, message) => {
    const result = check(await compileC(main('', `  raise(${name});`)), 'sc');
    expect(result).toMatchObject({ errors: [{ error: { kind: 'assertion', message, line: 13 } }] });
  });

  it.each([['raise(SIGCHLD)'], ['kill(getpid(), SIGURG)'], ['pthread_kill(pthread_self(), 0)'], ['raise(0)']])(
    'that does nothing is no error: %s',
    async (send) => {
      expect(verdict(check(await compileC(main(`  assert(${send} == 0);`)), 'sc'))).toBe('verified');
    },
  );

  it.each([
    ['pthread_kill of another thread', 'pthread_kill(t, SIGUSR1)'],
    ['kill of another process', 'kill(getppid(), SIGUSR1)'],
    ['a signal that stops the program', 'raise(SIGSTOP)'],
  ])('that is not modelled is no answer: %s', async (what, send) => {
    const text = `${HEAD}static void *wait(void *p) { return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  ${send};
  pthread_join(t, 0);
}
`;
    expect(check(await compileC(text), 'sc')).toMatchObject({
      verdict: { kind: 'inconclusive' },
      bounds: [expect.stringMatching(new RegExp(`not modelled \\(${what}, .*test\\.c:15:3`))],
    });
  });

  it.each([
    ['a handler', 'signal(2, handle);', 'kill(getpid(), 2);', 'kill of a program with several threads'],
    ['no handler that could run', '', 'signal(2, SIG_IGN); kill(getpid(), 2);', undefined],
    ['a thread that blocks it', '', 'block(); kill(getpid(), 2);', 'kill of a program with several threads'],
    [
      'a thread that ignores it while another has it pending',
      'signal(2, handle);',
      'block(); raise(2); signal(2, SIG_IGN); signal(2, handle); raise(2); unblock();',
      'a pending signal that another thread may have discarded',
    ],
  ])('of several threads is right, or no answer: %s', async (_, before, body, refused) => {
    const text = `${HEAD}static sigset_t set;
static void block(void) { pthread_sigmask(SIG_BLOCK, &set, 0); }
static void unblock(void) { pthread_sigmask(SIG_UNBLOCK, &set, 0); }
static void *other(void *p) { return p; }
int main(void) { pthread_t t; sigaddset(&set, 2); ${before} pthread_create(&t, 0, other, 0); ${body} pthread_join(t, 0); }
`;
    const { verdict, bounds } = check(await compileC(text), 'sc');
    expect(verdict.kind).toBe(refused === undefined ? 'verified' : 'inconclusive');
    if (refused !== undefined) expect(bounds).toEqual([expect.stringContaining(`not modelled (${refused}`)]);
  });

  it.each([
    ['handled at once, again and again', 'signal(2, handle); raise(2); raise(2);', '2 2 '],
    ['ignored', 'signal(2, SIG_IGN); raise(2); assert(signal(2, handle) == SIG_IGN);', ''],
    [
      'handled once',
      'struct sigaction a = {.sa_handler = handle, .sa_flags = SA_RESETHAND};' +
        'sigaction(17, &a, 0); raise(17); raise(17);',
      '17 ',
    ],
    [
      'blocked',
      'signal(2, handle); sigprocmask(SIG_BLOCK, &set, 0); raise(2); raise(2); assert(count == 0);' +
        'sigprocmask(SIG_UNBLOCK, &set, 0);',
      '2 ',
    ],
    [
      'dropped',
      'signal(2, handle); sigprocmask(SIG_BLOCK, &set, 0); raise(2); signal(2, SIG_IGN); signal(2, handle);' +
        'sigprocmask(SIG_UNBLOCK, &set, 0);',
      '',
    ],
  ])('is %s', async (_, body, printed) => {
    const text = main('  sigset_t set;', '  sigemptyset(&set);', '  sigaddset(&set, 2);', `  ${body}`, '  print();');
    expect(runAlone(await compileC(text))).toBe(printed);
  });

  it('waits while its own handler runs, unless it must not', async () => {
    const text = (flags: string): string =>
      `${HEAD}static void again(int s) { order[count++] = 1; if (count == 1) raise(s); order[count++] = 2; }\n` +
      `int main(void) {\n  struct sigaction a = {.sa_handler = again, .sa_flags = ${flags}};\n` +
      '  sigaction(SIGUSR1, &a, NULL);\n  raise(SIGUSR1);\n  print();\n}\n';
    expect(runAlone(await compileC(text('0')))).toBe('1 2 1 2 ');
    expect(runAlone(await compileC(text('SA_NODEFER')))).toBe('1 1 2 2 ');
  });
});

describe('abort', () => {
  const text = (body: string): string =>
    `${HEAD}static void last(int s) { (void)s; ${body} }\nint main(void) {\n  signal(SIGABRT, last);\n  abort();\n}\n`;

  it('runs the handler, which may end the program', async () => {
    expect(verdict(check(await compileC(text('_exit(0);')), 'sc'))).toBe('verified');
  });

  it('is an error when the handler returns', async () => {
    const result = check(await compileC(text('count = 1;')), 'sc');
    expect(result).toMatchObject({ errors: [{ error: { message: 'abort called', line: 14 } }] });
  });

  it('may come before another thread installs the handler, or after it', async () => {
    const racing = `${HEAD}static void last(int s) { (void)s; _exit(0); }
static void *install(void *p) { signal(SIGABRT, last); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, install, 0);
  abort();
}
`;
    for (const strategy of ['optimal', 'exhaustive'] as const)
      expect(check(await compileC(racing), 'sc', { strategy }).verdict.kind).toBe('violation');
  });
});

it('a created thread inherits the mask, and does not change its creator’s', async () => {
  const text = `${HEAD}static void *child(void *p) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, 0, &mask);
  assert(sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGINT) == 0);
  raise(SIGTERM);
  assert(sigpending(&mask) == 0 && sigismember(&mask, SIGTERM) == 1);
  return p;
}
static void *free_child(void *p) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, 0, &mask);
  assert(sigismember(&mask, SIGTERM) == 0);
  return p;
}
int main(void) {
  pthread_t t;
  sigset_t mask;
  pthread_create(&t, 0, free_child, 0);
  sigemptyset(&mask);
  sigaddset(&mask, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &mask, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, child, 0);
  pthread_join(t, 0);
  sigpending(&mask);
  assert(sigismember(&mask, SIGTERM) == 0);
}
`;
  const program = await compileC(text);
  expect(verdict(check(program, 'sc', { strategy: 'optimal' }))).toBe('verified');
  expect(verdict(check(program, 'tso', { strategy: 'optimal' }))).toBe('verified');
});

it.each(['raise(SIGUSR1)', 'signal(SIGUSR2, nothing)'])('%s is not a fence', async (call) => {
  const text = `${HEAD}int x, y, a, b;
static void nothing(int s) { (void)s; }
static void *first(void *p) { x = 1; ${call}; a = y; return p; }
static void *second(void *p) { y = 1; ${call}; b = x; return p; }
int main(void) {
  pthread_t t, u;
  signal(SIGUSR1, nothing);
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
`;
  const program = await compileC(text);
  const canBothBeZero = MODELS.map((model) => enumerate(program, model, ['a', 'b']).outcomes.includes('0 0'));
  expect(canBothBeZero).toEqual([false, true, true]);
});
