/**
 * Turns the events of a story into the cells of a table: source lines with what happened at each. A store that reaches
 * memory at once is one cell. Loops are folded (`loops.ts`), and so are the irrelevant parts of a long execution
 * (`condense.ts`).
 */
import { listText } from '../../util/list-text.ts';
import { plural } from '../text.ts';
import type { CallReport, EndReport, EventReport, TraceReport } from '../trace-schema.ts';
import { condense } from './condense.ts';
import { isLocking } from './held-locks.ts';
import { leftOutText } from './left-out.ts';
import { foldLoops } from './loops.ts';
import { type Relevance, relevanceOf } from './relevance.ts';
import { foldedRow, type Row, type Waiting } from './row.ts';
import { userPlace } from './user-place.ts';

export interface Cell {
  /**
   * The number of the event, from 1; if several are folded, of the first one. Absent for the final position of a
   * thread.
   */
  readonly number?: number;
  readonly thread: string;
  /** `26: flag[0] = 1;`, unless the cell above already has this heading. */
  readonly heading: string | undefined;
  /**
   * `in push, called by worker`, where this differs from the thread's previous cell; absent as long as the thread has
   * been in one function only.
   */
  readonly calls?: string;
  readonly text: string;
  /** The value read was not the newest one. */
  readonly isStale: boolean;
  /** Part of the error: one of the two racing accesses. */
  readonly isRace: boolean;
  /** The explanation names it. */
  readonly isMarked: boolean;
  readonly isCommit: boolean;
  readonly isEnd: boolean;
  /** Stands for steps that were left out here, of any threads. */
  readonly isGap: boolean;
  /** Buffered stores before this event whose values differ from memory; only where the thread changes. */
  readonly waiting: readonly Waiting[];
  readonly switches: boolean;
  /** For the final position of a thread: `called in line 14`, if another function called the one it is in. */
  readonly caller?: string;
  /** Describes earlier steps without a row; only in the first cell and where the thread changes. */
  readonly leftOut?: string;
}

interface CellOptions {
  /** Every row of a long execution. */
  readonly isFull?: boolean;
  /** How many threads there is room for. */
  readonly threads?: number;
}

export function cellsOf(trace: TraceReport, { isFull = false, threads }: CellOptions = {}): readonly Cell[] {
  const relevance = relevanceOf(trace);
  const told = rowsOf(trace, relevance);
  // If nothing explains the failure, any row may be the cause, so none is dropped just to save a column.
  const room = relevance.isExplained ? threads : undefined;
  const rows = isFull ? told : condense(trace, foldLoops(told), room ?? Number.POSITIVE_INFINITY);
  const cells: Cell[] = [];
  const calls = new Map<string, string>();
  const leftOut = new LeftOut(trace);
  let above: Row | undefined;
  let thread: string | undefined;
  for (const row of rows) {
    const switches = thread !== undefined && row.thread !== thread && row.isGap !== true;
    const isElsewhere = row.calls !== undefined && row.calls !== (calls.get(row.thread) ?? row.calls);
    const isFirst = row.calls !== undefined && !calls.has(row.thread) && row.calls.includes(CALLED_BY);
    if (row.calls !== undefined) calls.set(row.thread, row.calls);
    cells.push({
      ...(isElsewhere || isFirst ? { calls: row.calls! } : {}),
      ...(row.isGap === true ? {} : { number: row.first + 1 }),
      thread: row.thread,
      heading: row.place === above?.place ? undefined : row.heading,
      text: row.text,
      isStale: row.isStale,
      isRace: row.isRace,
      isMarked: row.isMarked,
      isCommit: row.isCommit,
      isEnd: false,
      isGap: row.isGap === true,
      waiting: switches ? row.waiting : [],
      switches: switches && (above?.isGap !== true || row.waiting.length > 0),
      ...(thread === undefined || switches ? leftOut.before(row, thread === undefined) : {}),
    });
    leftOut.tell(row);
    above = row;
    if (row.isGap !== true) thread = row.thread;
  }
  return [...cells, ...endsOf(trace, above, thread, leftOut)];
}

/** Steps without a row. Each is described once: where the thread that took it, or that it created, next has a row. */
class LeftOut {
  private readonly events: readonly EventReport[];
  private readonly told = new Set<EventReport>();

