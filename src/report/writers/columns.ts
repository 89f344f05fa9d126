/** The table of an execution for a terminal: a column per thread, in the available width. */
import { type Cell, cellsOf } from '../story/cells.ts';
import type { Style } from '../style.ts';
import { printable } from '../text.ts';
import type { TraceReport } from '../trace-schema.ts';

interface TableOptions {
  /** Width of the terminal, in characters; at least 30 are used. */
  readonly width: number;
  readonly style: Style;
  /** Show every row of a long execution. */
  readonly isFull?: boolean;
}

const MIN_WIDTH = 30;
const MIN_COLUMN = 20;
const GAP = 2;
/** The most buffered stores that are listed where another thread continues. */
const MAX_WAITING = 3;

interface Column {
  /** Empty if there is one column for all threads. */
  readonly thread: string;
  readonly title: string;
  readonly start: number;
  readonly width: number;
}

export function printStory(trace: TraceReport, options: TableOptions): string[] {
  const { isFull = false, style } = options;
  const width = Math.max(MIN_WIDTH, options.width);
  const digits = Math.max(2, String(trace.events.length).length);
  const start = digits + GAP;
  const threads = Math.max(1, Math.floor((width - start + GAP) / (MIN_COLUMN + GAP)));
  const cells = cellsOf(trace, { isFull, threads });
  const columns = layOut(trace, cells, start, width);
  const table: Table = { columns, digits, width, style, titles: new Map(threadNames(trace)) };
  const lines = printHeader(columns, style);
  const isList = columns[0]!.thread === '';
  let listed = '';
  cells.forEach((cell, i) => {
    const above = cells[i - 1];
    const stores = cell.switches ? JSON.stringify(cell.waiting) : listed;
    const isListed = cell.switches && cell.waiting.length > 1 && stores === listed;
    listed = stores;
    const isOther = cell.thread !== above?.thread || above.isGap;
    if (isList && cell.isEnd && trace.ends.length > 1) lines.push(...printEnd(cell, table, above?.isEnd !== true));
    else lines.push(...printCell(cell, table, isOther, isListed));
  });
  return lines.map((line) => line.trimEnd());
}

interface Table {
  readonly columns: readonly Column[];
  readonly digits: number;
  readonly width: number;
  readonly style: Style;
  /** By thread. */
  readonly titles: ReadonlyMap<string, string>;
}

function threadNames(trace: TraceReport): readonly (readonly [string, string])[] {
  return trace.threads.map(({ thread }) => [thread, titleOf(trace, thread)]);
}

function titleOf(trace: TraceReport, thread: string): string {
  const name = trace.threads.find((t) => t.thread === thread)?.function;
  const label = /^\d/.test(thread) ? `thread ${thread}` : thread;
  return name === undefined || !label.startsWith('thread') ? label : `${label}: ${name}`;
}

