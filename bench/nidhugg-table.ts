/** Reads `programs/nidhugg/expected.tsv`: see the README beside it. */
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
  /** As in the paper, per model; `?` where its text is not legible. */
  readonly seconds: string;
  readonly loops: string;
  readonly reason: string;
}

const [header, ...lines] = readFileSync(new URL('expected.tsv', FOLDER), 'utf8').trimEnd().split('\n');

export const COLUMNS: readonly string[] = header!.split('\t');

export const ROWS: readonly TableRow[] = lines.map((line) => {
  const [files = '', fences = '', sc = '', tso = '', pso = '', paper = '', seconds = '', loops = '', reason = ''] =
    line.split('\t');
  return {
    name: `${files.split(' ')[0]} ${fences}`,
    files: files.split(' ').flatMap(expand),
    defines: fences === '-' ? [] : fences.split(' '),
    verdicts: [sc, tso, pso],
    paper,
    seconds,
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
