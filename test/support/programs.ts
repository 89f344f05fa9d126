/** The programs in `programs/`, and what `programs/expected.tsv` says about them (see `programs/README.md`). */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Program } from '../../src/program/ir.ts';
import { type CheckedModel, compileC, MODELS } from './c.ts';

const FOLDER: string = fileURLToPath(new URL('../../programs/', import.meta.url));

export const VERDICTS = [
  'correct',
  'assertion',
  'deadlock',
  'liveness',
  'memory',
  'misuse',
  'race',
  'uninitialised',
] as const;
export type ExpectedVerdict = (typeof VERDICTS)[number];

export interface ProgramRow {
  /** File and defines, for test names. */
  readonly name: string;
  readonly file: string;
  readonly defines: readonly string[];
  readonly expected: Readonly<Record<CheckedModel, ExpectedVerdict>>;
  readonly reason: string;
  /** Under the model of the language. */
  readonly rc11: ExpectedVerdict | 'unmodelled';
  readonly rc11Reason: string;
}

const read = (file: string): string => readFileSync(FOLDER + file, 'utf8');

const [header, ...lines] = read('expected.tsv').trimEnd().split('\n');

export const COLUMNS: readonly string[] = header!.split('\t');
export const ROWS: readonly ProgramRow[] = lines.map((line) => {
  const [file = '', defines = '', sc, tso, pso, reason = '', rc11 = '', rc11Reason = ''] = line.split('\t');
  return {
    name: defines === '-' ? file : `${file} ${defines}`,
    file,
    defines: defines === '-' ? [] : defines.split(' '),
    expected: { sc, tso, pso } as ProgramRow['expected'],
    reason,
    rc11: rc11 as ProgramRow['rc11'],
    rc11Reason,
  };
});

/** Folders with tables and tests of their own. */
const ELSEWHERE = /^(futexes|hunting|mon|nidhugg|real|regressions|relaxer|scale|sober|waiting|words)\//;

export const FILES: readonly string[] = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.c') && !ELSEWHERE.test(name))
  .sort();

/** Compiles the program as the command does, only once. */
export function loadRow({ file, defines }: ProgramRow): Promise<Program> {
  return compileC({ [file]: read(file), 'fences.h': read('fences.h') }, { defines, uninitialised: true });
}

/** For each fence, the program without it, and its line. */
export function withoutOneFence(file: string): readonly { readonly line: number; load(): Promise<Program> }[] {
  const source = read(file);
  return [...source.matchAll(/\bSTORE_(?:LOAD|STORE)\(\);/g)].map(({ 0: fence, index }) => ({
    line: source.slice(0, index).split('\n').length,
    load: () =>
      compileC(
        { [file]: source.slice(0, index) + source.slice(index + fence.length), 'fences.h': read('fences.h') },
        { defines: ['FENCE_PSO'], uninitialised: true },
      ),
  }));
}

/** The models under which the row has this verdict. */
export function modelsWith(row: ProgramRow, isWanted: (verdict: ExpectedVerdict) => boolean): readonly CheckedModel[] {
  return MODELS.filter((model) => isWanted(row.expected[model]));
}
