/** The pages with the papers' tables are those that `npm run tables` makes from the recorded results. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PAGES } from '../bench/tables/pages.ts';

const FOLDER = new URL('../docs/tables/', import.meta.url);

it('are up to date', () => {
  const made = PAGES.map((make) => make());
  expect(readdirSync(FOLDER).sort()).toEqual(made.map(({ name }) => name).sort());
  for (const { name, text } of made) {
    expect(readFileSync(new URL(name, FOLDER), 'utf8'), `docs/tables/${name}: run npm run tables`).toBe(text);
  }
});
