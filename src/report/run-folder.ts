/** What is kept of a failing run: `result.json`, the schedules, and the report as text, in a folder of its own. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runName } from './ids.ts';
import { reporters } from './reporters.ts';
import type { CheckCommandReport } from './schema.ts';

export const DEFAULT_OUT = 'fencepost-out';
const RESULT = 'result.json';

/** Writes the folder and returns its path; what was there of an earlier run of the same is overwritten. */
export function writeRunFolder(out: string, report: CheckCommandReport, text: string): string {
  const { files, entry, arguments: args, defines, undefines, includePaths, includes, standard } = report.input;
  const name = runName(files, [entry, args, defines, undefines, includePaths, includes, standard ?? '']);
  const folder = join(out, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, RESULT), reporters.json(report));
  writeFileSync(join(folder, 'report.txt'), `${text}\n`);
  const schedules = report.results.flatMap(({ model, how, error }) =>
    error === undefined || (how === 'sc' && model !== 'sc') ? [] : [`${model} ${error.kind}: ${error.schedule}\n`],
  );
  writeFileSync(join(folder, 'schedule.txt'), schedules.join(''));
  return folder;
}

/** The file with the report: the path itself, or the one in it if it is a folder. */
export function reportFile(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, RESULT) : path;
}
