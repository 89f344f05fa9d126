/** A report as workflow commands of GitHub Actions: annotations beside the lines that are to blame. */
import { casesOf, type Finding, type Reportable } from './findings.ts';

export function printGithub(report: Reportable): string {
  const findings = casesOf(report).flatMap((c) => (c.isRepeated ? [] : c.findings));
  const lines = [
    ...findings.map((finding) => annotation(finding.kind === 'inconclusive' ? 'warning' : 'error', finding)),
    ...report.problems.map((problem) => annotation('error', { ...problem, kind: 'input' })),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function annotation(
  level: 'error' | 'warning',
  { file, line, column, kind, message }: Omit<Finding, 'kind'> & { readonly kind: string },
): string {
  const properties = [
    `file=${escapeProperty(file)}`,
    ...(line === undefined ? [] : [`line=${line}`]),
    ...(column === undefined ? [] : [`col=${column}`]),
    `title=${escapeProperty(`fencepost: ${kind}`)}`,
  ];
  return `::${level} ${properties.join(',')}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
