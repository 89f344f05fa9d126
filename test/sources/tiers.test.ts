/** The quick tier leaves out what `test/tiers.ts` names, and nothing else. */
import { globSync } from 'tinyglobby';
import { expect, it } from 'vitest';
import { DEEP, floor, QUICK, samples } from '../support/tier.ts';
import { PUSH_ONLY } from '../tiers.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const ALL: readonly string[] = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: ROOT });
const LEFT_OUT: ReadonlySet<string> = new Set(globSync(Object.keys(PUSH_ONLY), { cwd: ROOT }));

const folderOf = (file: string): string => file.split('/').slice(0, -1).join('/');

it('every pattern of files that the quick tier leaves out names files, and says why', () => {
  for (const [pattern, why] of Object.entries(PUSH_ONLY)) {
    // Each name in braces counts: a file that is renamed would else be in the quick tier unnoticed.
    for (const one of expand(pattern)) expect(globSync(one, { cwd: ROOT }), one).not.toEqual([]);
    expect(why, pattern).toMatch(/\w+ \w+/);
  }
  expect([...LEFT_OUT].filter((file) => !ALL.includes(file))).toEqual([]);
});

it('every folder of tests has some in the quick tier, except those that need more than Node, or many programs', () => {
  const folders = [...new Set(ALL.map(folderOf))];
  const without = folders.filter((folder) => ALL.every((file) => folderOf(file) !== folder || LEFT_OUT.has(file)));
  expect(without).toEqual(['test/commands/record', 'test/commands/serve', 'test/lang/c', 'test/lang/cxx']);
});

it('the quick tier runs most test files', () => {
  expect(ALL.length).toBeGreaterThan(200);
  expect(LEFT_OUT.size).toBeLessThan(ALL.length / 2);
});

it('a tier decides how many samples a property takes, and whether these must show something', () => {
  expect(samples(1000)).toEqual(QUICK ? 10 : DEEP ? expect.any(Number) : 1000);
  expect(samples(3)).toEqual(DEEP ? expect.any(Number) : 3);
  expect(floor(20)).toBe(QUICK ? -1 : 20);
});

/** The patterns without braces. */
function expand(pattern: string): readonly string[] {
  const [, before, names, after] = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  if (names === undefined) return [pattern];
  return names.split(',').flatMap((name) => expand(`${before}${name}${after}`));
}
