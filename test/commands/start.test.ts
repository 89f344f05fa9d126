/** How the command starts: with the engine's cached code, if it exists and is intact. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BINARY, ensureBuilt, Folder, REPOSITORY } from '../support/fencepost.ts';
import { DEEP } from '../support/tier.ts';

let home: Folder;
beforeAll(ensureBuilt);
beforeEach(() => {
  home = new Folder();
});
afterEach(() => home.remove());

const COMMAND = ['litmus', 'litmus/SB/SB.litmus'];
const kept = (): string => join(home.path, 'fencepost', 'code', 'litmus');

function run(args: readonly string[] = COMMAND, env: NodeJS.ProcessEnv = {}): string {
  const options = { cwd: REPOSITORY, encoding: 'utf8' as const };
  const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...args], {
    ...options,
    env: { ...process.env, FENCEPOST_CACHE: '', XDG_CACHE_HOME: home.path, ...env },
  });
  return `${status}\n${stdout}${stderr}`;
}

it('caches its code, and does not rewrite it the next time', () => {
  const first = run();
  expect(first).toMatch(/^0\nSB /);
  utimesSync(kept(), 1, 1);
  expect(run()).toBe(first);
  expect(statSync(kept()).mtimeMs).toBe(1000);
});

it('exits with 70 for an uncaught error: 1 would mean a violation', () => {
  const throws = 'data:text/javascript,setTimeout(() => { throw new RangeError("planted"); }, 500)';
  const args = ['--import', throws, BINARY, 'check', 'programs/scale/mutex.c', '-D', 'N=12', '-m', 'sc', '-j', '1'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: REPOSITORY, encoding: 'utf8' });
  expect(status).toBe(70);
  expect(stderr).toMatch(
    /fencepost: internal error, please report it with the input that caused it\nRangeError: planted/,
  );
});

it('does not trust code that is damaged, or of something else', () => {
  const first = run();
  const whole = readFileSync(kept());
  const damaged = Buffer.from(whole);
  damaged[damaged.length >> 1]! ^= 1;
  const unsigned = Buffer.from(whole);
  unsigned[7]! ^= 1;
  run(['--version']);
  const other = readFileSync(join(home.path, 'fencepost', 'code', 'help'));
  const few = [damaged, other, whole.subarray(0, -1)];
  for (const contents of DEEP ? [...few, unsigned, Buffer.from('null\n'), Buffer.of()] : few) {
    writeFileSync(kept(), contents);
    expect(run()).toBe(first);
    expect(readFileSync(kept()).equals(contents)).toBe(false);
  }
});

it('does not run the code of another script of the same size and age', () => {
  cpSync(join(REPOSITORY, 'dist'), join(home.path, 'dist'), { recursive: true });
  cpSync(join(REPOSITORY, 'package.json'), join(home.path, 'package.json'));
  const script = join(home.path, 'dist/cli/command.cjs');
  const nonsense = () => {
    const env = { ...process.env, FENCEPOST_CACHE: '', XDG_CACHE_HOME: home.path };
    return spawnSync(process.execPath, [join(home.path, 'dist/cli/main.js'), 'nonsense'], { env, encoding: 'utf8' })
      .stderr;
  };
  expect(nonsense()).toMatch(/^fencepost: unknown command/);
  const { atime, mtime } = statSync(script);
  const text = readFileSync(script, 'utf8');
  writeFileSync(script, text.replaceAll('unknown command', 'UNKNOWN command'));
  utimesSync(script, atime, mtime);
  expect(nonsense()).toMatch(/^fencepost: UNKNOWN command/);
});

it('does not run code that others can write, or from the folder that it is called in', () => {
  const first = run();
  utimesSync(kept(), 1, 1);
  chmodSync(kept(), 0o666);
  expect(run()).toBe(first);
  // Written again.
  expect(statSync(kept()).mtimeMs).not.toBe(1000);
  home.write('h/x', '');
  const env = { XDG_CACHE_HOME: 'relative', HOME: join(home.path, 'h') };
  expect(run(COMMAND, env)).toBe(first);
  expect(existsSync(join(REPOSITORY, 'relative'))).toBe(false);
  expect(existsSync(join(home.path, 'h/.cache/fencepost/code/litmus'))).toBe(true);
});

it('caches nothing if it must not, or cannot', () => {
  const first = run(COMMAND, { FENCEPOST_CACHE: 'off' });
  expect(first).toMatch(/^0\nSB /);
  expect(existsSync(kept())).toBe(false);
  home.write('file', '');
  // Nothing can be created in /proc, and Node's recursive `mkdir` does not notice.
  for (const nowhere of [join(home.path, 'file'), '/proc/nowhere'])
    expect(run(COMMAND, { XDG_CACHE_HOME: nowhere })).toBe(first);
});

it('has one cache entry for everything that is not a command', () => {
  expect(run(['--version'])).toMatch(/^0\nfencepost \d/);
  expect(run(['nonsense'])).toMatch(/^2\nfencepost: unknown command/);
  expect(existsSync(join(home.path, 'fencepost', 'code', 'help'))).toBe(true);
  expect(existsSync(join(home.path, 'fencepost', 'code', 'nonsense'))).toBe(false);
});

describe('a standard error that nobody reads', () => {
  /** A clang that takes a moment, so that progress is shown, and then refuses. */
  const CLANG = `#!/bin/sh
case "$*" in *--version*) echo "clang version 19.1.7"; exit 0;; esac
sleep 0.5; echo "bad.c:1:1: error: planted" >&2; exit 1
`;
  const exitOf = (redirect: string): string => {
    home.write('clang', CLANG);
    chmodSync(join(home.path, 'clang'), 0o755);
    home.write('bad.c', 'int main(void) { return 0; }');
    // The reader has ended before the command begins.
    const script = `mkfifo gone; : < gone & exec 3> gone; wait; "$NODE" "$BINARY" check bad.c ${redirect}; echo "exit $?"`;
    const env = { NODE: process.execPath, BINARY, FENCEPOST_CLANG: './clang', FENCEPOST_PROGRESS_MS: '0.001' };
    const options = { cwd: home.path, encoding: 'utf8' as const, env: { ...process.env, ...env } };
    return spawnSync('bash', ['-c', script], options).stdout;
  };

  it('costs the lines of progress, not the verdict', () => expect(exitOf('2>&3')).toBe('exit 3\n'));

  it('ends a command whose standard output is the same pipe, as it has no verdict yet', () =>
    expect(exitOf('>&3 2>&1')).toBe('exit 4\n'));
});
