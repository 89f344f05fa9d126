/** Every kind of error is found at its place, and a nearly identical but correct program has no error. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check as checkSource } from '../../../src/api/check.ts';
import { hunt as huntSource } from '../../../src/api/hunt.ts';
import { check, compileC, MODELS, sourceFolder, verdict } from '../../support/c.ts';
import { lineOfWrong, PAIRS, PAIRS_SOURCE } from '../../support/c-pairs.ts';

const source = { 'pairs.c': PAIRS_SOURCE };
// Always the same file, so that its IR is cached.
const file = join(sourceFolder(source), 'pairs.c');

describe.each(Object.entries(PAIRS))('%s', (name, { says }) => {
  it('is found under each model, with its place', async () => {
    const program = await compileC(source, { entry: `wrong_${name}` });
    for (const model of MODELS) {
      const result = check(program, model, { strategy: 'random', maxExecutions: 3 });
      expect(verdict(result).startsWith(says), `${model}: ${verdict(result)}`).toBe(true);
      const { file, line, notes } = result.errors[0]!.error;
      // An error inside a function called from there has its own line.
      if (name === 'stack_overflow') continue;
      const place = `pairs.c:${lineOfWrong(name)}:`;
      if (says.startsWith('deadlock') && name !== 'once_in_itself') expect(notes?.join('\n')).toContain(place);
      if (!says.startsWith('deadlock')) expect(`${file}:${line}:`).toContain(place);
    }
  });

  // Simplifying the execution and telling it come after the search.
  it('is reported by whole commands', async () => {
    const options = { entry: `wrong_${name}` };
    const checked = await checkSource(file, { ...options, models: MODELS });
    expect(checked.results.map(({ verdict, trace }) => [verdict, trace !== undefined])).toEqual(
      MODELS.map(() => ['violation', true]),
    );
    const hunted = await huntSource(file, { ...options, runs: 1, trials: 1 });
    expect(new Set(hunted.results.map(({ verdict }) => verdict))).toEqual(new Set(['violation']));
  });

  it('has a twin that is correct', async () => {
    const program = await compileC(source, { entry: `right_${name}` });
    for (const model of MODELS)
      expect(verdict(check(program, model, { strategy: 'enumerate' })), model).toBe('verified');
  });
});
