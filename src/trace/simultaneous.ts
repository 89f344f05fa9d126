/**
 * Accesses that can happen at the same time: two accesses of different threads to the same bytes, at least one of them
 * a write and at least one plain, in a state in which either can be next. This is the classical data race, under the
 * memory model being explored. It needs no separate clocks, because a search over orders of events finds exactly
 * these pairs.
 *
 * C11 counts more pairs as races (`race.ts`): there, accesses that only relaxed atomics keep apart are unordered too.
 */
import { ATOMIC as ALWAYS_ATOMIC, BYTES, COMMITS, EFFECTS, effectsOf, READS } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { ORDERS } from '../program/types.ts';
import type { HappensBefore } from './happens-before.ts';

/** Two events, the earlier first. Called once per pair of sites. */
type OnPair = (first: number, second: number) => void;

const NO_ACCESS = 0;
const PLAIN = 1;
const ATOMIC = 2;

const PLAIN_ORDER = ORDERS.indexOf('plain');

/** A power of two. */
const RECENT = 256;

export class SimultaneousAccesses {
  private readonly machine: Machine;
  private readonly onPair: OnPair;
  /** Pairs of sites, as one number. */
  private readonly seen = new Set<number>();
  /** A cache of some of these pairs, for faster lookup. */
  private readonly recent = new Float64Array(RECENT).fill(-1);

  constructor(machine: Machine, onPair: OnPair) {
    this.machine = machine;
    this.onPair = onPair;
  }

  /** Adds two events that conflict and could have come in the other order. */
  add(first: number, second: number): void {
    const { seen, recent } = this;
    const { events, code } = this.machine;
    const kinds = this.access(first) * this.access(second);
    // Both must be accesses, and at least one plain.
    if (kinds === NO_ACCESS || kinds === ATOMIC * ATOMIC) return;
    const a = events.get(first, ev.E_SITE);
    const b = events.get(second, ev.E_SITE);
    const pair = Math.min(a, b) * code.sites.length + Math.max(a, b);
    const at = (a * 7 + b * 31) & (RECENT - 1);
    if (recent[at] === pair) return;
    recent[at] = pair;
    if (seen.has(pair)) return;
    seen.add(pair);
    this.onPair(first, second);
  }

  /** Whether two events that conflict are accesses, one of them plain, of a pair that has not been added. */
  isNew(first: number, second: number): boolean {
    const { events, code } = this.machine;
    const kinds = this.access(first) * this.access(second);
    if (kinds === NO_ACCESS || kinds === ATOMIC * ATOMIC) return false;
    const a = events.get(first, ev.E_SITE);
    const b = events.get(second, ev.E_SITE);
    return !this.seen.has(Math.min(a, b) * code.sites.length + Math.max(a, b));
  }

  private access(event: number): number {
    const { events } = this.machine;
    const does = effectsOf(events, event);
    if ((does & BYTES) === 0) return NO_ACCESS;
    if ((does & COMMITS) !== 0) return this.access(this.storeOf(event));
    return (does & ALWAYS_ATOMIC) === 0 && events.get(event, ev.E_ORDER) === PLAIN_ORDER ? PLAIN : ATOMIC;
  }

  /** The store, or free, that an update commits. */
  private storeOf(update: number): number {
    const { events } = this.machine;
    const thread = events.get(update, ev.E_THREAD);
    const index = events.get(update, ev.E_INDEX);
    let event = update - 1;
    while (
      events.get(event, ev.E_THREAD) !== thread ||
      events.get(event, ev.E_INDEX) !== index ||
      (effectsOf(events, event) & COMMITS) !== 0
    )
      event--;
    return event;
  }

  /** Adds two consecutive events if they conflict and the second could have come first. */
  addNeighbours(first: number, second: number): void {
    const words = this.machine.events.words;
    const a = first * ev.EVENT_WORDS;
    const b = second * ev.EVENT_WORDS;
    if (words[a + ev.E_THREAD] === words[b + ev.E_THREAD]) return;
    const start = words[b + ev.E_ADDRESS]!;
    const apart =
      words[a + ev.E_ADDRESS]! >= start + words[b + ev.E_SIZE]! ||
      words[a + ev.E_ADDRESS]! + words[a + ev.E_SIZE]! <= start;
    if (apart || ((words[a + ev.E_FLAGS]! | words[b + ev.E_FLAGS]!) & ev.WROTE_MEMORY) === 0) return;
    if (!touchesMemory(words, a) || !touchesMemory(words, b)) return;
    // A blocking second event may have waited for the first.
    if ((words[b + ev.E_FLAGS]! & ev.BLOCKS) === 0) this.add(first, second);
  }
}

/** A store entering its thread's buffer, and a load from that buffer, touch nothing that other threads see. */
function touchesMemory(words: Int32Array, at: number): boolean {
  const flags = words[at + ev.E_FLAGS]!;
  const isRead = (EFFECTS[words[at + ev.E_KIND]!]! & (READS | BYTES)) === (READS | BYTES);
  return isRead ? (flags & ev.FORWARDED) === 0 : (flags & ev.WROTE_MEMORY) !== 0;
}

/** Uses the reversible races that the search computes anyway: complete for what the search covers. */
export class RacesOfSearch {
  private readonly happensBefore: HappensBefore;
  private readonly accesses: SimultaneousAccesses;

  constructor(happensBefore: HappensBefore, accesses: SimultaneousAccesses) {
    this.happensBefore = happensBefore;
    this.accesses = accesses;
  }

  observe(event: number): void {
    const { happensBefore, accesses } = this;
    const { races } = happensBefore;
    // An invisible event that has not been observed yet is part of no race.
    if (event >= happensBefore.length) return;
    // Races are pairs of events; those of this event come last.
    for (let r = happensBefore.racesUpTo(event - 1); r < races.length; r += 2)
      accesses.add(races.get(r), races.get(r + 1));
  }

  rollback(): void {}
}

/** The same with its own happens-before. */
export class RacesOfTrace {
  private readonly happensBefore: HappensBefore;
  private readonly races: RacesOfSearch;

  constructor(happensBefore: HappensBefore, accesses: SimultaneousAccesses) {
    this.happensBefore = happensBefore;
    this.races = new RacesOfSearch(happensBefore, accesses);
  }

  observe(event: number): void {
    this.happensBefore.observe(event);
    this.races.observe(event);
  }

  rollback(depth: number): void {
    this.happensBefore.rollback(depth);
  }
}

/** For runs that are too long and too many for the other two. May miss pairs that are never consecutive. */
export class RacesOfNeighbours {
  private readonly accesses: SimultaneousAccesses;

  constructor(accesses: SimultaneousAccesses) {
    this.accesses = accesses;
  }

  observe(event: number): void {
    if (event > 0) this.accesses.addNeighbours(event - 1, event);
  }

  rollback(): void {}
}
