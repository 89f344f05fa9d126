/**
 * Is a predicted cycle in the trace that an execution really produced? [RELAXER] Sect. 4.3: events e1, …, en with the
 * cycle's labels such that e_j →p e_(j+1) for odd j and e_j →c e_(j+1) for even j, and e_n →c e1, where →c is the conflict
 * order of Sect. 2.2.
 *
 *   paper           here
 *   l(e)            `labelOf` the event's site and kind
 *   c(e)            `ShashaSnirTrace.placesOf`
 *   e →p e'         same thread, smaller event number
 *   e →c e'         `precedes`
 *
 * Such events are a cycle of the Shasha–Snir trace, so a confirmed cycle is never a false alarm. Threads need not be
 * different, as in the paper.
 */
import * as ev from '../../machine/event.ts';
import type { ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import { drain, type Pieces } from '../../util/drain.ts';
import { accessKind, changes, type Label, labelOf } from './label.ts';

interface Access {
  readonly event: number;
  readonly thread: number;
  readonly changes: boolean;
  readonly places: readonly { readonly location: number; readonly place: number }[];
}

/** The events of the cycle in the trace, in its order; `undefined` if they do not make one. */
export function findInTrace(trace: ShashaSnirTrace, labels: readonly Label[]): readonly number[] | undefined {
  return drain(findingInTrace(trace, labels));
}

/** Events looked at in a piece. */
const PIECE = 2048;

/** The same, a piece at a time. */
export function* findingInTrace(
  trace: ShashaSnirTrace,
  labels: readonly Label[],
): Pieces<readonly number[] | undefined> {
  const byLabel = yield* collect(trace, labels);
  if (byLabel === undefined) return undefined;
  let work = 0;
  for (const start of byLabel.get(labels[0]!)!) {
    /** For each label so far: the accesses that can be reached, in the order of their events. */
    const reached: Access[][] = [[start]];
    for (let j = 1; j < labels.length; j++) {
      const accesses = byLabel.get(labels[j]!)!;
      const isSame = labels[j] === labels[j - 1];
      reached.push(j % 2 === 1 ? behind(reached[j - 1]!, accesses, isSame) : inConflict(reached[j - 1]!, accesses));
      work += accesses.length;
      if (reached[j]!.length === 0) break;
    }
    if (reached.length === labels.length) {
      const last = reached.at(-1)!.find((access) => precedes(access, start));
      if (last !== undefined) return pathTo(last, reached, labels);
    }
    if (work < PIECE) continue;
    yield work;
    work = 0;
  }
  return undefined;
}

/** The accesses with each of the labels; `undefined` if one has none. */
function* collect(trace: ShashaSnirTrace, labels: readonly Label[]): Pieces<Map<Label, Access[]> | undefined> {
  const { events } = trace;
  const byLabel = new Map<Label, Access[]>(labels.map((label) => [label, []]));
  for (let event = 0; event < events.length; event++) {
    if (event % PIECE === PIECE - 1) yield PIECE;
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

/** Those of `accesses` that one of `from` precedes in its thread; or that are one of them, if both have the same label. */
function behind(from: readonly Access[], accesses: readonly Access[], isSameLabel: boolean): Access[] {
  const firsts = new Map<number, number>();
  for (const { thread, event } of from) if (!firsts.has(thread)) firsts.set(thread, event);
  return accesses.filter(({ thread, event }) => {
    const first = firsts.get(thread);
    return first !== undefined && (first < event || (isSameLabel && first === event));
  });
}

/** Those of `accesses` that one of `from` `precedes`: at each location the first ones of two threads decide. */
function inConflict(from: readonly Access[], accesses: readonly Access[]): Access[] {
  const all = new Map<number, Firsts>();
  const changing = new Map<number, Firsts>();
  for (const { thread, places, changes: isChange } of from) {
    for (const { location, place } of places) {
      note(all, location, thread, place);
      if (isChange) note(changing, location, thread, place);
    }
  }
  return accesses.filter(({ thread, places, changes: isChange }) =>
    places.some(({ location, place }) => {
      const firsts = (isChange ? all : changing).get(location);
      if (firsts === undefined) return false;
      const first = firsts.thread === thread ? firsts.second : firsts.place;
      return isChange ? first < place : first <= place;
    }),
  );
}

/** The smallest place at a location, of `thread`; and the smallest one of any other thread. */
interface Firsts {
  thread: number;
  place: number;
  second: number;
}

function note(firsts: Map<number, Firsts>, location: number, thread: number, place: number): void {
  const known = firsts.get(location);
  if (known === undefined) firsts.set(location, { thread, place, second: Number.POSITIVE_INFINITY });
  else if (known.thread === thread) known.place = Math.min(known.place, place);
  else if (place < known.place) {
    known.second = known.place;
    known.thread = thread;
    known.place = place;
  } else known.second = Math.min(known.second, place);
}

/** A way to `last` along the labels, by way of what comes first at each. */
function pathTo(last: Access, reached: readonly (readonly Access[])[], labels: readonly Label[]): readonly number[] {
  const path = [last.event];
  for (let j = labels.length - 1, access = last; j > 0; j--) {
    const isSame = labels[j] === labels[j - 1];
    const from = reached[j - 1]!.find((before) =>
      j % 2 === 1
        ? before.thread === access.thread && (before.event < access.event || (isSame && before.event === access.event))
        : precedes(before, access),
    );
    access = from!;
    path.push(access.event);
  }
  return path.reverse();
}

/** e →c e': both at one location, one of them changes it, and e comes first there. */
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
