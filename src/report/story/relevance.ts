/**
 * How much each event of an execution matters to its failure. Tables of long executions keep those that matter most.
 * This affects only what is shown.
 */
import type { EventReport, TraceReport } from '../trace-schema.ts';
import { racingEvents } from './race-text.ts';

/** The failure itself; accesses to the same places; synchronisation; everything else. */
export type Level = 0 | 1 | 2 | 3;

/** An update of a place by a read and a later write, with writes of other threads in between. */
export interface Torn {
  readonly read: number;
  readonly write: number;
  /** The last write of another thread in between, after the writes that it was computed from. Never empty. */
  readonly lost: readonly number[];
}

export interface Relevance {
  /** Events that the explanation names: those of the cycle, of the race, or of the torn updates. */
  readonly marked: ReadonlySet<number>;
  /** By event. */
  readonly levels: readonly Level[];
  readonly torn: readonly Torn[];
  /** Whether level 0 has more than the final positions of the threads. */
  readonly isExplained: boolean;
}

/** How many events of the failing line are shown. */
const MAX_LAST = 6;
/** How many torn updates are shown: the last ones. */
const MAX_TORN = 2;

export function relevanceOf(trace: TraceReport): Relevance {
  const { events } = trace;
  const byName = new Map<string, number[]>();
  events.forEach(({ event }, e) => {
    byName.set(event, [...(byName.get(event) ?? []), e]);
  });
  const marked = new Set([...namesOf(trace)].flatMap((name) => byName.get(name) ?? []));
  const causes = [...marked, ...heldLocks(trace), ...endedBlocks(trace)];
  const last = lastEvents(trace);
  const told = new Set([...causes, ...readersOfLate(trace), ...last]);
  let torn: readonly Torn[] = [];
  for (const e of marked.size === 0 ? [...told] : last) {
    const { from, read } = events[e]!;
    if (read !== undefined && from !== undefined) for (const source of byName.get(from) ?? []) told.add(source);
  }
  if (marked.size === 0) {
    torn = tornUpdates(events, placesOf(events, told));
  }
  // Of the lost writes only the last one: the text names the others.
  const ofTorn = torn.flatMap(({ read, lost, write }) => [read, lost.at(-1)!, write]);
  causes.push(...ofTorn);
  for (const e of ofTorn) told.add(e);
  const places = placesOf(events, told);
  const levels = events.map((event, e): Level => {
    if (told.has(e)) return 0;
    const isOld = event.stale !== undefined || event.missed !== undefined || (event.newer ?? []).length > 0;
    if (isOld || event.kind === 'notify' || (event.address !== undefined && places.has(event.address))) return 1;
    return event.order !== undefined || !PLAIN.has(event.kind) ? 2 : 3;
  });
  return { marked: new Set([...marked, ...ofTorn]), levels, torn, isExplained: causes.length > 0 };
}

const PLAIN: ReadonlySet<string> = new Set(['load', 'store', 'update', 'spawn', 'join', 'lifetime', 'free']);

function placesOf(events: readonly EventReport[], told: ReadonlySet<number>): ReadonlySet<string> {
  return new Set([...told].flatMap((e) => events[e]!.address ?? []));
}

/** The names of the events that the explanation names. */
function namesOf(trace: TraceReport): ReadonlySet<string> {
  const { events, cycle = [] } = trace;
  const races = racingEvents(trace);
  // A race is its own explanation, even if SC does not allow the execution.
  if (races.length > 0) return new Set(races.map((e) => events[e]!.event));
  return new Set(cycle.flatMap(({ from, to }) => [from.event, to.event]));
}

/** For late stores that overwrote newer ones: the first event that read them from memory. */
function readersOfLate({ events, cycle = [] }: TraceReport): readonly number[] {
  return cycle.flatMap(({ relation, to }) => {
    if (relation !== 'store order') return [];
    const update = events.findIndex(({ event, kind }) => event === to.event && kind === 'update');
    const reader = events.findIndex(({ from }, e) => e > update && from === to.event);
    return update < 0 || reader < 0 ? [] : [reader];
  });
}

