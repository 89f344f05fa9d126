/** Edits of a text, and their unified diff. Texts are read as Latin-1, so that a character is a byte. */

/** `start` … `end`-1 become `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function insertion(offset: number, text: string): TextEdit {
  return { start: offset, end: offset, text };
}

/** Edits must not overlap; those at the same place are inserted in order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: put } of inOrder(edits)) {
    result += text.slice(at, start) + put;
    at = end;
  }
  return result + text.slice(at);
}

function inOrder(edits: readonly TextEdit[]): readonly TextEdit[] {
  return edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** Lines and columns from 1; columns count bytes, as clang's do. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Lines `from` … `to`-1 become `lines`; if `from` = `to`, lines are inserted there and none removed. */
interface Chunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

const CONTEXT = 3;
const NO_NEWLINE = '\\ No newline at end of file';

/** The edits as a diff in the format of `diff -u` and `git diff`; empty if there are none. `path` in Latin-1. */
export function unifiedDiff(path: string, text: string, edits: readonly TextEdit[]): string {
  const starts = lineStarts(text);
  const old = starts.map((start, i) => text.slice(start, starts[i + 1] ?? text.length));
  const chunks = chunksOf(text, edits, starts);
  const lines = [`--- ${headerName(`a/${path}`)}`, `+++ ${headerName(`b/${path}`)}`];
  let shift = 0;
  for (let i = 0; i < chunks.length; ) {
    let last = i;
    while (last + 1 < chunks.length && chunks[last + 1]!.from - chunks[last]!.to <= 2 * CONTEXT) last++;
    const hunk = chunks.slice(i, last + 1);
    const from = Math.max(0, hunk[0]!.from - CONTEXT);
    const to = Math.min(old.length, hunk.at(-1)!.to + CONTEXT);
    const body: string[] = [];
    let at = from;
    for (const chunk of hunk) {
      for (; at < chunk.from; at++) body.push(` ${old[at]}`);
      for (; at < chunk.to; at++) body.push(`-${old[at]}`);
      body.push(...chunk.lines.map((line) => `+${line}`));
    }
    for (; at < to; at++) body.push(` ${old[at]}`);
    const grown = hunk.reduce((sum, chunk) => sum + chunk.lines.length - (chunk.to - chunk.from), 0);
    lines.push(`@@ -${from + 1},${to - from} +${from + 1 + shift},${to - from + grown} @@`);
    for (const line of body) lines.push(...(line.endsWith('\n') ? [line.slice(0, -1)] : [line, NO_NEWLINE]));
    shift += grown;
    i = last + 1;
  }
  return chunks.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/**
 * As git writes it: a tab ends a name with spaces; quotes and escapes are for characters that would end a line or a
 * quoted name.
 */
function headerName(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being escaped
  if (!/["\\\x00-\x1f\x7f]/.test(path)) return path.includes(' ') ? `${path}\t` : path;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being escaped
  const escaped = path.replace(/["\\]/g, '\\$&').replace(/[\x00-\x1f\x7f]/g, (c) => {
    return `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `"${escaped}"`;
}

/** Where lines start; a text that ends with a newline has no line after it. */
function lineStarts(text: string): number[] {
  const starts = text === '' ? [] : [0];
  for (let at = text.indexOf('\n'); at >= 0 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  return starts;
}

function chunksOf(text: string, edits: readonly TextEdit[], starts: readonly number[]): readonly Chunk[] {
  const lineOf = (offset: number): number => starts.findLastIndex((start) => start <= offset);
  const groups: { from: number; to: number; edits: TextEdit[] }[] = [];
  for (const edit of inOrder(edits)) {
    const from = lineOf(edit.start);
    const to = isOfWholeLines(edit, text) ? from + linesIn(text.slice(edit.start, edit.end)) : lineOf(edit.end) + 1;
    const last = groups.at(-1);
    // Consecutive changed lines are one change, as in other tools.
    const isNext = last !== undefined && from === last.to && last.from < last.to && from < to;
    if (last !== undefined && (isNext || from < last.to)) {
      last.to = Math.max(last.to, to);
      last.edits.push(edit);
    } else groups.push({ from, to, edits: [edit] });
  }
  return groups.map(({ from, to, edits: own }) => {
    const start = starts[from]!;
    const end = starts[to] ?? text.length;
    const moved = own.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    const changed = applyEdits(text.slice(start, from === to ? start : end), moved);
    return { from, to, lines: changed.match(/[^\n]*\n|[^\n]+$/g) ?? [] };
  });
}

function isOfWholeLines({ start, end, text: put }: TextEdit, text: string): boolean {
  const isBoundary = (offset: number): boolean => offset === 0 || offset === text.length || text[offset - 1] === '\n';
  return isBoundary(start) && isBoundary(end) && (put === '' || put.endsWith('\n'));
}

function linesIn(text: string): number {
  return text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);
}
