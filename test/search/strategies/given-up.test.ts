/** Executions that `source` gives up, compared with `optimal`, which gives up none. */
import { describe, expect, it } from 'vitest';
import type { CheckCommandReport } from '../../../src/report/schema.ts';
import { fencepost } from '../../support/fencepost.ts';
import { validateReport } from '../../support/schemas.ts';

/** With threads that read while they wait, as in the paper. */
const ARGS = [
  'check',
  'programs/nidhugg/szymanski.c',
  '-D',
  'FENCE_PSO',
  '--model',
  'pso',
  '--no-out',
  '--count-orders',
];

describe('redundant executions', () => {
  it('are counted with source, and only there', async () => {
    const results = async (...more: readonly string[]): Promise<CheckCommandReport['results']> => {
      const report = JSON.parse((await fencepost([...ARGS, '--json', ...more])).stdout) as CheckCommandReport;
      expect(validateReport(report)).toEqual([]);
      return report.results;
    };
    const [source] = await results('--strategy', 'source');
    const [optimal] = await results();
    expect(source).toMatchObject({ verdict: 'verified', executions: 29, blocked: 118, givenUp: 2 });
    expect(optimal).toMatchObject({ verdict: 'verified', executions: 29, blocked: 118 });
    expect(optimal).not.toHaveProperty('givenUp');
  });

  it('are named in the text', async () => {
    const { stdout } = await fencepost([...ARGS, '--strategy', 'source']);
    expect(stdout.replace(/\n {2}/g, ' ')).toContain(
      '118 more blocked: waiting in a loop; 2 more given up as redundant)',
    );
  });
});
