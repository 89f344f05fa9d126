/** The pages with the papers' tables are those that `npm run tables` makes from the recorded results. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nidhugg } from '../../bench/nidhugg.ts';
import { loadsCase, openCells } from '../../bench/open-cells.ts';
import { lastResults } from '../../bench/results.ts';
import { PAGES } from '../../bench/tables/pages.ts';

const FOLDER = new URL('../../docs/tables/', import.meta.url);

it('are up to date', () => {
  const made = PAGES.map((make) => make());
  expect(readdirSync(FOLDER).sort()).toEqual(made.map(({ name }) => name).sort());
  for (const { name, text } of made) {
    expect(readFileSync(new URL(name, FOLDER), 'utf8'), `docs/tables/${name}: run npm run tables`).toBe(text);
  }
});

// Reruns one cheap cell of NIDHUGG's table: traces are counted as in the paper, though `check` now merges some.
it('have counts that a run repeats', async () => {
  const name = 'dekker.c FENCE_TSO';
  const { counts, texts } = await nidhugg.measure(name);
  const recorded = lastResults('nidhugg')!.cases.find((known) => known.name === name)!;
  expect(counts).toEqual(recorded.counts);
  expect(texts).toMatchObject({ executions: recorded.texts!['executions'], blocked: recorded.texts!['blocked'] });
});

// From MON's tables, the way of counting that gives the paper's 3 and 5 violations of dekker.
it('have violations that a run repeats', async () => {
  const name = loadsCase('dekker', ['EMPTY'], 1);
  const { counts } = await openCells.measure(name);
  expect(counts).toMatchObject({ 'tso newest': 3, 'pso newest': 5 });
  expect(counts).toEqual(lastResults('open-cells')!.cases.find((known) => known.name === name)!.counts);
});
