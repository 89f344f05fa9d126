/**
 * The space-time diagram: threads and their store buffers side by side as lanes, events below one another as rows. A
 * store that waits is a bar in the lane of its buffer, from the row of the store to that of its update.
 */
import type { EventReport, TraceReport } from '../../report/trace-schema.ts';
import type { Filters } from './filters.ts';
import { stopsOf } from './stepping.ts';
import { labelOf } from './timeline.ts';

export const ROW = 26;
const GUTTER = 44;
/** Lanes are no wider than this; `compact` is for narrow screens, where buffers have bars and no words. */
const WIDEST = 210;
const WIDEST_COMPACT = 124;
const CHARACTER = 7.3;
/** Height of the names above the lanes. */
const HEADING = 7;
const SLOT = 12;
/** From a lane's left edge to its marks. */
const MARK = 16;
const LABEL = 12;

export interface Lane {
  readonly kind: 'thread' | 'buffer';
  readonly thread: string;
  readonly title: string;
  readonly subtitle: string;
  readonly x: number;
  readonly width: number;
}

export type Shape = 'load' | 'store' | 'rmw' | 'update' | 'fence' | 'other' | 'end';

export interface Mark {
  /** Index of the event; for an end, the number of events or more. */
  readonly event: number;
  readonly row: number;
  readonly x: number;
  readonly y: number;
  readonly shape: Shape;
  readonly labelX: number;
  /** Shortened to fit. */
  readonly label: string;
  readonly full: string;
  readonly isStale: boolean;
  readonly isOnCycle: boolean;
}

/** A store in its buffer; `to` is where the diagram ends if it never reaches memory. */
export interface Bar {
  readonly event: number;
  readonly update: number | undefined;
  readonly x: number;
  readonly from: number;
  readonly to: number;
  readonly firstRow: number;
  readonly lastRow: number;
  /** Where the text of the store ends; `undefined` if it leaves no room for a line to the bar. */
  readonly entersFrom: number | undefined;
}

export interface Diagram {
  readonly lanes: readonly Lane[];
  /** By row. */
  readonly marks: readonly Mark[];
  readonly bars: readonly Bar[];
  readonly rows: number;
  readonly width: number;
  readonly height: number;
  /** By event: its mark, if it has a row. */
  readonly markOf: ReadonlyMap<number, Mark>;
}

export function rowY(row: number): number {
  return row * ROW + ROW / 2;
}

/** Events on the cycle, by their place; an update is not, its store is. */
export function eventsOnCycle({ events, cycle = [] }: TraceReport): ReadonlySet<number> {
  const names = new Set(cycle.map((edge) => edge.from.event));
  return new Set(events.flatMap((e, i) => (e.kind !== 'update' && names.has(e.event) ? [i] : [])));
}

interface Interval {
  readonly event: number;
  readonly update: number | undefined;
  readonly thread: string;
  readonly slot: number;
}

/** Buffered stores that have a row, with the slot of each among those that wait at the same time. */
function intervalsOf(events: readonly EventReport[], isShown: ReadonlySet<number>): readonly Interval[] {
  const open = new Map<string, { event: number; slot: number; thread: string }>();
  const used = new Map<string, boolean[]>();
  const done: Interval[] = [];
  events.forEach(({ kind, event, thread, buffered }, e) => {
    if (kind === 'update') {
      const store = open.get(event);
      if (store === undefined) return;
      open.delete(event);
      used.get(thread)![store.slot] = false;
      done.push({ ...store, update: e });
    } else if (buffered === true && isShown.has(e)) {
      const slots = used.get(thread) ?? [];
      used.set(thread, slots);
      const free = slots.indexOf(false);
      const slot = free < 0 ? slots.length : free;
      slots[slot] = true;
      open.set(event, { event: e, slot, thread });
    }
  });
  for (const store of open.values()) done.push({ ...store, update: undefined });
  return done.sort((a, b) => a.event - b.event);
}

