/**
 * From the events of a story to the cells of a table: source lines with what happened at each. Stores that reach memory
 * at once are one cell, and iterations that only repeat are folded.
 */
import type { CallReport, EventReport, TraceReport } from '../trace-schema.ts';

export interface Cell {
  /** Of the event, from 1; of the first one where several are folded. Absent for the final position of a thread. */
  readonly number?: number;
  readonly thread: string;
  /** Its place, to tell places apart. */
  readonly place: string;
  /** `26: flag[0] = 1;`, unless the cell above says so already. */
  readonly heading: string | undefined;
  /** `push ← worker`, where that is not that of the thread's cell above; nothing as long as it is in one function only. */
  readonly calls?: string;
  readonly text: string;
  /** Memory did not hold the newest value. */
  readonly isStale: boolean;
  /** Part of the error: one of the two racing accesses. */
  readonly isRace: boolean;
  readonly isCommit: boolean;
  readonly isEnd: boolean;
  /** How often it happened in a row; usually 1. */
  readonly times: number;
  /** Buffered stores before this event that differ from memory; only where the thread changes. */
  readonly waiting: readonly Waiting[];
  readonly switches: boolean;
}

export interface Waiting {
  readonly thread: string;
  readonly location: string;
  readonly value: string;
  readonly memory: string;
}

export function cellsOf(trace: TraceReport): readonly Cell[] {
  const files = new Set(trace.events.flatMap(({ file }) => (file === undefined ? [] : [file])));
  const buffers = new Buffers();
  const cells: Cell[] = [];
  const setUp = foldedSetUp(trace);
  const calls = new Map<string, string>();
  let lastPlace = '';
  let thread: string | undefined;
  for (let e = 0; e < trace.events.length; e++) {
    const event = trace.events[e]!;
    const waiting = buffers.waiting();
    const commit = trace.events[e + 1];
    const atOnce = event.buffered === true && commit?.kind === 'update' && commit.event === event.event;
    buffers.add(event);
    if (e < setUp) {
      if (e === 0) cells.push(setUpCell(event, setUp));
      thread = event.thread;
    } else if (event.aside !== true) {
      const place = `${event.thread} ${event.file}:${event.line} ${event.kind === 'update'}`;
      const switches = thread !== undefined && event.thread !== thread;
      const stack = stackText(event.stack ?? []);
      const isElsewhere = event.kind !== 'update' && stack !== (calls.get(event.thread) ?? '');
      if (event.kind !== 'update') calls.set(event.thread, stack);
      cells.push({
        ...(isElsewhere ? { calls: stack === '' ? event.function! : stack } : {}),
        number: e + 1,
        thread: event.thread,
        place,
        heading: event.kind === 'update' || place === lastPlace ? undefined : headingOf(event, files.size > 1),
        text: textOf(event, atOnce) + sourceText(trace, event) + raceText(trace, event),
        isStale: event.stale !== undefined || event.missed !== undefined || (event.newer ?? []).length > 0,
        isRace: event.races !== undefined,
        isCommit: event.kind === 'update',
        isEnd: false,
        times: 1,
        waiting: switches ? waiting : [],
        switches,
      });
      lastPlace = place;
      thread = event.thread;
    }
    if (atOnce) buffers.add(trace.events[++e]!);
  }
  const ends = trace.ends.map((end, i): Cell => {
    const isSamePlace = `${end.thread} ${end.file}:${end.line} false` === lastPlace;
    const switches = i === 0 && thread !== undefined && end.thread !== thread;
    return {
      thread: end.thread,
      place: '',
      heading: isSamePlace || end.line === undefined ? undefined : headingOf({ ...end, kind: '' }, files.size > 1),
      text: end.what,
      isStale: false,
      isRace: false,
      isCommit: false,
      isEnd: true,
      times: 1,
      waiting: switches ? buffers.waiting() : [],
      switches,
    };
  });
  return [...foldRepeats(cells), ...ends];
}

/**
 * How many events are folded as set-up: all before the first thread is created, unless one of them is part of a race, or
 * nothing of it would be shown anyway.
 */
function foldedSetUp({ events, setUp = 0 }: TraceReport): number {
  const before = events.slice(0, setUp);
  const isTold = before.some(({ races }) => races !== undefined);
  return isTold || events.length < setUp || before.every(({ aside }) => aside === true) ? 0 : setUp;
}

function setUpCell({ thread }: EventReport, setUp: number): Cell {
  return {
    thread,
    place: 'set-up',
    heading: undefined,
    text: `set-up, before there were threads: ${setUp === 1 ? '1 step' : `${setUp} steps`}`,
    isStale: false,
    isRace: false,
    isCommit: false,
    isEnd: false,
    times: 1,
    waiting: [],
    switches: false,
  };
}