  constructor({ events }: TraceReport) {
    this.events = events;
  }

  tell({ first, last }: Pick<Row, 'first' | 'last'>): void {
    for (const event of this.events.slice(first, last + 1)) this.told.add(event);
  }

  /** `ofAll`: for all threads. */
  before({ first, thread }: Pick<Row, 'first' | 'thread'>, ofAll = false): Pick<Cell, 'leftOut'> {
    const isOwn = (event: EventReport): boolean =>
      ofAll || event.thread === thread || (event.kind === 'spawn' && event.other === thread);
    const found = this.events.slice(0, first).filter((event) => isOwn(event) && !this.told.has(event));
    for (const event of found) this.told.add(event);
    const text = leftOutText(found);
    return text === '' ? {} : { leftOut: text };
  }
}

function rowsOf(trace: TraceReport, { marked, levels }: Relevance): readonly Row[] {
  const { events } = trace;
  const isOfFiles = new Set(events.flatMap(({ file }) => (file === undefined ? [] : [file]))).size > 1;
  const named = new Set([...marked].map((e) => events[e]!.event));
  const setUp = foldedSetUp(trace);
  // Memory orders matter in a race, in an execution graph, and where a stronger order would help.
  const ordersMatter =
    events.some(({ races, newer }) => races !== undefined || newer !== undefined) ||
    (trace.explanation ?? []).some((text) => /`memory_order_(?!seq_cst)/.test(text));
  const buffers = new Buffers();
  const rows: Row[] = [];
  for (let e = 0; e < events.length; e++) {
    const event = events[e]!;
    // Without the store that reaches memory in this event.
    const waiting =
      event.aside === true || e < setUp ? [] : buffers.waiting(named).filter((store) => store.event !== event.event);
    const commit = events[e + 1];
    const atOnce = event.buffered === true && commit?.kind === 'update' && commit.event === event.event;
    buffers.add(event);
    if (e === 0 && setUp > 0) rows.push(setUpRow(trace, event, setUp));
    if (e >= setUp && event.aside !== true) {
      const isCommit = event.kind === 'update';
      const user = userPlace(event);
      const calls =
        isCommit || event.function === undefined ? undefined : `in ${stackText(user.stack) || event.function}`;
      const told = { atOnce, withOrder: ordersMatter, isNamed: marked.has(e) };
      rows.push({
        first: e,
        last: atOnce ? e + 1 : e,
        thread: event.thread,
        place: `${event.thread} ${user.file}:${user.line} ${isCommit}`,
        heading: isCommit ? undefined : headingOf({ ...event, ...user }, isOfFiles),
        calls,
        text: textOf(event, told) + factsText([sourceText(trace, event), raceText(trace, event)]),
        isStale: event.stale !== undefined || event.missed !== undefined || (event.newer ?? []).length > 0,
        isRace: event.races !== undefined,
        isMarked: marked.has(e),
        isCommit,
        level: levels[e]!,
        isTold: levels[e] === 0,
        waiting,
      });
    }
    if (atOnce) buffers.add(events[++e]!);
  }
  return rows;
}

function endsOf(
  trace: TraceReport,
  above: Row | undefined,
  thread: string | undefined,
  leftOut: LeftOut,
): readonly Cell[] {
  const isOfFiles = new Set(trace.events.flatMap(({ file }) => (file === undefined ? [] : [file]))).size > 1;
  const buffers = new Buffers();
  for (const event of trace.events) buffers.add(event);
  return trace.ends.map((end, i): Cell => {
    const isSamePlace = `${end.thread} ${end.file}:${end.line} false` === above?.place;
    const switches = i === 0 && thread !== undefined && end.thread !== thread;
    return {
      thread: end.thread,
      heading: isSamePlace || end.line === undefined ? undefined : headingOf({ ...end, kind: '' }, isOfFiles),
      text: end.what,
      isStale: false,
      isRace: false,
      isMarked: false,
      isCommit: false,
      isEnd: true,
      isGap: false,
      waiting: switches ? buffers.waiting() : [],
      switches,
      ...(switches ? leftOut.before({ first: trace.events.length, thread: end.thread }) : {}),
      ...callerOf(trace, end),
    };
  });
}

function callerOf({ events }: TraceReport, { stack = [], file }: EndReport): Pick<Cell, 'caller'> {
  const [, caller] = stack;
  if (caller?.line === undefined || events.some((event) => event.file !== undefined && event.file !== file)) return {};
  return { caller: `called in line ${caller.line}` };
}

/**
 * How many events are folded as set-up: all before the first thread is created, unless one of them is part of a race or
 * none of them would be shown anyway.
 */
function foldedSetUp({ events, setUp = 0 }: TraceReport): number {
  const before = events.slice(0, setUp);
  const isTold = before.some(({ races }) => races !== undefined);
  return isTold || events.length < setUp || before.every(({ aside }) => aside === true) ? 0 : setUp;
}

function setUpRow({ threads }: TraceReport, { thread }: EventReport, setUp: number): Row {
  const name = threads.find((t) => t.thread === thread)?.function;
  const who = `thread ${thread}${name === undefined ? '' : ` (${name})`}`;
  const text = `${who}: set-up, before there are other threads, ${plural(setUp, 'step')}`;
  return { ...foldedRow({ first: 0, last: setUp - 1, thread, place: 'set-up', text }), isGap: true };
}

function headingOf(
  { file, line, text, kind }: Pick<EventReport, 'file' | 'line' | 'text' | 'kind'>,
  withFile: boolean,
): string {
  if (line === undefined) return text ?? kind;
  return `${withFile ? `${file!.split('/').at(-1)}:` : ''}${line}: ${text ?? kind}`;
}

interface Telling {
  /** Whether a buffered store reaches memory in the next step. */
  readonly atOnce?: boolean;
  /** Add the memory order if the source line does not name it. */
  readonly withOrder?: boolean;
  /** The explanation names it. */
  readonly isNamed?: boolean;
}

/** What happened, in a few words. */
export function textOf(
  event: EventReport,
  { atOnce = false, withOrder = false, isNamed = false }: Telling = {},
): string {
  const { location, read, wrote } = event;
  const order = withOrder ? unnamedOrder(event) : '';
  switch (event.kind) {
    case 'load':
      return read === undefined ? `read of ${location}` : `reads ${location}: ${read}${order}${staleText(event)}`;
    case 'store':
      return wrote === undefined
        ? `write to ${location}`
        : `${location} = ${wrote}${order}${bufferText(event, order, atOnce, isNamed)}`;
    case 'update':
      if (wrote === undefined) return `end of ${location} reaches memory`;
      return event.effect.startsWith(`${location} reaches`) ? event.effect : `${location} = ${wrote} reaches memory`;
    case 'notify':
      return event.buffered === true && !atOnce ? `${event.effect}, goes into the buffer` : event.effect;
    case 'rmw':
      if (read === undefined) return `access to ${location}`;
      if (wrote === undefined) return `reads ${location}: ${read}, unchanged${order}`;
      return `${location}: ${read} becomes ${wrote}${order}`;
    case 'fence':
      return event.order === 'seq_cst' ? 'full fence' : event.effect;
    case 'free': {
      const what = event.effect.startsWith('free ') ? `free ${location}` : event.effect;
      return event.buffered === true && !atOnce ? `${what}, goes into the buffer` : what;
    }
    case 'trylock':
      if (isLocking(event)) return `trylock ${location}: succeeds`;
      return `trylock ${location}: fails${event.other === undefined ? '' : `, thread ${event.other} holds it`}`;
    default:
      return event.effect;
  }
}

/** Where the store is now. That it reached memory at once is said only if the explanation is about the store. */
function bufferText({ buffered }: EventReport, order: string, atOnce: boolean, isNamed: boolean): string {
  if (buffered !== true || (atOnce && !isNamed)) return '';
  return `${order === '' ? '' : ','} ${atOnce ? 'reaches memory at once' : 'goes into the buffer'}`;
}

/** `, relaxed`, if the source line does not name the order because a macro or a wrapper does. */
function unnamedOrder(event: EventReport): string {
  const { order } = event;
  const { text } = userPlace(event);
  const isTold = event.function === undefined || order === 'seq_cst' || order === 'volatile';
  if (order === undefined || isTold || text === undefined) return '';
  // A compare-exchange has two.
  const wanted = /compare_exchange_\w*explicit/.test(text) ? 2 : 1;
  const named = [...text.matchAll(/\bmemory_order(?:_|::)(\w+)/g)].map(([, name]) => name);
  return named.includes(order) && named.length >= wanted ? '' : `, ${order}`;
}

/** Longer call stacks are shortened to the innermost calls and the outermost one. */
const TOLD_CALLS = 6;
const CALLED_BY = ', called by ';

/** `push, called by run, by worker`; `place` adds where each call is. */
export function stackText(stack: readonly CallReport[], place: (call: CallReport) => string = () => ''): string {
  const calls = stack.map((call, i) => `${call.function}${i === 0 ? '' : place(call)}`);
  const last = calls.at(-1)!;
  const [own, ...callers] =
    calls.length <= TOLD_CALLS ? calls : [...calls.slice(0, TOLD_CALLS - 2), ...(last === '…' ? [] : ['…']), last];
  if (own === undefined) return '';
  return `${own}${callers.length === 0 ? '' : `${CALLED_BY}${callers.join(', by ')}`}`;
}

function raceText({ events }: TraceReport, { races }: EventReport): string {
  if (races === undefined) return '';
  return `races with step ${events.findIndex((e) => e.event === races && e.kind !== 'update') + 1}`;
}

function factsText(facts: readonly string[]): string {
  const known = facts.filter((fact) => fact !== '');
  return known.length === 0 ? '' : ` (${known.join('; ')})`;
}

/** Under an axiomatic model: which write was read, and which newer ones were not. */
function sourceText(trace: TraceReport, { newer, from, thread }: EventReport): string {
  const { events } = trace;
  if (newer === undefined) return '';
  const setUp = foldedSetUp(trace);
  const number = (name: string): number => events.findIndex((e) => e.event === name) + 1;
  const origin = (name: string): string =>
    `written in ${number(name) <= setUp ? 'the set-up' : `step ${number(name)}`}`;
  const source = from === undefined ? undefined : events[number(from) - 1];
  const isOwn = source === undefined || source.thread === thread;
  if (newer.length === 0) return isOwn ? '' : origin(from!);
  const what = from === undefined ? 'the initial value' : origin(from);
  const steps = listText(newer.map((name) => String(number(name))));
  return `${what}; ${newer.length === 1 ? `step ${steps} wrote a newer one` : `steps ${steps} wrote newer ones`}`;
}

function staleText({ forwarded, stale = [], missed, location }: EventReport): string {
  if (forwarded === true) return ' (its own store, still in the buffer)';
  if (missed !== undefined) return ` (old: memory holds ${location} = ${missed.value} of thread ${missed.thread})`;
  if (stale.length === 0) return '';
  const stores = stale.map(({ thread, value }) => `${location} = ${value} is in the buffer of thread ${thread}`);
  return ` (stale: ${stores.join(', ')})`;
}

/** The buffered stores, and the values in memory at their locations. */
class Buffers {
  private readonly stores = new Map<string, EventReport>();
  private readonly memory = new Map<string, string>();

  add(event: EventReport): void {
    const { kind, address, wrote } = event;
    if (kind === 'update') this.stores.delete(event.event);
    else if (event.buffered === true && wrote !== undefined) {
      this.stores.set(event.event, event);
      if (event.memory !== undefined && !this.memory.has(address!)) this.memory.set(address!, String(event.memory));
      return;
    }
    if (wrote !== undefined && address !== undefined) this.memory.set(address, String(wrote));
  }

  /** Stores in `named` first. */
  waiting(named: ReadonlySet<string> = new Set()): readonly Waiting[] {
    const waiting: Waiting[] = [];
    const isNamed = ({ event }: EventReport): number => (named.has(event) ? 0 : 1);
    const stores = [...this.stores.values()].sort((a, b) => isNamed(a) - isNamed(b));
    for (const { event, thread, location, address, wrote, memory, aside } of stores) {
      const now = this.memory.get(address!) ?? String(memory);
      if (String(wrote) === now || aside === true) continue;
      waiting.push({ event, thread, location: location!, value: String(wrote), memory: now });
    }
    return waiting;
  }
}
