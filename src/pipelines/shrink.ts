/** Replaces the execution of each error by the simplest one that a short search finds; the original is kept as well. */

import type { FoundError } from '../explore/explore.ts';
import { shrink } from '../explore/shrink.ts';
import type { ErrorKind } from '../machine/code/error.ts';
import { Machine, type MachineOptions } from '../machine/machine.ts';
import { type Model, modelNamed } from '../models/index.ts';
import { SC } from '../models/sc.ts';
import type { Program } from '../program/ir.ts';
import type { ModelResult } from './model-run.ts';
import { unendedOperation } from './observations.ts';
import { judgeRaces } from './races.ts';

export function shrinkAll(
  program: Program,
  results: readonly ModelResult[],
  interpret: boolean,
): readonly ModelResult[] {
  const shrunk: ModelResult[] = [];
  for (const result of results) {
    const sc = result.how === 'sc' ? shrunk.find((r) => r.model === SC.name) : undefined;
    shrunk.push(sc === undefined ? shrinkErrors(program, result, interpret) : { ...result, errors: sc.errors });
  }
  return shrunk;
}

/**
 * `begin` is called for each error; the function that it returns tells when to settle for what has been found so far.
 */
export function shrinkErrors<
  T extends { readonly model: Model; readonly how: string; readonly errors: readonly FoundError[] },
>(program: Program, result: T, interpret = false, begin: () => () => boolean = () => () => false): T {
  const model = result.how === 'sc' ? SC.name : result.model;
  // Under axiomatic models another schedule might be inconsistent.
  if (modelNamed(model).isAxiomatic) return result;
  return {
    ...result,
    errors: result.errors.map((found): FoundError => {
      const { error, schedule } = found;
      const machine = new Machine(program, model, {}, replayOptions(error.kind, interpret));
      const judge = error.kind === 'race' ? judgeRaces : unendedOperation;
      const shrunk = shrink(machine, error, schedule, { judge, isLate: begin() });
      return shrunk.schedule === schedule ? found : { ...shrunk, original: schedule };
    }),
  };
}

/** Options of a machine that replays an error: a thread that waits forever is detected only with `spin`. */
export function replayOptions(kind: ErrorKind, interpret: boolean): MachineOptions {
  return { interpret, spin: kind === 'liveness' };
}
