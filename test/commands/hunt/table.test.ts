/**
 * The shape of [RELAXER] Table 1 on the smallest harnesses: in the data structures, cycles under PSO and PSLO but none
 * under TSO; in the algorithms for mutual exclusion, under all. `npm run bench -- relaxer` has the whole table.
 */
import { describe, expect, it } from 'vitest';
import { modelsWith } from '../../../src/models/index.ts';
import { confirmed, hunt, loadBenchmark } from '../../support/hunt.ts';

const QUICK = { runs: 30, trials: 5, attempts: 10 };

describe('Table 1', () => {
  it.each(['msn', 'ms2', 'lazylist', 'harris', 'snark'])('%s has cycles under PSO and PSLO only', async (name) => {
    const program = await loadBenchmark(name, ['SMALL']);
    const models = modelsWith('hunt');
    const found = models.filter((model) => confirmed(hunt(program, model, QUICK)).length > 0);
    expect(found).toEqual(models.filter((model) => model !== 'tso'));
  });

  it.each(['dekker', 'bakery'])('%s has cycles under all of them', async (name) => {
    const program = await loadBenchmark(name, ['ROUNDS=1']);
    const models = modelsWith('hunt');
    expect(models.filter((model) => confirmed(hunt(program, model, QUICK)).length > 0)).toEqual(models);
  });
});
