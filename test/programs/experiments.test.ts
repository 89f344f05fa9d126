/**
 * [SOBER] Fig. 4 and [MON] Tables 1 and 2: the papers' findings, on our versions of their programs
 * (`programs/sober`, `programs/mon`). `npm run bench -- sober` and `-- mon` have the counts.
 */
import { describe, expect, it } from 'vitest';
import { runRobust, unexpected } from '../../bench/experiments.ts';
import { type ExperimentRow, MON, SOBER } from '../../bench/experiments-table.ts';
import { Borderline } from '../../bench/monitored.ts';
import { loadProgram } from '../../bench/search.ts';
import { Bounded } from '../../src/explore/bounded.ts';
import { explore } from '../../src/explore/explore.ts';
import { parseSchedule, printSchedule, scheduleOf } from '../../src/explore/schedule.ts';
import { Waker } from '../../src/explore/wake.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type MonitorName, Monitors } from '../../src/monitor/monitors.ts';
import type { RobustResult } from '../../src/pipelines/robust.ts';
import { check } from '../support/c.ts';
import { ensureBuilt, fencepost } from '../support/fencepost.ts';
import { DEEP } from '../support/tier.ts';

/** Other rows have too many executions for the push tier; the benches and the deep tier assert them. */
const isQuick = ({ file, defines, preemptions = 0 }: ExperimentRow): boolean =>
  !(/^mon\/(harris|lazylist)/.test(file) && defines.includes('FENCE_PSO')) &&
  (file === 'sober/dekker.c' || preemptions <= (file.startsWith('mon/') ? 1 : 2));
/** Programs with fences for which `optimal` needs more than a few seconds. */
const SLOW = /^mon\/(bakery|harris|lazylist|msn|snark)/;

const load = ({ file, defines }: ExperimentRow): ReturnType<typeof loadProgram> => loadProgram([file], defines);
const find = (rows: readonly ExperimentRow[], name: string): ExperimentRow => rows.find((row) => row.name === name)!;
const isFenced = ({ defines }: ExperimentRow): boolean => defines.length > 0;

/** The results of the rows. */
const found = new Map<ExperimentRow, readonly RobustResult[]>();

describe.each([...SOBER, ...MON].filter((row) => DEEP || isQuick(row)))('$file: $name', (row) => {
  it('has as many distinct violations as the table says', async () => {
    const results = runRobust(await load(row), row, 'bounded');
    found.set(row, results);
    expect(unexpected(row, results)).toEqual([]);
  });
});

describe('what the papers found, these runs find', () => {
  const isUnsafe = (row: ExperimentRow, model: 'tso' | 'pso'): boolean =>
    found.get(row)!.some((result) => result.model === model && result.violations.length > 0);

  it.each([
    ['dekker.c - 1', 7, 6],
    ['dekker.c - 2', 37, 29],
    ['bakery.c - 0', 1, 1],
    ['bakery.c - 1', 19, 18],
    ['takequeue.c - 1', 19, 17],
  ])('%s: %i executions, %i of them borderline', (name, executions, borderline) => {
    const [tso] = found.get(find(SOBER, name))!;
    expect([tso!.executions, tso!.statistics[0]]).toMatchObject([executions, { monitor: 'causal-tso', borderline }]);
  });

  it('all four programs of SOBER are unsafe under TSO', () => {
    const unfenced = [...found.keys()].filter((row) => SOBER.includes(row) && !isFenced(row));
    const unsafe = unfenced.filter((row) => row.paper.interleavings !== '-' && isUnsafe(row, 'tso'));
    expect(new Set(unsafe.map(({ file }) => file)).size).toBe(4);
  });

  it.each(DEEP ? [1, 2] : [1])('only dekker and bakery are unsafe under TSO, all seven under PSO, with %i', (bound) => {
    const rows = [...found.keys()].filter((row) => MON.includes(row) && !isFenced(row) && row.preemptions === bound);
    expect(rows).toHaveLength(7);
    for (const row of rows) {
      const unsafe = [isUnsafe(row, 'tso'), isUnsafe(row, 'pso')];
      expect(unsafe, row.name).toEqual(row.paper.violations.split(' ').map((n) => n !== '0'));
      expect(unsafe, row.name).toEqual([/dekker|bakery/.test(row.file), true]);
    }
  });
});

