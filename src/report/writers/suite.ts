/** The text of `check --suite`: a table of programs and models, then every unexpected result. */
import { modelNames } from '../../models/index.ts';
import type { SuiteCommandReport, SuiteReport } from '../schema.ts';
import { alignColumns, plural, printable } from '../text.ts';
import { DEFAULT_PRINT, type PrintOptions, printCheck } from './check.ts';
import { wrap } from './columns.ts';

export function printSuite(report: SuiteCommandReport, options: PrintOptions = DEFAULT_PRINT): string {
  const details = rowsOf(report.results).flatMap((row) => {
    const unexpected = row.filter(({ outcome }) => outcome === 'unexpected');
    if (unexpected.length === 0) return [];
    const texts = unexpected.map((result) => `${placeText(result)}: ${expectationText(result)}`);
    return [
      '',
      ...texts.flatMap((text) => wrap(printable(text), options.width, '  ')),
      printCheck(unexpected, options),
    ];
  });
  return [...printSuiteTable(report), ...details, '', summaryText(report)].join('\n');
}

/** One line per program; an unexpected answer is followed by the expected one. */
function printSuiteTable({ results }: Pick<SuiteCommandReport, 'results'>): readonly string[] {
  const models = modelNames().filter((model) => results.some((result) => result.model === model));
  const lines = rowsOf(results).map((row) => [
    printable(nameOf(row[0]!)),
    ...models.map((model) =>
      row
        .filter((result) => result.model === model)
        .map(answerText)
        .join(),
    ),
  ]);
  return alignColumns([['', ...models], ...lines]);
}

/** `expected verified under tso, found a violation: assertion`. */
export function expectationText({ expected, model, verdict, error, outcome, bounds }: SuiteReport): string {
  const found = error === undefined ? verdict : `${verdict}: ${error.kind}`;
  const why = outcome === 'inconclusive' ? ` (${bounds.join('; ')})` : '';
  return `expected ${expected} under ${model}, found ${found}${why}`;
}

/** The program with its options. */
export function nameOf({ file, options }: SuiteReport): string {
  return options === undefined ? file : `${file} ${options}`;
}

function placeText({ place: { file, line } }: SuiteReport): string {
  return `${file}:${line}`;
}

/** The results of each program, in the order of the suite. */
function rowsOf(results: readonly SuiteReport[]): readonly (readonly SuiteReport[])[] {
  const rows = new Map<string, SuiteReport[]>();
  for (const result of results) {
    const key = `${placeText(result)} ${nameOf(result)}`;
    rows.set(key, [...(rows.get(key) ?? []), result]);
  }
  return [...rows.values()];
}

/** What was found and, if something else was expected, that too. */
export function answerText(result: SuiteReport): string {
  const { outcome, verdict, error, expected } = result;
  const found = error?.kind ?? verdict;
  return outcome === 'unexpected' ? `${found}, not ${expected}` : found;
}

function summaryText({ results, problems }: SuiteCommandReport): string {
  const count = (outcome: SuiteReport['outcome']): number => results.filter((r) => r.outcome === outcome).length;
  const parts = [
    `${count('as expected')} of ${plural(results.length, 'verdict')} as expected`,
    ...(count('unexpected') > 0 ? [`${count('unexpected')} not`] : []),
    ...(count('inconclusive') > 0 ? [`${count('inconclusive')} inconclusive`] : []),
    ...(problems.length > 0 ? [plural(problems.length, 'problem')] : []),
  ];
  return `${plural(rowsOf(results).length, 'program')}: ${parts.join(', ')}`;
}
