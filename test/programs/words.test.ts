/**
 * Programs about which reports once said something false (`programs/words`): their verdicts, and the sentences. Two more
 * rows of the table that they come from are about futexes, and have their own tests: `programs/futexes`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckCommandReport } from '../../src/report/schema.ts';
import { fencepost, REPOSITORY } from '../support/fencepost.ts';

const FOLDER = join(REPOSITORY, 'programs/words');
const MODELS = ['sc', 'tso', 'pso', 'rc11'];
const ROWS = readFileSync(join(FOLDER, 'expected.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((row) => row.split('\t'));

const run = (file: string, flags: string, ...more: string[]) =>
  fencepost(
    [
      'check',
      file,
      '--model',
      more.includes('--model') || flags.includes('--model') ? 'sc' : MODELS.join(),
      ...flags.split(' ').filter(Boolean),
      ...more,
    ],
    { cwd: FOLDER },
  );

it('the table is whole', () => expect(ROWS).toHaveLength(5));

it.each(ROWS)('%s %s', async (file, flags, ...expected) => {
  const { stdout } = await run(file!, flags!, '--json');
  const { results } = JSON.parse(stdout) as CheckCommandReport;
  expect(results.map(({ verdict }) => verdict)).toEqual(expected.slice(0, MODELS.length));
});

describe('sentences', () => {
  it('a bit-field does not go by the name of its neighbour', async () => {
    const { stdout } = await run('bitfield-names.c', '');
    expect(stdout).not.toMatch(/s\.b(?: = 8|: 8)/);
  });
});
