/** Papers are cited by key. Every key in a comment of `src/` has a row in `docs/papers.md`, and every row is used. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const KEY = /\[([A-Z][A-Z0-9-]+)\]/g;

/** Keys cited in the comments of a file. Text between backquotes is code, such as `[EAX]`. */
function citedKeys(text: string): string[] {
  return text
    .split('\n')
    .map((line) => /^\s*(?:\/\*|\*).*|(?:^|\s)\/\/.*/.exec(line)?.[0] ?? '')
    .flatMap((comment) => [...comment.replace(/`[^`]*`/g, '').matchAll(KEY)].map((match) => match[1]!));
}

/** The rows of the table, by the key that is their first cell. */
function readIndex(): Map<string, string> {
  const index = new Map<string, string>();
  for (const line of readFileSync(new URL('docs/papers.md', root), 'utf8').split('\n')) {
    const key = /^\|\s*\[([A-Z][A-Z0-9-]+)\]\s*\|/.exec(line)?.[1];
    if (key === undefined) continue;
    expect(index.has(key), `${key} has one row`).toBe(false);
    index.set(key, line);
  }
  return index;
}

const files = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
);
const citations = files.flatMap((file) =>
  citedKeys(readFileSync(new URL(`src/${file}`, root), 'utf8')).map((key) => ({ file, key })),
);

describe('docs/papers.md', () => {
  const index = readIndex();

  it('is a table of keys', () => expect(index.size).toBeGreaterThan(0));

  it('has every paper that the sources cite', () => {
    expect(citations.length).toBeGreaterThan(0);
    expect(citations.filter(({ key }) => !index.has(key))).toEqual([]);
  });

  it('has no paper that the sources do not cite', () => {
    const cited = new Set(citations.map(({ key }) => key));
    expect([...index.keys()].filter((key) => !cited.has(key))).toEqual([]);
  });

  it('names files that exist', () => {
    const links = [...index.values()].flatMap((row) => [...row.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1]!));
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(local.filter((link) => !existsSync(new URL(link, new URL('docs/', root))))).toEqual([]);
  });
});

describe('a citation', () => {
  it.each([
    ['/** Total store order: [MON] Fig. 2, [RELAXER] Fig. 4. */', ['MON', 'RELAXER']],
    [' * needed for Lemma 4.2 of [SHASHA-SNIR]', ['SHASHA-SNIR']],
    ['  const a = b[C]; // [POPL14] Alg. 1', ['POPL14']],
    ['  const a = b[CD];', []],
    [' * a load of `[EAX]`', []],
    ['throw new Error("[MON]");', []],
  ])('is found or not in %s', (line, keys) => expect(citedKeys(line)).toEqual(keys));
});
