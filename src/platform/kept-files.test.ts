import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { cacheFolder } from './cache-folder.ts';
import { KeptFiles } from './kept-files.ts';

let home: string;
let folder: string;
let path: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fencepost-kept-'));
  folder = join(home, 'fencepost');
  path = join(folder, 'ir', 'name');
  return () => rmSync(home, { recursive: true, force: true });
});

/** Reads as another process would. */
const read = (key = 'key'): string | undefined => new KeptFiles(folder).read('ir', 'name', key)?.toString();
const write = (contents = 'text'): void => new KeptFiles(folder).write('ir', 'name', 'key', contents);

const isRoot = process.getuid?.() === 0;

it('returns what was written, for the same key', () => {
  expect(read()).toBeUndefined();
  write();
  expect(read()).toBe('text');
  expect(read('other')).toBeUndefined();
  write('');
  expect(read()).toBe('');
  expect(readdirSync(join(folder, 'ir'))).toEqual(['name']);
});

it('ignores damaged files, and overwrites them', () => {
  write();
  const whole = readFileSync(path);
  const flipped = Array.from(whole, (_, at) => Buffer.from(whole.map((byte, i) => (i === at ? byte ^ 1 : byte))));
  for (const bad of [...flipped, whole.subarray(1), whole.subarray(0, 64), Buffer.concat([whole, Buffer.of(0)])]) {
    writeFileSync(path, bad);
    expect(read()).toBeUndefined();
  }
  write();
  expect(read()).toBe('text');
});

it('ignores a file under another name, even if it is intact', () => {
  const kept = new KeptFiles(folder);
  kept.write('ir', 'other', 'key', 'text');
  writeFileSync(path, readFileSync(join(folder, 'ir', 'other')));
  expect(read()).toBeUndefined();
});

describe.skipIf(process.platform === 'win32')('never fails', () => {
  it.each<[string, () => void]>([
    ['a folder in place of a file', () => mkdirSync(path, { recursive: true })],
    ['a file in place of a folder', () => writeFileSync(join(folder, 'ir'), '')],
    ['a file in place of everything', () => writeFileSync(folder, '')],
    ['a link to nowhere', () => symlinkSync(join(home, 'nowhere'), path)],
    ['a link in a circle', () => symlinkSync(path, path)],
    ['a pipe', () => expect(spawnSync('mkfifo', [path]).status).toBe(0)],
  ])('with %s', (name, make) => {
    if (!name.endsWith('everything'))
      mkdirSync(name.startsWith('a file') ? folder : join(folder, 'ir'), { recursive: true });
    make();
    expect(read()).toBeUndefined();
    write();
    new KeptFiles(folder).prune('ir', 0);
  });

  it.skipIf(isRoot)('without permission to read or write', () => {
    write();
    chmodSync(path, 0);
    expect(read()).toBeUndefined();
    chmodSync(path, 0o600);
    chmodSync(join(folder, 'ir'), 0o500);
    expect(read()).toBe('text');
    write('other');
    expect(read()).toBe('text');
    // To be removed after the test.
    chmodSync(join(folder, 'ir'), 0o700);
  });
});

describe.skipIf(process.platform === 'win32')('a kept file', () => {
  it('is closed to others from the start', () => {
    const old = process.umask(0);
    try {
      write();
    } finally {
      process.umask(old);
    }
    expect([folder, join(folder, 'ir'), path].map((name) => statSync(name).mode & 0o777)).toEqual([
      0o700, 0o700, 0o600,
    ]);
    expect(read()).toBe('text');
  });

  it.each([
    ['the folder', () => folder, 0o777],
    ['the folder, for the group', () => folder, 0o770],
    ['the folder of its kind', () => join(folder, 'ir'), 0o722],
    ['the file', () => path, 0o666],
    ['the file, for the group', () => path, 0o620],
    ['the folder around it', () => home, 0o777],
  ])('is not read if others may write to %s', (_, name, mode) => {
    write();
    chmodSync(name(), mode);
    expect(read()).toBeUndefined();
    chmodSync(name(), mode & 0o700);
    expect(read()).toBe('text');
  });

  it('is not put into a folder that others may write to', () => {
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    write();
    expect(existsSync(path)).toBe(false);
  });

  it('is read if the folder around ours is everybody’s, with the bit that keeps them from renaming', () => {
    chmodSync(home, 0o1777);
    write();
    expect(read()).toBe('text');
  });

  it.runIf(isRoot).each([
    ['the folder', () => folder],
    ['the folder of its kind', () => join(folder, 'ir')],
    ['the file', () => path],
    ['the folder around it', () => home],
  ])('is not read if %s is of somebody else', (_, name) => {
    write();
    chownSync(name(), 12345, 12345);
    expect(read()).toBeUndefined();
  });
});

it('is in the user’s cache folder; a relative path is ignored', () => {
  const of = (env: NodeJS.ProcessEnv): string | undefined => cacheFolder(env);
  expect(of({ XDG_CACHE_HOME: '/c', HOME: '/h' })).toBe(join('/c', 'fencepost'));
  expect(of({ XDG_CACHE_HOME: '', HOME: '/h' })).toBe(join('/h', '.cache', 'fencepost'));
  expect(of({ XDG_CACHE_HOME: '.cache', HOME: '/h' })).toBe(join('/h', '.cache', 'fencepost'));
  expect(of({ XDG_CACHE_HOME: 'c', HOME: 'h' })).toBeUndefined();
  expect(of({})).toBe(join(homedir(), '.cache', 'fencepost'));
  expect(of({ XDG_CACHE_HOME: '/c', FENCEPOST_CACHE: 'off' })).toBeUndefined();
});
