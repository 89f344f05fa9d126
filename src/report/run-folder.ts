/** What is kept of a failing run: `result.json`, the schedules, and the report as text, in a folder of its own. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runName } from './ids.ts';
import { failuresOf } from './replays.ts';
import type { CheckCommandReport, HuntCommandReport } from './schema.ts';

const RESULT = 'result.json';

export type KeptReport = CheckCommandReport | HuntCommandReport;

/**
 * Writes the folder and returns its path. `asked` is all that the user asked for: runs that differ in it have folders of
 * their own, and what was there of an earlier run of the same is overwritten.
 */
export function writeRunFolder(
  out: string,
  report: KeptReport,
  text: string,
  asked: Readonly<Record<string, unknown>>,
): string {
  const options = Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1));
  const folder = join(out, runName(report.input.files, [report.command, options]));
  makeFolder(folder);
  writeFileSync(join(folder, RESULT), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(folder, 'report.txt'), `${text}\n`);
  const schedules = failuresOf(report).map(({ model, error }) => `${model} ${error.kind}: ${error.schedule}\n`);
  writeFileSync(join(folder, 'schedule.txt'), schedules.join(''));
  return folder;
}

/** With the folders around it. Node's own way (`recursive`) never ends where the system refuses new folders as ENOENT: /proc. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const around = dirname(path);
  if (around !== path) makeFolder(around);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another run may have made it just now.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

/** The file with the report: the path itself, or the one in it if it is a folder. */
export function reportFile(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, RESULT) : path;
}
