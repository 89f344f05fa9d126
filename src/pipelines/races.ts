/** Data races as errors: an execution with a race is wrong, whatever it computes. */

import { judgeGraphRaces } from '../explore/graph/rebuild.ts';
import type { ProgramError } from '../machine/code/error.ts';
import { describeRace } from '../machine/describe/race.ts';
import type { Machine, Outcome } from '../machine/machine.ts';
import { findRace } from '../trace/race.ts';

/** Under a model with undefined behaviour, a race counts however the execution ends. */
export function judgeRaces(machine: Machine, outcome: Outcome): ProgramError | undefined {
  if (machine.description.isAxiomatic) return judgeGraphRaces(machine);
  if (outcome !== 'complete') return undefined;
  const race = findRace(machine.events, machine.processes);
  return race === undefined ? undefined : describeRace(machine, race.first, race.second);
}
