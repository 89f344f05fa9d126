/**
 * The rows of the diagram and of the table: one per event that is shown. A long run of one thread that has no part in
 * the failure is folded into one row.
 */
import type { EventReport, TraceReport } from '../../report/trace-schema.ts';
import { eventsOnCycle } from './cycle.ts';
import type { Filters } from './filters.ts';

export interface Row {
  /** Indices of events; they differ if several are folded. */
  readonly first: number;
  readonly last: number;
  /** How many shown events the row stands for. */
  readonly count: number;
}

/** Shorter runs are not worth folding. The first and last event of a folded run keep their rows. */
const SHORTEST = 8;
/** More rows than this are folded unless asked otherwise. */
const MANY = 150;
/** The last few events always have their own rows. */
const BEFORE_THE_END = 4;

/** Kinds of events that may be folded; others, such as locking and joining, are interactions of threads. */
const FOLDED = new Set(['load', 'store', 'rmw', 'update', 'fence']);

/** Whether the event has a row or is part of a folded one. */
export function isShown({ aside, thread }: EventReport, { asides, hidden }: Filters): boolean {
  return (asides || aside !== true) && !hidden.includes(thread);
}

/** Whether rows are folded: as asked; by default, if there are many. */
export function isFolding({ events }: TraceReport, filters: Filters): boolean {
  return filters.fold ?? events.filter((event) => isShown(event, filters)).length > MANY;
}

/** Whether there is anything to fold. */
export function canFold(trace: TraceReport, filters: Filters): boolean {
  return (
    trace.events.length > SHORTEST && rowsOf(trace, { ...filters, fold: true, opened: [] }).some((r) => r.count > 1)
  );
}

export function rowsOf(trace: TraceReport, filters: Filters): readonly Row[] {
  const { events } = trace;
  const shown: number[] = [];
  events.forEach((event, e) => {
    // The last event is always shown: it is where the execution ends.
    if (isShown(event, filters) || e === events.length - 1) shown.push(e);
  });
  const single = (e: number): Row => ({ first: e, last: e, count: 1 });
  if (!isFolding(trace, filters)) return shown.map(single);
  const cycle = eventsOnCycle(trace);
  const isPlain = (i: number): boolean => {
    const e = shown[i]!;
    const { kind, stale, missed, races, printed } = events[e]!;
    if (cycle.has(e) || stale !== undefined || missed !== undefined || races !== undefined) return false;
    if (printed !== undefined || i >= shown.length - BEFORE_THE_END) return false;
    return FOLDED.has(kind);
  };
  const rows: Row[] = [];
  for (let i = 0; i < shown.length; ) {
    const { thread } = events[shown[i]!]!;
    let end = i;
    while (end < shown.length && events[shown[end]!]!.thread === thread && isPlain(end)) end++;
    const isFolded = end - i >= SHORTEST && !filters.opened.includes(shown[i]!);
    if (isFolded) {
      rows.push(single(shown[i]!), { first: shown[i + 1]!, last: shown[end - 2]!, count: end - i - 2 });
      rows.push(single(shown[end - 1]!));
      i = end;
    } else {
      const next = Math.max(end, i + 1);
      for (; i < next; i++) rows.push(single(shown[i]!));
    }
  }
  return rows;
}

/** The index of an event's row, or of the last row before it; −1 if there is none. */
export function rowOfEvent(rows: readonly Row[], event: number): number {
  let [low, high] = [-1, rows.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rows[middle]!.first <= event) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What a folded row stands for: `1,214 steps: data[…]`. */
export function foldText(trace: TraceReport, { first, last, count }: Row, filters: Filters): string {
  const names = new Set<string>();
  for (let e = first; e <= last && names.size < 4; e++) {
    const event = trace.events[e]!;
    if (isShown(event, filters) && event.location !== undefined) {
      names.add(event.location.replace(/\[[^\]]*\]/g, '[…]'));
    }
  }
  const [a, b, c] = [...names];
  const what =
    a === undefined ? '' : `: ${[a, b].filter((n) => n !== undefined).join(', ')}${c === undefined ? '' : ', …'}`;
  return `${count.toLocaleString('en')} steps${what}`;
}
