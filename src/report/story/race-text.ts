/**
 * Explains in words why two accesses race: what passed from one thread to the other between them, and why that did not
 * order them.
 */
import { asCode } from '../../util/code-text.ts';
import { listText } from '../../util/list-text.ts';
import type { ErrorReport } from '../schema.ts';
import type { EventReport, TraceReport } from '../trace-schema.ts';
import { userPlace } from './user-place.ts';

const RELEASES: ReadonlySet<string> = new Set(['release', 'acq_rel', 'seq_cst']);
const ACQUIRES: ReadonlySet<string> = new Set(['acquire', 'acq_rel', 'seq_cst']);

/** `from` and `to` are indices into the list of events. */
interface Hop {
  readonly from: number;
  readonly to: number;
}

/** The sentences of a report: the story, what a race is, and advice, unless a note gives it. */
export function raceText(error: ErrorReport, trace: TraceReport | undefined): readonly string[] {
  const { story, advice } = trace === undefined ? NOTHING : storyOf(trace);
  const isOfObject = isRaceOfObject(error);
  const instead = isOfObject
    ? 'Order them: by a join, by a mutex, or by a release store that an acquire load reads.'
    : 'Make the accesses atomic, or hold the same mutex around both.';
  const orMutex = isOfObject ? advice : `${advice} Or hold the same mutex around both.`;
  const hasNote = (error.notes ?? []).some((note) => note.startsWith('to order them'));
  return [
    [...story, isOfObject ? WHAT_A_RACE_OF_OBJECTS_IS : WHAT_A_RACE_IS].join(' '),
    ...(hasNote ? [] : [advice === '' ? instead : orMutex]),
  ];
}

const WHAT_A_RACE_IS =
  'Two accesses of one variable, at least one of them a write and at least one not atomic, are a data race if neither happens ' +
  'before the other: undefined behaviour in C, whatever values are read here.';

const WHAT_A_RACE_OF_OBJECTS_IS =
  'What begins or ends an object (allocating, initialising, freeing, destroying) must be ordered with every use of it. If neither ' +
  'happens before the other, this is a data race: undefined behaviour in C, whatever values are read here.';

