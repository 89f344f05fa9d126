/** A row of a table: an event, or several folded ones. */
import type { Level } from './relevance.ts';

export interface Waiting {
  /** The name of the store. */
  readonly event: string;
  readonly thread: string;
  readonly location: string;
  readonly value: string;
  readonly memory: string;
}

/** A cell before it is known what is above it. */
export interface Row {
  /** The range of events that it stands for. */
  readonly first: number;
  readonly last: number;
  readonly thread: string;
  /** Identifies the place; rows fold only onto rows with the same one. */
  readonly place: string;
  readonly heading: string | undefined;
  readonly calls: string | undefined;
  readonly text: string;
  readonly isStale: boolean;
  readonly isRace: boolean;
  readonly isMarked: boolean;
  readonly isCommit: boolean;
  readonly level: Level;
  /** This row must not be folded. */
  readonly isTold: boolean;
  /** The stores in buffers before the row. */
  readonly waiting: readonly Waiting[];
  readonly isGap?: true;
}

/** A row for several events that says only `text`. */
export function foldedRow(row: Pick<Row, 'first' | 'last' | 'thread' | 'place' | 'text'>): Row {
  return {
    ...row,
    heading: undefined,
    calls: undefined,
    isStale: false,
    isRace: false,
    isMarked: false,
    isCommit: false,
    level: 0,
    isTold: true,
    waiting: [],
  };
}
