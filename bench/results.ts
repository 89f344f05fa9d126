/** Recorded results: their contents, where they are stored, and how new ones compare with them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Measurement } from './suite.ts';

export interface Case extends Measurement {
  readonly name: string;
  /** CPU time of its process, including warm-up and all turns. */
  readonly seconds: number;
  /** Peak memory of the process, in megabytes. */
  readonly peakMemory: number;
}

export interface Results {
  readonly suite: string;
  /** Commit of the sources, with `+` if they had uncommitted changes. */
  readonly commit: string;
  readonly node: string;
  readonly machine: string;
  readonly date: string;
  readonly cases: readonly Case[];
}

function path(suite: string): URL {
  return new URL(`results/${suite}.json`, import.meta.url);
}

export function lastResults(suite: string): Results | undefined {
  return existsSync(path(suite)) ? (JSON.parse(readFileSync(path(suite), 'utf8')) as Results) : undefined;
}

export function record(results: Results): void {
  mkdirSync(new URL('results/', import.meta.url), { recursive: true });
  writeFileSync(path(results.suite), `${JSON.stringify(results, null, 2)}\n`);
}

export function resultsOf(suite: string, cases: readonly Case[]): Results {
  const [cpu] = cpus();
  return {
    suite,
    commit: commit(),
    node: process.version,
    machine: `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${process.platform} ${process.arch}`,
    date: new Date().toISOString(),
    cases,
  };
}

function commit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: new URL('..', import.meta.url), encoding: 'utf8' }).trim();
  try {
    const isChanged = git('status', '--porcelain', '--', 'src', 'bench', ':!bench/results') !== '';
    return `${git('rev-parse', '--short=12', 'HEAD')}${isChanged ? '+' : ''}`;
  } catch {
    return 'unknown';
  }
}

/** Counts that have changed, in words. */
export function changedCounts(before: Results | undefined, now: readonly Case[]): string[] {
  return now.flatMap(({ name, counts }) => {
    const old = before?.cases.find((c) => c.name === name)?.counts ?? {};
    return Object.entries(counts)
      .filter(([count, value]) => old[count] !== undefined && old[count] !== value)
      .map(([count, value]) => `${name}: ${count} ${old[count]} → ${value}`);
  });
}

/** One line per case, a column for every field that some case has; in brackets, the ratio to the last recorded rate. */
export function table(before: Results | undefined, cases: readonly Case[]): string {
  const cells = cases.map((c) =>
    cellsOf(
      c,
      before?.cases.find(({ name }) => name === c.name),
    ),
  );
  const columns = [...new Set(cells.flatMap((row) => [...row.keys()]))];
  const rows = [columns, ...cells.map((row) => columns.map((column) => row.get(column) ?? ''))];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '))
    .join('\n');
}

function cellsOf({ name, rates, counts, texts, peakMemory }: Case, old: Case | undefined): Map<string, string> {
  const compared = Object.entries(rates).map(([rate, value]): [string, string] => {
    const previous = old?.rates[rate];
    const ratio = previous === undefined ? '' : ` (${(value / previous).toFixed(2)}×)`;
    return [rate, `${value.toLocaleString('en')}${ratio}`];
  });
  return new Map([
    ['case', name],
    ...Object.entries(texts ?? {}),
    ...compared,
    ['peak MB', `${peakMemory}`],
    ...Object.entries(counts).map(([count, value]): [string, string] => [count, value.toLocaleString('en')]),
  ]);
}
