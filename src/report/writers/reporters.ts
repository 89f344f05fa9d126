/** The machine-readable formats of reports, by name. `text.ts` is for people. */

import type { ReporterName } from '../../options/output.ts';
import type { Report } from '../schema.ts';
import { printGithub } from './github.ts';
import { printJunit } from './junit.ts';
import { printSarif } from './sarif.ts';
import { printTap } from './tap.ts';

function printJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

export const reporters: Readonly<Record<Exclude<ReporterName, 'text'>, (report: Report) => string>> = {
  json: printJson,
  sarif: printSarif,
  junit: printJunit,
  github: printGithub,
  tap: printTap,
};
