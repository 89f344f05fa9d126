/** Shared by all pages with the papers' tables. */
import { type Case, lastResults, type Results } from '../results.ts';

/** A page under `docs/tables/`, and its contents. */
export interface Page {
  readonly name: string;
  readonly text: string;
}

export function resultsOf(suite: string): Results {
  const results = lastResults(suite);
  if (results === undefined) throw new Error(`no results of ${suite}: run npm run bench -- ${suite}`);
  return results;
}

export function caseOf(results: Results, name: string): Case {
  const found = results.cases.find((c) => c.name === name);
  if (found === undefined) throw new Error(`no case "${name}" in the results of ${results.suite}; record them again`);
  return found;
}

export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/** How a page was made, and from which results. */
export function origin(results: readonly Results[]): string {
  const suites = results.map(({ suite }) => `\`npm run bench -- ${suite}\``).join(', ');
  const machines = [...new Set(results.map(({ machine, node }) => `${machine}, Node ${node}`))].join('; ');
  const dates = [...new Set(results.map(({ date }) => date.slice(0, 10)))].sort();
  return `Made by \`npm run tables\` from the recorded results of ${suites} (${machines}; ${dates.join(', ')}).`;
}

/** 1219 → 1,219; anything but a whole number is left as it is. */
export function grouped(value: string | number): string {
  return /^\d+$/.test(String(value)) ? Number(value).toLocaleString('en') : String(value);
}

/** How much monitoring slows a search down, if it runs long enough to tell. */
export function overhead(plain: number, monitored: number): string {
  return plain < 0.5 ? 'too short' : `${Math.round((monitored / plain - 1) * 100)} %`;
}
