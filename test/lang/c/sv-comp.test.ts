/** Functions that SV-COMP's programs define themselves, but whose names have a special meaning. */
import { describe, expect, it } from 'vitest';
import { check, compileC, MODELS, verdict } from '../../support/c.ts';

const DECLARATIONS = 'extern void abort(void); _Bool __VERIFIER_nondet_bool(void); void reach_error(void);\n';
const ASSUME = 'void assume_abort_if_not(int cond) { if (!cond) { abort(); } }\n';
const MAIN =
  'int main(void) { int x = __VERIFIER_nondet_bool(); assume_abort_if_not(x == 1); if (x != 1) reach_error(); return 0; }';

const answers = async (source: string): Promise<readonly string[]> => {
  const program = await compileC(DECLARATIONS + source);
  const found = MODELS.map((model) => verdict(check(program, model, { strategy: 'optimal' })));
  return [...new Set(found)];
};

describe('assume_abort_if_not', () => {
  it.each([
    ['as SV-COMP has it', ASSUME + MAIN],
    ['static', `static ${ASSUME}${MAIN}`],
    ['of a _Bool', ASSUME.replace('int cond', '_Bool cond') + MAIN],
    ['declared only', `void assume_abort_if_not(int);\n${MAIN}`],
  ])('is an assumption: %s', async (_, source) => expect(await answers(source)).toEqual(['verified']));

  it.each([
    ['of another name', ASSUME.replace('assume_abort', 'abort_assume') + MAIN.replace('assume_abort', 'abort_assume')],
    ['with another result', ASSUME.replace('void', 'int').replace('} }', '} return 0; }') + MAIN],
    [
      'in a function that it calls',
      `static void quit(void) { abort(); }\n${ASSUME.replace('abort()', 'quit()')}${MAIN}`,
    ],
  ])('is none, and abort an error: %s', async (_, source) =>
    expect(await answers(source)).toEqual(['assertion: abort called']),
  );

  it('does what its body says if that is not an abort', async () => {
    expect(await answers(`void assume_abort_if_not(int cond) { (void)cond; }\n${MAIN}`)).toEqual([
      'assertion: reach_error()',
    ]);
    expect(await answers(`static void abort_(void) { }\n${ASSUME.replace('abort()', 'abort_()')}${MAIN}`)).toEqual([
      'assertion: reach_error()',
    ]);
  });
});

describe('reach_error', () => {
  const CALL = 'int main(void) { if (__VERIFIER_nondet_bool()) reach_error(); return 0; }';
  it.each([
    ['that returns', `void reach_error(void) { }\n${CALL}`, 'assertion: reach_error()'],
    ['that returns, declared as in old C', `void reach_error() { }\n${CALL}`, 'assertion: reach_error()'],
    ['that asserts', `#include <assert.h>\nvoid reach_error(void) { assert(0); }\n${CALL}`, 'assertion: 0'],
    ['that is not called', 'void reach_error(void) { }\nint main(void) { return 0; }', 'verified'],
  ])('has its verdict if it is one %s', async (_, source, says) => expect(await answers(source)).toEqual([says]));

  it('with a parameter is an ordinary function', async () => {
    const source = 'static void reach_error(int x) { (void)x; }\nint main(void) { reach_error(1); return 0; }';
    const program = await compileC(source);
    expect(verdict(check(program, 'sc', { strategy: 'optimal' }))).toBe('verified');
  });
});
