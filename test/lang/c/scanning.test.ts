/** sscanf reads and writes shared memory like any other code; manual/config-parser.c tests its results, too. */
import { describe, expect, it } from 'vitest';
import { check, compileC, MODELS, runAlone, verdict } from '../../support/c.ts';

const HEAD =
  '#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdint.h>\n#include <stdio.h>\n' +
  '#include <string.h>\n';

/** The result and effect of `call`, with an int `x`, a double `d` and a text `s` to write to. */
const scanned = async (call: string): Promise<string> =>
  runAlone(
    await compileC(
      `${HEAD}int main(void) {\n  int x = -7;\n  double d = -7;\n  char s[16] = "none";\n` +
        `  int r = ${call};\n  printf("%d %d %g %s", r, x, d, s);\n}\n`,
    ),
  );

describe('sscanf', () => {
  it.each([
    ['sscanf("  -12x", "%d", &x)', '1 -12 -7 none'],
    ['sscanf("12345", "%3d", &x)', '1 123 -7 none'],
    ['sscanf("0x1f", "%i", &x)', '1 31 -7 none'],
    ['sscanf("089", "%i", &x)', '1 0 -7 none'],
    ['sscanf("0xz", "%x", &x)', '0 -7 -7 none'],
    ['sscanf("-", "%d", &x)', '0 -7 -7 none'],
    ['sscanf("", "%d", &x)', '-1 -7 -7 none'],
    ['sscanf("   ", "%s", s)', '-1 -7 -7 none'],
    ['sscanf("a 5", "a%d", &x)', '1 5 -7 none'],
    ['sscanf("b5", "a%d", &x)', '0 -7 -7 none'],
    ['sscanf("5%", "%d%%%n", &x, &x)', '1 2 -7 none'],
    ['sscanf("5 6", "%*d%d", &x)', '1 6 -7 none'],
    ['sscanf("1e2", "%lf", &d)', '1 -7 100 none'],
    ['sscanf("100ergs", "%lf", &d)', '0 -7 -7 none'],
    ['sscanf("12.75", "%4lf", &d)', '1 -7 12.7 none'],
    ['sscanf("-infinity", "%lf", &d)', '1 -7 -inf none'],
    ['sscanf("0x1.8p3", "%la", &d)', '1 -7 12 none'],
    ['sscanf("abc123", "%[a-c]%d", s, &x)', '2 123 -7 abc'],
    ['sscanf("]-x", "%[]-]", s)', '1 -7 -7 ]-'],
    ['sscanf("key=value;", "%*[^=]=%[^;]", s)', '1 -7 -7 value'],
    ['sscanf("hello", "%3s%n", s, &x)', '1 3 -7 hel'],
    ['sscanf("ab", "%2c", s)', '1 -7 -7 abne'],
    ['sscanf("99999999999999999999", "%*d%n", &x)', '0 20 -7 none'],
    ['scanf("%d", &x) + getchar() + fgetc(stdin)', '-3 -7 -7 none'],
    ['fgets(s, 16, stdin) == NULL && feof(stdin) && !ferror(stdin)', '1 -7 -7 none'],
  ])('scans as C says: %s', async (call, left) => {
    expect(await scanned(call)).toBe(left);
  });

  it('stores as many bytes as requested', async () => {
    const text = `${HEAD}int main(void) {
  struct { signed char hh, after_hh; short h, after_h; long long ll; float f; } v = {0, 1, 0, 2, 3, 4};
  assert(sscanf("-1 -2 12345678901 0.5", "%hhd %hd %lld %f", &v.hh, &v.h, &v.ll, &v.f) == 4);
  assert(v.hh == -1 && v.after_hh == 1 && v.h == -2 && v.after_h == 2 && v.ll == 12345678901 && v.f == 0.5f);
}
`;
    expect(verdict(check(await compileC(text), 'sc'))).toBe('verified');
  });

  it('reads text that another thread writes, character by character', async () => {
    const text =
      `${HEAD}static char text[4];\nstatic atomic_int ready;\n` +
      "static void *write(void *p) { text[0] = '7'; atomic_store_explicit(&ready, 1, memory_order_relaxed); return p; }\n" +
      'int main(void) {\n  pthread_t t;\n  int x;\n  pthread_create(&t, 0, write, 0);\n' +
      '  if (atomic_load_explicit(&ready, memory_order_relaxed)) assert(sscanf(text, "%d", &x) == 1);\n}\n';
    const program = await compileC(text);
    const kinds = MODELS.map((model) => check(program, model, { strategy: 'optimal' }).verdict.kind);
    expect(kinds).toEqual(['verified', 'verified', 'violation']);
  });

  it.each([
    ['the text', 'text[0] = 1;', 'int x; sscanf(text, "%d", &x);'],
    ['the result', 'number = 1;', 'sscanf("5", "%d", &number);'],
    ['a string', 'text[1] = 1;', 'sscanf("hello", "%3s", text);'],
    ['the count', 'number = 1;', 'sscanf("hello", "%*s%n", &number);'],
  ])('races with who writes %s', async (_, theirs, ours) => {
    const text =
      `${HEAD}static char text[8];\nstatic int number;\nstatic void *write(void *p) { ${theirs} return p; }\n` +
      `int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, write, 0);\n  ${ours}\n  pthread_join(t, 0);\n` +
      '  return number + text[0];\n}\n';
    const result = check(await compileC(text), 'sc', { strategy: 'optimal', races: true });
    expect(result).toMatchObject({
      errors: [{ error: { kind: 'race', message: expect.stringMatching(/test\.c:13:/) } }],
    });
  });

  it('writes no further than the width allows', async () => {
    const text = `${HEAD}int main(void) {\n  char small[4];\n  sscanf("hello", "%s", small);\n  return small[0];\n}\n`;
    expect(check(await compileC(text), 'sc')).toMatchObject({ errors: [{ error: { kind: 'memory', line: 9 } }] });
  });

  it('has no wide characters', async () => {
    const text = `${HEAD}int main(void) {\n  int wide[4];\n  return sscanf("hello", "%ls", wide);\n}\n`;
    expect(check(await compileC(text), 'sc')).toMatchObject({
      verdict: { kind: 'inconclusive' },
      bounds: [expect.stringMatching(/not modelled \(a conversion of scanf.*test\.c:9:10/)],
    });
  });
});
