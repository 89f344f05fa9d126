/** A program that some execution has shown to be one that cannot be checked: it calls what nobody defines. */
import { type Bound, refusalAmong } from '../../explore/bound.ts';
import type { ProgramRefusal } from '../../machine/code/error.ts';
import type { Verdict } from '../../pipelines/result.ts';
import { printLocation } from '../../program/location.ts';
import type { ProblemReport } from '../../report/schema.ts';
import { printable } from '../../report/text.ts';
import { EXIT_NOT_UNDERSTOOD, exitOf } from './exit-codes.ts';
import type { Unusable } from './program.ts';

interface Judged {
  readonly verdict: Verdict;
  readonly boundedBy: readonly Bound[];
}

export interface Standing<R> {
  /** An error is one whatever else the program does; any other answer does not stand. */
  readonly results: readonly R[];
  readonly problems: readonly ProblemReport[];
  readonly exits: readonly number[];
}

/** The results that stand; prints why the others do not, if so. */
export function standing<R extends Judged>(file: string, results: readonly R[]): Standing<R> {
  const refusal = refusalAmong(results.flatMap(({ boundedBy }) => boundedBy));
  const exits = results.map(({ verdict }) => exitOf(verdict));
  if (refusal === undefined) return { results, problems: [], exits };
  const { problem, exit } = refuseProgram(file, refusal);
  const stand = results.filter(
    ({ verdict, boundedBy }) => verdict.kind === 'violation' || refusalAmong(boundedBy) === undefined,
  );
  return { results: stand, problems: [problem], exits: [...exits, exit] };
}

/** Prints why the program is refused. */
export function refuseProgram(file: string, { reason, place }: ProgramRefusal): Unusable {
  process.stderr.write(`fencepost: ${printable(`${place === undefined ? file : printLocation(place)}: ${reason}`)}\n`);
  const where = place === undefined ? { file } : { file: place.file, line: place.line, column: place.column };
  return { problem: { ...where, message: reason }, exit: EXIT_NOT_UNDERSTOOD };
}
