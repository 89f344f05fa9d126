/** The forms that a report can be written in, by name; `text` is written as things happen, by the commands themselves. */

import type { ReporterName } from '../../options/output.ts';
import type { Reportable } from './findings.ts';
import { printGithub } from './github.ts';
import { printJunit } from './junit.ts';
import { printSarif } from './sarif.ts';

export const reporters: Readonly<Record<Exclude<ReporterName, 'text'>, (report: Reportable) => string>> = {
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  sarif: printSarif,
  junit: printJunit,
  github: printGithub,
};
