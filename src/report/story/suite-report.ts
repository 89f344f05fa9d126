/** Compares the result of a program with what was expected of it. */
import type { CheckReport, SuiteReport } from '../schema.ts';

export function reportExpected(
  result: CheckReport,
  { place, expected, options }: Pick<SuiteReport, 'place' | 'expected' | 'options'>,
): SuiteReport {
  const outcome = outcomeOf(result, expected);
  return { ...result, ...(options === undefined ? {} : { options }), place, expected, outcome };
}

function outcomeOf(
  { verdict, error, otherErrors = [] }: CheckReport,
  expected: SuiteReport['expected'],
): SuiteReport['outcome'] {
  if (verdict === 'inconclusive') return 'inconclusive';
  const found: readonly string[] = [verdict, ...[error, ...otherErrors].flatMap((e) => e?.kind ?? [])];
  return found.includes(expected) ? 'as expected' : 'unexpected';
}