/** Matches the wording of `describeRace`. */
function isRaceOfObject({ message }: ErrorReport): boolean {
  return /(?: is |unordered with it, )(?:initialised|destroyed|allocated|freed|used \()/.test(message);
}

const NOTHING = { story: [], advice: '' };

function storyOf(trace: TraceReport): { readonly story: readonly string[]; readonly advice: string } {
  const { events } = trace;
  const [first, second] = events.flatMap(({ races }, e) => (races === undefined ? [] : [e]));
  if (first === undefined || second === undefined) return NOTHING;
  const [one, other] = [events[first]!, events[second]!];
  const { chain, isAny } = chainOf(trace, first, second);
  if (chain === undefined) {
    const told = `thread ${one.thread} ${deed(trace, first)}, thread ${other.thread} ${deed(trace, second)}.`;
    const nothing = `Between the two, nothing passes from thread ${one.thread} to thread ${other.thread}: no atomic variable, no lock, no join.`;
    return { story: isAny || trace.edges === undefined ? [told] : [told, nothing], advice: '' };
  }
  const told = [
    `thread ${one.thread} ${deed(trace, first)}`,
    ...chain.flatMap(({ from, to }) => [
      // Skips a read-modify-write that passes on what it read: it has just been named.
      ...(chain.some((hop) => hop.to === from) ? [] : [`, then ${deed(trace, from)}`]),
      `. Thread ${events[to]!.thread} ${seen(trace, from, to)}`,
    ]),
    `, then ${deed(trace, second)}.`,
  ].join('');
  const weak = weakOf(trace, first, chain, second);
  const orders = weak.map(
    ({ what, step, order, better }) => `${what} (${step}, ${order}) is not ${article(better)} ${better}`,
  );
  return {
    story: [told, `But ${orders.join(', and ')}: so step ${first + 1} does not happen before step ${second + 1}.`],
    advice: `To order them, make ${listText(weak.map(({ what, step, better }) => `${what} (${step}) ${article(better)} ${better}`))}.`,
  };
}

function article(noun: 'release' | 'acquire'): string {
  return noun === 'acquire' ? 'an' : 'a';
}

/** The two events that race, and those that the story of the race names. */
export function racingEvents(trace: TraceReport): readonly number[] {
  const { events } = trace;
  const [first, second] = events.flatMap(({ races }, e) => (races === undefined ? [] : [e]));
  if (first === undefined || second === undefined) return [];
  const { chain = [] } = chainOf(trace, first, second);
  return [first, ...chain.flatMap(({ from, to }) => [from, to]), second];
}

/** `wrote `data` (step 5)`. */
function deed({ events }: TraceReport, e: number): string {
  return `${deedOf(events[e]!)} (step ${e + 1})`;
}

function deedOf({ kind, location, read, wrote, effect }: EventReport): string {
  const place = location === undefined ? '' : asCode(location);
  const began = /^(.*) is (\w+)$/.exec(effect);
  if (kind === 'lifetime' && began !== null) return `${began[2]} ${asCode(began[1]!)}`;
  if (kind === 'free') return `freed ${place}`;
  if (read !== undefined && wrote !== undefined) return `changed ${place}`;
  if (wrote !== undefined) return `wrote ${place}`;
  return read === undefined ? `did ${asCode(effect)}` : `read ${place}`;
}

function seen(trace: TraceReport, from: number, to: number): string {
  const { event, read, wrote } = trace.events[to]!;
  if (read === undefined || trace.events[from]!.event === event) return deed(trace, to);
  return wrote === undefined ? `read that (step ${to + 1})` : `read that and changed it (step ${to + 1})`;
}

function isAtomic({ order, kind }: EventReport): boolean {
  return order !== undefined && order !== 'volatile' && kind !== 'fence';
}

/**
 * How something passed from the thread of `first`, after it, to that of `second`, before it, possibly through other
 * threads: the last such chain with an order that is too weak. `isAny`: whether there is a chain at all.
 */
function chainOf(
  trace: TraceReport,
  first: number,
  second: number,
): { readonly chain?: readonly Hop[]; readonly isAny: boolean } {
  const { events } = trace;
  const into = linksInto(trace);
  const wanted = new Map([[events[second]!.thread, { at: second - 1, chain: [] as readonly Hop[] }]]);
  let isAny = false;
  for (let to = second - 1; to > first; to--) {
    const here = wanted.get(events[to]!.thread);
    if (here === undefined || to > here.at) continue;
    for (const from of into.get(to) ?? []) {
      if (from <= first) continue;
      const { thread } = events[from]!;
      const chain = [{ from, to }, ...here.chain];
      if (thread === events[first]!.thread) {
        isAny = true;
        if (weakOf(trace, first, chain, second).length > 0) return { chain, isAny };
      } else if (!wanted.has(thread)) wanted.set(thread, { at: from, chain });
    }
  }
  return { isAny };
}

/** By event: the events of other threads whose value it read, or that precede it by a lock, a creation or a join. */
function linksInto({ events, edges = [] }: TraceReport): ReadonlyMap<number, readonly number[]> {
  const into = new Map<number, number[]>();
  const add = (from: number, to: number): void => {
    if (from >= 0 && from < to && to < events.length && events[from]!.thread !== events[to]!.thread)
      into.set(to, [...(into.get(to) ?? []), from]);
  };
  events.forEach((event, to) => {
    if (event.from === undefined || !isAtomic(event)) return;
    const from = events.findIndex((e) => e.event === event.from);
    if (from >= 0 && isAtomic(events[from]!)) add(from, to);
  });
  for (const { from, to, relation } of edges) {
    if (relation === 'synchronisation' || relation === 'create' || relation === 'join') add(from, to);
  }
  return into;
}

interface Weak {
  readonly what: string;
  /** `step 4, line 26`. */
  readonly step: string;
  readonly order: string;
  readonly better: 'release' | 'acquire';
}

/**
 * The accesses of a chain whose orders are too weak to order what comes before the chain and what comes after it,
 * taking fences into account.
 */
function weakOf({ events }: TraceReport, first: number, chain: readonly Hop[], second: number): readonly Weak[] {
  const fenced = (start: number, end: number, orders: ReadonlySet<string>): boolean =>
    events
      .slice(start + 1, end)
      .some(
        ({ kind, thread, order = '' }) => kind === 'fence' && thread === events[start]!.thread && orders.has(order),
      );
  return chain.flatMap(({ from, to }, i) => {
    if (!isAtomic(events[from]!) || !isAtomic(events[to]!)) return [];
    const before = i === 0 ? first : chain[i - 1]!.to;
    const after = chain[i + 1]?.from ?? second;
    const [written, read] = [events[from]!.order!, events[to]!.order!];
    const place = asCode(events[to]!.location ?? '');
    // A read-modify-write in the middle only continues the release sequence, and so does a later write of the same
    // thread.
    const isNoRelease =
      before !== from && !RELEASES.has(written) && !fenced(before, from, RELEASES) && !continues(events, before, from);
    const isNoAcquire = after !== to && !ACQUIRES.has(read) && !fenced(to, after, ACQUIRES);
    const [write, load] = [`the write of ${place}`, `the read of ${place}`];
    return [
      ...(isNoRelease
        ? [{ what: write, step: stepText(events, from), order: written, better: 'release' as const }]
        : []),
      ...(isNoAcquire ? [{ what: load, step: stepText(events, to), order: read, better: 'acquire' as const }] : []),
    ];
  });
}

function stepText(events: readonly EventReport[], e: number): string {
  const { file, line } = userPlace(events[e]!);
  const isOfFiles = new Set(events.flatMap((event) => event.file ?? [])).size > 1;
  const where = line === undefined ? '' : `, ${isOfFiles ? `${file?.split('/').at(-1)}:` : 'line '}${line}`;
  return `step ${e + 1}${where}`;
}

/** Whether the write continues a release sequence that its thread started after `start`. */
function continues(events: readonly EventReport[], start: number, write: number): boolean {
  const { thread, address } = events[write]!;
  return events
    .slice(start + 1, write)
    .some((e) => e.thread === thread && e.address === address && e.wrote !== undefined && RELEASES.has(e.order ?? ''));
}
