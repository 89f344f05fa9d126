/** One replay per error serves all forms of a report. */
import { afterEach, expect, it, vi } from 'vitest';
import { replay } from '../../src/api/replay.ts';
import { Replay } from '../../src/explore/replay.ts';
import { countSteps } from '../../src/explore/schedule.ts';
import { ABANDON } from '../../src/explore/strategy.ts';
import { type Model, modelsWith } from '../../src/models/index.ts';
import { HUNT_DEFAULTS } from '../../src/options/hunt.ts';
import { HuntRun } from '../../src/pipelines/hunt/hunt.ts';
import { RobustRun } from '../../src/pipelines/robust.ts';
import type { CheckCommandReport } from '../../src/report/schema.ts';
import { Executions } from '../../src/report/story/executions.ts';
import { reportHunt } from '../../src/report/story/hunt-report.ts';
import { reportRobust } from '../../src/report/story/robust-report.ts';
import { Story } from '../../src/report/story/story.ts';
import { pageData } from '../../src/report/writers/html.ts';
import { printHunt } from '../../src/report/writers/hunt.ts';
import { pageOfReport } from '../../src/report/writers/pages.ts';
import { reporters } from '../../src/report/writers/reporters.ts';
import { printRobust } from '../../src/report/writers/robust.ts';
import { printText } from '../../src/report/writers/text.ts';
import { checkFile, commandReport, sourceOf } from '../support/reports.ts';

const ALL: readonly Model[] = modelsWith('dpor');
const told = vi.spyOn(Story.prototype, 'finish');
afterEach(() => told.mockClear());

function writeAll(report: CheckCommandReport): string {
  return [
    printText(report),
    ...Object.values(reporters).map((write) => write(report)),
    JSON.stringify(pageData(pageOfReport(report), () => '')),
  ].join('\n');
}

it.each([
  // It fails under SC, and so under all models: one execution.
  { file: 'examples/lock-order.c', options: { monitors: true }, errors: 1 },
  // Correct under SC.
  { file: 'examples/store-buffering.c', options: {}, errors: 2 },
  { file: 'examples/store-buffering.c', options: { keepGoing: true, races: true }, errors: undefined },
])('each error is replayed once by check: $file $options', async ({ file, options, errors }) => {
  const checked = await checkFile(file, ALL, options);
  const known = checked.results.flatMap((r) =>
    r.errors.map((e) => JSON.stringify([r.how === 'sc' ? 'sc' : r.model, e.error, e.schedule])),
  );
  told.mockClear();
  const report = commandReport(checked);
  expect(told).toHaveBeenCalledTimes(new Set(known).size);
  if (errors !== undefined) expect(told).toHaveBeenCalledTimes(errors);
  expect(writeAll(report).length).toBeGreaterThan(1000);
  expect(told).toHaveBeenCalledTimes(new Set(known).size);
});

it('the error of SC is replayed once for all models by robust, and violations not at all', async () => {
  for (const [file, errors] of [
    ['examples/lock-order.c', 1],
    ['examples/store-buffering.c', 0],
  ] as const) {
    const { program } = await checkFile(file, ['sc']);
    const run = new RobustRun(program, {
      models: ['tso', 'pso'],
      monitors: ['causal-tso', 'causal-pso'],
      strategy: 'optimal',
      preemptions: 2,
      seed: 1,
      maxExecutions: undefined,
      maxSteps: undefined,
      maxStates: 1_000_000,
      keepGoing: false,
    });
    while (!run.advance(100_000));
    told.mockClear();
    const executions = new Executions(program, sourceOf);
    const reports = run.results.map((result) => reportRobust(file, executions, result, run.sc.warnings));
    expect(printRobust(reports)).toContain(file);
    expect(told).toHaveBeenCalledTimes(errors);
  }
});

it('a report is replayed once by replay, and once on the program as written', async () => {
  const report = commandReport(await checkFile('examples/store-buffering.c', ['tso']));
  const steps = countSteps(report.results[0]!.error!.schedule);
  const picked = vi.spyOn(Replay.prototype, 'pick');
  await replay(report);
  const taken = picked.mock.results.filter(({ value }) => value !== ABANDON).length;
  picked.mockRestore();
  expect(taken).toBe(2 * steps);
});

it('the execution of a hunt is replayed once per model', async () => {
  const file = 'examples/store-buffering.c';
  const { program } = await checkFile(file, ['sc']);
  const run = new HuntRun(program, { ...HUNT_DEFAULTS, models: ['tso', 'pso'], runs: 20 });
  while (!run.advance(100_000));
  told.mockClear();
  const executions = new Executions(program, sourceOf);
  const reports = run.results.map((result) => reportHunt(file, executions, result));
  expect(reports.map((r) => r.error === undefined)).toEqual([false, false]);
  expect(printHunt(reports)).toContain(file);
  expect(told).toHaveBeenCalledTimes(2);
});
