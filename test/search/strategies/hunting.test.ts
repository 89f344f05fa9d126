/** Strategies for programs too large for an exhaustive search: delays, random priorities, and what they report. */
import { beforeAll, describe, expect, it } from 'vitest';
import { loadProgram } from '../../../bench/search.ts';
import { Delayed } from '../../../src/explore/delayed.ts';
import { explore } from '../../../src/explore/explore.ts';
import { Pct } from '../../../src/explore/pct.ts';
import { Pos } from '../../../src/explore/pos.ts';
import { Random } from '../../../src/explore/random.ts';
import { processOf } from '../../../src/explore/runnable.ts';
import { scheduleOf } from '../../../src/explore/schedule.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { ModelSearch } from '../../../src/pipelines/model-search.ts';
import { traceKey } from '../../../src/trace/trace-key.ts';
import { check, checkOptions } from '../../support/c.ts';
import { ensureBuilt, fencepost } from '../../support/fencepost.ts';
import { buildProgram, load, type Sketch, store } from '../../support/sketch.ts';

const MESSAGE: Sketch = [
  [store(0, 1), store(1, 1)],
  [load(1), load(0)],
];

describe('pct', () => {
  it.each([10, 20])('finds the reader between two stores of one of %i setters', async (n) => {
    const program = await loadProgram(['hunting/reorder.c'], [`N=${n}`]);
    const { errors } = check(program, 'sc', { strategy: 'pct', maxExecutions: 20_000 });
    expect(errors.map(({ error }) => error.kind)).toEqual(['assertion']);
  });

  it('promises nothing before its first run', () => {
    const options = checkOptions({ models: ['sc'], strategy: 'pct', maxExecutions: 5 });
    const search = new ModelSearch(buildProgram(MESSAGE), 'sc', options);
    expect(search.result.guarantee).toBeUndefined();
    while (!search.advance(1000));
    expect(search.result.guarantee).toMatchObject({ depth: 3 });
  });

  it('finds an execution of its depth as often as it promises', () => {
    const machine = new Machine(buildProgram(MESSAGE), 'sc');
    const strategy = new Pct(5, 4000, 2);
    let hits = 0;
    explore(machine, strategy, {
      onExecution: () => {
        if (scheduleOf(machine).map(processOf).join() === '0,1,1,0') hits++;
      },
    });
    const { processes, steps, perRun, inAll } = strategy.guarantee;
    expect([processes, steps, perRun]).toEqual([2, 4, 1 / 8]);
    expect(inAll).toBeCloseTo(1, 6);
    // Three standard deviations below.
    expect(hits / 4000).toBeGreaterThan(1 / 8 - 3 * Math.sqrt(7 / 64 / 4000));
  });

  it('has the same runs for the same seed', () => {
    const runsOf = (seed: number): string[] => {
      const machine = new Machine(buildProgram(MESSAGE), 'pso');
      const runs: string[] = [];
      explore(machine, new Pct(seed, 20, 3), { onExecution: () => runs.push(scheduleOf(machine).join()) });
      return runs;
    };
    expect(runsOf(1)).toEqual(runsOf(1));
    expect(runsOf(1)).not.toEqual(runsOf(2));
  });
});

