/** The table of an execution for a terminal: a column per thread, within the available width. */
import { type Cell, cellsOf } from '../story/cells.ts';
import type { Style } from '../style.ts';
import { printable } from '../text.ts';
import type { TraceReport } from '../trace-schema.ts';

export interface TableOptions {
  /** Of the terminal, in characters; at least 30 are used. */
  readonly width: number;
  readonly style: Style;
  /** Rows shown of a long execution: this many from its start and from its end. */
  readonly first?: number;
  readonly last?: number;
}

const MIN_WIDTH = 30;
const MIN_COLUMN = 18;
const GAP = 2;
const FIRST = 20;
const LAST = 60;

interface Column {
  readonly thread: string;
  readonly title: string;
  readonly start: number;
  readonly width: number;
}

export function printStory(trace: TraceReport, options: TableOptions): string[] {
  const all = cellsOf(trace);
  const { first = FIRST, last = LAST } = options;
  const isLong = all.length > first + last;
  const shown = isLong ? [...all.slice(0, first), ...all.slice(-last)] : all;
  const width = Math.max(MIN_WIDTH, options.width);
  const digits = Math.max(2, String(trace.events.length).length);
  const columns = layOut(trace, shown, digits + GAP, width);
  const lines = printHeader(columns, options.style);
  shown.forEach((cell, i) => {
    if (isLong && i === first) lines.push('', `… ${all.length - shown.length} rows omitted …`, '');
    lines.push(...printCell(cell, columns, digits, width, options.style));
  });
  return lines.map((line) => line.trimEnd());
}

function titleOf(trace: TraceReport, thread: string): string {
  const name = trace.threads.find((t) => t.thread === thread)?.function;
  const label = /^\d/.test(thread) ? `thread ${thread}` : thread;
  return name === undefined || !label.startsWith('thread') ? label : `${label}: ${name}`;
}

/** Columns as wide as their contents, if there is room; one for all threads if there are too many. */
function layOut(trace: TraceReport, cells: readonly Cell[], start: number, width: number): readonly Column[] {
  const threads = trace.threads.map((t) => t.thread).filter((thread) => cells.some((cell) => cell.thread === thread));
  const room = width - start - GAP * (threads.length - 1);
  if (room / threads.length < MIN_COLUMN) return [{ thread: '', title: '', start, width: width - start }];
  const wanted = threads.map((thread) => {
    const own = cells.filter((cell) => cell.thread === thread);
    return Math.max(
      titleOf(trace, thread).length,
      ...own.map((c) => Math.max((c.calls ?? '').length, (c.heading ?? '').length, bodyOf(c).length)),
    );
  });
  const widths = shareOut(wanted, room);
  let at = start;
  return threads.map((thread, i) => {
    const column = { thread, title: titleOf(trace, thread), start: at, width: widths[i]! };
    at += widths[i]! + GAP;
    return column;
  });
}

/** Columns that need less than an equal share get what they need; the others share the rest. */
function shareOut(wanted: readonly number[], room: number): readonly number[] {
  const widths = wanted.map(() => 0);
  let open = wanted.map((_, i) => i);
  let left = room;
  while (open.length > 0) {
    const share = Math.floor(left / open.length);
    const modest = open.filter((i) => wanted[i]! <= share);
    if (modest.length === 0) {
      for (const i of open) widths[i] = share;
      break;
    }
    for (const i of modest) {
      widths[i] = wanted[i]!;
      left -= wanted[i]!;
    }
    open = open.filter((i) => !modest.includes(i));
  }
  return widths;
}

function bodyOf({ text, times }: Cell): string {
  return `  ${text}${times > 1 ? ` (${times} times)` : ''}`;
}

function printHeader(columns: readonly Column[], style: Style): string[] {
  if (columns.length === 1 && columns[0]!.thread === '') return [];
  const titles = columns.map(({ title, width }) => wrap(title, width, ''));
  const height = Math.max(...titles.map((lines) => lines.length));
  const lines: string[] = [];
  for (let i = 0; i < height; i++) {
    lines.push(
      joinCells(
        columns,
        (c) => style.bold(titles[c]![i] ?? ''),
        (c) => (titles[c]![i] ?? '').length,
      ),
    );
  }
  lines.push(
    joinCells(
      columns,
      (c) => style.dim('─'.repeat(columns[c]!.width)),
      (c) => columns[c]!.width,
    ),
  );
  return lines;
}