/** If exactly one thread failed or is stuck: its last steps, as far as they are on one line. */
function lastEvents({ events, ends }: TraceReport): readonly number[] {
  const threads = ends.length > 0 ? new Set(ends.map((end) => end.thread)) : new Set([events.at(-1)?.thread]);
  const isOfOne = threads.size === 1;
  return [...threads].flatMap((thread) => {
    const own = events.flatMap((event, e) => (event.thread === thread && event.kind !== 'update' ? [e] : []));
    const last = own.at(-1);
    if (last === undefined) return [];
    const { line } = events[last]!;
    const isThere = (e: number): boolean => events[e]!.line === line;
    const start = own.findLastIndex((e) => !isThere(e)) + 1;
    return isOfOne ? own.slice(Math.max(start, own.length - MAX_LAST)) : [];
  });
}

/** For each thread that waits: the event that took what it waits for. */
function heldLocks({ events, ends }: TraceReport): readonly number[] {
  return ends.flatMap(({ waitsFor }) => {
    if (waitsFor === undefined) return [];
    const taken = events.findLastIndex(({ kind, address }) => /lock$|^rmw$|^store$/.test(kind) && address === waitsFor);
    return taken < 0 ? [] : [taken];
  });
}

/** If the last step accesses a block that was freed: the event that freed it. */
function endedBlocks({ events }: TraceReport): readonly number[] {
  const block = /#\d+/.exec(events.at(-1)?.location ?? '')?.[0];
  if (block === undefined) return [];
  return events.flatMap(({ kind, location }, e) => (kind === 'free' && location === block ? [e] : []));
}

/** The last few torn updates: a thread reads a place, another one writes it, and then the first writes it. */
function tornUpdates(events: readonly EventReport[], places: ReadonlySet<string>): readonly Torn[] {
  const found: (readonly [read: number, other: number, write: number])[] = [];
  const reads = new Map<string, number>();
  const writes = new Map<string, number>();
  events.forEach(({ thread, address, read, wrote, buffered, kind }, e) => {
    if (address === undefined || !places.has(address)) return;
    const own = `${thread} ${address}`;
    const isWrite = wrote !== undefined && buffered !== true;
    if (isWrite) {
      const [before, between] = [reads.get(own), writes.get(own)];
      if (before !== undefined && between !== undefined && kind !== 'rmw') found.push([before, between, e]);
      for (const reader of reads.keys()) if (reader !== own && reader.endsWith(` ${address}`)) writes.set(reader, e);
    }
    if (isWrite || read !== undefined) writes.delete(own);
    if (isWrite) reads.delete(own);
    else if (read !== undefined) reads.set(own, e);
  });
  return found.slice(-MAX_TORN).map(([read, other, write]) => ({ read, write, lost: madeFrom(events, read, other) }));
}

/**
 * The write, after those since `start` that it was computed from: the thread of each one had read what the previous one
 * wrote.
 */
function madeFrom(events: readonly EventReport[], start: number, write: number): readonly number[] {
  const chain: number[] = [];
  const lastBefore = (end: number, is: (event: EventReport) => boolean): number => {
    let e = end - 1;
    while (e > start && !is(events[e]!)) e--;
    return e;
  };
  for (let at = write; at > start; ) {
    chain.unshift(at);
    const { event, thread, address, kind } = events[at]!;
    const store = kind === 'update' ? lastBefore(at, (e) => e.event === event) : at;
    const read = lastBefore(store + 1, (e) => e.thread === thread && e.address === address && e.read !== undefined);
    const source = read > start ? events[read]!.from : undefined;
    at = lastBefore(at, (e) => e.event === source && e.wrote !== undefined && e.buffered !== true);
  }
  return chain;
}
