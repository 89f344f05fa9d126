/** Data races as errors: an execution with a race is wrong, whatever it computes. */

import type { ProgramError } from '../machine/code/error.ts';
import { accessName, threadTitle } from '../machine/describe/describe.ts';
import { accessKind } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { printLocation } from '../program/location.ts';
import { isAtomic, ORDERS } from '../program/types.ts';
import { findRace } from '../trace/race.ts';

export function judgeRaces(machine: Machine): ProgramError | undefined {
  const race = findRace(machine.events, machine.processes);
  if (race === undefined) return undefined;
  const { first, second } = race;
  const [before, after] = [locationOf(machine, first), locationOf(machine, second)];
  const named = before?.variable === undefined ? second : first;
  const where = before === undefined ? '' : ` at ${printLocation(before)}`;
  return {
    kind: 'race',
    message:
      `${accessName(machine, named)} is ${verb(machine, first)} in thread ${threadOf(machine, first)}${where} and, ` +
      `unordered with it, ${verb(machine, second)}`,
    thread: threadOf(machine, second),
    ...(after === undefined ? {} : { file: after.file, line: after.line, column: after.column }),
  };
}

function locationOf(machine: Machine, event: number) {
  return machine.code.sites[machine.events.get(event, ev.E_SITE)]!.instruction.location;
}

function threadOf(machine: Machine, event: number): string {
  return threadTitle(machine, machine.events.get(event, ev.E_THREAD));
}

function verb({ events }: Machine, event: number): string {
  const atomically = isAtomic(ORDERS[events.get(event, ev.E_ORDER)]!) ? ' atomically' : '';
  switch (accessKind(events, event)) {
    case 'read':
      return `read${atomically}`;
    case 'write':
      return `written${atomically}`;
    case 'free':
      return 'freed';
    case 'atomic':
      return 'changed atomically';
  }
}
