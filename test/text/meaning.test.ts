/** What verdicts under several models mean together. */
import { expect, it } from 'vitest';
import type { CheckReport } from '../../src/report/schema.ts';
import { printMeaning } from '../../src/report/writers/meaning.ts';

function result(model: string, verdict: CheckReport['verdict'], kind?: 'race' | 'assertion'): CheckReport {
  return {
    file: 'a.c',
    model,
    verdict,
    how: 'explored',
    executions: 1,
    blocked: 0,
    robust: null,
    seconds: 0,
    bounds: verdict === 'inconclusive' ? ['not modelled: something'] : [],
    warnings: [],
    ...(kind === undefined ? {} : { error: { kind, message: '', schedule: '' } }),
  };
}

const [sc, tso, pso] = [result('sc', 'verified'), result('tso', 'verified'), result('pso', 'verified')];

it.each<[readonly CheckReport[], string]>([
  [
    [sc, tso, pso, result('rc11', 'violation', 'race')],
    'Right on x86 and SPARC; in C11 a data race: the compiler or an ARM machine may break it.',
  ],
  [
    [sc, tso, result('pso', 'violation', 'assertion'), result('rc11', 'violation', 'assertion')],
    'Right on x86, wrong under pso; in C11 wrong: the compiler or an ARM machine may break it.',
  ],
  [[sc, result('rc11', 'violation', 'race')], 'In C11 a data race: the compiler or an ARM machine may break it.'],
  [
    [sc, tso, pso, result('rc11', 'verified')],
    'Right on every machine and with every compiler, load buffering aside (docs/arm.md).',
  ],
  [[sc, tso, pso, result('rc11', 'inconclusive')], 'Right on x86 and SPARC; open in C11, and so on ARM.'],
  [
    [result('sc', 'violation', 'assertion'), result('rc11', 'violation', 'assertion')],
    'Wrong everywhere, whatever the memory model.',
  ],
])('the last line says what the verdicts mean together (case %#)', (results, sentence) => {
  const lines = printMeaning(results);
  expect(lines.at(-1)).toBe(`  ${sentence}`);
  expect(lines).toHaveLength(results.length + 2);
});

it('says nothing without the language, or of it alone', () => {
  expect(printMeaning([sc, tso, pso])).toEqual([]);
  expect(printMeaning([result('rc11', 'verified')])).toEqual([]);
});
