/**
 * A report as JUnit XML, the form that every CI service reads (the schema of Jenkins, junit-10): a test suite per input, a
 * test case per memory model. Inconclusive is `skipped`: neither passed nor failed. Warnings and notes are output. Inputs that cannot be used are errors.
 */
import type { Report } from '../schema.ts';
import { casesOf } from './cases.ts';
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
    '  </testsuite>',
  ];
}

function testCase(one: Case): string[] {
  const time = one.seconds === undefined ? {} : { time: one.seconds.toFixed(3) };
  const open = element('testcase', { name: one.model, classname: one.name, ...time });
  const bodies = one.findings.map(({ kind, level, file, line, message, schedule }) => {
    const repeated = one.isRepeated ? 'as under sc: ' : '';
    if (level === 'open') return `      ${element('skipped', { message })}</skipped>`;
    if (level !== 'error') {
      const where = `${file}${line === undefined ? '' : `:${line}`}`;
      return `      <system-out>${escapeXml(`${level}: ${where}: ${message}`)}</system-out>`;
    }
    const text = schedule === undefined ? message : `${message}\nschedule: ${schedule}`;
    return `      ${element('failure', { type: kind, message: repeated + message })}${escapeXml(text)}</failure>`;
  });
  return [`    ${open}`, ...bodies, '    </testcase>'];
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

/** Characters that XML 1.0 cannot represent become replacement characters. */
function escapeXml(text: string): string {
  return (
    // Encoding turns lone surrogates into replacement characters.
    Buffer.from(text, 'utf8')
      .toString('utf8')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being replaced
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replace(/[&<>"\n\r\t]/g, (c) => `&#${c.charCodeAt(0)};`)
  );
}
