/**
 * Threads that wait for a lock, and which ways of the write u that releases it need not be taken.
 *
 * Let w be the write that took the lock, and b a blocked read of w. If u is in the graph and b still reads w, the graph
 * is useful only if a later revisit (search.ts), say of a read r by a write W, deletes u or b.
 *
 *   1. b is not revisited itself. All writes of a lock are read-modify-writes, each of what the one before it wrote. If
 *      W reads w, its thread takes or releases a lock that another thread holds, which is impossible (`canRule`). If W
 *      reads something older than w, a write that w depends on must be deleted, but W needs w or b was not added
 *      maximally. If W reads something newer than w, then u is in the porf-prefix of W, and b was not added maximally.
 *      For the same reasons, no revisit of another read of this lock deletes u.
 *   2. If b is deleted, so is u: otherwise u was added before b, or is in the porf-prefix of W, and b was not added
 *      maximally.
 *   3. If u revisited a read x, then u is never deleted: x, which was added before u, reads it. So when u revisits x,
 *      no other read that waits for w may remain: x must be the first of them.
 *   4. If b was added before w, then w is never deleted, since b reads it. So r is not in the porf-prefix of w:
 *      otherwise it would be in that of W. If there is no such read, apart from those of this lock, b waits forever
 *      unless u revisits it.
 *
 * Where races are errors, plain reads are not revisited: a write that would revisit one races with it.
 */
import type { Code } from '../../machine/code/code.ts';
import * as g from './fields.ts';
import type { Graph } from './graph.ts';
import { isObject } from './log.ts';

export class LockWaits {
  private readonly graph: Graph;
  private readonly canRule: boolean;
  private readonly forbidsRaces: boolean;

  constructor(graph: Graph, code: Code, forbidsRaces: boolean) {
    this.graph = graph;
    this.forbidsRaces = forbidsRaces;
    this.canRule = canRule(code, forbidsRaces);
  }

  /** The first read that waits for the lock that this write, the newest event, releases; NONE if there is none. */
  firstFor(write: number): number {
    const { words, lastAt } = this.graph;
    const location = words[write * g.FIELDS + g.LOCATION]!;
    if (!this.canRule || !isObject(location) || !this.graph.isUpdate(write)) return g.NONE;
    const source = this.graph.sourceOf(write);
    if (source < 0) return g.NONE;
    let first = g.NONE;
    for (let e = lastAt[location]!; e !== g.NONE; e = words[e * g.FIELDS + g.SAME]!) {
      const isBlocked = words[e * g.FIELDS + g.STATUS] === g.BLOCKED;
      if (isBlocked && words[e * g.FIELDS + g.SOURCE] === source) first = e;
    }
    return first;
  }

  /**
   * Whether this read, the first that waits for the lock, waits forever unless the write, the newest event, revisits
   * it.
   */
  isForEver(read: number, write: number): boolean {
    const { words } = this.graph;
    const taken = words[read * g.FIELDS + g.SOURCE]!;
    if (read > taken) return false;
    const location = words[read * g.FIELDS + g.LOCATION];
    for (let e = 0, base = 0; e < write; e++, base += g.FIELDS) {
      if (words[base + g.KIND] !== g.READ || words[base + g.LOCATION] === location) continue;
      if (this.forbidsRaces && words[base + g.ORDER]! < g.FIRST_ATOMIC) continue;
      if (!this.graph.isInPrefix(e, taken)) return false;
    }
    return true;
  }
}

/**
 * Whether, errors aside, no other thread writes to a lock that a thread holds. Releasing, destroying or initialising it
 * is an error, whatever the operation reads; but a failed trylock is a write, and so is initialising new memory that
 * was a lock before. Where races are errors, the latter races with any thread that waits.
 */
function canRule({ sites }: Code, forbidsRaces: boolean): boolean {
  const has = (name: string): boolean => sites.some(({ instruction }) => instruction.op === name);
  return !has('trylock') && (forbidsRaces || !has('init'));
}