function headingOf(
  { file, line, text, kind }: Pick<EventReport, 'file' | 'line' | 'text' | 'kind'>,
  withFile: boolean,
): string {
  if (line === undefined) return text ?? kind;
  return `${withFile ? `${file!.split('/').at(-1)}:` : ''}${line}: ${text ?? kind}`;
}

/** What happened, in a few words. */
export function textOf(event: EventReport, atOnce: boolean): string {
  const { location, read, wrote } = event;
  switch (event.kind) {
    case 'load':
      return read === undefined ? `read of ${location}` : `${location} → ${read}${staleText(event)}`;
    case 'store':
      if (wrote === undefined) return `write to ${location}`;
      return event.buffered === true && !atOnce
        ? `${location} = ${wrote} waits in the buffer`
        : `${location} = ${wrote}`;
    case 'update':
      return wrote === undefined ? `end of ${location} reaches memory` : `${location} = ${wrote} reaches memory`;
    case 'rmw':
      if (read === undefined) return `access to ${location}`;
      if (wrote === undefined) return `${location} → ${read}, unchanged`;
      return `${location}: ${read} becomes ${wrote}`;
    case 'fence':
      return event.order === 'seq_cst' ? 'full fence' : event.effect;
    case 'free': {
      const what = event.effect.startsWith('free ') ? `free ${location}` : event.effect;
      return event.buffered === true && !atOnce ? `${what}, waits in the buffer` : what;
    }
    default:
      return event.effect;
  }
}

/** More calls than this are told by the innermost ones and the last. */
const TOLD_CALLS = 6;

/** `push ← worker`. */
export function stackText(stack: readonly CallReport[]): string {
  const names = stack.map((call) => call.function);
  const last = names.at(-1)!;
  const told =
    names.length <= TOLD_CALLS ? names : [...names.slice(0, TOLD_CALLS - 2), ...(last === '…' ? [] : ['…']), last];
  return told.join(' ← ');
}

function raceText({ events }: TraceReport, { races }: EventReport): string {
  if (races === undefined) return '';
  return ` ← races with ${events.findIndex((e) => e.event === races && e.kind !== 'update') + 1}`;
}

/** Under a model that is defined by axioms: which write was read, and which newer ones were not. */
function sourceText(trace: TraceReport, { newer, from, thread }: EventReport): string {
  const { events } = trace;
  if (newer === undefined) return '';
  const setUp = foldedSetUp(trace);
  const number = (name: string): number => events.findIndex((e) => e.event === name) + 1;
  const origin = (name: string): string => (number(name) <= setUp ? 'from the set-up' : `from ${number(name)}`);
  const source = from === undefined ? undefined : events[number(from) - 1];
  const isOwn = source === undefined || source.thread === thread;
  if (newer.length === 0) return isOwn ? '' : ` (${origin(from!)})`;
  const what = from === undefined ? 'the initial value' : origin(from);
  return ` (${what}, though ${newer.map(number).join(', ')} ${newer.length === 1 ? 'is' : 'are'} newer)`;
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

  waiting(): readonly Waiting[] {
    const waiting: Waiting[] = [];
    for (const { thread, location, address, wrote, memory, aside } of this.stores.values()) {
      const now = this.memory.get(address!) ?? String(memory);
      if (String(wrote) === now || aside === true) continue;
      waiting.push({ thread, location: location!, value: String(wrote), memory: now });
    }
    return waiting;
  }
}

const LONGEST_PERIOD = 12;

/** If a sequence of cells of one thread repeats, it is shown once. */
function foldRepeats(cells: readonly Cell[]): readonly Cell[] {
  const same = (a: Cell, b: Cell | undefined): boolean =>
    b !== undefined && !b.switches && a.place === b.place && a.text === b.text && !a.isCommit;
  const folded: Cell[] = [];
  for (let i = 0; i < cells.length; ) {
    let period = 1;
    let times = 1;
    for (; period <= LONGEST_PERIOD; period++) {
      times = 1;
      const isCopy = (start: number): boolean =>
        cells.slice(i, i + period).every((cell, k) => same(cell, cells[start + k]));
      while (isCopy(i + times * period)) times++;
      if (times > 1) break;
    }
    const length = times > 1 ? period : 1;
    for (let k = 0; k < length; k++) folded.push({ ...cells[i + k]!, times });
    i += length * times;
  }
  return folded;
}
