/**
 * Suites: many programs with the verdicts expected of them. A suite is a table (`.tsv`), or a folder of programs with
 * the expectations in comments; docs/suites.md describes both. Anything not understood is rejected, with its line.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { isModel, type Model, modelNamed, modelsWith } from '../models/index.ts';
import type { ErrorReport, ProblemReport, SuiteReport } from '../report/schema.ts';
import { shellWords } from './command-words.ts';
import { readText } from './files.ts';

/** One program, and what is expected of it. */
export interface SuiteProgram {
  /** Where the expectation is written: a line of the table or of the source. */
  readonly place: { readonly file: string; readonly line: number };
  readonly files: readonly string[];
  /** Options of `check`, as on its command line. */
  readonly words: readonly string[];
  readonly expected: ReadonlyMap<Model, SuiteReport['expected']>;
}

interface Suite {
  readonly programs: readonly SuiteProgram[];
  /** If there are any, no part of the suite can be trusted. */
  readonly problems: readonly ProblemReport[];
}

export function readSuite(path: string): Suite {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return refused({ file: path, message: 'no such file or folder' });
  const reader = new Reader();
  if (status.isDirectory()) readFolder(path, reader);
  else readTable(path, reader);
  const { programs, problems } = reader;
  if (programs.length === 0 && problems.length === 0)
    return refused({
      file: path,
      message: status.isDirectory()
        ? 'an empty suite: no source in this folder has a line such as // fencepost: tso verified'
        : 'an empty suite: no program below the header',
    });
  return reader;
}

function refused(problem: ProblemReport): Suite {
  return { programs: [], problems: [problem] };
}

const SOURCES = /\.(?:c|i|ll|cc|cpp|cxx|C)$/;

/** Reads every source below the folder. Sources without expectations are parts of other programs. */
function readFolder(folder: string, reader: Reader): void {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => SOURCES.test(file));
  for (const name of found.sort()) {
    const file = join(folder, name);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const read = readText(file);
    if ('problem' in read) reader.refuse({ file, line: 1 }, read.problem);
    else for (const [i, line] of read.text.split(/\r?\n/).entries()) readComment(line, { file, line: i + 1 }, reader);
  }
}

/** `// fencepost OPTIONS: tso verified, pso fails`; for LLVM IR, with `;`. */
const COMMENT = /^\s*(?:\/\/+|\/\*+|;+)\s*fencepost(?<options>(?:\s[^:]*)?):(?<expected>.*?)(?:\*\/\s*)?$/;

/** Whether the line may be a misspelt expectation: it names us, a model and a verdict. */
function isAlmost(line: string): boolean {
  const [, between = ''] = /\bfencepost\b(.*)\b(?:verified|correct|violation|fails)\b/i.exec(line) ?? [];
  return between
    .toLowerCase()
    .split(/[^\w-]+/)
    .some(isModel);
}

function readComment(line: string, place: SuiteProgram['place'], reader: Reader): void {
  const { options, expected } = COMMENT.exec(line)?.groups ?? {};
  if (options === undefined || expected === undefined) {
    if (isAlmost(line))
      reader.refuse(place, 'an expectation needs its own line, such as // fencepost: tso verified, pso fails');
    return;
  }
  const parts = expected.split(',').map((part) => part.trim().split(/\s+/));
  const cells = parts.flatMap((words) => words.slice(0, -1).map((model) => [model, words.at(-1)!] as const));
  if (parts.some((words) => words.length < 2)) {
    reader.refuse(place, 'expected models and a verdict, such as: tso verified, pso fails');
    return;
  }
  const words = shellWords(options);
  reader.add(place, [place.file], words, cells);
}

/** Columns: `file`, `defines`, `options`, models, and `reason` or `… reason`, which are for people. */
function readTable(file: string, reader: Reader): void {
  const read = readText(file);
  if ('problem' in read) {
    reader.refuse({ file, line: 1 }, read.problem);
    return;
  }
  let columns: readonly string[] | undefined;
  for (const [i, text] of read.text.split(/\r?\n/).entries()) {
    const place = { file, line: i + 1 };
    if (text.trim() === '' || text.startsWith('#')) continue;
    const cells = text.split('\t').map((cell) => cell.trim());
    if (columns === undefined) {
      const wrong = headerProblem(cells);
      if (wrong !== undefined) {
        reader.refuse(place, wrong);
        return;
      }
      columns = cells;
    } else readRow(columns, cells, place, reader);
  }
}

