/** A source file of the user, as far as fixes need it. */
import { readFileSync, realpathSync } from 'node:fs';
import { normalize, relative, resolve, sep } from 'node:path';
import type { Program } from '../program/ir.ts';
import type { Location } from '../program/location.ts';
import type { Spelling } from './orders.ts';
import { findStatements, type Statements } from './statements.ts';
import { lineAndColumn, type TextEdit } from './text.ts';
import { withoutLineDirectives } from './tokens.ts';

export class SourceFile {
  /** Its name in locations. */
  readonly name: string;
  /** All its names in locations: several files may include the same header. */
  readonly names: ReadonlySet<string>;
  /** Latin-1: a character is a byte. */
  readonly text: string;
  readonly statements: Statements;
  readonly isCxx: boolean;

  /** `lines`: those known to contain code of the program. */
  constructor(
    name: string,
    text: string,
    names: Iterable<string> = [name],
    lines: ReadonlySet<number> = new Set<number>(),
    isCxx = false,
  ) {
    this.name = name;
    this.names = new Set(names);
    this.text = text;
    this.isCxx = isCxx;
    this.statements = findStatements(text, ({ start }) => lines.has(lineAndColumn(text, start).line), isCxx);
  }

  locate(offset: number): Location {
    return { file: this.name, ...lineAndColumn(this.text, offset) };
  }

  offsetOf({ line, column }: Location): number {
    let start = 0;
    for (let i = 1; i < line; i++) {
      const newline = this.text.indexOf('\n', start);
      if (newline < 0) return this.text.length;
      start = newline + 1;
    }
    return start + Math.max(0, column - 1);
  }

  /** The text to compile: without `#line`, so that locations refer to this file. */
  get plainText(): string {
    return withoutLineDirectives(this.text);
  }

  get newline(): string {
    return this.text.includes('\r\n') ? '\r\n' : '\n';
  }

  /** The spelling to use in this file: the standard names only if they are likely to be declared. */
  spelled(spelling: Spelling): Spelling {
    if (!KNOWS[this.isCxx ? 'cxx' : 'c11'].test(this.text)) return 'builtin';
    return this.isCxx && spelling === 'c11' ? 'cxx' : spelling;
  }
}

const KNOWS = {
  c11: /\b(?:atomic_\w+|memory_order_\w+|_Atomic)\b|<stdatomic\.h>/,
  cxx: /\bstd::(?:atomic|memory_order)|<atomic>/,
};

/** A file is C++ if `isCxx`, that is if a source of the program is, unless its name ends in `.c`. */
export function readSource(
  name: string,
  names?: Iterable<string>,
  lines?: ReadonlySet<number>,
  isCxx = false,
): SourceFile {
  return new SourceFile(name, readFileSync(name, 'latin1'), names, lines, isCxx && !name.endsWith('.c'));
}

/** The user's files that contain the program's code. Those in `headers` are ours and left out. */
export function readSources(program: Program, headers: string, isCxx: boolean): readonly SourceFile[] {
  const lines = new Map<string, Set<number>>();
  for (const { isLibrary, blocks } of program.functions) {
    if (isLibrary === true) continue;
    for (const { location } of blocks.flatMap(({ body }) => body)) {
      if (location === undefined) continue;
      const known = lines.get(location.file);
      if (known === undefined) lines.set(location.file, new Set([location.line]));
      else known.add(location.line);
    }
  }
  const byPath = new Map<string, string[]>();
  for (const name of lines.keys()) {
    if (relative(headers, resolve(name)).split(sep)[0] !== '..') continue;
    try {
      const path = realpathSync(name);
      byPath.set(path, [...(byPath.get(path) ?? []), name]);
    } catch {
      // The name may come from a `#line`.
    }
  }
  return [...byPath.values()].map((same) => {
    const [shortest] = same.toSorted((a, b) => a.length - b.length);
    const name = withoutDetours(shortest!);
    return readSource(name, same, new Set(same.flatMap((one) => [...lines.get(one)!])), isCxx);
  });
}

/** Files read by a compilation, other than the `known` ones, that contain no code but macros of several statements. */
export function readMacroFiles(
  paths: readonly string[],
  known: readonly SourceFile[],
  headers: string,
  isCxx: boolean,
): readonly SourceFile[] {
  const taken = new Set(known.map(({ name }) => realpathSync(name)));
  const own = paths.filter((path) => {
    if (relative(headers, resolve(path)).split(sep)[0] !== '..') return false;
    try {
      const real = realpathSync(path);
      return !taken.has(real) && taken.add(real);
    } catch {
      return false;
    }
  });
  return own
    .map((path) => readSource(nearName(path), undefined, undefined, isCxx))
    .filter(({ statements }) => statements.macroGaps.length > 0);
}

/** The path as a user in this folder would write it. */
function nearName(path: string): string {
  const near = relative('.', path);
  return near.startsWith('..') ? path : withoutDetours(near);
}

/** The normalised name, unless symbolic links make that a different file. */
function withoutDetours(name: string): string {
  const short = normalize(name);
  try {
    return realpathSync(short) === realpathSync(name) ? short : name;
  } catch {
    return name;
  }
}

/** The edits to each file. */
export type FileEdits = ReadonlyMap<SourceFile, readonly TextEdit[]>;