function joinCells(columns: readonly Column[], text: (c: number) => string, length: (c: number) => number): string {
  let line = '';
  let at = 0;
  columns.forEach(({ start }, c) => {
    if (length(c) === 0) return;
    line += ' '.repeat(start - at) + text(c);
    at = start + length(c);
  });
  return line;
}

function printCell(cell: Cell, columns: readonly Column[], digits: number, width: number, style: Style): string[] {
  const own = columns.find((column) => column.thread === cell.thread);
  const column = own ?? columns[0]!;
  const lines: string[] = [];
  if (cell.switches) lines.push(...printSwitch(cell, column.start > 0 ? digits + GAP : 0, width, style));
  const isOneColumn = own === undefined;
  const heading = cell.heading === undefined ? '' : `${isOneColumn ? `[${cell.thread}] ` : ''}${cell.heading}`;
  const headings = heading === '' ? [] : wrap(printable(heading), column.width, '  ');
  const who = isOneColumn && heading === '' ? `[${cell.thread}] ` : '';
  const texts = wrap(`  ${who}${printable(bodyOf(cell).trimStart())}`, column.width, '    ');
  const paint =
    cell.isEnd || cell.isRace ? style.bad : cell.isCommit || cell.isStale ? style.note : (text: string) => text;
  const calls = cell.calls === undefined ? [] : wrap(printable(cell.calls), column.width, '  ');
  const body = [...calls.map(style.dim), ...headings.map(style.bold), ...texts.map(paint)];
  body.forEach((text, i) => {
    const isFirst = i === body.length - texts.length && cell.number !== undefined;
    const number = isFirst ? String(cell.number).padStart(digits) : ' '.repeat(digits);
    lines.push(`${style.dim(number)}${' '.repeat(column.start - digits)}${text}`);
  });
  return lines;
}

/** At a switch to another thread: the buffered stores that are not in memory yet. */
function printSwitch(cell: Cell, start: number, width: number, style: Style): string[] {
  const room = width - start;
  if (cell.waiting.length === 0) return [style.dim(' '.repeat(start) + '┄'.repeat(room))];
  const stores = cell.waiting.map(
    ({ thread, location, value, memory }) => `${location} = ${value} of thread ${thread} (memory holds ${memory})`,
  );
  const text = `┄┄ waiting: ${stores.map(printable).join(', ')}`;
  const lines = wrap(text, room, '   ');
  return lines.map((line, i) => {
    const rest = i === lines.length - 1 ? ` ${'┄'.repeat(Math.max(0, room - [...line].length - 1))}` : '';
    return style.dim(' '.repeat(start) + line + rest);
  });
}

/**
 * Breaks text into lines of at most `width` characters, at spaces if possible; `indent` goes before all but the first.
 */
export function wrap(text: string, width: number, indent: string): string[] {
  const lines: string[] = [];
  let rest = text;
  let before = '';
  while (before.length + [...rest].length > width) {
    const room = Math.max(1, width - before.length);
    const cut = breakAt(rest, room, width - indent.length);
    lines.push(before + rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
    before = indent;
  }
  if (rest !== '') lines.push(before + rest);
  return lines;
}

/**
 * Where to break a line: before a space, else after a bracket or comma, unless that leaves most of the line empty. A
 * word that is too long for the rest goes to the next line if it fits there; else it is broken, preferably after
 * punctuation.
 */
function breakAt(rest: string, room: number, nextRoom: number): number {
  const head = [...rest].slice(0, room + 1).join('');
  const isGood = (at: number): boolean => at >= room / 3 && head.slice(0, at).trim() !== '';
  const behind = (marks: string): number => Math.max(...[...marks].map((c) => head.lastIndexOf(c, room - 1))) + 1;
  const space = head.lastIndexOf(' ');
  if (isGood(space)) return space;
  const bracket = behind('(,;');
  if (isGood(bracket)) return bracket;
  if (space > 0 && head.slice(0, space).trim() !== '') {
    const [word] = /^\s*\S*?\w[(,;]|^\s*\S+/.exec(rest.slice(space))!;
    if (word.trim().length <= nextRoom) return space;
  }
  const joint = behind('_/.-');
  return isGood(joint) ? joint : [...rest].slice(0, room).join('').length;
}
