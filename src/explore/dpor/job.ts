/**
 * A job: one part of a search that several workers share ([decision 28](../../../docs/decisions/0028-any-order.md)).
 *
 * The tree of the whole search is divided in two. *Shared* nodes belong to a keeper; their children are only ever
 * appended. A job is a *free* child of a shared node: the job explores everything that starts with it, on a private
 * tree that no other job has to see. Of the shared nodes above it, the job has a copy of their children. If a copy does
 * not cover a race, its sequence is proposed to the keeper.
 */
import type { SearchLevel } from './search-state.ts';

/** A child of a shared node, with what is prescribed below it: nothing if it is free. */
export interface SharedBranch {
  readonly action: string;
  /** The shared node below it, unless it is free. */
  readonly node?: number;
  /** Its first children, perhaps none: copies need not be complete. */
  readonly children: readonly SharedBranch[];
}

/** A shared node on the way to the job. */
export interface SharedLevel {
  readonly node: number;
  /**
   * What sleeps here besides what slept on arrival: what was finished before the node was shared, and older children.
   */
  readonly older: readonly string[];
  /** The child that leads to the job; in the last level it is the job. */
  readonly step: string;
  /** Later children. */
  readonly younger: readonly SharedBranch[];
  /** All children so far. */
  readonly children: number;
}

export interface Job {
  readonly shared: readonly SharedLevel[];
  /** What is left of it, if it was begun before. */
  readonly own?: readonly SearchLevel[];
  /** Only executions with these orders are explored. */
  readonly orders?: readonly Order[];
}

/** An event by name: number `index` of its thread, from 1; or the update of the store that has this number. */
export interface EventName {
  readonly thread: number;
  readonly index: number;
  readonly isUpdate: boolean;
}

/** The second event waits for the first one ([decision 43](../../../docs/decisions/0043-parts-by-orders.md)). */
export interface Order {
  readonly first: EventName;
  readonly second: EventName;
}

/** The keeper, as a running job sees it. */
export interface Proposals {
  /**
   * Asks to append a sequence of actions to a shared node that had `known` children. Returns the nodes below all
   * actions but the last one, which is free; or, if the node has gained children since, those.
   */
  propose(node: number, known: number, actions: readonly string[]): ProposalAnswer;
}

export type ProposalAnswer = { readonly nodes: readonly number[] } | { readonly newer: readonly SharedBranch[] };

/** Actions as text, valid for every instance of the same system. */
export interface ActionNames {
  print(action: number): string;
  parse(text: string): number;
}
