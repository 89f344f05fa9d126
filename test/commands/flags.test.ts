/** Programs with the flags of their own builds, and from standard input. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shellWords } from '../../src/api/command-words.ts';
import { BINARY, ensureBuilt, type Finished, Folder, fencepost } from '../support/fencepost.ts';

let folder: Folder;
beforeAll(async () => {
  await ensureBuilt();
  folder = new Folder();
});
afterAll(() => folder.remove());

function run(args: readonly string[], input = ''): { exit: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...args], {
    cwd: folder.path,
    encoding: 'utf8',
    input,
  });
  return { exit: status, stdout, stderr };
}

it('takes flags from compile_commands.json, relative to their folder', () => {
  mkdirSync(join(folder.path, 'src/inc'), { recursive: true });
  mkdirSync(join(folder.path, 'build'));
  folder.write('src/inc/limit.h', '#define LIMIT 3\n');
  folder.write('src/ring.c', '#include <limit.h>\nint ring(void) { return LIMIT + SIZE; }\n');
  folder.write('driver.c', '#include <assert.h>\nint ring(void);\nint main(void) { assert(ring() == 7); return 0; }\n');
  folder.write(
    'build/compile_commands.json',
    JSON.stringify([
      {
        directory: join(folder.path, 'build'),
        file: '../src/ring.c',
        command: `ccache gcc -I../src/inc -D'SIZE=4' -O2 -Wall -o ring.o -c ../src/ring.c`,
      },
    ]),
  );
  const checked = run(['check', '-p', 'build', 'src/ring.c', 'driver.c', '--model', 'sc', '--no-out']);
  expect(checked).toMatchObject({ exit: 0 });
  expect(checked.stderr).toBe(
    'fencepost: note: in build/compile_commands.json, these compiler flags have no effect here: -O2 -Wall ' +
      '(programs are checked as written, without optimisation; see --optimise)\n' +
      'fencepost: note: build/compile_commands.json does not have driver.c: compiled with the flags of the command line\n',
  );
  const missing = run(['check', '-p', 'build', 'src/ring.c', 'driver.c', '-Inone', '-isystem', 'src', '--no-out']);
  expect(missing.stderr).toContain('fencepost: note: no such folder, so no headers are looked for there: none\n');
  // The command line adds to them.
  expect(run(['check', '-p', 'build', 'src/ring.c', 'driver.c', '-USIZE', '-DSIZE=5', '--no-out'])).toMatchObject({
    exit: 1,
  });
  expect(run(['check', '-p', 'build', 'driver.c'])).toMatchObject({
    exit: 2,
    stderr: 'fencepost: build/compile_commands.json: has none of these files: driver.c\n',
  });
  expect(run(['check', '-p', 'src', 'driver.c'])).toMatchObject({
    exit: 2,
    stderr: 'fencepost: src/compile_commands.json: does not exist\n',
  });
});

/** `check` of a program that fails only if BUG is defined, as this command compiles it. */
async function checkCompiledBy(command: string, files: Readonly<Record<string, string>> = {}): Promise<Finished> {
  folder.write('bug.c', '#include <assert.h>\nint main(void) {\n#ifdef BUG\n  assert(0);\n#endif\n  return 0;\n}\n');
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  const entry = { directory: folder.path, file: 'bug.c', command };
  folder.write('one/compile_commands.json', JSON.stringify([entry]));
  return fencepost(['check', 'bug.c', '-p', 'one', '--model', 'sc', '--no-out'], { cwd: folder.path });
}

it.each([
  ['cc @flags.rsp -c bug.c'],
  ['cc -c @flags.rsp bug.c'],
  ['cc -c bug.c @nested.rsp'],
  ['cc -Wp,-DBUG,-MD,bug.d -c bug.c'],
])('uses every flag of %s', async (command) => {
  const files = { 'flags.rsp': '-O2\n"-DB\\UG" -DTEXT=\'a b\'', 'nested.rsp': '@flags.rsp' };
  expect((await checkCompiledBy(command, files)).exit).toBe(1);
});

it.each([
  ['cc @none.rsp -c bug.c', '@none.rsp: this response file does not exist'],
  ['cc @/etc/hostname -c bug.c', '@/etc/hostname: this response file is outside the build'],
  ['cc @../flags.rsp -c bug.c', '@../flags.rsp: this response file is outside the build'],
  ['cc @loop.rsp -c bug.c', '@loop.rsp: response files that name each other without end'],
  ['cc @folder -c bug.c', '@folder: this response file is a folder'],
  ['cc @bad.rsp -c bug.c', '-fopenmp: parallel loops are not supported'],
  ['sh -c "cc -DBUG -c bug.c"', 'cc -DBUG -c bug.c: neither a flag nor a file that a compiler takes'],
  ['cl /DBUG /c bug.c', 'cl: its flags, such as /D, are not read'],
  ['C:/tools/clang-cl.exe /nologo -c /DBUG bug.c', 'C:/tools/clang-cl.exe: its flags, such as /D, are not read'],
  ['cc -c /DBUG bug.c', '/DBUG: neither a flag nor a file that a compiler takes'],
  ['cc -c bug.c `cat flags.rsp`', '`cat: neither a flag nor a file that a compiler takes'],
  ['cd sub && cc -DBUG -c bug.c', "&&: only a compiler's command is read, not that of a shell"],
  ['env CPATH=sub cc -c bug.c', 'CPATH=sub: compilers take flags from this variable'],
  ['cc -Wp,-undef,-DX -c bug.c', '-Wp,-undef,-DX: -undef is not a flag that fencepost knows'],
  ['cc -c bug.c -', '-: not a flag that fencepost knows'],
])('refuses %s, whose flags it does not know', async (command, why) => {
  const files = { 'loop.rsp': '@loop.rsp', 'folder/x': '', 'bad.rsp': '-fopenmp', 'sub/x.h': '' };
  const { exit, stdout, stderr } = await checkCompiledBy(command, files);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`fencepost: one/compile_commands.json: bug.c: ${why}`);
});

