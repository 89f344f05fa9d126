/**
 * Loops that poll, as people write them (`programs/waiting/expected.tsv`): verified under every model, in at most so
 * many executions, blocked ones included, under SC. With `-D NEVER` what they wait for never comes, which is found.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { check, loadFiles, MODELS } from '../support/c.ts';

const FOLDER = 'programs/waiting';
/** Before this many executions, each search ends, or the test fails. */
const MOST = 2000;

const rows = readFileSync(`${FOLDER}/expected.tsv`, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [file, defines, most] = line.split('\t') as [string, string, string];
    return { file, defines: defines === '-' ? [] : defines.split(' '), most: Number(most) };
  });

it.each(rows)('$file is verified in few executions, with $defines', async ({ file, defines, most }) => {
  const options = { strategy: 'optimal', monitors: false, maxExecutions: MOST } as const;
  const program = await loadFiles([`${FOLDER}/${file}`], { defines, uninitialised: true });
  for (const model of [...MODELS, 'rc11'] as const) {
    const { verdict, executions, blocked } = check(program, model, options);
    expect(verdict, model).toEqual({ kind: 'verified' });
    if (model === 'sc') expect(executions + blocked).toBeLessThanOrEqual(most);
  }
  const never = await loadFiles([`${FOLDER}/${file}`], {
    defines: [...defines, 'NEVER'],
    uninitialised: true,
  });
  for (const model of [...MODELS, 'rc11'] as const) {
    const { errors } = check(never, model, options);
    expect([model, errors[0]?.error.kind]).toEqual([model, 'liveness']);
  }
});
