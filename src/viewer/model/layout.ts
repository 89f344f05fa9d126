/**
 * The space-time diagram: threads and their store buffers as lanes side by side, events as rows one below the other. A
 * buffered store is a bar in its buffer's lane, from the row of the store to that of its update.
 */
import type { EventReport, ThreadReport, TraceReport } from '../../report/trace-schema.ts';
import { withoutCode } from '../../util/code-text.ts';
import { eventsOnCycle } from './cycle.ts';
import type { Filters } from './filters.ts';
import { shorten } from './labels.ts';
import { foldText, type Row, rowsOf } from './rows.ts';
import { labelOf } from './timeline.ts';

export const ROW = 26;
const GUTTER = 44;
/** Limits on the width of lanes, however many there are. */
const WIDEST = 210;
const NARROWEST = 76;
const CHARACTER = 7.3;
/** For the labels of ends, which are bold. */
const BOLD_CHARACTER = 7.9;
/** A shorter label would say nothing, so the diagram becomes wider than its room. */
const SHORTEST_END = 24;
/** Height of the names above the lanes. */
const HEADING = 7;
const SLOT = 12;
/** From a lane's left edge to its marks. */
const MARK = 16;
const LABEL = 12;

interface Lane {
  readonly kind: 'thread' | 'buffer';
  readonly thread: string;
  readonly title: string;
  readonly subtitle: string;
  readonly x: number;
  readonly width: number;
}

export type Shape = 'load' | 'store' | 'rmw' | 'update' | 'fence' | 'other' | 'fold' | 'end';

export interface Mark {
  /** Index of the event; if several are folded, of the last one; for an end, at least the number of events. */
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
  /** Where the text of the store ends; `undefined` if this leaves no room for a line to the bar. */
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
  /** By event: its mark, if it has its own row. */
  readonly markOf: ReadonlyMap<number, Mark>;
  readonly events: readonly Row[];
}

export function rowY(row: number): number {
  return row * ROW + ROW / 2;
}

interface Interval {
  readonly event: number;
  readonly update: number | undefined;
  readonly thread: string;
  readonly slot: number;
}

/** Buffered stores that have a row; each gets a slot that no other store waiting at the same time has. */
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

/**
 * Makes the diagram fit into `room` pixels if possible: first by dropping the words of buffers, then by narrowing
 * lanes.
 */
