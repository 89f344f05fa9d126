/**
 * The frontier of a search that many work on: its shared nodes and its [jobs](../dpor/job.ts), as plain data. A search is its
 * frontier: whoever has it can go on. See [decision 28](../../../docs/decisions/0028-any-order.md).
 */
import type { Order } from '../dpor/job.ts';
import type { SearchLevel } from '../dpor/search-state.ts';

export interface FrontierData {
  readonly nodes: readonly (readonly [id: number, node: NodeData])[];
  readonly jobs: readonly (readonly [id: number, job: JobData])[];
  readonly nextId: number;
}

export interface NodeData {
  /** The child that the node is behind; absent at the root. */
  readonly parent?: Place;
  /** What was finished here before the node was shared. */
  readonly finished: readonly string[];
  readonly children: readonly ChildData[];
}

/** A child of a shared node, by its number. */
export interface Place {
  readonly node: number;
  readonly child: number;
}

export interface ChildData {
  readonly action: string;
  /** Everything that starts with it is explored behind it, so that nobody else need look there. Never changes. */
  readonly isFree: boolean;
  /** The shared node behind it. A free child has one if its job was divided. */
  readonly node?: number;
  /** Nothing is left to do behind it. */
  readonly isDone: boolean;
}

export interface JobData {
  /** The free child that it explores; absent if it is the whole search. */
  readonly place?: Place;
  readonly own?: readonly SearchLevel[];
  /** It is the part of the whole search that has these orders. */
  readonly orders?: readonly Order[];
}
