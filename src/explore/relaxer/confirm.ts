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
import { accessKind, changes, type Label, labelOf } from './label.ts';

interface Access {
  readonly event: number;
  readonly thread: number;
  readonly changes: boolean;
  readonly places: readonly { readonly location: number; readonly place: number }[];
}

/** The events of the cycle in the trace, in its order; `undefined` if they do not make one. */
export function findInTrace(trace: ShashaSnirTrace, labels: readonly Label[]): readonly number[] | undefined {
  const byLabel = collect(trace, labels);
  if (byLabel === undefined) return undefined;
  for (const start of byLabel.get(labels[0]!)!) {
    const path = closeFrom(start, labels, byLabel);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** The accesses with each of the labels; `undefined` if one has none. */
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

/** A way along the labels from `start` back to it. */
function closeFrom(
  start: Access,
  labels: readonly Label[],
  byLabel: ReadonlyMap<Label, readonly Access[]>,
): readonly number[] | undefined {
  /** For each label so far: the accesses that can be reached, each with the one that it was reached from. */
  const reached: Map<Access, Access>[] = [new Map([[start, start]])];
  for (let j = 1; j < labels.length; j++) {
    const isProgramOrder = j % 2 === 1;
    const isSameLabel = labels[j] === labels[j - 1];
    const next = new Map<Access, Access>();
    for (const access of byLabel.get(labels[j]!)!) {
      for (const from of reached[j - 1]!.keys()) {
        const follows = isProgramOrder
          ? from.thread === access.thread && (from.event < access.event || (isSameLabel && from.event === access.event))
          : precedes(from, access);
        if (!follows) continue;
        next.set(access, from);
        break;
      }
    }
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
