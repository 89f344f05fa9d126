/**
 * Wakeup trees ([ODPOR] Sect. 6): the sequences still to be explored, as an ordered tree of actions, for all depths of
 * the current execution at once.
 *
 * The path from the root along first children is the current execution (its visible steps); the branches still to be
 * explored hang to the right of it. The children of a node on the path are the paper's wut(E) for the execution E that
 * ends with that node. Going down takes the subtree along, as `subtree(wut(E), p)` does.
 */
import { allocateWords } from '../../util/memory-limit.ts';

export const ROOT = 0;
/** No node. The root is never a child, so 0 is free. */
export const NO_NODE = 0;

const W_ACTION = 0;
const W_CHILD = 1; // first
const W_NEXT = 2; // sibling
const NODE_WORDS = 3;

export class WakeupTree {
  private words = new Int32Array(NODE_WORDS * 256);
  private used = 1;
  private free = NO_NODE;
  /** Nodes in the tree now, and the maximum so far. */
  size = 0;
  largest = 0;

  action(node: number): number {
    return this.words[node * NODE_WORDS + W_ACTION]!;
  }
  setAction(node: number, action: number): void {
    this.words[node * NODE_WORDS + W_ACTION] = action;
  }
  firstChild(node: number): number {
    return this.words[node * NODE_WORDS + W_CHILD]!;
  }
  next(node: number): number {
    return this.words[node * NODE_WORDS + W_NEXT]!;
  }

  /** Adds a child after the others. */
  addChild(parent: number, action: number): number {
    const node = this.allocate(action);
    const { words } = this;
    let last = words[parent * NODE_WORDS + W_CHILD]!;
    if (last === NO_NODE) words[parent * NODE_WORDS + W_CHILD] = node;
    else {
      while (words[last * NODE_WORDS + W_NEXT] !== NO_NODE) last = words[last * NODE_WORDS + W_NEXT]!;
      words[last * NODE_WORDS + W_NEXT] = node;
    }
    return node;
  }

  /** Adds a child after `last`, which is the last one; with `NO_NODE`, as `addChild`. */
  addAfter(parent: number, last: number, action: number): number {
    if (last === NO_NODE) return this.addChild(parent, action);
    const node = this.allocate(action);
    this.words[last * NODE_WORDS + W_NEXT] = node;
    return node;
  }

  /** Removes everything. */
  clear(): void {
    this.words.fill(0, 0, NODE_WORDS);
    this.used = 1;
    this.free = NO_NODE;
    this.size = 0;
  }

  /** Removes the first child, which has been explored and has no children left. */
  removeFirstChild(parent: number): void {
    const { words } = this;
    const node = words[parent * NODE_WORDS + W_CHILD]!;
    words[parent * NODE_WORDS + W_CHILD] = words[node * NODE_WORDS + W_NEXT]!;
    words[node * NODE_WORDS + W_NEXT] = this.free;
    this.free = node;
    this.size--;
  }

  private allocate(action: number): number {
    let node = this.free;
    if (node !== NO_NODE) this.free = this.words[node * NODE_WORDS + W_NEXT]!;
    else {
      node = this.used++;
      if (node * NODE_WORDS === this.words.length) {
        const words = allocateWords(this.words.length * 2);
        words.set(this.words);
        this.words = words;
      }
    }
    const at = node * NODE_WORDS;
    this.words[at + W_ACTION] = action;
    this.words[at + W_CHILD] = NO_NODE;
    this.words[at + W_NEXT] = NO_NODE;
    this.size++;
    if (this.size > this.largest) this.largest = this.size;
    return node;
  }
}
