/**
 * The accesses of one execution, reduced to what prediction needs: all accesses of one thread from one place in the
 * program to one location, between creating or joining other threads, are one *access class*. Only its first and last
 * events matter: some event of class a precedes some event of class b in program order iff a's first precedes b's last.
 *
 * Locations are cells, as in a Shasha–Snir trace: an access to several cells belongs to a class in each. A
 * synchronisation object is a separate location. Only cells that several threads touch and at least one changes are
 * kept.
 */
import * as ev from '../../machine/events/event.ts';
import { MAX_THREADS } from '../../machine/state/default-limits.ts';
import { accessKind, changes, type Label, labelOf, mobility, SYNCHRONISES } from './label.ts';

export interface AccessClass {
  readonly thread: number;
  /** How many threads its thread had created or joined before. */
  readonly phase: number;
  readonly label: Label;
  readonly cell: number;
  /** Numbers of its first and last event. */
  readonly first: number;
  last: number;
  /** Whether any of its events changes the location. */
  changes: boolean;
  /** How its events can move (`label.ts`), combined. */
  mobility: number;
}

/** The numbers of the events by which threads created or joined others. */
interface ThreadEdges {
  /** By creator and created thread (`creator * THREADS + created`). */
  readonly created: ReadonlyMap<number, number>;
  readonly joined: ReadonlyMap<number, number>;
}

export interface Accesses extends ThreadEdges {
  /** Per shared cell: its classes. */
  readonly cells: readonly (readonly AccessClass[])[];
  /** How many accesses they contain. */
  readonly events: number;
}

/** An upper bound on the machine's threads. */
export const THREADS: number = MAX_THREADS;

export function collectAccesses(events: ev.EventLog): Accesses {
  const starts = cellStarts(events);
  const cellCount = starts.length;
  const cells: AccessClass[][] = [];
  const syncCells = new Map<number, number>();
  const created = new Map<number, number>();
  const joined = new Map<number, number>();
  /** Per thread: how often it has created or joined threads. */
  const phases = new Int32Array(THREADS);
  /** Cells that a thread has stored to, as `cell * THREADS + thread`. */
  const ownStores = new Set<number>();
  let accesses = 0;

  const add = (event: number, thread: number, kind: number, cell: number): void => {
    const label = labelOf(events.get(event, ev.E_SITE), kind);
    const place = cell * THREADS + thread;
    const moves = mobility(events, event, ownStores.has(place));
    const isChange = changes(events, event);
    if (isChange) ownStores.add(place);
    const phase = phases[thread]!;
    let list = cells[cell];
    if (list === undefined) {
      list = [];
      cells[cell] = list;
    }
    for (const known of list) {
      if (known.label !== label || known.thread !== thread || known.phase !== phase) continue;
      known.last = event;
      known.changes ||= isChange;
      known.mobility |= moves;
      return;
    }
    list.push({ thread, phase, label, cell, first: event, last: event, changes: isChange, mobility: moves });
  };

  for (let event = 0; event < events.length; event++) {
    const thread = events.get(event, ev.E_THREAD);
    const kind = accessKind(events, event);
    if (kind < 0) {
      const what = events.get(event, ev.E_KIND);
      if (what !== ev.SPAWN_EVENT && what !== ev.JOIN_EVENT) continue;
      phases[thread]!++;
      const other = events.get(event, ev.E_OTHER);
      if (other >= 0) (what === ev.SPAWN_EVENT ? created : joined).set(thread * THREADS + other, event);
      continue;
    }
    accesses++;
    const address = events.get(event, ev.E_ADDRESS);
    if (kind === SYNCHRONISES) {
      let cell = syncCells.get(address);
      if (cell === undefined) {
        cell = cellCount + syncCells.size;
        syncCells.set(address, cell);
      }
      add(event, thread, kind, cell);
      continue;
    }
    const end = address + events.get(event, ev.E_SIZE);
    for (let cell = indexOf(starts, address); starts[cell]! < end; cell++) add(event, thread, kind, cell);
  }
  return { cells: cells.filter(isShared), created, joined, events: accesses };
}

function isShared(classes: readonly AccessClass[]): boolean {
  const [first] = classes;
  return classes.some((c) => c.thread !== first!.thread) && classes.some((c) => c.changes);
}

/** Where cells start, ascending; the end of every access is a start too. */
function cellStarts(events: ev.EventLog): Int32Array {
  const bounds = new Set<number>();
  for (let event = 0; event < events.length; event++) {
    const size = events.get(event, ev.E_SIZE);
    if (size === 0) continue;
    const address = events.get(event, ev.E_ADDRESS);
    bounds.add(address);
    bounds.add(address + size);
  }
  return Int32Array.from(bounds).sort();
}

function indexOf(starts: Int32Array, address: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! < address) low = middle + 1;
    else high = middle;
  }
  return low;
}
