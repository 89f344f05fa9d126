/**
 * The drivers for public libraries (`programs/real`): their list, the table of verdicts and the page agree. The
 * libraries are not in the repository, so the drivers themselves are not checked; `npm run real -- LIBRARY PATH` does
 * that.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COLUMNS, FOLDER, fileOf, LIBRARIES, MODELS, page, ROWS } from '../../programs/real/table.ts';
import { VERDICTS } from '../support/programs.ts';

const WORDS: readonly string[] = [...VERDICTS, 'unmodelled'];

it('has at least twelve libraries', () => expect(Object.keys(LIBRARIES).length).toBeGreaterThanOrEqual(12));

it('has the columns that are read', () => {
  const [first] = readFileSync(new URL('expected.tsv', FOLDER), 'utf8').split('\n');
  expect(first).toBe(COLUMNS.join('\t'));
});

it('has a row for each driver and change, in order', () => {
  const listed = Object.entries(LIBRARIES).flatMap(([library, { drivers }]) =>
    Object.entries(drivers).flatMap(([driver, { variants = {} }]) =>
      ['-', ...Object.keys(variants)].map((variant) => [library, driver, variant].join('\t')),
    ),
  );
  expect(ROWS.map((row) => [row.library, row.driver, row.variant].join('\t'))).toEqual(listed);
});

it('has a file for each driver, and a driver for each file', () => {
  for (const [library, its] of Object.entries(LIBRARIES)) {
    const files = readdirSync(new URL(`${library}/`, FOLDER)).filter((file) => /\.c(?:pp)?$/.test(file));
    expect(files.sort()).toEqual(
      Object.keys(its.drivers)
        .map((driver) => fileOf(its, driver))
        .sort(),
    );
  }
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(LIBRARIES).sort());
});

it.each(ROWS)('$library $driver $variant: makes sense', ({ expected, reason }) => {
  for (const model of MODELS) expect(WORDS).toContain(expected[model]);
  expect(reason).not.toBe('');
  // TSO allows SC's executions, PSO allows TSO's, and the language allows those of all machines.
  const { sc, tso, pso, rc11 } = expected;
  if (sc !== 'correct') expect(tso).toBe(sc);
  if (tso !== 'correct') expect(pso).not.toBe('correct');
  if (pso !== 'correct') expect(rc11).not.toBe('correct');
});

it('finds every barrier that is taken out', () => {
  const taken = ROWS.filter(
    ({ library, driver, variant }) => LIBRARIES[library]?.drivers[driver]?.variants?.[variant]?.changes !== undefined,
  );
  expect(taken.length).toBeGreaterThan(12);
  for (const row of taken) expect(MODELS.map((model) => row.expected[model])).not.toEqual(MODELS.map(() => 'correct'));
});

it('has the table on its page', () => {
  const readme = new URL('README.md', FOLDER);
  if (process.env['UPDATE'] !== undefined) writeFileSync(readme, page());
  expect(readFileSync(readme, 'utf8')).toBe(page());
});

it('keeps nothing of this machine', () => {
  const text = readFileSync(new URL('libraries.json', FOLDER), 'utf8');
  expect(text).not.toMatch(/"\/|\/(?:home|work|tmp|usr)\//);
  expect(existsSync(new URL('driver.h', FOLDER))).toBe(true);
});
