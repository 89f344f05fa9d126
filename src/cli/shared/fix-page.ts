/** What a page of `fix` shows beyond its report: what goes wrong in the program as it is, and the text that it had. */

import type { RelaxedModel } from '../../fix/synthesis.ts';
import type { CheckOptions } from '../../options/check.ts';
import { CheckRun, hasSections } from '../../pipelines/check.ts';
import type { FixResult } from '../../pipelines/fix/fix.ts';
import type { Drive } from '../../pipelines/fix/patched.ts';
import { RobustRun } from '../../pipelines/robust.ts';
import { shrinkErrors } from '../../pipelines/shrink.ts';
import type { Program } from '../../program/ir.ts';
import type { AnyResult } from '../../report/page-data.ts';
import type { SourceLines } from '../../report/source-lines.ts';
import { reportCheck } from '../../report/writers/check.ts';
import { type ReadSource, readSource } from '../../report/writers/html.ts';
import { withCycle, withExecutions } from '../../report/writers/pages.ts';
import { reportRobust } from '../../report/writers/robust.ts';

/** Found again as `check` and `robust` find it; what is stopped on the way has no execution to show. */
export async function problemsBefore(
  name: string,
  program: Program,
  result: FixResult,
  options: CheckOptions,
  drive: Drive,
  source: SourceLines,
): Promise<readonly AnyResult[]> {
  const { goal, models, kind, minimise } = result;
  if (kind === 'sc') return [reportCheck(name, program, shrinkErrors(program, result.sc), source)];
  if (kind === 'unneeded' || kind === 'stopped' || (kind === 'fixed' && minimise)) return [];
  if (goal === 'robust' && !hasSections(program)) return findViolations(name, program, models, options, drive, source);
  const run = new CheckRun(program, { ...options, models, monitors: false, robust: goal === 'robust' });
  await drive(run, () => 'what goes wrong without the fix, for the page');
  return run.results.map((found) =>
    withCycle(reportCheck(name, program, shrinkErrors(program, found), source), program, source),
  );
}

async function findViolations(
  name: string,
  program: Program,
  models: readonly RelaxedModel[],
  options: CheckOptions,
  drive: Drive,
  source: SourceLines,
): Promise<readonly AnyResult[]> {
  const monitors = models.map((model) => `causal-${model}` as const);
  const run = new RobustRun(program, { ...options, strategy: 'optimal', models, monitors });
  await drive(run, () => 'what goes wrong without the fix, for the page');
  return run.results.map((found) => withExecutions(reportRobust(name, program, found), program, source));
}

/** The sources before the fix was written to them. */
export function sourceBefore(result: FixResult): ReadSource {
  const before = new Map(result.kind === 'fixed' ? result.patches.map((patch) => [patch.file, patch.before]) : []);
  return (file) => {
    const text = before.get(file);
    return text === undefined ? readSource(file) : Buffer.from(text, 'latin1').toString('utf8');
  };
}