export function layOut(trace: TraceReport, filters: Filters, compact = false): Diagram {
  const { events, threads, ends } = trace;
  const shown = stopsOf(trace, filters)
    .slice(1)
    .map((stop) => stop - 1);
  const isShown = new Set(shown);
  const intervals = intervalsOf(events, isShown);
  const lanes: Lane[] = [];
  const slots = new Map<string, number>();
  for (const { thread, slot } of intervals) slots.set(thread, Math.max(slots.get(thread) ?? 0, slot + 1));
  const widest = compact ? WIDEST_COMPACT : WIDEST;
  let x = GUTTER;
  const widthFor = (labels: readonly string[], before: number, least: number): number => {
    const longest = Math.max(0, ...labels.map((label) => label.length));
    return Math.round(Math.min(widest, Math.max(least, before + LABEL + longest * CHARACTER + 14)));
  };
  const onlyShown = shown.map((e) => events[e]!);
  const names = threads.length > 0 ? threads : [...new Set(events.map((e) => e.thread))].map((thread) => ({ thread }));
  for (const { thread, ...more } of names) {
    const own = onlyShown.filter((e) => e.thread === thread);
    const title = /^\d/.test(thread) && !compact ? `thread ${thread}` : thread;
    const subtitle = 'function' in more && more.function !== thread ? (more.function ?? '') : '';
    const labels = own.filter((e) => e.kind !== 'update').map(labelOf);
    const heading = (title.length + subtitle.length) * HEADING + 22;
    const width = widthFor(labels, MARK, Math.max(compact ? 84 : 112, heading));
    lanes.push({ kind: 'thread', thread, title, subtitle, x, width });
    x += width;
    const wide = slots.get(thread);
    if (wide === undefined) continue;
    const commits = own.filter((e) => e.kind === 'update').map(labelOf);
    const bars = MARK + (wide - 1) * SLOT;
    const bufferWidth = compact ? bars + 14 : widthFor(commits, bars, 76);
    lanes.push({ kind: 'buffer', thread, title: compact ? '' : 'buffer', subtitle: '', x, width: bufferWidth });
    x += bufferWidth;
  }
  const cycle = eventsOnCycle(trace);
  const slotOf = new Map(intervals.flatMap((i) => (i.update === undefined ? [] : [[i.update, i.slot] as const])));
  const laneOf = (kind: Lane['kind'], thread: string): Lane =>
    lanes.find((l) => l.kind === kind && l.thread === thread) ?? lanes.find((l) => l.thread === thread) ?? lanes[0]!;
  const rowsBefore = rowsBeforeEvents(shown, events.length);
  const marks = shown.map((e, row): Mark => {
    const event = events[e]!;
    const isUpdate = event.kind === 'update';
    const lane = laneOf(isUpdate ? 'buffer' : 'thread', event.thread);
    const at = lane.x + MARK + (isUpdate ? (slotOf.get(e) ?? 0) * SLOT : 0);
    const before = isUpdate ? MARK + ((slots.get(event.thread) ?? 1) - 1) * SLOT : MARK;
    const full = labelOf(event);
    return {
      event: e,
      row,
      x: at,
      y: rowY(row),
      shape: shapeOf(event),
      labelX: lane.x + before + LABEL,
      label: compact && isUpdate ? '' : cut(full, lane.width - before - LABEL - 6),
      full,
      isStale: event.stale !== undefined || event.missed !== undefined,
      isOnCycle: cycle.has(e),
    };
  });
  ends.forEach((end, i) => {
    const lane = laneOf('thread', end.thread);
    const row = shown.length + i;
    const full = end.what;
    marks.push({
      event: events.length + i,
      row,
      x: lane.x + MARK,
      y: rowY(row),
      shape: 'end',
      labelX: lane.x + MARK + LABEL,
      label: full,
      full,
      isStale: false,
      isOnCycle: false,
    });
  });
  const rows = marks.length;
  const bars = intervals.map(({ event, update, thread, slot }): Bar => {
    const at = laneOf('buffer', thread).x + MARK + slot * SLOT;
    const store = marks[rowsBefore[event]!]!;
    const textEnd = store.labelX + store.label.length * CHARACTER + 4;
    const firstRow = rowsBefore[event]!;
    const lastRow = update === undefined ? rows : rowsBefore[update]!;
    return {
      event,
      update,
      x: at,
      from: rowY(firstRow),
      to: update === undefined ? rows * ROW : rowY(lastRow),
      firstRow,
      lastRow,
      entersFrom: textEnd < at - 8 ? textEnd : undefined,
    };
  });
  const all = Math.max(
    x,
    ...marks.filter((m) => m.shape === 'end').map((m) => m.labelX + m.label.length * CHARACTER + 8),
  );
  return {
    lanes,
    marks,
    bars,
    rows,
    width: Math.ceil(all),
    height: rows * ROW,
    markOf: new Map(marks.map((m) => [m.event, m])),
  };
}

/** By event: the number of rows before its own, or before where it would be. */
function rowsBeforeEvents(shown: readonly number[], count: number): readonly number[] {
  const rows: number[] = [];
  let row = 0;
  for (let e = 0; e < count; e++) {
    rows.push(row);
    if (shown[row] === e) row++;
  }
  return rows;
}

export function shapeOf({ kind }: EventReport): Shape {
  switch (kind) {
    case 'load':
    case 'store':
    case 'rmw':
    case 'update':
    case 'fence':
      return kind;
    default:
      return 'other';
  }
}

function cut(text: string, pixels: number): string {
  const room = Math.max(3, Math.floor(pixels / CHARACTER));
  const characters = [...text];
  return characters.length <= room ? text : `${characters.slice(0, room - 1).join('')}…`;
}

/** The rows to draw for a window onto the diagram, with a margin so that a little scrolling needs no redraw. */
export function rowsInView(
  top: number,
  height: number,
  rows: number,
): { readonly first: number; readonly last: number } {
  const spare = 20;
  const block = 10;
  const first = Math.floor((top / ROW - spare) / block) * block;
  const last = Math.ceil(((top + height) / ROW + spare) / block) * block;
  return { first: Math.max(0, first), last: Math.min(rows, last) };
}
