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

const run = (file: string, ...flags: string[]) => {
  const models = flags.includes('--model') ? [] : ['--model', MODELS.join()];
  return fencepost(['check', file, ...models, ...flags], { cwd: FOLDER });
};

it('the table is whole', () => expect(ROWS).toHaveLength(5));

it.each(ROWS)('%s %s', async (file, flags, ...expected) => {
  const { stdout } = await run(file!, ...flags!.split(' ').filter(Boolean), '--json');
  const { results } = JSON.parse(stdout) as CheckCommandReport;
  expect(results.map(({ verdict }) => verdict)).toEqual(expected.slice(0, MODELS.length));
});

describe('sentences', () => {
  it('an assertion that is checked is not said to be left out, and one that is not, is', async () => {
    expect((await run('ndebug.c', '-D', 'NDEBUG')).stdout).not.toMatch(/NDEBUG|asserts/);
    const left = await run('bitfield-names.c', '-D', 'NDEBUG', '--model', 'sc');
    expect(left.stdout).toContain('NDEBUG is defined, so no `assert` is checked');
    expect(left.stdout.replace(/\s+/g, ' ')).toContain(
      'Not checked: nothing asserts anything: only memory errors, races and deadlocks were looked for.',
    );
  });

  it('a bit-field does not go by the name of its neighbour', async () => {
    const { stdout } = await run('bitfield-names.c');
    expect(stdout).not.toMatch(/s\.b(?: = 8|: 8)/);
  });

  it('a program with one thread is verified, but of threads nothing was checked', async () => {
    const { exit, stdout } = await run('small-mutex.i');
    expect([exit, stdout]).toEqual([0, expect.stringContaining('Not checked: no second thread was ever created.')]);
    expect((await run('section-main-returns.c', '--model', 'sc,tso')).stdout).not.toContain('no second thread');
  });
});
