/** Which parts of an execution are shown: which edges, and whether rows include steps invisible to other threads. */

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
}

export const DEFAULT_FILTERS: Filters = {
  kinds: new Set<EdgeKind>(['program order', 'source', 'store–update', 'synchronisation']),
  cycle: true,
  asides: false,
};

/** In an unfinished execution it is not yet known which steps are invisible. */
export const PARTIAL_FILTERS: Filters = { ...DEFAULT_FILTERS, asides: true };

/** A relation of the report as a kind of edge. */
export function kindOf(relation: string): EdgeKind {
  if (relation === 'create' || relation === 'join') return 'threads';
  return EDGE_KINDS.find((k) => k.kind === relation)?.kind ?? 'synchronisation';
}

/** One letter for each thing that is shown: `psux`, with `x` for the cycle and `a` for asides. */
export function printFilters({ kinds, cycle, asides }: Filters): string {
  const letters = EDGE_KINDS.filter(({ kind }) => kinds.has(kind)).map(({ letter }) => letter);
  return `${letters.join('')}${cycle ? 'x' : ''}${asides ? 'a' : ''}` || '-';
}

export function parseFilters(text: string | undefined, otherwise: Filters = DEFAULT_FILTERS): Filters {
  if (text === undefined) return otherwise;
  const kinds = EDGE_KINDS.filter(({ letter }) => text.includes(letter)).map(({ kind }) => kind);
  return { kinds: new Set(kinds), cycle: text.includes('x'), asides: text.includes('a') };
}

export function toggleKind(filters: Filters, kind: EdgeKind): Filters {
  const kinds = new Set(filters.kinds);
  if (!kinds.delete(kind)) kinds.add(kind);
  return { ...filters, kinds };
}
