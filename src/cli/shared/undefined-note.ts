/** If an execution called a function without a definition, lists all such functions that the program might call. */
import { type Bound, unmodelledCallAmong } from '../../explore/bound.ts';
import type { Program } from '../../program/ir.ts';
import { printLocation } from '../../program/location.ts';
import { printable } from '../../report/text.ts';

interface Judged {
  readonly boundedBy: readonly Bound[];
}

/** Printed once for all models. */
export function noteUndefined({ undefinedFunctions = [] }: Program, results: readonly Judged[]): void {
  if (undefinedFunctions.length === 0) return;
  if (unmodelledCallAmong(results.flatMap(({ boundedBy }) => boundedBy)) === undefined) return;
  const list = undefinedFunctions.map(({ name, place }) => `${name} (${printLocation(place)})`).join(', ');
  const help = 'add the files that define them, or --stub NAME[=VALUE] for each';
  process.stderr.write(
    `fencepost: note: the program may call functions that are not defined: ${printable(list)}; ${help}\n`,
  );
}
