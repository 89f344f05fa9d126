/** The report's advice against a race: accesses can be made atomic, the beginning or end of an object cannot. */
import { expect, it } from 'vitest';
import type { ErrorReport } from '../../src/report/schema.ts';
import { printFailure } from '../../src/report/writers/check.ts';

const printed = (message: string): string => {
  const error: ErrorReport = { kind: 'race', message, thread: '0.2', schedule: '0*2', steps: 2 };
  return printFailure(error, undefined).join(' ').replaceAll(/\s+/g, ' ');
};

it.each([
  ['m is initialised in thread 0.1 at a.c:1:1 and, unordered with it, used (lock)', 'Order them'],
  ['p->v is read in thread 0.1 at a.c:1:1 and, unordered with it, freed', 'Order them'],
  ['freed is written in thread 0.1 at a.c:1:1 and, unordered with it, read', 'Make the accesses atomic'],
])('the advice fits what raced: %s', (message, advice) => {
  expect(printed(message)).toContain(advice);
});
