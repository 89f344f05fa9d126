/** What a page of `fix` shows beyond its report: the failure of the unfixed program, and the unfixed sources. */

import { hasMonitors, type StoreBufferModel } from '../../models/index.ts';
import { causalMonitoring } from '../../monitor/monitors.ts';
import type { CheckOptions } from '../../options/check.ts';
import { CheckRun } from '../../pipelines/check.ts';
import type { FixResult } from '../../pipelines/fix/fix.ts';
import type { Drive } from '../../pipelines/fix/patched.ts';
import { RobustRun } from '../../pipelines/robust.ts';
import { shrinkErrors } from '../../pipelines/shrink.ts';
import { hasSections } from '../../pipelines/strategies.ts';
import type { Program } from '../../program/ir.ts';
import type { AnyResult } from '../../report/page-data.ts';
import { reportCheck } from '../../report/story/check-report.ts';
import type { Executions } from '../../report/story/executions.ts';
import { reportRobust } from '../../report/story/robust-report.ts';
import { type ReadSource, readSource } from '../../report/writers/html.ts';
import { pageOfCheck } from '../../report/writers/pages.ts';

/** Finds the failures again, as `check` and `robust` do. A stopped search has no execution to show. */
export async function problemsBefore(
  name: string,
  program: Program,
  executions: Executions,
  result: FixResult,
  options: CheckOptions,
  drive: Drive,
): Promise<readonly AnyResult[]> {
  const { goal, models, kind, minimise } = result;
  if (kind === 'sc') return [reportCheck(name, executions, shrinkErrors(program, result.sc))];
  if (kind === 'unneeded' || kind === 'stopped' || (kind === 'fixed' && minimise)) return [];
  if (goal === 'robust' && !hasSections(program))
    return findViolations(name, program, executions, models.filter(hasMonitors), options, drive);
  const run = new CheckRun(program, { ...options, models, monitors: false, robust: goal === 'robust' });
  await drive(run, () => 'finding the failure without the fix, for the page');
  return run.results.map((found) =>
    pageOfCheck(reportCheck(name, executions, shrinkErrors(program, found), { forPage: true })),
  );
}

async function findViolations(
  name: string,
  program: Program,
  executions: Executions,
  models: readonly StoreBufferModel[],
  options: CheckOptions,
  drive: Drive,
): Promise<readonly AnyResult[]> {
  const run = new RobustRun(program, { ...options, strategy: 'optimal', ...causalMonitoring(models) });
  await drive(run, () => 'finding the failure without the fix, for the page');
  return run.results.map((found) => reportRobust(name, executions, found, run.sc.warnings, { forPage: true }));
}

/** Reads the sources as they were before the fix was written to them. */
export function sourceBefore(result: FixResult): ReadSource {
  const before = new Map(result.kind === 'fixed' ? result.patches.map((patch) => [patch.file, patch.before]) : []);
  return (file) => {
    const text = before.get(file);
    return text === undefined ? readSource(file) : Buffer.from(text, 'latin1').toString('utf8');
  };
}
