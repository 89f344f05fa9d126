/** A unified diff as edits of whole lines. */
import { join } from 'node:path';

/** Replaces `removed` lines, from `line` (counted from 1), with the lines `added`. */
export interface LineEdit {
  readonly file: string;
  readonly line: number;
  readonly removed: number;
  readonly added: readonly string[];
}

/** Reads a diff that `fix` made; its paths are relative to `folder`. */
export function lineEdits(patch: string, folder: string): readonly LineEdit[] {
  const edits: LineEdit[] = [];
  let file = '';
  let line = 0;
  /** Lines of this hunk still to come, before and after the change. */
  let [before, after] = [0, 0];
  let change: { line: number; removed: number; added: string[] } | undefined;
  const end = (): void => {
    if (change !== undefined) edits.push({ file, ...change });
    change = undefined;
  };
  for (const text of patch.split('\n')) {
    if (text.startsWith('\\')) continue;
    if (before === 0 && after === 0) {
      end();
      const hunk = /^@@ -(\d+),(\d+) \+\d+,(\d+) @@/.exec(text);
      if (hunk !== null) [line, before, after] = [Number(hunk[1]), Number(hunk[2]), Number(hunk[3])];
      else if (text.startsWith('+++ ')) file = join(folder, pathOf(text.slice(4)));
      continue;
    }
    if (text.startsWith(' ')) end();
    else change ??= { line, removed: 0, added: [] };
    if (text.startsWith('+')) change!.added.push(text.slice(1));
    else line++;
    if (text.startsWith('-')) change!.removed++;
    before -= Number(!text.startsWith('+'));
    after -= Number(!text.startsWith('-'));
  }
  end();
  return edits;
}

/** `b/src/ring.c`; followed by a tab if the path has spaces, and in quotes if it has special characters. */
function pathOf(name: string): string {
  const plain = /^"(.*)"$/.exec(name)?.[1]?.replace(/\\([0-7]{3}|.)/g, (_, code: string) => {
    return code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code;
  });
  return (plain ?? name.replace(/\t$/, '')).slice(2);
}
