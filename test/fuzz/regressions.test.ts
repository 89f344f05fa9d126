/**
 * `programs/regressions/`: findings of the fuzzer and of others. `expected.tsv` has the right verdicts for every file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import { explore } from '../../src/explore/explore.ts';
import { Machine } from '../../src/machine/machine.ts';
import type { StrategyName } from '../../src/options/search.ts';
import { CheckRun } from '../../src/pipelines/check.ts';
import { hasSections } from '../../src/pipelines/strategies.ts';
import { compileC, MODELS } from '../support/c.ts';
import { REGRESSIONS } from './regression.ts';

const [header, ...lines] = readFileSync(`${REGRESSIONS}expected.tsv`, 'utf8').trimEnd().split('\n');
const rows = lines.map((line) => {
  const [file = '', flags = '', ...expected] = line.split('\t');
  return { name: `${file} ${flags}`.trim(), file, flags: flags === '' ? [] : flags.split(' '), expected };
});

it('has a row for every file, and a file for every row', () => {
  expect(header).toBe(['file', 'flags', ...MODELS].join('\t'));
  const files = readdirSync(REGRESSIONS).filter((name) => name.endsWith('.c'));
  expect([...new Set(rows.map(({ file }) => file))].sort()).toEqual(files.sort());
});

describe.each(rows)('$name', ({ file, flags, expected }) => {
  it('is as expected', async () => {
    const argument = (flag: string): readonly string[] => flags.filter((_, i) => flags[i - 1] === flag);
    const source = readFileSync(`${REGRESSIONS}${file}`, 'utf8');
    const program = await compileC(
      { [file]: source },
      {
        defines: argument('-D'),
        uninitialised: flags.includes('--uninitialised'),
      },
    );
    const run = new CheckRun(program, {
      models: MODELS,
      strategy: (argument('--strategy')[0] ?? 'optimal') as StrategyName,
      preemptions: 2,
      seed: 1,
      maxExecutions: undefined,
      maxSteps: undefined,
      maxStates: 1_000_000,
      keepGoing: false,
      races: flags.includes('--races'),
      monitors: !flags.includes('--no-monitors'),
    });
    while (!run.advance(1_000_000));
    expect(run.results.map(({ verdict }) => verdict.kind)).toEqual(expected);
  });

  it('has no execution that Optimal-DPOR has to give up', async () => {
    const program = await compileC({ [file]: readFileSync(`${REGRESSIONS}${file}`, 'utf8') });
    if (hasSections(program)) return;
    for (const model of MODELS) {
      const machine = new Machine(program, model, {}, { spin: true });
      const { abandoned } = explore(machine, new MachineDpor(machine, 'optimal'), { keepGoing: true });
      expect(abandoned, model).toBe(0);
    }
  });
});
