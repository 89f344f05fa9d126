/**
 * Is a predicted cycle in the trace that an execution really produced? [RELAXER] Sect. 4.3: events e1, …, en with the
 * cycle's labels such that e_j →p e_(j+1) for odd j and e_j →c e_(j+1) for even j, and e_n →c e1, where →c is the
 * conflict order of Sect. 2.2.
 *
 *   paper           here
 *   l(e)            `labelOf` the event's site and kind
 *   c(e)            `ShashaSnirTrace.placesOf`
 *   e →p e'         same thread, smaller event number
 *   e →c e'         `precedes`
 *
 * Such events form a cycle of the Shasha–Snir trace, so a confirmed cycle is never a false alarm. As in the paper, the
 * threads need not be different.
 */
import * as ev from '../../machine/events/event.ts';
import type { ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import { accessKind, changes, type Label, labelOf } from './label.ts';

interface Access {
  readonly event: number;
  readonly thread: number;
  readonly changes: boolean;
  readonly places: readonly { readonly location: number; readonly place: number }[];
}

/**
 * The events of the cycle in the trace, in cycle order; `undefined` if there are none, or if `isLate` answers true
 * first.
 */
export function findInTrace(
  trace: ShashaSnirTrace,
  labels: readonly Label[],
  isLate: () => boolean = () => false,
): readonly number[] | undefined {
  const byLabel = collect(trace, labels);
  if (byLabel === undefined) return undefined;
  // Start at the label with the fewest events. Pairs stay whole: program order leads from a pair's first to its second.
  let turn = 0;
  for (let j = 2; j < labels.length; j += 2) {
    if (byLabel.get(labels[j]!)!.length < byLabel.get(labels[turn]!)!.length) turn = j;
  }
  const turned = [...labels.slice(turn), ...labels.slice(0, turn)];
  for (const start of byLabel.get(turned[0]!)!) {
    if (isLate()) return undefined;
    const path = closeFrom(start, turned, byLabel);
    if (path !== undefined) return [...path.slice(path.length - turn), ...path.slice(0, path.length - turn)];
  }
  return undefined;
}

/** The accesses with each label; `undefined` if a label has none. */
function collect(trace: ShashaSnirTrace, labels: readonly Label[]): Map<Label, Access[]> | undefined {
  const { events } = trace;
  const byLabel = new Map<Label, Access[]>(labels.map((label) => [label, []]));
  for (let event = 0; event < events.length; event++) {
    const kind = accessKind(events, event);
    if (kind < 0) continue;
    byLabel.get(labelOf(events.get(event, ev.E_SITE), kind))?.push({
      event,
      thread: events.get(event, ev.E_THREAD),
      changes: changes(events, event),
      places: trace.placesOf(event),
    });
  }
  return [...byLabel.values()].some((accesses) => accesses.length === 0) ? undefined : byLabel;
}

/** Reachable accesses, each with its predecessor. */
type Reached = ReadonlyMap<Access, Access>;

/** A path along the labels from `start` back to itself. */
function closeFrom(
  start: Access,
  labels: readonly Label[],
  byLabel: ReadonlyMap<Label, readonly Access[]>,
): readonly number[] | undefined {
  const reached: Reached[] = [new Map([[start, start]])];
  for (let j = 1; j < labels.length; j++) {
    const candidates = byLabel.get(labels[j]!)!;
    const before = reached[j - 1]!;
    const next =
      j % 2 === 1
        ? followProgram(before, candidates, labels[j] === labels[j - 1])
        : followConflicts(before, candidates);
    if (next.size === 0) return undefined;
    reached.push(next);
  }
  for (const last of reached.at(-1)!.keys()) {
    if (!precedes(last, start)) continue;
    const path: number[] = [];
    for (let j = labels.length - 1, access = last; j >= 0; j--) {
      path.push(access.event);
      access = reached[j]!.get(access)!;
    }
    return path.reverse();
  }
  return undefined;
}

/** The candidates after one of `before` in its thread; with equal labels, also the same event. */
function followProgram(before: Reached, candidates: readonly Access[], isSameLabel: boolean): Reached {
  /** Per thread, the earliest. */
  const first = new Map<number, Access>();
  for (const access of before.keys()) {
    const known = first.get(access.thread);
    if (known === undefined || access.event < known.event) first.set(access.thread, access);
  }
  const next = new Map<Access, Access>();
  for (const access of candidates) {
    const from = first.get(access.thread);
    if (from !== undefined && from.event < access.event) next.set(access, from);
    else if (isSameLabel && before.has(access)) next.set(access, access);
  }
  return next;
}

/** The candidates that one of `before` precedes in conflict order: the earliest at each location suffices. */
function followConflicts(before: Reached, candidates: readonly Access[]): Reached {
  const all = new Map<number, Earliest>();
  const changing = new Map<number, Earliest>();
  for (const access of before.keys()) {
    for (const { location, place } of access.places) {
      addEarliest(all, location, place, access);
      if (access.changes) addEarliest(changing, location, place, access);
    }
  }
  const next = new Map<Access, Access>();
  for (const access of candidates) {
    for (const { location, place } of access.places) {
      const earliest = (access.changes ? all : changing).get(location);
      const from = earliest?.ofOthers(access.thread);
      if (from === undefined || !(access.changes ? from.place < place : from.place <= place)) continue;
      next.set(access, from.access);
      break;
    }
  }
  return next;
}

function addEarliest(map: Map<number, Earliest>, location: number, place: number, access: Access): void {
  const known = map.get(location);
  if (known === undefined) map.set(location, new Earliest(place, access));
  else known.add(place, access);
}

/** The earliest access to a location, and the earliest by a different thread. */
class Earliest {
  private first: { readonly place: number; readonly access: Access };
  private second: { readonly place: number; readonly access: Access } | undefined;

  constructor(place: number, access: Access) {
    this.first = { place, access };
  }

  add(place: number, access: Access): void {
    const { first, second } = this;
    if (place < first.place) {
      if (access.thread !== first.access.thread) this.second = first;
      this.first = { place, access };
    } else if (access.thread !== first.access.thread && (second === undefined || place < second.place)) {
      this.second = { place, access };
    }
  }

  ofOthers(thread: number): { readonly place: number; readonly access: Access } | undefined {
    return this.first.access.thread === thread ? this.second : this.first;
  }
}

/** e →c e': both access one location, one of them changes it, and e comes first. */
function precedes(a: Access, b: Access): boolean {
  if (a.thread === b.thread) return false;
  for (const { location, place } of a.places) {
    for (const other of b.places) {
      if (other.location !== location) continue;
      if (b.changes ? place < other.place : a.changes && place <= other.place) return true;
    }
  }
  return false;
}