describe('pos', () => {
  it('finds the item of a stack that two threads have after five preemptions', async () => {
    const program = await loadProgram(['hunting/safe-stack.c'], []);
    const { errors } = check(program, 'sc', { strategy: 'pos', maxExecutions: 5000, seed: 2 });
    expect(errors.map(({ error }) => error.kind)).toEqual(['assertion']);
  });

  /** How often each trace was seen, by what the loads read. */
  const tracesOf = (sketch: Sketch, model: 'sc' | 'tso', runs: number): ReadonlyMap<string, number> => {
    const machine = new Machine(buildProgram(sketch), model);
    const traces = new Map<string, number>();
    explore(machine, new Pos(machine, 3, runs), {
      onExecution: () => {
        const key = traceKey(machine);
        traces.set(key, (traces.get(key) ?? 0) + 1);
      },
    });
    return traces;
  };

  it('steps that do not conflict have no say in the order of those that do', () => {
    // One thread has many private steps before it interacts with the other. At random, the other's load nearly always
    // comes first.
    const own = Array.from({ length: 12 }, () => store(1, 1));
    const counts = [...tracesOf([[...own, store(0, 1)], [load(0)]], 'sc', 2000).values()];
    expect(counts).toHaveLength(2);
    expect(Math.min(...counts)).toBeGreaterThan(2000 / 20);
    const machine = new Machine(buildProgram([[...own, store(0, 1)], [load(0)]]), 'sc');
    let last = 0;
    explore(machine, new Random(3, 2000), {
      onExecution: () => {
        if (processOf(scheduleOf(machine).at(-1)!) === 1) last++;
      },
    });
    expect(last).toBeLessThan(2000 / 100);
  });

  it('shows all traces under tso', () => {
    const buffering: Sketch = [
      [store(0, 1), load(1)],
      [store(1, 1), load(0)],
    ];
    expect(tracesOf(buffering, 'tso', 300).size).toBe(4);
  });

  it('has the same runs for the same seed', () => {
    expect([...tracesOf(MESSAGE, 'tso', 50)]).toEqual([...tracesOf(MESSAGE, 'tso', 50)]);
  });
});

describe('delays', () => {
  /** Schedules as lists of processes, by number of delays. */
  const roundsOf = (sketch: Sketch, most: number): string[][] => {
    const machine = new Machine(buildProgram(sketch), 'sc');
    const strategy = new Delayed(most);
    const rounds: string[][] = Array.from({ length: most + 1 }, () => []);
    explore(machine, strategy, {
      onExecution: () => rounds[strategy.round]!.push(scheduleOf(machine).map(processOf).join('')),
    });
    return rounds;
  };

  it('pass over the thread whose turn it is', () => {
    const one = (location: number) => [store(location, 1)];
    // Passing over 0 gives 1 2 0 and passing over 1 gives 0 2 1; passing over two costs two.
    expect(roundsOf([one(0), one(1), one(2)], 2).map((round) => round.sort())).toEqual([
      ['012'],
      ['021', '120'],
      ['102', '201'],
    ]);
  });

  it('continue with the same thread as long as it can run', () => {
    const [none, single] = roundsOf(MESSAGE, 1);
    expect(none).toEqual(['0011']);
    expect(single!.sort()).toEqual(['0110', '1100']);
  });
});

describe('the command', () => {
  beforeAll(ensureBuilt);
  const run = (...options: string[]) => fencepost(['check', 'examples/store-buffering.c', ...options]);

  it('says what the runs covered and what pct promises', async () => {
    const options = ['--strategy', 'pct', '--max-executions', '300', '--model', 'sc', '--json'];
    const { exit, stdout } = await run(...options);
    const [result] = JSON.parse(stdout).results;
    expect([exit, result.verdict]).toEqual([4, 'inconclusive']);
    expect(result.coverage).toMatchObject({ runs: 300, once: 0 });
    expect(result.coverage.traces).toBeGreaterThan(1);
    expect(result.guarantee).toMatchObject({ depth: 3 });
    const text = (await run(...options.slice(0, -1))).stdout;
    expect(text).toMatch(/distinct traces in 300 runs; another run shows a new one with a probability of about 0 %/);
    expect(text).toMatch(
      /a bug of depth 3 \(\d+ processes, \d+ steps\) is found by each run with a probability of at least/,
    );
  });

  it('finds an error under tso with few delays, and prints a row for each number', async () => {
    const { exit, stdout } = await run('--strategy', 'delays', '--delays', '0..4', '--model', 'tso');
    expect(exit).toBe(1);
    expect(stdout).toContain('violation');
  });

  it('refuses options of another strategy', async () => {
    const { exit, stderr } = await run('--strategy', 'pct', '--delays', '3');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('--delays is for strategy delays, not for pct')]);
  });
});
