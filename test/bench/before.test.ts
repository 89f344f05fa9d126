/** The comparison with the previous commit: what makes it fail, and what does not. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findBefore, findSlower, type Look } from '../../bench/before.ts';

/** Measurements with these ratios; `calls` has the cases of each measurement. */
function looking(ratios: Readonly<Record<string, readonly number[]>>): { look: Look; calls: string[] } {
  const calls: string[] = [];
  const look: Look = async (names, n) => {
    calls.push(`${n}: ${names.join(' ')}`);
    return new Map(names.map((name) => [name, { ratio: ratios[name]![n]!, fastest: 1, executions: [1, 1] }]));
  };
  return { look, calls };
}

describe('a case', () => {
  it('that is slower at every look is slower', async () => {
    const { look, calls } = looking({ a: [1], b: [1.2, 1.15, 1.11] });
    expect(await findSlower(['a', 'b'], look)).toEqual(['b takes 1.20, 1.15, 1.11 times as long as before']);
    expect(calls).toEqual(['0: a b', '1: b', '2: b']);
  });

  it.each([[[1.1]], [[1.3, 1.05]], [[1.3, 1.2, 1.09]]])(
    'that is not slower at every look is not: %j',
    async (ratios) => {
      const { look } = looking({ a: ratios });
      expect(await findSlower(['a'], look)).toEqual([]);
    },
  );

  it('is looked at again before others if it is slower than they', async () => {
    const { look, calls } = looking(Object.fromEntries([1.2, 1.5, 1.3, 1.4].map((r) => [`${r}`, [r, 1]])));
    await findSlower(['1.2', '1.5', '1.3', '1.4'], look);
    expect(calls.slice(1)).toEqual(['1: 1.5', '1: 1.4', '1: 1.3']);
  });
});

describe('the commit before', () => {
  const root = mkdtempSync(join(tmpdir(), 'fencepost-before-'));
  afterAll(() => rmSync(root, { recursive: true }));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root, encoding: 'utf8' }).trim();
  const commit = (file: string, text: string): string => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    return git('rev-parse', 'HEAD');
  };

  it('may be missing, or have the same searches', () => {
    expect(findBefore(root, 'HEAD~1').skipped).toContain('there is no HEAD~1 here');
    git('init', '-q');
    const first = commit('src/explore/a.ts', '1');
    expect(findBefore(root, 'HEAD~1').skipped).toContain('there is no HEAD~1 here');
    commit('docs/a.md', '1');
    expect(findBefore(root, 'HEAD~1').skipped).toContain('nothing that a search runs has changed');
    commit('src/report/a.ts', '1');
    commit('src/explore/a.test.ts', '1');
    expect(findBefore(root, first).skipped).toContain('nothing that a search runs has changed');
    commit('src/explore/a.ts', '2');
    expect(findBefore(root, first)).toEqual({ commit: first });
  });
});