it('lists every flag that it leaves out, and says which of several commands it uses', async () => {
  const { exit, stderr } = await checkCompiledBy('ccache cc -Wp,-DX=1,-MD,bug.d -nostdinc @o.rsp -c lib.a bug.c', {
    'o.rsp': '-O2',
  });
  expect([exit, stderr]).toEqual([0, expect.stringContaining('no effect here: -Wp,-MD,bug.d -nostdinc -O2 (')]);
  const again = (): Promise<Finished> =>
    fencepost(['check', 'bug.c', '-p', 'one', '--model', 'sc', '--no-out'], { cwd: folder.path });
  const entry = { directory: folder.path, file: 'bug.c', command: 'cc -o a.o -c bug.c' };
  const [same, other] = ['cc -o b.o -c bug.c', 'cc -DBUG -o b.o -c bug.c'];
  folder.write('one/compile_commands.json', JSON.stringify([entry, { ...entry, command: same }]));
  expect((await again()).stderr).toBe('');
  folder.write('one/compile_commands.json', JSON.stringify([entry, { ...entry, command: other }]));
  expect((await again()).stderr).toBe(
    'fencepost: note: one/compile_commands.json has several commands for bug.c: the flags of the first are used\n',
  );
});

it.each([
  ['[null]', 'an entry is not an object'],
  ['[{}]', 'an entry has no directory or file'],
  ['{}', 'expected a list of commands'],
])('refuses the database %s', async (text, why) => {
  folder.write('bad/compile_commands.json', text);
  const { exit, stderr } = await fencepost(['check', 'bug.c', '-p', 'bad'], { cwd: folder.path });
  expect([exit, stderr]).toEqual([2, `fencepost: bad/compile_commands.json: ${why}\n`]);
});

it('refuses a database that is no regular file', async () => {
  expect(await fencepost(['check', 'bug.c', '-p', '/dev/zero'], { cwd: folder.path })).toMatchObject({
    exit: 2,
    stderr: 'fencepost: /dev/zero: is not a regular file\n',
  });
});

it('says that no assertion is checked, if it is not', () => {
  folder.write('false.c', '#include <assert.h>\nint main(void) { assert(0); return 0; }\n');
  const said = 'NDEBUG is defined, so no `assert` is checked';
  const without = run(['check', 'false.c', '-DNDEBUG', '--model', 'sc', '--no-out']);
  expect([without.exit, without.stdout.replace(/\s+/g, ' ').includes(said)]).toEqual([0, true]);
  const entry = { directory: folder.path, file: 'false.c', command: 'cc -DNDEBUG -c false.c' };
  folder.write('compile_commands.json', JSON.stringify([entry]));
  const release = run(['check', 'false.c', '-p', '.', '--model', 'sc', '--no-out']);
  expect(release).toMatchObject({
    exit: 0,
    stderr:
      'fencepost: note: compile_commands.json defines NDEBUG: no assert is checked in false.c without -U NDEBUG\n',
  });
  expect(run(['check', 'false.c', '-p', '.', '-UNDEBUG', '--model', 'sc', '--no-out']).exit).toBe(1);
});

it('reads a program from standard input, and replays it', () => {
  folder.write('value.h', '#define VALUE 1\n');
  const program = '#include "value.h"\n#include <assert.h>\nint main(void) {\n  assert(VALUE == 2);\n  return 0;\n}\n';
  const checked = run(['check', '-', '--model', 'sc', '--html', 'page.html', '--out', 'saved'], program);
  expect(checked).toMatchObject({ exit: 1, stderr: '' });
  expect(checked.stdout).toContain('assertion: `VALUE == 2` in thread 0 at <stdin>:4:3');
  const [name] = readdirSync(join(folder.path, 'saved'));
  const replayed = run(['replay', join('saved', name!)]);
  rmSync(join(folder.path, 'saved'), { recursive: true });
  expect(replayed).toMatchObject({ exit: 1, stderr: '' });
  expect(replayed.stdout).toContain('4: assert(VALUE == 2);');
  expect(readFileSync(join(folder.path, 'page.html'), 'utf8')).toContain('assert(VALUE == 2);');
  expect(run(['check', '-', '--model', 'sc'], 'int main(void) { return x; }\n').stderr).toMatch(/^<stdin>:1:25: error/);
  expect(run(['check', '-'], 'int x;\n').stderr).toBe(
    'fencepost: <stdin>:1:1: there is no main: write a driver, a main that starts threads which use this code (`fencepost init` writes one to begin with), or name another function with --entry\n',
  );
  expect(run(['fix', '-'], program)).toMatchObject({ exit: 2 });
});

it('separates words as a shell does', () => {
  expect(shellWords(` cc -D'A="x y"' "-DB=\\"1\\"" -DC=\\"z\\" '' a\\ b.c `)).toEqual([
    'cc',
    '-DA="x y"',
    '-DB="1"',
    '-DC="z"',
    '',
    'a b.c',
  ]);
});
