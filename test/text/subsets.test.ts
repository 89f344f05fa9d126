/** What a report says about SC where its verdict follows from that of a larger model. */
import { expect, it } from 'vitest';
import type { CheckReport } from '../../src/report/schema.ts';
import { printCheck } from '../../src/report/writers/check.ts';
import { printMeaning } from '../../src/report/writers/meaning.ts';

const sc = {
  file: 'a.c',
  model: 'sc',
  verdict: 'verified',
  how: 'subset',
  subsetOf: 'tso',
  executions: 1,
  blocked: 0,
  robust: null,
  bounds: [],
  warnings: [],
} as unknown as CheckReport;

it('names the model, and does not claim that sc was explored to its end', () => {
  expect(printCheck([sc])).toBe(
    'a.c under sc: verified: each of its executions is one under tso too (1 execution explored)',
  );
});

it('the table says that it is right', () => {
  const rows = printMeaning([sc, { model: 'rc11', verdict: 'inconclusive', bounds: ['time: 1 s'] }]);
  expect(rows[1]).toMatch(/^ {2}sc .* right$/);
});
