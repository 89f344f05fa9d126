/** A report as workflow commands of GitHub Actions: annotations beside the lines that are to blame. */
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

/** Text that may have what the program printed in it, which must not be taken for commands. */
export function withoutCommands(text: string): string {
  // By the text itself, so that no program can know it beforehand.
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

/** Line ends have an escape of GitHub's own; every other control character is shown, not sent to whoever reads the log. */
function escapeData(text: string): string {
  const shown = text.replace(/[^\r\n]+/g, printable);
  return shown.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
