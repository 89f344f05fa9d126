/** Runs a check to its end, with progress and notes on standard error. */

import type { CheckRun } from '../../pipelines/check.ts';
import { Outlook } from '../../pipelines/outlook.ts';
import type { Task } from '../../pipelines/task.ts';
import { noteEarly, noteNoEnd } from './check-notes.ts';
import type { Driver } from './drive.ts';
import { progressText, shortProgressText } from './progress.ts';

interface Driven {
  /** Precedes the name of the program in the progress line. */
  readonly before: string;
  readonly path: string;
  /** The check or a wrapper around it. */
  readonly task?: Task;
  /** Whether the check ends by a bound that the user has set. */
  readonly isBounded: boolean;
}

export function driveCheck(
  driver: Driver,
  check: CheckRun,
  { before, path, task = check, isBounded }: Driven,
): Promise<void> {
  const say = noting(driver, check, isBounded);
  const noted: Task = {
    advance: (steps) => {
      const isDone = task.advance(steps);
      if (!isDone) say();
      return isDone;
    },
    stop: (why) => task.stop(why),
    wait: () => task.wait?.(),
  };
  return driver.drive(noted, () => {
    const now = check.progress;
    if (now === undefined) return undefined;
    const { model, seconds } = now;
    const forms = [progressText(now, seconds), shortProgressText(now, seconds)] as const;
    return { before, path, after: [` under ${model}: ${forms[0]}`, ` under ${model}: ${forms[1]}`] };
  });
}

/** Says once what has become known since the last call. */
function noting(driver: Driver, check: CheckRun, isBounded: boolean): () => void {
  const outlook = new Outlook();
  const told = new Set<string>();
  const write = (text: string): void => {
    driver.clear();
    process.stderr.write(text);
  };
  return () => {
    const now = check.progress;
    for (const early of check.early) {
      if (told.has(early.model)) continue;
      told.add(early.model);
      write(noteEarly(early, now?.model));
    }
    const noEnd = isBounded || now === undefined ? undefined : outlook.look(now);
    if (noEnd !== undefined) write(noteNoEnd(noEnd));
  };
}