function headerProblem(columns: readonly string[]): string | undefined {
  const unknown = columns.find((name) => !isColumn(name));
  const known = `file, defines, options, reason and the models ${modelsWith('check').join(', ')}`;
  if (unknown !== undefined) return `unknown column "${unknown}"; columns are separated by tabs: ${known}`;
  const twice = columns.find((name, i) => columns.indexOf(name) !== i);
  if (twice !== undefined) return `two columns "${twice}"`;
  if (!columns.includes('file')) return 'there is no column "file"';
  return columns.some(isModel) ? undefined : `there is no column with the verdicts of a model; ${known}`;
}

function isColumn(name: string): boolean {
  return ['file', 'defines', 'options'].includes(name) || /^(?:.* )?reason$/.test(name) || isModel(name);
}

function readRow(
  columns: readonly string[],
  cells: readonly string[],
  place: SuiteProgram['place'],
  reader: Reader,
): void {
  if (cells.length > columns.length) {
    reader.refuse(place, `${cells.length} cells, but ${columns.length} columns; cells are separated by tabs`);
    return;
  }
  const cellOf = (name: string): string => {
    const cell = cells[columns.indexOf(name)] ?? '';
    return cell === '-' ? '' : cell;
  };
  const macros = shellWords(cellOf('defines'));
  const flag = macros.find((macro) => macro.startsWith('-'));
  if (flag !== undefined) {
    reader.refuse(place, `column "defines" takes macros, such as N=2, not ${flag}; options have their own column`);
    return;
  }
  const defines = macros.flatMap((macro) => ['-D', macro]);
  const files = shellWords(cellOf('file')).map((name) => (isAbsolute(name) ? name : join(dirname(place.file), name)));
  const expected = columns.filter(isModel).flatMap((model) => {
    const word = cellOf(model);
    return word === '' ? [] : [[model, word] as const];
  });
  if (files.length === 0) reader.refuse(place, 'the cell of column "file" is empty');
  else if (expected.length === 0) reader.refuse(place, 'no verdict is expected under any model');
  else reader.add(place, files, [...defines, ...shellWords(cellOf('options'))], expected);
}

/** The names of expectations, and what each means. */
const MEANINGS: Readonly<Record<string, SuiteReport['expected']>> = {
  verified: 'verified',
  correct: 'verified',
  violation: 'violation',
  fails: 'violation',
};
const KINDS: readonly ErrorReport['kind'][] = [
  'assertion',
  'deadlock',
  'liveness',
  'memory',
  'misuse',
  'race',
  'uninitialised',
];

class Reader implements Suite {
  readonly programs: SuiteProgram[] = [];
  readonly problems: ProblemReport[] = [];

  refuse({ file, line }: SuiteProgram['place'], message: string): void {
    this.problems.push({ file, line, column: 1, message });
  }

  add(
    place: SuiteProgram['place'],
    files: readonly string[],
    words: readonly string[],
    cells: readonly (readonly [model: string, word: string])[],
  ): void {
    const missing = files.find((file) => !existsSync(file));
    if (missing !== undefined) {
      this.refuse(place, `no such file: ${missing}`);
      return;
    }
    const expected = new Map<Model, SuiteReport['expected']>();
    for (const [model, word] of cells) {
      const meaning = MEANINGS[word] ?? KINDS.find((kind) => kind === word);
      const wrong = this.cellProblem(model, word, meaning, expected);
      if (wrong !== undefined) {
        this.refuse(place, wrong);
        return;
      }
      expected.set(model as Model, meaning!);
    }
    const key = JSON.stringify([files, words]);
    const same = this.programs.find((p) => JSON.stringify([p.files, p.words]) === key && sharesModel(p, expected));
    if (same !== undefined) {
      this.refuse(place, `the same program and model as in line ${same.place.line}`);
      return;
    }
    this.programs.push({ place, files, words, expected });
  }

  private cellProblem(
    model: string,
    word: string,
    meaning: SuiteReport['expected'] | undefined,
    known: ReadonlyMap<Model, unknown>,
  ): string | undefined {
    if (!isModel(model) || !modelNamed(model).capabilities.check)
      return `unknown memory model "${model}"; expected one of ${modelsWith('check').join(', ')}`;
    if (meaning === undefined)
      return `unknown verdict "${word}"; expected one of ${[...Object.keys(MEANINGS), ...KINDS].join(', ')}`;
    return known.has(model) ? `${model} has two verdicts` : undefined;
  }
}

function sharesModel({ expected }: SuiteProgram, others: ReadonlyMap<Model, unknown>): boolean {
  return [...expected.keys()].some((model) => others.has(model));
}
