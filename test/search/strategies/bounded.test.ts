/**
 * [CHESS]: round k of the bounded search has exactly the schedules with k preemptions, each once. The schedules come
 * from `exhaustive`; preemptions are counted on a separate machine.
 */
import { describe, expect, it } from 'vitest';
import { Bounded } from '../../../src/explore/bounded.ts';
import { Exhaustive } from '../../../src/explore/exhaustive.ts';
import { explore } from '../../../src/explore/explore.ts';
import { processOf } from '../../../src/explore/runnable.ts';
import { scheduleOf } from '../../../src/explore/schedule.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { Program } from '../../../src/program/ir.ts';
import { ensureBuilt, fencepost } from '../../support/fencepost.ts';
import { everything, forAllSketches, SKIPPED } from '../../support/for-all.ts';
import { buildProgram } from '../../support/sketch.ts';
import { floor } from '../../support/tier.ts';

const MAX = 3;
const MANY = 3000;

function preemptionsOf(program: Program, schedule: readonly number[]): number {
  const machine = new Machine(program, 'sc');
  let [count, previous] = [0, -1];
  for (const step of schedule) {
    machine.enabled();
    const canGoOn = [...machine.steps.words.subarray(0, machine.steps.length)].some((s) => processOf(s) === previous);
    if (canGoOn && processOf(step) !== previous) count++;
    previous = processOf(step);
    machine.step(step);
  }
  return count;
}

function add(rounds: string[][], round: number, schedule: readonly number[]): void {
  rounds[round] ??= [];
  rounds[round].push(schedule.join());
}

/** Schedules by number of preemptions, sorted; `undefined` if there are too many. */
function expected(program: Program): string[][] | undefined {
  const machine = new Machine(program, 'sc');
  const rounds: string[][] = [];
  const { boundedBy } = explore(machine, new Exhaustive(), {
    keepGoing: true,
    maxExecutions: MANY,
    onExecution: () => {
      const schedule = scheduleOf(machine);
      add(rounds, preemptionsOf(program, schedule), schedule);
    },
  });
  return boundedBy.length > 0 ? undefined : [...rounds].map((round) => (round ?? []).sort());
}

function found(program: Program, most: number): { rounds: string[][]; bounds: readonly string[] } {
  const machine = new Machine(program, 'sc');
  const strategy = new Bounded(most);
  const rounds: string[][] = [];
  const { bounds } = explore(machine, strategy, {
    keepGoing: true,
    onExecution: () => {
      add(rounds, strategy.round, scheduleOf(machine));
    },
  });
  return { rounds: [...rounds].map((round) => (round ?? []).sort()), bounds };
}

describe('bounded search', () => {
  it('tries the schedules with k preemptions in round k, each once', () => {
    let cut = 0;
    forAllSketches(everything, 50, (sketch) => {
      const program = buildProgram(sketch);
      const all = expected(program);
      if (all === undefined) return SKIPPED;
      const { rounds, bounds } = found(program, MAX);
      expect(rounds).toEqual(all.slice(0, MAX + 1));
      expect(bounds).toEqual(all.length > MAX + 1 ? [`preemptions: ${MAX}`] : []);
      if (bounds.length > 0) cut++;
      return undefined;
    });
    expect(cut).toBeGreaterThan(floor(20));
  });

  it('prints a row per number of preemptions', async () => {
    await ensureBuilt();
    const args = ['robust', 'programs/sober/dekker.c', '--model', 'tso', '--strategy', 'bounded'];
    const { stdout } = await fencepost([...args, '--preemptions', '0..2']);
    const rows = stdout.split('\n').filter((line) => /^ {2}[012] {2,}/.test(line));
    expect(rows.map((row) => row.trim().split(/ {2,}/).slice(0, 4))).toEqual([
      ['0', '1', '1', '1'],
      ['1', '6', '5', '0'],
      ['2', '30', '23', '0'],
    ]);
    const both = ['--monitor', 'sober,causal-tso', '--preemptions', '2', '--json'];
    const json = JSON.parse((await fencepost([...args, ...both])).stdout);
    const byBoth = (executions: number) => ['sober', 'causal-tso'].map((monitor) => ({ monitor, executions }));
    // SOBER's Fig. 4(a) has sums: with up to 0, 1 and 2 preemptions, 1, 6 and 29 of 1, 7 and 37 (docs/tables/sober.md).
    expect(json.results[0].byBound).toMatchObject([
      { executions: 1, borderline: byBoth(1) },
      { executions: 6, borderline: byBoth(5) },
      { executions: 30, borderline: byBoth(23) },
    ]);
    const wrong = await fencepost([...args, '--preemptions', '1..2']);
    expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('a range from 0 such as 0..2')]);
  });
});