/** Columns as wide as their contents if there is room; a single one for all threads if there are too many. */
function layOut(trace: TraceReport, cells: readonly Cell[], start: number, width: number): readonly Column[] {
  const threads = trace.threads
    .map((t) => t.thread)
    .filter((thread) => cells.some((cell) => cell.thread === thread && !cell.isGap));
  const room = width - start - GAP * (threads.length - 1);
  if (threads.length === 0 || room / threads.length < MIN_COLUMN)
    return [{ thread: '', title: '', start, width: width - start }];
  const wanted = threads.map((thread) => {
    const own = cells.filter((cell) => cell.thread === thread && !cell.isGap);
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

/** Columns that need less than an equal share get what they need; the others share the rest equally. */
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

function bodyOf({ text }: Cell): string {
  return `  ${text}`;
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

/**
 * For one column with all threads: `isOther` says that another thread continues here, `isListed` that the previous
 * switch lists the same stores.
 */
function printCell(cell: Cell, table: Table, isOther: boolean, isListed: boolean): string[] {
  const { columns, digits, width, style, titles } = table;
  const start = digits + GAP;
  if (cell.isGap) return printAcross([cell.text], start, width, style);
  const own = columns.find((column) => column.thread === cell.thread);
  const column = own ?? columns[0]!;
  const lines: string[] = [];
  const title = own === undefined && isOther ? (titles.get(cell.thread) ?? cell.thread) : '';
  const { leftOut = '' } = cell;
  if (cell.switches || title !== '' || leftOut !== '') {
    const waiting = waitingText(cell, isListed);
    lines.push(
      ...printAcross(
        [leftOut, title, waiting].filter((part) => part !== ''),
        start,
        width,
        style,
      ),
    );
  }
  const headings = cell.heading === undefined ? [] : wrapShortly(printable(cell.heading), column.width);
  const texts = wrap(printable(bodyOf(cell)), column.width, '    ');
  const paint =
    cell.isEnd || cell.isRace ? style.bad : cell.isCommit || cell.isStale ? style.note : (text: string) => text;
  const calls = cell.calls === undefined ? [] : wrap(printable(cell.calls), column.width, '  ');
  const body = [...calls.map(style.dim), ...headings.map(style.bold), ...texts.map(paint)];
  body.forEach((text, i) => {
    const isFirst = i === body.length - texts.length && cell.number !== undefined;
    const number = isFirst ? String(cell.number).padStart(digits) : ' '.repeat(digits);
    const mark = isFirst && cell.isMarked ? style.bad(MARK) : ' ';
    lines.push(`${style.dim(number)}${mark}${' '.repeat(column.start - digits - 1)}${text}`);
  });
  return lines;
}

/** The final position of one of several stuck threads, in one column. */
function printEnd(cell: Cell, { digits, width, style, titles }: Table, isFirst: boolean): string[] {
  const start = digits + GAP;
  const place = cell.heading?.split(': ')[0] ?? '';
  const caller = cell.caller === undefined ? '' : `, ${cell.caller}`;
  const where = place === '' ? '' : ` (${/^\d/.test(place) ? 'line ' : ''}${place}${caller})`;
  const text = `${titles.get(cell.thread) ?? cell.thread}${where}: ${cell.text}`;
  const lines = wrap(printable(text), width - start, '  ').map((line) => ' '.repeat(start) + style.bad(line));
  return isFirst
    ? [...printAcross(cell.leftOut === undefined ? [] : [cell.leftOut], start, width, style), ...lines]
    : lines;
}

/** Longer source lines are cut: their line numbers say where to find the rest. */
const MAX_HEADING = 6;

function wrapShortly(text: string, width: number): string[] {
  const lines = wrap(text, width, '  ');
  if (lines.length <= MAX_HEADING) return lines;
  const last = lines[MAX_HEADING - 2]!;
  return [...lines.slice(0, MAX_HEADING - 2), `${[...last].slice(0, width - 2).join('')} …`];
}

/** Marks the events that the explanation names. */
export const MARK = '●';

/** At a switch to another thread: the buffered stores that have not reached memory, those of marked rows first. */
function waitingText(cell: Cell, isListed: boolean): string {
  if (isListed) return `not in memory yet: the same ${cell.waiting.length} stores`;
  const stores = cell.waiting
    .slice(0, cell.waiting.length > MAX_WAITING ? MAX_WAITING - 1 : MAX_WAITING)
    .map(
      ({ thread, location, value, memory }) => `${location} = ${value} of thread ${thread} (memory holds ${memory})`,
    );
  const others = cell.waiting.length - stores.length;
  return stores.length === 0
    ? ''
    : `not in memory yet: ${stores.join(', ')}${others > 0 ? ` and ${others} more stores` : ''}`;
}

/** A dotted line across all columns, with text in it. */
function printAcross(parts: readonly string[], start: number, width: number, style: Style): string[] {
  const room = width - start;
  const before = ' '.repeat(start);
  const whole = parts.join('; ');
  if (whole === '') return [style.dim(before + '┄'.repeat(room))];
  const lines = wrap(`┄┄ ${printable(whole)}`, room, '   ');
  return lines.map((line, i) => {
    const rest = i === lines.length - 1 ? ` ${'┄'.repeat(Math.max(0, room - [...line].length - 1))}` : '';
    return style.dim(before + line + rest);
  });
}

/**
 * Code, lines and threads in a sentence, and a placeholder for their spaces while the sentence is broken into lines.
 */
const WHOLE = /`[^`]+`|\b(?:line|step|[Tt]hread) \d[\d.]*/g;
const NO_BREAK = '\ue000';

/**
 * Breaks text into lines of at most `width` characters, if possible at spaces, but not inside short pieces of code or
 * phrases such as `line 3`; `indent` goes before every line but the first.
 */
export function wrap(text: string, width: number, indent: string): string[] {
  const lines: string[] = [];
  let rest = text.replace(WHOLE, (span) => ([...span].length <= width / 2 ? span.replaceAll(' ', NO_BREAK) : span));
  let before = '';
  while (before.length + [...rest].length > width) {
    const room = Math.max(1, width - before.length);
    const cut = breakAt(rest, room, width - indent.length);
    lines.push(before + rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
    before = indent;
  }
  if (rest !== '') lines.push(before + rest);
  return lines.map((line) => line.replaceAll(NO_BREAK, ' '));
}

/**
 * Where to break a line: before a space or else after a bracket or comma, unless that leaves most of the line empty. A
 * word that is too long for the rest of the line goes to the next one if it fits there; otherwise it is broken,
 * preferably after punctuation.
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
