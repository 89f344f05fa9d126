/** A data race as an error: both accesses, in words. */
import { LIFETIME_KINDS } from '../../program/ir.ts';
import { printLocation } from '../../program/location.ts';
import { isAtomic, ORDERS } from '../../program/types.ts';
import { asCode } from '../../util/code-text.ts';
import type { ProgramError } from '../code/error.ts';
import { accessKind, EVENT_NAMES, effectsOf, OBJECT } from '../events/effects.ts';
import * as ev from '../events/event.ts';
import type { Machine } from '../machine.ts';
import { accessName, threadTitle } from './describe.ts';

const ALLOCATED = LIFETIME_KINDS.indexOf('allocated');

/** The events are numbers of the machine's log. */
export function describeRace(machine: Machine, first: number, second: number): ProgramError {
  const [before, after] = [locationOf(machine, first), locationOf(machine, second)];
  const named = before?.variable === undefined && !isObject(machine, first) ? second : first;
  const where = before === undefined ? '' : ` at ${printLocation(before)}`;
  return {
    kind: 'race',
    message:
      `${isAllocation(machine, first) && named !== first ? 'the memory of ' : ''}${asCode(accessName(machine, named))} is ${verb(machine, first)} in thread ${threadOf(machine, first)}${where} and, ` +
      `unordered with it, ${verb(machine, second)}`,
    thread: threadOf(machine, second),
    ...(after === undefined ? {} : { file: after.file, line: after.line, column: after.column }),
  };
}

function isAllocation({ events }: Machine, event: number): boolean {
  return events.get(event, ev.E_KIND) === ev.LIFETIME_EVENT && events.get(event, ev.E_LIFETIME) === ALLOCATED;
}

/** Whether the event begins or ends an object in memory, such as a mutex. */
function isObject({ events }: Machine, event: number): boolean {
  return events.get(event, ev.E_KIND) === ev.LIFETIME_EVENT && events.get(event, ev.E_LIFETIME) !== ALLOCATED;
}

function locationOf(machine: Machine, event: number) {
  return machine.code.sites[machine.events.get(event, ev.E_SITE)]!.instruction.location;
}

function threadOf(machine: Machine, event: number): string {
  return threadTitle(machine, machine.events.get(event, ev.E_THREAD));
}

function verb({ events }: Machine, event: number): string {
  if (events.get(event, ev.E_KIND) === ev.LIFETIME_EVENT) return LIFETIME_KINDS[events.get(event, ev.E_LIFETIME)]!;
  if ((effectsOf(events, event) & OBJECT) !== 0) return `used (${EVENT_NAMES[events.get(event, ev.E_KIND)]})`;
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