export function layOut(trace: TraceReport, filters: Filters, room: number = Number.POSITIVE_INFINITY): Diagram {
  const { events, threads, ends } = trace;
  const shown = rowsOf(trace, filters);
  const singles = shown.filter((row) => row.count === 1).map((row) => row.first);
  const intervals = intervalsOf(events, new Set(singles));
  const slots = new Map<string, number>();
  for (const { thread, slot } of intervals) slots.set(thread, Math.max(slots.get(thread) ?? 0, slot + 1));
  const all = threads.length > 0 ? threads : [...new Set(events.map((e) => e.thread))].map((thread) => ({ thread }));
  const names = all.filter(({ thread }) => !filters.hidden.includes(thread));
  const longest = longestLabels(events, singles);
  const wantedBy = (thread: ThreadReport, isShort: boolean): number => {
    const { title, subtitle } = headOf(thread, isShort);
    const heading = (title.length + subtitle.length) * HEADING + 22;
    const label = longest.get(`thread ${thread.thread}`) ?? 0;
    return Math.min(WIDEST, Math.max(112, heading, MARK + LABEL + label * CHARACTER + 14));
  };
  const bufferWidth = (thread: string, hasWords: boolean): number => {
    const wide = slots.get(thread);
    if (wide === undefined) return 0;
    const bars = MARK + (wide - 1) * SLOT;
    const words = LABEL + (longest.get(`buffer ${thread}`) ?? 0) * CHARACTER + 14;
    return hasWords ? Math.min(WIDEST, Math.max(76, bars + words)) : bars + 14;
  };
  const widthOf = (hasWords: boolean): number =>
    names.reduce((sum, t) => sum + wantedBy(t, false) + bufferWidth(t.thread, hasWords), GUTTER);
  const hasWords = widthOf(true) <= room;
  const isShort = !hasWords && widthOf(false) > room;
  const buffers = names.reduce((sum, t) => sum + bufferWidth(t.thread, hasWords), 0);
  const share = Math.max(NARROWEST, Math.floor((room - GUTTER - buffers) / Math.max(1, names.length)));
  const lanes: Lane[] = [];
  let x = GUTTER;
  for (const name of names) {
    const { thread } = name;
    const width = Math.round(isShort ? Math.min(share, wantedBy(name, true)) : wantedBy(name, false));
    lanes.push({ kind: 'thread', thread, ...headOf(name, isShort), x, width });
    x += width;
    const wide = Math.round(bufferWidth(thread, hasWords));
    if (wide === 0) continue;
    lanes.push({ kind: 'buffer', thread, title: hasWords ? 'buffer' : '', subtitle: '', x, width: wide });
    x += wide;
  }
  const cycle = eventsOnCycle(trace);
  const slotOf = new Map(intervals.flatMap((i) => (i.update === undefined ? [] : [[i.update, i.slot] as const])));
  const laneOf = (kind: Lane['kind'], thread: string): Lane =>
    lanes.find((l) => l.kind === kind && l.thread === thread) ?? lanes.find((l) => l.thread === thread) ?? lanes[0]!;
  // Where lanes are narrow, labels may extend to the marks of the next lane; after the last lane there may be no room.
  const isFull = x <= room && x + 8 > room;
  const beyond = (lane: Lane): number => (hasWords ? -6 : isFull && lane === lanes.at(-1) ? 0 : 8);
  const marks = shown.map((of, row): Mark => {
    const event = events[of.last]!;
    const isFold = of.count > 1;
    const isUpdate = event.kind === 'update' && !isFold;
    const lane = laneOf(isUpdate ? 'buffer' : 'thread', event.thread);
    const at = lane.x + MARK + (isUpdate ? (slotOf.get(of.last) ?? 0) * SLOT : 0);
    const before = isUpdate ? MARK + ((slots.get(event.thread) ?? 1) - 1) * SLOT : MARK;
    const full = isFold ? foldText(trace, of, filters) : labelOf(event);
    return {
      event: of.last,
      row,
      x: at,
      y: rowY(row),
      shape: isFold ? 'fold' : shapeOf(event),
      labelX: lane.x + before + LABEL,
      label: isFold
        ? full
        : isUpdate && !hasWords
          ? ''
          : shorten(full, Math.floor((lane.width - before - LABEL + beyond(lane)) / CHARACTER)),
      full,
      isStale: !isFold && (event.stale !== undefined || event.missed !== undefined),
      isOnCycle: !isFold && cycle.has(of.last),
    };
  });
  const rowByEvent = new Map(shown.map((row, i) => [row.last, i]));
  ends.forEach((end, i) => {
    const lane = laneOf('thread', end.thread);
    const row = shown.length + i;
    const full = withoutCode(end.what);
    const wide = full.length * BOLD_CHARACTER;
    const [right, left] = [lane.x + MARK + LABEL, lane.x + MARK - LABEL - wide];
    const isLeft = right + wide > room && left >= GUTTER;
    const fitting = Math.floor((room - right) / BOLD_CHARACTER);
    marks.push({
      event: events.length + i,
      row,
      x: lane.x + MARK,
      y: rowY(row),
      shape: 'end',
      labelX: isLeft ? left : right,
      label: isLeft || right + wide <= room || fitting < SHORTEST_END ? full : shorten(full, fitting),
      full,
      isStale: false,
      isOnCycle: false,
    });
  });
  const rows = marks.length;
  const bars = intervals.map(({ event, update, thread, slot }): Bar => {
    const at = laneOf('buffer', thread).x + MARK + slot * SLOT;
    const firstRow = rowByEvent.get(event)!;
    const store = marks[firstRow]!;
    const textEnd = store.labelX + store.label.length * CHARACTER + 4;
    const lastRow = update === undefined ? rows : rowAfter(shown, update);
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
  const width = Math.max(
    x,
    ...marks
      .filter((m) => m.shape === 'end' || m.shape === 'fold')
      .map((m) => m.labelX + m.label.length * CHARACTER + 8),
  );
  return {
    lanes,
    marks,
    bars,
    rows,
    width: Math.ceil(width),
    height: rows * ROW,
    markOf: new Map(marks.filter((m) => m.shape !== 'fold').map((m) => [m.event, m])),
    events: shown,
  };
}

function headOf({ thread, function: name }: ThreadReport, isShort: boolean): Pick<Lane, 'title' | 'subtitle'> {
  return {
    title: /^\d/.test(thread) && !isShort ? `thread ${thread}` : thread,
    subtitle: name === undefined || name === thread ? '' : name,
  };
}

/** The length of the longest label of each lane. */
function longestLabels(events: readonly EventReport[], shown: readonly number[]): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  for (const e of shown) {
    const event = events[e]!;
    const lane = `${event.kind === 'update' ? 'buffer' : 'thread'} ${event.thread}`;
    longest.set(lane, Math.max(longest.get(lane) ?? 0, labelOf(event).length));
  }
  return longest;
}

/** The row of an event, or the next row after it. */
function rowAfter(rows: readonly Row[], event: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.last < event) low = middle + 1;
    else high = middle;
  }
  return low;
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

/** The rows to draw for a window onto the diagram, with a margin so that small scrolls need no redraw. */
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
