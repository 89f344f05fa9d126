/** Runs a check to its end, with progress on standard error. */

import type { CheckRun } from '../../pipelines/check.ts';
import type { Task } from '../../pipelines/task.ts';
import type { Driver } from './drive.ts';
import { progressText, shortProgressText } from './progress.ts';

/** `before` precedes the name of the program in the progress line; `task` is the check or a wrapper around it. */
export function driveCheck(
  driver: Driver,
  check: CheckRun,
  { before, path, task = check }: { readonly before: string; readonly path: string; readonly task?: Task },
): Promise<void> {
  return driver.drive(task, () => {
    const now = check.progress;
    if (now === undefined) return undefined;
    const { model, seconds } = now;
    const forms = [progressText(now, seconds), shortProgressText(now, seconds)] as const;
    return { before, path, after: [` under ${model}: ${forms[0]}`, ` under ${model}: ${forms[1]}`] };
  });
}
