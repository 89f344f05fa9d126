/**
 * Events that no other thread could notice, and that a table for people can do without: creating and joining threads,
 * and accesses to places that only one thread touches in this execution. What stands in the line of the last event
 * stays: that is where the error is. Only how much is shown depends on it.
 */
import * as ev from '../machine/event.ts';
import type { Machine } from '../machine/machine.ts';

const SHARED = -2;

export function findAsides(machine: Machine): ReadonlySet<number> {
  const { events, code } = machine;
  const owners = findOwners(events);
  const line = (e: number): string => {
    const location = code.sites[events.get(e, ev.E_SITE)]?.instruction.location;
    return location === undefined ? '' : `${location.file}:${location.line}`;
  };
  const asides = new Set<number>();
  const last = events.length - 1;
  // Others may want what only one thread has touched.
  const isStuck = machine.outcome === 'deadlock' || machine.outcome === 'blocked';
  for (let e = 0; e < last; e++) {
    const isLast = events.get(e, ev.E_THREAD) === events.get(last, ev.E_THREAD) && line(e) === line(last);
    if (!isLast && isAside(events, owners, e, isStuck)) asides.add(e);
  }
  return asides;
}

function isAside(events: ev.EventLog, owners: ReadonlyMap<number, number>, e: number, isStuck: boolean): boolean {
  switch (events.get(e, ev.E_KIND)) {
    case ev.SPAWN_EVENT:
    case ev.JOIN_EVENT:
      return true;
    case ev.FENCE_EVENT:
    case ev.CHOOSE_EVENT:
    case ev.EXIT_EVENT:
    case ev.BEGIN_ATOMIC_EVENT:
    case ev.END_ATOMIC_EVENT:
      return false;
    case ev.LOCK_EVENT:
    case ev.WAIT_EVENT:
      return !isStuck && !isShared(events, owners, e);
    default:
      return !isShared(events, owners, e);
  }
}

function isShared(events: ev.EventLog, owners: ReadonlyMap<number, number>, e: number): boolean {
  return bytesOf(events, e).some((byte) => owners.get(byte) === SHARED);
}

/** Of every byte: the one thread that touches it, or `SHARED`. */
function findOwners(events: ev.EventLog): ReadonlyMap<number, number> {
  const owners = new Map<number, number>();
  for (let e = 0; e < events.length; e++) {
    const thread = events.get(e, ev.E_THREAD);
    for (const byte of bytesOf(events, e)) {
      if ((owners.get(byte) ?? thread) !== thread) owners.set(byte, SHARED);
      else owners.set(byte, thread);
    }
  }
  return owners;
}

function bytesOf(events: ev.EventLog, e: number): readonly number[] {
  const address = events.get(e, ev.E_ADDRESS);
  return address === 0 ? [] : Array.from({ length: Math.max(1, events.get(e, ev.E_SIZE)) }, (_, i) => address + i);
}
