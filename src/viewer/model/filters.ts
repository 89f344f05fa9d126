/** Which parts of an execution are shown: kinds of edges, threads, folds, and steps invisible to other threads. */

export type EdgeKind =
  | 'program order'
  | 'source'
  | 'store order'
  | 'conflict'
  | 'store–update'
  | 'synchronisation'
  | 'threads';

export const EDGE_KINDS: readonly { readonly kind: EdgeKind; readonly letter: string; readonly meaning: string }[] = [
  { kind: 'program order', letter: 'p', meaning: 'successive steps of one thread' },
  { kind: 'source', letter: 's', meaning: 'from a store to a load that reads its value' },
  { kind: 'store order', letter: 'o', meaning: 'between stores to one location, in the order they reach memory' },
  { kind: 'conflict', letter: 'c', meaning: 'from a load to the store that overwrites what it read' },
  { kind: 'store–update', letter: 'u', meaning: 'from a store to when it reaches memory' },
  { kind: 'synchronisation', letter: 'y', meaning: 'between operations on one lock or condition' },
  { kind: 'threads', letter: 't', meaning: 'creating a thread, and waiting for its end' },
];

export interface Filters {
  readonly kinds: ReadonlySet<EdgeKind>;
  readonly cycle: boolean;
  readonly asides: boolean;
  /** Edges of the chronological trace instead of the Shasha–Snir trace, if the page has them. */
  readonly chronological: boolean;
  /** Threads whose lanes are hidden. */
  readonly hidden: readonly string[];
  /** Whether long runs of one thread are folded; `undefined`: if there are many rows. */
  readonly fold: boolean | undefined;
  /** The folds that are open, each identified by the event before it. */
  readonly opened: readonly number[];
  /** All arrows, or those of the current step; `undefined`: all, unless there are many rows or threads. */
  readonly arrows: 'all' | 'step' | undefined;
}

export const DEFAULT_FILTERS: Filters = {
  kinds: new Set<EdgeKind>(['program order', 'source', 'store–update', 'synchronisation']),
  cycle: true,
  asides: false,
  chronological: false,
  hidden: [],
  fold: undefined,
  opened: [],
  arrows: undefined,
};

/** While an execution is unfinished, it is unknown which steps are invisible. */
export const PARTIAL_FILTERS: Filters = { ...DEFAULT_FILTERS, asides: true };

/** Relations found only in chronological traces: between a store, its update, and what waits for the update. */
const CHRONOLOGICAL: Readonly<Record<string, EdgeKind>> = {
  'store to update': 'store–update',
  'buffer order': 'store–update',
  'update to fence': 'store–update',
  'update order': 'store order',
};

/** The kind of edge for a relation of the report. */
export function kindOf(relation: string): EdgeKind {
  const chronological = CHRONOLOGICAL[relation];
  if (chronological !== undefined) return chronological;
  if (relation === 'create' || relation === 'join') return 'threads';
  return EDGE_KINDS.find((k) => k.kind === relation)?.kind ?? 'synchronisation';
}

/** One letter per thing shown: `psux`, with `x` for the cycle, `a` for asides and `h` for the chronological trace. */
export function printFilters({ kinds, cycle, asides, chronological }: Filters): string {
  const letters = EDGE_KINDS.filter(({ kind }) => kinds.has(kind)).map(({ letter }) => letter);
  return `${letters.join('')}${cycle ? 'x' : ''}${asides ? 'a' : ''}${chronological ? 'h' : ''}` || '-';
}

export function parseFilters(text: string | undefined, otherwise: Filters = DEFAULT_FILTERS): Filters {
  if (text === undefined) return otherwise;
  const kinds = EDGE_KINDS.filter(({ letter }) => text.includes(letter)).map(({ kind }) => kind);
  return {
    ...otherwise,
    kinds: new Set(kinds),
    cycle: text.includes('x'),
    asides: text.includes('a'),
    chronological: text.includes('h'),
  };
}

export function toggleKind(filters: Filters, kind: EdgeKind): Filters {
  const kinds = new Set(filters.kinds);
  if (!kinds.delete(kind)) kinds.add(kind);
  return { ...filters, kinds };
}

export function toggleHidden(filters: Filters, thread: string): Filters {
  const hidden = filters.hidden.filter((t) => t !== thread);
  return { ...filters, hidden: hidden.length < filters.hidden.length ? hidden : [...hidden, thread] };
}

/** Opens or closes the fold after this event. */
export function toggleFold(filters: Filters, event: number): Filters {
  const opened = filters.opened.filter((e) => e !== event);
  return { ...filters, opened: opened.length < filters.opened.length ? opened : [...opened, event] };
}

/** Switches to all edges of the chronological trace, or back. */
export function toggleChronological(filters: Filters): Filters {
  if (filters.chronological) return { ...filters, chronological: false };
  return { ...filters, chronological: true, kinds: new Set(EDGE_KINDS.map(({ kind }) => kind)) };
}
