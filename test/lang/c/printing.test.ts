/** Printing reads memory like any other access: other threads can write or free it at the wrong time. */
import { describe, expect, it } from 'vitest';
import { E_KIND, LOAD_EVENT, STORE_EVENT } from '../../../src/machine/events/event.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { check, compileC, MODELS, runAlone } from '../../support/c.ts';

const HEAD =
  '#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdint.h>\n#include <stdio.h>\n' +
  '#include <stdlib.h>\n#include <string.h>\n#include <stdalign.h>\n';

const main = (...lines: readonly string[]): string => `${HEAD}int main(void) {\n${lines.join('\n')}\n}\n`;

/** Message passing, where the reader only prints the message. */
const passing = (print: string): string =>
  `${HEAD}static char text[4];\nstatic atomic_int ready;\n` +
  "static void *write(void *p) { text[0] = 'h'; atomic_store_explicit(&ready, 1, memory_order_relaxed); return p; }\n" +
  'int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, write, 0);\n' +
  `  if (atomic_load_explicit(&ready, memory_order_relaxed)) assert(${print});\n  pthread_join(t, 0);\n}\n`;

describe('a string that another thread writes', () => {
  it.each([
    ['printf("%s", text) == 1'],
    ['printf(text) == 1'],
    ['puts(text) == 2'],
    ['fputs(text, stderr) == 1'],
    ['printf("%lld%f%-*.*s|", 1ll, 0.5, 0, 3, text) == 11'],
  ])('is read as late as any load: %s', async (print) => {
    const program = await compileC(passing(print));
    expect(MODELS.map((model) => check(program, model, { strategy: 'optimal' }).verdict.kind)).toEqual([
      'verified',
      'verified',
      'violation',
    ]);
    expect(check(program, 'pso', { strategy: 'exhaustive' }).verdict.kind).toBe('violation');
  });

  it('may be longer by the time it is printed', async () => {
    const text =
      `${HEAD}static char text[8] = "old";\nstatic void *write(void *p) { strcpy(text, "longer"); return p; }\n` +
      'int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, write, 0);\n  assert(printf("%s", text) == 3);\n}\n';
    for (const strategy of ['optimal', 'exhaustive'] as const)
      expect(check(await compileC(text), 'sc', { strategy }).verdict.kind).toBe('violation');
  });

  it('races with that', async () => {
    const text =
      `${HEAD}static char text[8];\nstatic void *write(void *p) { text[0] = 1; return p; }\n` +
      'int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, write, 0);\n  puts(text);\n}\n';
    expect(check(await compileC(text), 'sc', { strategy: 'optimal', races: true })).toMatchObject({
      errors: [{ error: { kind: 'race', message: expect.stringMatching(/test\.c:14:/) } }],
    });
  });
});

it('immutable text is read without a step', async () => {
  const program = await compileC(
    main('char b[8];', 'snprintf(b, sizeof b, "%d-%s", 7, "ab");', "assert(b[3] == 'b');"),
  );
  const machine = new Machine(program, 'sc');
  while (machine.enabled() > 0) machine.step(machine.steps.get(0));
  expect(machine.outcome).toBe('complete');
  const { events } = machine;
  const kinds = Array.from({ length: events.length }, (_, event) => events.get(event, E_KIND));
  expect(kinds.filter((kind) => kind === LOAD_EVENT)).toHaveLength(1);
  expect(kinds.filter((kind) => kind === STORE_EVENT)).toHaveLength(5);
});

it('a string that another thread frees is found, where it is printed', async () => {
  const text =
    `${HEAD}static void *end(void *p) { free(p); return 0; }\n` +
    'int main(void) {\n  pthread_t t;\n  char *text = calloc(1, 8);\n  pthread_create(&t, 0, end, text);\n' +
    '  printf("%s\\n", text);\n  pthread_join(t, 0);\n}\n';
  expect(check(await compileC(text), 'sc', { strategy: 'optimal' })).toMatchObject({
    errors: [{ error: { kind: 'memory', line: 14 } }],
  });
});

