/** A unified diff side by side with its source: rows with the text before and after. */

interface DiffRow {
  readonly kind: 'same' | 'added' | 'removed' | 'changed' | 'gap';
  /** Line numbers and texts before and after; absent on the side that has no such line. */
  readonly oldNumber?: number;
  readonly newNumber?: number;
  readonly before?: string;
  readonly after?: string;
  /** Whether the row is part of the patch rather than of the source around it. */
  readonly isNear: boolean;
}

export interface FileDiff {
  readonly file: string;
  readonly rows: readonly DiffRow[];
}

interface Hunk {
  /** The number of the first line, before the change, from 1. */
  readonly start: number;
  readonly lines: readonly string[];
}

interface FilePatch {
  /** As in the patch, without a leading slash or `./`. */
  readonly path: string;
  readonly hunks: Hunk[];
}

/** `sources` are by name; the parts of a file between changes are included only if its source is. */
export function diffsOf(patch: string, sources: Readonly<Record<string, string>>): readonly FileDiff[] {
  const names = Object.keys(sources);
  return readPatch(patch).map(({ path, hunks }) => {
    // Paths in a patch and names of sources may be relative to different folders.
    const file =
      names.find((name) => name.replace(/^(?:\.?\/)+/, '') === path) ??
      names.find((name) => name.endsWith(`/${path}`)) ??
      path;
    return { file, rows: rowsOf(hunks, sources[file]) };
  });
}

function readPatch(patch: string): readonly FilePatch[] {
  const files: FilePatch[] = [];
  let hunk: { start: number; lines: string[] } | undefined;
  let left = { before: 0, after: 0 };
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    // `\\ No newline at end of file`
    if (line.startsWith('\\')) continue;
    if (hunk !== undefined && (left.before > 0 || left.after > 0)) {
      hunk.lines.push(line);
      if (!line.startsWith('+')) left.before--;
      if (!line.startsWith('-')) left.after--;
      continue;
    }
    const head = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (head !== null) {
      hunk = { start: Number(head[1]), lines: [] };
      left = { before: Number(head[2] ?? 1), after: Number(head[3] ?? 1) };
      files.at(-1)?.hunks.push(hunk);
    } else if (line.startsWith('+++ ')) files.push({ path: readName(line.slice('+++ '.length)), hunks: [] });
  }
  return files;
}

/**
 * A name as git writes it: after `b/`, followed by a tab if it contains spaces, in quotes if it contains special
 * characters.
 */
function readName(text: string): string {
  const quoted = /^"b\/(.*)"$/.exec(text);
  if (quoted === null) return text.replace(/^b\//, '').replace(/\t.*$/, '');
  const bytes: number[] = [];
  for (const [part, octal, letter] of quoted[1]!.matchAll(/\\([0-7]{3})|\\(.)|[^\\]/gu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...new TextEncoder().encode(letter === undefined ? part : (ESCAPES[letter] ?? letter)));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };

function rowsOf(hunks: readonly Hunk[], source: string | undefined): readonly DiffRow[] {
  const lines = source?.replace(/\n$/, '').split('\n').map(withoutReturn);
  const rows: DiffRow[] = [];
  let [oldNumber, newNumber] = [1, 1];
  const copyUntil = (end: number): void => {
    if (lines === undefined && oldNumber < end) rows.push({ kind: 'gap', isNear: false });
    for (; oldNumber < end; oldNumber++, newNumber++) {
      const text = lines?.[oldNumber - 1];
      if (text !== undefined) {
        rows.push({ kind: 'same', oldNumber, newNumber, before: text, after: text, isNear: false });
      }
    }
  };
  for (const hunk of hunks) {
    copyUntil(hunk.start);
    for (let i = 0; i < hunk.lines.length; ) {
      const removed = runOf(hunk.lines, i, '-');
      const added = runOf(hunk.lines, i + removed.length, '+');
      for (let n = 0; n < Math.max(removed.length, added.length); n++) {
        const [before, after] = [removed[n], added[n]];
        rows.push({
          kind: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
          ...(before === undefined ? {} : { oldNumber: oldNumber++, before }),
          ...(after === undefined ? {} : { newNumber: newNumber++, after }),
          isNear: true,
        });
      }
      i += removed.length + added.length;
      const line = hunk.lines[i];
      if (line === undefined || line.startsWith('-')) continue;
      const text = withoutReturn(line.slice(1));
      rows.push({
        kind: 'same',
        oldNumber: oldNumber++,
        newNumber: newNumber++,
        before: text,
        after: text,
        isNear: true,
      });
      i++;
    }
  }
  if (lines !== undefined) copyUntil(lines.length + 1);
  return rows;
}

/** The texts of the consecutive lines from `at` that begin with `sign`. */
function runOf(lines: readonly string[], at: number, sign: string): readonly string[] {
  const end = lines.findIndex((line, i) => i >= at && !line.startsWith(sign));
  return lines.slice(at, end < 0 ? lines.length : end).map((line) => withoutReturn(line.slice(1)));
}

function withoutReturn(line: string): string {
  return line.replace(/\r$/, '');
}
