/** The built command caches the programs that it has compiled, and notices every change. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { cacheFolder } from '../../../src/platform/cache-folder.ts';
import { BINARY, ensureBuilt, Folder } from '../../support/fencepost.ts';

let folder: Folder;
beforeAll(ensureBuilt);
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

/** The usual cache folder, which contains our library. */
const env = { ...process.env, FENCEPOST_CACHE: '' };

function check(...args: readonly string[]): string {
  const options = { cwd: folder.path, encoding: 'utf8' as const, env };
  const { stdout, stderr } = spawnSync(process.execPath, [BINARY, 'check', '--model', 'sc', 'a.c', ...args], options);
  return /under sc: (\w+)/.exec(stdout)?.[1] ?? stdout + stderr;
}

/** The cached programs with this word in them. */
function programsWith(word: string): readonly string[] {
  const programs = join(cacheFolder(env)!, 'programs');
  const files = readdirSync(programs).map((name) => join(programs, name));
  return files.filter((file) => statSync(file, { throwIfNoEntry: false }) && readFileSync(file).includes(word));
}

it('check keeps compiled programs, and uses them as long as nothing has changed', () => {
  const word = `only_here_${process.pid}_${Date.now()}`;
  folder.write(
    'a.c',
    `#include <assert.h>
#include <stdio.h>
#include "a.h"
int ${word};
int main(int count, char **words) { assert(X + ${word} != 3 && getchar() != '!' && count == 1); }
`,
  );
  folder.write('a.h', '#define X 1\n');
  expect(check()).toBe('verified');
  const kept = programsWith(word);
  expect(kept.length).toBe(1);
  utimesSync(kept[0]!, 1, 1);
  expect(check('--no-warnings')).toBe('verified');
  expect(programsWith(word)).toEqual(kept);
  expect(statSync(kept[0]!).mtimeMs).toBeGreaterThan(1000);

  expect(check('--arg', 'x')).toBe('violation');
  folder.write('a.h', '#define X 3\n');
  expect(check()).toBe('violation');
  folder.write('a.h', '#define X 1\n');
  folder.write('in', '?');
  expect(check('--stdin', 'in')).toBe('verified');
  folder.write('in', '!');
  expect(check('--stdin', 'in')).toBe('violation');
});
