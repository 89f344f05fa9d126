/**
 * Loops that poll, as people write them (`programs/waiting/expected.tsv`): verified, or the kind of error that there is,
 * in at most so many executions, blocked ones included, under SC; fewer would do (`wanted`). Under models that are not
 * named, the search does not end yet. With `-D NEVER` what they wait for never comes, which is found.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Model } from '../../src/models/index.ts';
import { check, loadFiles } from '../support/c.ts';

const FOLDER = 'programs/waiting';
/** Before this many executions, each search ends, or the test fails. */
const MOST = 2000;

const rows = readFileSync(`${FOLDER}/expected.tsv`, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [file, defines, answer, most, , models] = line.split('\t') as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    return {
      file,
      defines: defines === '-' ? [] : defines.split(' '),
      answer,
      most: Number(most),
      models: models.split(' ') as Model[],
    };
  });

it.each(rows)(
  '$file has the expected answer in few executions, with $defines',
  async ({ file, defines, answer, most, models }) => {
    const options = { strategy: 'optimal', monitors: false, maxExecutions: MOST } as const;
    const program = await loadFiles([`${FOLDER}/${file}`], { defines, uninitialised: true });
    for (const model of models) {
      const { verdict, errors, executions, blocked } = check(program, model, options);
      expect(errors[0]?.error.kind ?? verdict.kind, model).toBe(answer);
      if (model === 'sc') expect(executions + blocked).toBeLessThanOrEqual(most);
    }
    if (!readFileSync(`${FOLDER}/${file}`, 'utf8').includes('NEVER')) return;
    const never = await loadFiles([`${FOLDER}/${file}`], {
      defines: [...defines, 'NEVER'],
      uninitialised: true,
    });
    for (const model of models) {
      const { errors } = check(never, model, options);
      expect([model, errors[0]?.error.kind]).toEqual([model, 'liveness']);
    }
  },
);

it('a round that ends with a store is not left out: under TSO the next load may pass the store', async () => {
  const program = await loadFiles([`${FOLDER}/stored-round.c`], { uninitialised: true });
  const bounds = { strategy: 'optimal', maxExecutions: 4000 } as const;
  // Without a rule for it the loop has no end; a proof from SC executions that monitors have watched would be wrong.
  for (const model of ['sc', 'tso'] as const)
    expect(check(program, model, { ...bounds, monitors: true }).verdict.kind, model).not.toBe('verified');
  expect(check(program, 'tso', { ...bounds, monitors: false }).errors[0]?.error.kind).toBe('assertion');
});
