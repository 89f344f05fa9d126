/**
 * A report as TAP, version 13: a test per case and unusable input, in one plan. Findings are YAML, in the subset that
 * TAP::Parser reads; executions are comments below it. A violation is `not ok`, inconclusive is `SKIP`: neither passed
 * nor failed.
 */
import type { Report } from '../schema.ts';
import { printable } from '../text.ts';
import { casesOf } from './cases.ts';
import { DEFAULT_PRINT, printWhy } from './check.ts';
import { type ColumnOf, codePointColumns } from './code-points.ts';
import { printStory, wrap } from './columns.ts';
import type { Case, Finding } from './findings.ts';

export function printTap(report: Report): string {
  const columnOf = codePointColumns();
  const tests = [
    ...casesOf(report).map((one) => caseTest(one, columnOf)),
    ...report.problems.map(({ message, ...place }): Test => {
      const yaml = yamlOf([{ kind: 'input', level: 'error', message, ...place }], false, columnOf);
      return { isOk: false, description: place.file, yaml, comments: [] };
    }),
  ];
  return [
    'TAP version 13',
    tests.length === 0 ? '1..0 # SKIP nothing was checked' : `1..${tests.length}`,
    ...tests.flatMap(({ isOk, description, skip, yaml, comments }, i) => [
      `${isOk ? 'ok' : 'not ok'} ${i + 1} - ${escaped(description)}${skip === undefined ? '' : ` # SKIP ${escaped(skip)}`}`,
      ...(yaml.length === 0 ? [] : ['---', ...yaml, '...'].map((line) => `  ${line}`)),
      ...comments.map((line) => `# ${printable(wellFormed(line))}`.trimEnd()),
    ]),
    '',
  ].join('\n');
}

interface Test {
  readonly isOk: boolean;
  readonly description: string;
  /** Why it is neither passed nor failed. */
  readonly skip?: string;
  readonly yaml: readonly string[];
  readonly comments: readonly string[];
}

function caseTest({ file, name, model, verdict, findings, seconds, isRepeated }: Case, columnOf: ColumnOf): Test {
  const what = name.startsWith(file) ? name : `${file}: ${name}`;
  const bounds = findings.filter(({ level }) => level === 'open').map(({ message }) => message);
  return {
    isOk: verdict !== 'violation',
    description: `${what} under ${model}`,
    ...(verdict === 'inconclusive' ? { skip: bounds.join('; ') } : {}),
    yaml: [
      ...(seconds === undefined ? [] : [`duration_ms: ${(seconds * 1000).toFixed(3)}`]),
      ...yamlOf(
        findings.filter(({ level }) => level !== 'open'),
        isRepeated,
        columnOf,
      ),
    ],
    comments: isRepeated ? [] : findings.flatMap(storyOf),
  };
}

type Entry = Omit<Finding, 'kind' | 'level'> & { readonly kind: string; readonly level: string };

function yamlOf(findings: readonly Entry[], isRepeated: boolean, columnOf: ColumnOf): string[] {
  if (findings.length === 0) return [];
  const items = findings.flatMap(({ kind, level, message, file, line, column, id, schedule }) => [
    `- kind: ${quote(kind)}`,
    `  level: ${quote(level)}`,
    `  message: ${quote(message)}`,
    `  file: ${quote(file)}`,
    ...(line === undefined ? [] : [`  line: ${line}`]),
    ...(line === undefined || column === undefined ? [] : [`  column: ${columnOf(file, line, column)}`]),
    ...(id === undefined ? [] : [`  id: ${quote(id)}`]),
    ...(schedule === undefined ? [] : [`  schedule: ${quote(schedule)}`]),
  ]);
  return [
    // What consumers show that know no more of YAML than this.
    `message: ${quote(`${isRepeated ? 'as under sc: ' : ''}${findings[0]!.message}`)}`,
    'findings:',
    ...items.map((line) => `  ${line}`),
  ];
}

function storyOf({ trace }: Finding): readonly string[] {
  if (trace === undefined) return [];
  const why = printWhy(trace).flatMap((text) => wrap(text, DEFAULT_PRINT.width, '  '));
  return [...printStory(trace, DEFAULT_PRINT), ...(why.length === 0 ? [] : ['', ...why])];
}

/** Escapes what would be a directive, and whatever is not text. */
function escaped(text: string): string {
  return printable(wellFormed(text)).replace(/[\\#]/g, '\\$&');
}

/** A double-quoted scalar of YAML: one of JSON whose escapes YAML has, too. */
function quote(text: string): string {
  return JSON.stringify(wellFormed(text)).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Encoding turns lone surrogates, which are not characters, into replacement characters. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
