/** A saved failing run: `result.json`, the schedules, and the report as text, in its own folder. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runName } from './ids.ts';
import { failuresOf } from './replays.ts';
import type { CheckCommandReport, HuntCommandReport } from './schema.ts';

const RESULT = 'result.json';

export type KeptReport = CheckCommandReport | HuntCommandReport;

/**
 * Writes the folder and returns its path. `asked` is everything that the user requested: runs that differ in it get
 * different folders; a run with the same request overwrites the files of the earlier one.
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

/**
 * Creates the parent folders too. Node's own `recursive` never returns where the system refuses new folders with
 * ENOENT, as in /proc.
 */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const around = dirname(path);
  if (around !== path) makeFolder(around);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another run may have created it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

/** The file with the report: the path itself or, if it is a folder, the file inside it. */
export function reportFile(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, RESULT) : path;
}
