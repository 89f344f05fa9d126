/**
 * The frontier of a search divided among workers: its shared nodes and its [jobs](../dpor/job.ts), as plain data. It is
 * the whole state of the search, and all that is needed to continue it. See
 * [decision 28](../../../docs/decisions/0028-any-order.md).
 */
import type { Order } from '../dpor/job.ts';
import type { SearchLevel } from '../dpor/search-state.ts';

export interface FrontierData {
  readonly nodes: readonly (readonly [id: number, node: NodeData])[];
  readonly jobs: readonly (readonly [id: number, job: JobData])[];
  readonly nextId: number;
  /** There are no nodes: jobs share nothing. */
  readonly isList?: boolean;
}

export interface NodeData {
  /** The child that leads to the node; absent at the root. */
  readonly parent?: Place;
  /** The actions finished here before the node was shared. */
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
  /** Everything that starts with it is explored below it, so no other job has to go there. Never changes. */
  readonly isFree: boolean;
  /** The shared node below it. A free child has one if its job was divided. */
  readonly node?: number;
  /** Nothing is left to do below it. */
  readonly isDone: boolean;
}

export interface JobData {
  /** The free child that it explores; absent if it is the whole search. */
  readonly place?: Place;
  readonly own?: readonly SearchLevel[];
  /** The job is the part of the whole search in which these orders hold. */
  readonly orders?: readonly Order[];
}