/** Each program with each of its defines once, with the most preemptions. */
const programs = [...new Map([...SOBER, ...MON].map((row) => [`${row.file} ${row.defines.join()}`, row])).values()];

describe.each(programs.filter((row) => DEEP || !SLOW.test(row.file)))('$file $defines with optimal', (row) => {
  it('is proved, or has violations as the table says', async () => {
    for (const { model, robust, bounds } of runRobust(await load(row), row, 'optimal')) {
      expect([model, robust, bounds]).toEqual([model, row.violations[model] === 0, []]);
    }
  });
});

describe.each(programs.filter(({ file }) => file.startsWith('sober/')))('$file $defines', (row) => {
  it('gets the same verdicts from check with and without monitors', async () => {
    const program = await load(row);
    for (const model of ['tso', 'pso'] as const) {
      const [withThem, without] = [true, false].map((monitors) =>
        // Monitors are used only where every read is taken.
        check(program, model, { strategy: 'optimal', monitors, countOrders: true }),
      );
      expect(withThem!.verdict).toEqual(without!.verdict);
      expect(withThem!.how).toBe(row.violations[model] === 0 ? 'robust' : 'explored');
    }
  });
});

describe('Fig. 4(b) of SOBER', () => {
  const unfenced = find(SOBER, 'fig-4b.c - any');

  it('loses a wake-up under TSO, not under SC', async () => {
    const program = await load(unfenced);
    expect(check(program, 'sc', { strategy: 'optimal' }).verdict.kind).toBe('verified');
    const [found] = check(program, 'tso', { strategy: 'optimal' }).errors;
    expect(found!.error).toMatchObject({ kind: 'deadlock' });
    expect(found!.error.message).toContain('waits to be woken');
  });

  it('is recognised as harmful from SC executions', async () => {
    const [tso] = runRobust(await load(unfenced), unfenced, 'optimal');
    expect(tso!.violations.map(({ harm }) => harm?.error.kind)).toEqual(['deadlock', 'deadlock']);
  });

  it('is fixed by fences', async () => {
    const fenced = await load(find(SOBER, 'fig-4b.c FENCE_TSO any'));
    expect(check(fenced, 'tso', { strategy: 'optimal' }).verdict.kind).toBe('verified');
  });
});

describe('the command', () => {
  it.each([
    ['dekker', 5],
    ...(DEEP
      ? ([
          ['bakery', 3],
          ['takequeue', 4],
        ] as const)
      : []),
  ] as const)('calls %s with fences inconclusive, and names the bound of %i preemptions', async (name, bound) => {
    await ensureBuilt();
    const options = ['-D', 'FENCE_TSO', '--model', 'tso', '--strategy', 'bounded', '--preemptions', `${bound}`];
    const { exit, stdout } = await fencepost(['robust', `programs/sober/${name}.c`, ...options]);
    expect(stdout).toContain('inconclusive: no violation in ');
    expect(stdout).toContain(`(preemptions: ${bound})`);
    expect(exit).toBe(4);
  });
});

describe('borderline runs', () => {
  const names: readonly MonitorName[] = ['sober', 'tso', 'pso', 'causal-tso', 'causal-pso'];

  it('are as many as found by monitors that see each execution separately, from its start', async () => {
    const program = await load(find(SOBER, 'takequeue.c - 1'));
    const machine = new Machine(program, 'sc', {}, { spin: true });
    const borderline = new Borderline(machine, names);
    const schedules: string[] = [];
    explore(machine, new Bounded(1), {
      followers: [new Waker(machine), borderline],
      onExecution: () => {
        borderline.conclude();
        schedules.push(printSchedule(machine, scheduleOf(machine)));
      },
    });
    const alone = names.map((name) => schedules.filter((schedule) => raisesAlarm(name, schedule)).length);
    expect(borderline.executions).toEqual(alone);
    expect(new Set(alone).size).toBeGreaterThan(1);

    function raisesAlarm(name: MonitorName, schedule: string): boolean {
      machine.rollback(0);
      for (const step of parseSchedule(machine, schedule)) machine.step(step);
      let isAlarmed = false;
      const monitors = new Monitors(machine.events, [name], () => () => {
        isAlarmed = true;
      });
      for (let event = 0; event < machine.depth; event++) monitors.observe(event);
      monitors.conclude(machine);
      return isAlarmed;
    }
  });
});
