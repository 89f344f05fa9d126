/**
 * What would order two racing accesses, if the threads do communicate in between but without synchronisation: an atomic
 * read, before the second access, of a write behind the first one. Then a release or an acquire is missing, not an
 * atomic access.
 */
import { ACQUIRES, RELEASES } from '../../machine/code/order.ts';
import { accessName } from '../../machine/describe/describe.ts';
import { accessOf, BYTES, effectsOf, READS, WRITES } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { printLocation } from '../../program/location.ts';
import { ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import { FIRST_ATOMIC } from './fields.ts';

/** The events are numbers of the machine's log. Empty if there is no such read. */
export function adviseOrder(machine: Machine, first: number, second: number): readonly string[] {
  const { events, processes } = machine;
  const trace = new ShashaSnirTrace(events, processes);
  const writer = events.get(first, ev.E_THREAD);
  const reader = events.get(second, ev.E_THREAD);
  for (let read = second - 1; read > first; read--) {
    if (events.get(read, ev.E_THREAD) !== reader || !isAtomic(events, read, READS)) continue;
    const source = trace
      .sourcesOf(read)
      .find((write) => write > first && events.get(write, ev.E_THREAD) === writer && isAtomic(events, write, WRITES));
    if (source === undefined) continue;
    const changes = [
      ...(isReleased(events, first, source) ? [] : [`the write of ${text(machine, source)} a release`]),
      ...(isAcquired(events, read, second) ? [] : [`the read of ${text(machine, read)} an acquire`]),
    ];
    if (changes.length > 0) return [`to order them, make ${changes.join(' and ')}`];
  }
  return [];
}

function isAtomic(events: ev.EventLog, event: number, access: number): boolean {
  const at = event * ev.EVENT_WORDS;
  const accesses = (effectsOf(events, event) & BYTES) !== 0 && (accessOf(events.words, at) & access) !== 0;
  return accesses && events.get(event, ev.E_ORDER) >= FIRST_ATOMIC;
}

/** Whether the write is a release, or a release fence is between it and `first`. */
function isReleased(events: ev.EventLog, first: number, write: number): boolean {
  return RELEASES[events.get(write, ev.E_ORDER)] === 1 || hasFence(events, first, write, RELEASES);
}

function isAcquired(events: ev.EventLog, read: number, second: number): boolean {
  return ACQUIRES[events.get(read, ev.E_ORDER)] === 1 || hasFence(events, read, second, ACQUIRES);
}

/** Whether a fence of the thread of both, with such an order, is between the two events. */
function hasFence(events: ev.EventLog, from: number, to: number, orders: Uint8Array): boolean {
  for (let e = from + 1; e < to; e++) {
    const isOwn = events.get(e, ev.E_THREAD) === events.get(to, ev.E_THREAD);
    if (isOwn && events.get(e, ev.E_KIND) === ev.FENCE_EVENT && orders[events.get(e, ev.E_ORDER)] === 1) return true;
  }
  return false;
}

function text(machine: Machine, event: number): string {
  const place = machine.code.sites[machine.events.get(event, ev.E_SITE)]!.instruction.location;
  return `${accessName(machine, event)}${place === undefined ? '' : ` at ${printLocation(place)}`}`;
}
