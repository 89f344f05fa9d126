/** Reads `programs/sober/expected.tsv` and `programs/mon/expected.tsv`: see the READMEs beside them. */
import { readFileSync } from 'node:fs';

export interface ExperimentRow {
  /** File, defines and bound as in the table. */
  readonly name: string;
  /** Relative to `programs/`. */
  readonly file: string;
  readonly defines: readonly string[];
  /** `undefined`: no bound, every schedule. */
  readonly preemptions: number | undefined;
  /** Distinct violations that the causal monitors find. */
  readonly violations: { readonly tso: number; readonly pso: number };
  /** The paper's numbers; `-` where it has none. */
  readonly paper: {
    readonly interleavings: string;
    readonly borderline: string;
    /** Distinct violations, under TSO and PSO. */
    readonly violations: string;
    readonly seconds: string;
  };
}

export const COLUMNS: readonly string[] = [
  'file',
  'defines',
  'preemptions',
  'tso',
  'pso',
  'paper: interleavings',
  'borderline',
  'violations',
  'seconds',
];

export const SOBER: readonly ExperimentRow[] = read('sober');
export const MON: readonly ExperimentRow[] = read('mon');

function read(folder: string): ExperimentRow[] {
  const text = readFileSync(new URL(`../programs/${folder}/expected.tsv`, import.meta.url), 'utf8');
  const [header, ...lines] = text.trimEnd().split('\n');
  if (header !== COLUMNS.join('\t')) throw new Error(`programs/${folder}/expected.tsv has other columns`);
  return lines.map((line) => {
    const [file = '', defines = '', preemptions = '', tso = '', pso = '', ...paper] = line.split('\t');
    const [interleavings = '', borderline = '', violations = '', seconds = ''] = paper;
    return {
      name: `${file} ${defines} ${preemptions}`,
      file: `${folder}/${file}`,
      defines: defines === '-' ? [] : defines.split(' '),
      preemptions: preemptions === 'any' ? undefined : Number(preemptions),
      violations: { tso: Number(tso), pso: Number(pso) },
      paper: { interleavings, borderline, violations, seconds },
    };
  });
}