it('constants take no steps', async () => {
  const program = await compileC(main('  printf("%s %d\\n", "a constant", 7);'));
  const machine = new Machine(program, 'sc');
  expect([machine.enabled(), machine.outcome]).toEqual([0, 'complete']);
  expect(machine.printer.output).toMatchObject([{ text: 'a constant 7\n' }]);
});

it('a string is read no further than its precision', async () => {
  const program = await compileC(
    main("  char text[3] = {'a', 'b', 'c'};", '  assert(printf("%.3s|%.*s", text, 2, text) == 6);'),
  );
  expect(check(program, 'sc').verdict.kind).toBe('verified');
});

it('widths and results count bytes', async () => {
  const program = await compileC(main('  assert(printf("%5s|", "\u00e9") == 6);'));
  expect(check(program, 'sc').verdict.kind).toBe('verified');
});

it('more than there is room for gives no verdict', async () => {
  const program = await compileC(
    main('  static char text[5000];', "  memset(text, 'a', 4999);", '  return printf("%s", text) < 0;'),
  );
  expect(check(program, 'sc')).toMatchObject({
    verdict: { kind: 'inconclusive' },
    bounds: [expect.stringMatching(/not modelled \(printing more than 4,000 characters of strings.*test\.c:12:/)],
  });
});

it('%n stores the count so far, as the program would', async () => {
  const program = await compileC(
    main(
      '  char text[4] = "dyn", buffer[4];',
      '  int a, b;',
      '  struct { signed char hh; char after; short h; long long ll; } c = {0, 1, 0, -1};',
      '  assert(printf("%d%n %s%hn%*d%%%hhn%n%lld%lln", 42, &a, text, &c.h, 5, 3, &c.hh, &b, 7ll, &c.ll) == 13);',
      '  assert(a == 2 && c.h == 6 && c.hh == 12 && c.after == 1 && b == 12 && c.ll == 13);',
      '  assert(snprintf(buffer, 4, "%s!%n", text, &a) == 4 && a == 4 && !strcmp(buffer, "dyn"));',
    ),
  );
  expect(check(program, 'sc')).toMatchObject({ verdict: { kind: 'verified' }, errors: [] });
  const racy =
    `${HEAD}static int n;\nstatic void *write(void *p) { n = 1; return p; }\n` +
    'int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, write, 0);\n  printf("ab%n", &n);\n}\n';
  expect(check(await compileC(racy), 'sc', { strategy: 'optimal', races: true })).toMatchObject({
    errors: [{ error: { kind: 'race', message: expect.stringMatching(/test\.c:14:/) } }],
  });
});

it.each([
  ['%a|%A', '3.141592653589793', '0x1.921fb54442d18p+1|0X1.921FB54442D18P+1'],
  ['%.0a|%#.0a', '1.5', '0x2p+0|0x2.p+0'],
  ['%.0a|%.3a', '-0.5', '-0x1p-1|-0x1.000p-1'],
  ['%a|%+a', '0.0', '0x0p+0|+0x0p+0'],
  ['%12a|%-12a', '1.0', '      0x1p+0|0x1p+0      '],
  ['%012a|%.1a', '1.99', '0x1.fd70a3d70a3d7p+0|0x2.0p+0'],
  ['%a|%a', '5e-324', '0x0.0000000000001p-1022|0x0.0000000000001p-1022'],
  ['%08a|%08f', '-1.0/0', '    -inf|    -inf'],
])('%s of %s, printed and written', async (format, value, text) => {
  const program = await compileC(
    main(
      '  char b[80];',
      `  snprintf(b, 80, "${format}\\n", ${value}, ${value});`,
      `  printf("${format}\\n%s", ${value}, ${value}, b);`,
    ),
  );
  expect(runAlone(program)).toBe(`${text}\n${text}\n`);
});

it('local variables are aligned', async () => {
  const program = await compileC(
    `${HEAD}static void use(char *p) { assert((uintptr_t)p % 64 == 0); }\n` +
      'int main(int n, char **v) {\n  alignas(64) char a[3], b[3];\n  char c;\n  use(a);\n  use(b);\n  (void)c, (void)v;\n' +
      '  alignas(64) char seen[3];\n  assert((uintptr_t)seen % 64 == 0);\n}\n',
  );
  expect(check(program, 'sc').verdict.kind).toBe('verified');
});
