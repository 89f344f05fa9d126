import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyEdits, insertion, lineAndColumn, type TextEdit, unifiedDiff } from './text.ts';

const TEXT = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join('');
const lineStart = (line: number, text = TEXT): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .join('\n').length + (line > 1 ? 1 : 0);

describe('unified diffs', () => {
  const cases: readonly (readonly [string, string, readonly TextEdit[]])[] = [
    ['a new line', TEXT, [insertion(lineStart(10), 'new\n')]],
    ['the first line', TEXT, [insertion(0, 'new\n')]],
    ['a line that goes', TEXT, [{ start: lineStart(7), end: lineStart(8), text: '' }]],
    ['the last line', TEXT, [{ start: lineStart(30), end: TEXT.length, text: '' }]],
    ['part of a line', TEXT, [{ start: lineStart(3) + 2, end: lineStart(3) + 4, text: 'XX' }]],
    ['two parts of a line', TEXT, [insertion(lineStart(3), '{ '), insertion(lineStart(4) - 1, ' }')]],
    ['two lines, one after the other', TEXT, [insertion(lineStart(3), 'x'), insertion(lineStart(4), 'y')]],
    ['two lines at one place', TEXT, [insertion(lineStart(5), 'a\n'), insertion(lineStart(5), 'b\n')]],
    ['a line before a changed one', TEXT, [insertion(lineStart(5), 'a\n'), insertion(lineStart(5) + 2, 'x')]],
    [
      'far apart',
      TEXT,
      [insertion(lineStart(2), 'a\n'), insertion(lineStart(20), 'b\n'), insertion(lineStart(25), 'c\n')],
    ],
    ['no newline at the end', 'a\nb', [insertion(2, 'x\n')]],
    ['a last line without newline', 'a\nb', [insertion(3, ';')]],
    ['carriage returns', 'a\r\nb\r\nc\r\n', [insertion(3, 'x\r\n')]],
  ];

  it.each(cases)('%s: git makes of it what the edits make', (_, text, edits) => {
    const folder = mkdtempSync(join(tmpdir(), 'fencepost-test-'));
    try {
      writeFileSync(join(folder, 'x.c'), text);
      execFileSync('git', ['apply', '--unsafe-paths', '-p1', '-'], {
        cwd: folder,
        input: unifiedDiff('x.c', text, edits),
        env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
      });
      expect(readFileSync(join(folder, 'x.c'), 'utf8')).toBe(applyEdits(text, edits));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('joins what is near, and names lines', () => {
    const near = [insertion(lineStart(10), 'a\n'), insertion(lineStart(15), 'b\n')];
    expect(unifiedDiff('x.c', TEXT, near)).toContain('--- a/x.c\n+++ b/x.c\n@@ -7,11 +7,13 @@\n line 7\n');
    expect(unifiedDiff('x.c', TEXT, [])).toBe('');
  });
});

it('lines and columns count from 1', () => {
  expect(lineAndColumn('ab\ncd', 0)).toEqual({ line: 1, column: 1 });
  expect(lineAndColumn('ab\ncd', 4)).toEqual({ line: 2, column: 2 });
});
