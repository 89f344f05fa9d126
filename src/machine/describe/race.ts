/** A data race as an error: both accesses, in words. */
import { printLocation } from '../../program/location.ts';
import { isAtomic, ORDERS } from '../../program/types.ts';
import type { ProgramError } from '../code/error.ts';
import { accessKind } from '../events/effects.ts';
import * as ev from '../events/event.ts';
import type { Machine } from '../machine.ts';
import { accessName, threadTitle } from './describe.ts';

/** The events are numbers of the machine's log. */
export function describeRace(machine: Machine, first: number, second: number): ProgramError {
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

/** The two places of a race that `describeRace` has described, in a fixed order. */
export function racingPlaces({ message, file = '', line = 0, column = 0 }: ProgramError): readonly string[] {
  const first = / at (\S.*?) and, unordered with it, /.exec(message)?.[1] ?? '';
  return [first, printLocation({ file, line, column })].sort();
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
