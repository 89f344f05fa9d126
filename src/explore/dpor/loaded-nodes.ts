/**
 * What is known of the wakeup-tree nodes that a search was loaded with, until it reaches them. If other workers have
 * taken part, some branches are done or begun: they keep their places among the children
 * ([decision 28](../../../docs/decisions/0028-any-order.md)).
 */
import { NO_NODE, type WakeupTree } from './wakeup-tree.ts';

/** What takes effect when the search first reaches a node. */
export interface Arrival {
  /** What sleeps below the node from then on. */
  readonly sleepers: readonly number[];
  /** Nothing was prescribed below the node when it was first taken. */
  readonly isFree: boolean;
}

export class LoadedNodes {
  /** Nothing is known, as in most searches: the only check that these make at each step. */
  isEmpty = true;
  private readonly tree: WakeupTree;
  private readonly arrivals = new Map<number, Arrival>();
  /** Free nodes without children. */
  private readonly done = new Set<number>();

  constructor(tree: WakeupTree) {
    this.tree = tree;
  }

  clear(): void {
    this.arrivals.clear();
    this.done.clear();
    this.isEmpty = true;
  }

  expect(node: number, arrival: Arrival): void {
    this.arrivals.set(node, arrival);
    this.isEmpty = false;
  }

  /** Nothing is left to do below this node. */
  noteDone(node: number): void {
    this.done.add(node);
    this.isEmpty = false;
  }

  arrivalAt(node: number): Arrival | undefined {
    return this.arrivals.size === 0 ? undefined : this.arrivals.get(node);
  }

  /** The search is there now. The number of the node may be used again. */
  arrive(node: number): void {
    this.arrivals.delete(node);
    this.note();
  }

  private note(): void {
    this.isEmpty = this.arrivals.size === 0 && this.done.size === 0;
  }

  /**
   * Whether the node is free although it has children: everything that starts with it is explored below it, and nothing
   * is added from elsewhere.
   */
  isFree(node: number): boolean {
    return this.arrivalAt(node)?.isFree === true;
  }

  get hasDone(): boolean {
    return this.done.size > 0;
  }

  isDoneLeaf(node: number): boolean {
    return this.hasDone && this.done.has(node);
  }

  /** Whether nothing is left to do below the node. */
  isDone(node: number): boolean {
    const { tree } = this;
    let child = tree.firstChild(node);
    if (child === NO_NODE) return this.done.has(node);
    for (; child !== NO_NODE; child = tree.next(child)) if (!this.isDone(child)) return false;
    return true;
  }

  /** Removes the first child, which is done, with everything below it. */
  removeFirstChild(parent: number): void {
    const { tree } = this;
    const node = tree.firstChild(parent);
    while (tree.firstChild(node) !== NO_NODE) this.removeFirstChild(node);
    this.done.delete(node);
    this.arrivals.delete(node);
    this.note();
    tree.removeFirstChild(parent);
  }
}
