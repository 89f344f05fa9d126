/** Untrusted input: file names, reports, caches. None of it is executed, changes a verdict or makes a run fail. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { BINARY, ensureBuilt, Folder, REPOSITORY } from '../support/fencepost.ts';

/** Filling its cache takes longer than everything else here. */
const home = new Folder();
let folder: Folder;
beforeAll(ensureBuilt);
afterAll(() => home.remove());
beforeEach(() => {
  folder = new Folder();
  cpSync(join(REPOSITORY, 'examples/store-buffering.c'), join(folder.path, 'a.c'));
});
afterEach(() => folder.remove());

function run(...args: readonly string[]): { readonly exit: number | null; readonly text: string } {
  return runWith({}, ...args);
}

function runWith(more: NodeJS.ProcessEnv, ...args: readonly string[]): ReturnType<typeof run> {
  const env = { ...process.env, FENCEPOST_CACHE: '', XDG_CACHE_HOME: home.path, ...more };
  const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...args], {
    cwd: folder.path,
    encoding: 'utf8',
    env,
  });
  return { exit: status, text: stdout + stderr };
}

it('takes no file for arguments of clang: not on the command line, not from a report', () => {
  // If clang read this, the failing assertion would be gone.
  folder.write('evil.c', `x -DNDEBUG -include ${join(folder.path, 'none.h')}\n`);
  folder.write('none.h', '#define assert(x)\n');
  cpSync(join(folder.path, 'a.c'), join(folder.path, '@evil.c'));
  expect(run('check', '@evil.c', '--no-out')).toEqual({
    exit: 2,
    text: 'fencepost: @evil.c: argument files are not read; paste what it contains or, if it is a source, rename it\n',
  });
  expect(run('check', 'a.c', '-D', '@evil.c', '--no-out').text).toContain('-D @evil.c: expected NAME or NAME=VALUE');
  expect(run('check', 'a.c', '--model', 'tso', '--out', 'out').exit).toBe(1);
  const [name] = readdirSync(join(folder.path, 'out'));
  const kept = join(folder.path, 'out', name!, 'result.json');
  const report = JSON.parse(readFileSync(kept, 'utf8'));
  for (const [change, exit] of [
    [{ includePaths: ['@evil.c'] }, 1],
    [{ includes: ['@evil.c'], files: ['a.c'] }, 3],
    [{ defines: ['@evil.c'] }, 2],
    [{ files: ['@evil.c'] }, 2],
  ] as const) {
    writeFileSync(kept, JSON.stringify({ ...report, input: { ...report.input, ...change } }));
    expect(run('replay', kept)).toMatchObject({ exit });
  }
});

it('defines and undefines macros in the order of the command line', () => {
  folder.write('b.c', '#ifndef X\n#error none\n#endif\nint main(void) { return 0; }\n');
  expect(run('check', 'b.c', '-U', 'X', '-D', 'X=1').exit).toBe(0);
  expect(run('check', 'b.c', '-D', 'X=1', '-U', 'X').exit).toBe(3);
});

it('tolerates a damaged library in its cache', () => {
  // As if no library were shipped.
  const check = () => {
    const { exit, text } = runWith({ FENCEPOST_LIBRARY: 'compile' }, 'check', 'a.c', '--model', 'sc', '--no-out');
    // Compiling the library may take long enough for a line of progress.
    return { exit, text: text.replace(/^compile a\.c with .*\n/gm, '') };
  };
  const folder = join(home.path, 'fencepost/ir');
  // Entries left there by other runs may be larger.
  rmSync(folder, { recursive: true, force: true });
  const good = check();
  expect(good.exit).toBe(0);
  const sizeOf = (name: string): number => statSync(join(folder, name)).size;
  const library = join(
    folder,
    readdirSync(folder).reduce((a, b) => (sizeOf(a) > sizeOf(b) ? a : b)),
  );
  const whole = readFileSync(library);
  for (const [text, instead] of [
    ['"bytes":', '"bytfs":'],
    ['"defines":[', '"defines":0,"x":['],
    ['"modules":[', '"modules":{"x":['],
  ] as const) {
    const damaged = whole.toString('latin1').replace(text, instead);
    expect(damaged).toContain(instead);
    writeFileSync(library, damaged, 'latin1');
    expect(check()).toEqual(good);
    expect(readFileSync(library).equals(whole)).toBe(true);
  }
  rmSync(library);
  mkdirSync(library);
  expect(check()).toEqual(good);
});
