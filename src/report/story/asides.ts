/**
 * Events invisible to other threads, which a text table can omit: creating and joining threads, and accesses to places
 * that only one thread touches in this execution. Events on the line of the last event stay, and so do events on lines
 * where threads are stuck. This affects only what is shown.
 */
import { findWaits } from '../../machine/describe/deadlock.ts';
import { BYTES, CREATES, effectsOf, JOINS, OBJECT, WAITS_FOR_OTHERS } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';

const SHARED = -2;

export function findAsides(machine: Machine): ReadonlySet<number> {
  const { events, code } = machine;
  const owners = findOwners(events);
  const placeOf = (thread: number, site: number): string => {
    const location = code.sites[site]?.instruction.location;
    return `${thread} ${location?.file}:${location?.line}`;
  };
  const place = (e: number): string => placeOf(events.get(e, ev.E_THREAD), events.get(e, ev.E_SITE));
  const asides = new Set<number>();
  const last = events.length - 1;
  // If threads are stuck, one may wait on an object that only one thread has touched so far.
  const isStuck = machine.outcome === 'deadlock' || machine.outcome === 'blocked';
  const ends = new Set(isStuck ? findWaits(machine).map(({ thread, site }) => placeOf(thread, site)) : []);
  if (last >= 0) ends.add(place(last));
  for (let e = 0; e < last; e++) {
    if (!ends.has(place(e)) && isAside(events, owners, e, isStuck)) asides.add(e);
  }
  return asides;
}

function isAside(events: ev.EventLog, owners: ReadonlyMap<number, number>, e: number, isStuck: boolean): boolean {
  const does = effectsOf(events, e);
  if ((does & (CREATES | JOINS)) !== 0) return true;
  if (isLifetime(events, e)) return !isUsedByOthers(events, owners, e);
  if ((does & (BYTES | OBJECT)) === 0) return false;
  if (isStuck && (does & WAITS_FOR_OTHERS) !== 0) return false;
  return !isShared(events, owners, e);
}

function isShared(events: ev.EventLog, owners: ReadonlyMap<number, number>, e: number): boolean {
  return bytesOf(events, e).some((byte) => owners.get(byte) === SHARED);
}

function isLifetime(events: ev.EventLog, e: number): boolean {
  return events.get(e, ev.E_KIND) === ev.LIFETIME_EVENT;
}

function isUsedByOthers(events: ev.EventLog, owners: ReadonlyMap<number, number>, e: number): boolean {
  const thread = events.get(e, ev.E_THREAD);
  return bytesOf(events, e).some((byte) => (owners.get(byte) ?? thread) !== thread);
}

/** For each byte: the only thread that touches it, or `SHARED`. */
function findOwners(events: ev.EventLog): ReadonlyMap<number, number> {
  const owners = new Map<number, number>();
  for (let e = 0; e < events.length; e++) {
    if (isLifetime(events, e)) continue;
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
