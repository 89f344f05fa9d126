/** Files that nobody would write: commands refuse them by name, and never read without end. */
import { spawnSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replay } from '../../../src/api/replay.ts';
import { SCHEMA } from '../../../src/report/schema.ts';
import { type FinishedHere, Folder, fencepost } from '../../support/fencepost.ts';

let folder: Folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('main.c', 'int main(void) { return 0; }\n');
});
afterAll(() => folder.remove());

const run = (args: readonly string[]): Promise<FinishedHere> => fencepost(args, { cwd: folder.path });

/** A report of a failing check, with this input. */
async function reportWith(input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  folder.write('wrong.c', '#include <assert.h>\nint main(void) { assert(0); return 0; }\n');
  const { stdout } = await run(['check', 'wrong.c', '--model', 'sc', '--json', '--no-out']);
  const report = JSON.parse(stdout) as { readonly schema: string; readonly input: object };
  expect(report.schema).toBe(SCHEMA);
  return { ...report, input: { ...report.input, ...input } };
}

describe.skipIf(!existsSync('/dev/zero'))('a report is not replayed', () => {
  const sha256 = '0'.repeat(64);
  const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}.c`);
  it.each([
    ['if it names a device', { files: ['/dev/zero'] }, 'it names /dev/zero, which is not a regular file'],
    ['if a source is a device', { sources: [{ file: '/dev/zero', sha256 }] }, '/dev/zero, which is not a regular file'],
    ['if its standard input is one', { stdin: '/dev/zero' }, 'it names /dev/zero, which is not a regular file'],
    ['if it names a pipe', { files: ['pipe.c'] }, 'it names pipe.c, which is not a regular file'],
    ['if it names a folder', { files: ['.'] }, 'it names ., which is not a regular file'],
    ['if it names 100,000 files', { files: many(100_000) }, 'it names 100000 files, at most 1000 are possible'],
    [
      'if it names 100,000 sources',
      { sources: many(100_000).map((file) => ({ file, sha256 })) },
      'it names 100000 sources, at most 10000 are possible',
    ],
  ])('%s', async (_, input, why) => {
    if (!existsSync(join(folder.path, 'pipe.c'))) spawnSync('mkfifo', [join(folder.path, 'pipe.c')]);
    const report = await reportWith(input);
    folder.write('report.json', JSON.stringify(report));
    const { exit, stdout, stderr } = await run(['replay', 'report.json']);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^fencepost: report\.json: it names/);
    expect(stderr).toContain(`${why}\n`);
    const before = process.cwd();
    process.chdir(folder.path);
    await expect(replay(report as never)).rejects.toThrow(`the report cannot be replayed: it names`);
    process.chdir(before);
  });
});

it('names few of many files that a report names and that are gone', async () => {
  const files = Array.from({ length: 500 }, (_, i) => `gone${i}.c`);
  folder.write('report.json', JSON.stringify(await reportWith({ files, sources: [] })));
  const { exit, stderr } = await run(['replay', 'report.json']);
  expect([exit, stderr.split('\n')[0]]).toEqual([
    2,
    expect.stringMatching(/^fencepost: cannot read gone0\.c, .*gone9\.c and 490 more, named in the report;/),
  ]);
});

it.skipIf(!existsSync('/dev/zero'))('refuses a device as a program, or as its input', async () => {
  symlinkSync('/dev/zero', join(folder.path, 'zero.c'));
  expect(await run(['check', 'zero.c'])).toMatchObject({ exit: 2, stderr: 'fencepost: zero.c: is a device\n' });
  const reads = ['check', 'main.c', '--model', 'sc', '--no-out', '--stdin'];
  expect(await run([...reads, '/dev/zero'])).toMatchObject({
    exit: 2,
    stderr: 'fencepost: --stdin /dev/zero: it has more than 65536 bytes\n',
  });
  expect((await run([...reads, '/dev/null'])).exit).toBe(0);
});

describe('LLVM IR without debug information', () => {
  it.each([
    [
      'without main',
      'define i32 @f() {\n  ret i32 0\n}\n',
      'there is no main: write a driver, a main that starts threads which use this code (`fencepost init` writes one to begin with), or name another function with --entry',
    ],
    [
      'with something unsupported',
      'declare i32 @llvm.odd(i32)\ndefine i32 @main() {\n  %v = call i32 @llvm.odd(i32 1)\n  ret i32 %v\n}\n',
      'unsupported intrinsic: llvm.odd',
    ],
  ])('%s: the error names the file', async (_, text, why) => {
    folder.write('a.ll', text);
    expect((await run(['check', 'a.ll'])).stderr).toBe(`fencepost: a.ll:1:1: ${why}\n`);
    // Also if it says that it was made from another file.
    folder.write('a.ll', `source_filename = "other.c"\n${text}`);
    expect((await run(['check', 'a.ll'])).stderr).toBe(`fencepost: a.ll:1:1: ${why}\n`);
  });

  it('has its errors in this file', async () => {
    folder.write(
      'b.ll',
      'define i32 @main() {\n  %p = inttoptr i64 5 to ptr\n  %v = load i32, ptr %p\n  ret i32 %v\n}\n',
    );
    expect((await run(['check', 'b.ll', '--model', 'sc', '--no-out'])).stdout).toMatch(/ in thread 0 at b\.ll:1:1\n/);
  });
});

it.skipIf(!existsSync('/dev/zero'))('does not quote a device that debug information names as a source', async () => {
  folder.write('d.c', '# 1 "/dev/zero"\n#include <assert.h>\nint main(void) { assert(0); return 0; }\n');
  expect((await run(['check', 'd.c', '--model', 'sc', '--no-out'])).exit).toBe(1);
});
