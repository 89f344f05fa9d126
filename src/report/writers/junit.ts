/**
 * A report as JUnit XML, which every CI service reads (Jenkins' schema, junit-10): a test suite per input, a test case
 * per memory model, and the table of verdicts as output. A failure contains its execution as text. Inconclusive is
 * `skipped`: neither passed nor failed. Warnings and notes are output. Unusable inputs are errors.
 */
import type { Report } from '../schema.ts';
import { alignColumns } from '../text.ts';
import { casesOf } from './cases.ts';
import { DEFAULT_PRINT, printWhy } from './check.ts';
import { printStory, wrap } from './columns.ts';
import { type Case, problemText } from './findings.ts';

export function printJunit(report: Report): string {
  const suites = new Map<string, Case[]>();
  for (const one of casesOf(report)) suites.set(one.file, [...(suites.get(one.file) ?? []), one]);
  const cases = [...suites.values()].flat();
  const problems = report.problems;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    element('testsuites', {
      name: `fencepost ${report.command}`,
      tests: cases.length + problems.length,
      failures: count(cases, 'violation'),
      errors: problems.length,
      time: timeOf(cases),
    }),
    ...[...suites].flatMap(([file, own]) => suite(file, own)),
    ...problems.flatMap((problem) => [
      `  ${element('testsuite', { name: problem.file, tests: 1, failures: 0, errors: 1 })}`,
      `    ${element('testcase', { name: 'input', classname: problem.file })}`,
      `      ${element('error', { type: 'input', message: problem.message })}${escapeXml(problemText(problem))}</error>`,
      '    </testcase>',
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(file: string, cases: readonly Case[]): string[] {
  const counts = { failures: count(cases, 'violation'), errors: 0, skipped: count(cases, 'inconclusive') };
  return [
    `  ${element('testsuite', { name: file, tests: cases.length, ...counts, time: timeOf(cases) })}`,
    ...cases.flatMap(testCase),
    `    <system-out>${escapeText(verdictTable(cases))}</system-out>`,
    '  </testsuite>',
  ];
}

function testCase(one: Case): string[] {
  const time = one.seconds === undefined ? {} : { time: one.seconds.toFixed(3) };
  const open = element('testcase', { name: one.model, classname: one.name, ...time });
  const bodies = one.findings.map(({ kind, level, file, line, message, schedule, trace }) => {
    const repeated = one.isRepeated ? 'as under sc: ' : '';
    if (level === 'open') return `      ${element('skipped', { message })}</skipped>`;
    if (level !== 'error') {
      const where = `${file}${line === undefined ? '' : `:${line}`}`;
      return `      <system-out>${escapeXml(`${level}: ${where}: ${message}`)}</system-out>`;
    }
    const story =
      trace === undefined || one.isRepeated
        ? []
        : [
            '',
            ...printStory(trace, DEFAULT_PRINT),
            '',
            ...printWhy(trace).flatMap((text) => wrap(text, DEFAULT_PRINT.width, '  ')),
          ];
    const text = [message, ...story, ...(schedule === undefined ? [] : [`schedule: ${schedule}`])].join('\n');
    return `      ${element('failure', { type: kind, message: repeated + message })}${escapeText(text)}</failure>`;
  });
  return [`    ${open}`, ...bodies, '    </testcase>'];
}

/** The verdict under each model. */
function verdictTable(cases: readonly Case[]): string {
  const rows = cases.map(({ name, model, verdict, answer = verdict, findings }) => {
    const kinds = new Set(findings.filter(({ level }) => level === 'error').map(({ kind }) => kind));
    return [name, model, answer, [...kinds].join(', ')];
  });
  return ['', ...alignColumns([['program', 'model', 'verdict', 'errors'], ...rows]), ''].join('\n');
}

function count(cases: readonly Case[], verdict: Case['verdict']): number {
  return cases.filter((c) => c.verdict === verdict).length;
}

function timeOf(cases: readonly Case[]): string {
  return cases.reduce((sum, c) => sum + (c.seconds ?? 0), 0).toFixed(3);
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  return `<${name}${pairs.join('')}>`;
}

/** Escapes an attribute, in which line ends and tabs would become spaces. */
function escapeXml(text: string): string {
  return escapeText(text).replace(/[\n\t]/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** Replaces characters that XML 1.0 cannot represent with the replacement character. */
function escapeText(text: string): string {
  return (
    // Encoding turns lone surrogates into replacement characters.
    Buffer.from(text, 'utf8')
      .toString('utf8')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being replaced
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replace(/[&<>"\r]/g, (c) => `&#${c.charCodeAt(0)};`)
  );
}
