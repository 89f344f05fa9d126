/** A deadlock in words: who waits for what, held by whom, since where. */
import { printLocation } from '../program/location.ts';
import { variableName } from './describe.ts';
import type { ProgramError } from './error.ts';
import * as ev from './event.ts';
import { RUNNABLE, T_STATUS, T_WAIT, WAITING } from './layout.ts';
import type { Machine } from './machine.ts';

export function describeDeadlock(machine: Machine): ProgramError {
  const waits: string[] = [];
  const notes: string[] = [];
  for (let thread = 0; thread < machine.processes.threadCount; thread++) {
    const status = machine.threads.get(thread, T_STATUS);
    if (status !== RUNNABLE && status !== WAITING) continue;
    const name = machine.processes.threadName(thread);
    const wait = waitsFor(machine, thread, status);
    waits.push(`thread ${name} waits ${wait}`);
    const place = placeOf(machine, machine.operations.nextSite(thread));
    if (place !== undefined) notes.push(`thread ${name} waits at ${place}`);
    const mutex = machine.operations.wantedMutex(thread);
    const holder = mutex < 0 ? -1 : machine.operations.syncs.holder(mutex);
    const since = holder < 0 ? undefined : placeOf(machine, lockedAt(machine, mutex, holder));
    if (since !== undefined) {
      notes.push(
        `${variableName(machine, mutex)} is held by thread ${machine.processes.threadName(holder)} since ${since}`,
      );
    }
  }
  return { kind: 'deadlock', message: waits.join('; '), ...(notes.length > 0 ? { notes } : {}) };
}

function waitsFor(machine: Machine, thread: number, status: number): string {
  const { operations, processes } = machine;
  if (status === WAITING) return `to be woken on ${variableName(machine, machine.threads.get(thread, T_WAIT))}`;
  const mutex = operations.wantedMutex(thread);
  if (mutex >= 0) {
    const holder = operations.syncs.holder(mutex);
    const held = holder < 0 ? '' : `, held by thread ${processes.threadName(holder)}`;
    return `for ${variableName(machine, mutex)}${held}`;
  }
  const awaited = operations.awaitedAddress(thread);
  if (awaited >= 0) return `for ${variableName(machine, awaited)}`;
  const joined = operations.joinedThread(thread);
  return joined < 0 ? 'for its stores to reach memory' : `for thread ${processes.threadName(joined)} to end`;
}

function placeOf(machine: Machine, site: number): string | undefined {
  const location = site < 0 ? undefined : machine.code.sites[site]?.instruction.location;
  return location === undefined ? undefined : printLocation(location);
}

/** Where the thread took the mutex that it holds now. */
function lockedAt({ events }: Machine, mutex: number, holder: number): number {
  for (let e = events.length - 1; e >= 0; e--) {
    const kind = events.get(e, ev.E_KIND);
    const isLock = kind === ev.LOCK_EVENT || kind === ev.TRYLOCK_EVENT;
    if (isLock && events.get(e, ev.E_ADDRESS) === mutex && events.get(e, ev.E_THREAD) === holder) {
      return events.get(e, ev.E_SITE);
    }
  }
  return -1;
}
