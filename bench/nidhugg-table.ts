/** Reads `programs/nidhugg/expected.tsv` and `paper.tsv`: see the README beside them. */
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../programs/nidhugg/', import.meta.url);

export const MODELS = ['sc', 'tso', 'pso'] as const;

export interface TableRow {
  /** Files and defines as in the table. */
  readonly name: string;
  /** Relative to `programs/`, of one program. */
  readonly files: readonly string[];
  readonly defines: readonly string[];
  /** Per model: `correct` or `error`. */
  readonly verdicts: readonly string[];
  /** The program in the paper's table and its fences; `-` if it is not in the paper. */
  readonly paper: string;
  /** What the paper's table prints in this row; `undefined` if it is not in the paper. */
  readonly printed: PrintedRow | undefined;
  readonly loops: string;
  readonly reason: string;
}

/** Seconds are per model, with `*` where an error was found and `?` where our copy is not legible. */
export interface PrintedRow {
  /** The bound on loops, in brackets if it is built into the program. */
  readonly bound: string;
  readonly cbmc: string;
  readonly gotoInstrument: string;
  readonly nidhugg: string;
}

function linesOf(file: string): string[] {
  return readFileSync(new URL(file, FOLDER), 'utf8').trimEnd().split('\n');
}

const [printedHeader, ...printedLines] = linesOf('paper.tsv');

export const PRINTED_COLUMNS: readonly string[] = printedHeader!.split('\t');

/** By program and fences. */
export const PRINTED: ReadonlyMap<string, PrintedRow> = new Map(
  printedLines.map((line) => {
    const [row = '', bound = '', cbmc = '', gotoInstrument = '', nidhugg = ''] = line.split('\t');
    return [row, { bound, cbmc, gotoInstrument, nidhugg }];
  }),
);

const [header, ...lines] = linesOf('expected.tsv');

export const COLUMNS: readonly string[] = header!.split('\t');

export const ROWS: readonly TableRow[] = lines.map((line) => {
  const [files = '', fences = '', sc = '', tso = '', pso = '', paper = '', loops = '', reason = ''] = line.split('\t');
  return {
    name: `${files.split(' ')[0]} ${fences}`,
    files: files.split(' ').flatMap(expand),
    defines: fences === '-' ? [] : fences.split(' '),
    verdicts: [sc, tso, pso],
    paper,
    printed: PRINTED.get(paper),
    loops,
    reason,
  };
});

function expand(file: string): string[] {
  if (!file.endsWith('/*.c')) return [`nidhugg/${file}`];
  const folder = file.slice(0, -'*.c'.length);
  return readdirSync(new URL(folder, FOLDER))
    .filter((name) => name.endsWith('.c'))
    .sort()
    .map((name) => `nidhugg/${folder}${name}`);
}
