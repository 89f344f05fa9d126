/** A report as workflow commands of GitHub Actions: annotations beside the offending lines. */
import { createHash } from 'node:crypto';
import type { Report } from '../schema.ts';
import { printable } from '../text.ts';
import { casesOf } from './cases.ts';
import { type ColumnOf, codePointColumns } from './code-points.ts';
import type { Finding, Level } from './findings.ts';

const COMMANDS: Readonly<Record<Level, string>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
  open: 'warning',
};

export function printGithub(report: Report): string {
  const columnOf = codePointColumns();
  const findings = casesOf(report).flatMap((c) => (c.isRepeated ? [] : c.findings));
  const lines = [
    ...findings.map((finding) => annotation(COMMANDS[finding.level], finding, columnOf)),
    ...report.problems.map((problem) => annotation('error', { ...problem, kind: 'input' }, columnOf)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Wraps text that may contain the program's output, so that GitHub does not parse it as commands. */
export function withoutCommands(text: string): string {
  // Derived from the text itself, so that a program cannot predict it.
  const token = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return `::stop-commands::${token}\n${text}\n::${token}::\n`;
}

function annotation(
  command: string,
  { file, line, column, kind, message }: Omit<Finding, 'kind' | 'level'> & { readonly kind: string },
  columnOf: ColumnOf,
): string {
  const properties = [
    `file=${escapeProperty(file)}`,
    ...(line === undefined ? [] : [`line=${line}`]),
    ...(column === undefined || line === undefined ? [] : [`col=${columnOf(file, line, column)}`]),
    `title=${escapeProperty(`fencepost: ${kind}`)}`,
  ];
  return `::${command} ${properties.join(',')}::${escapeData(message)}`;
}

/** GitHub has its own escapes for line ends; every other control character is shown as text, not sent to a terminal. */
function escapeData(text: string): string {
  const shown = text.replace(/[^\r\n]+/g, printable);
  return shown.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
