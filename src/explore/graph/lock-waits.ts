/**
 * Threads that wait for a lock, and which ways of the write u that gives it back need not be gone.
 *
 * Let w be the write that took the lock, and b a read of w that is blocked. If u is in the graph and b still reads w, the graph is
 * of use only if u or b is deleted by a later revisit (search.ts): say, of a read r, by a write W.
 *
 *   1. b is not revisited itself. All writes of a lock are read-modify-writes, each of what the one before it wrote. If
 *      W reads w, its thread takes or gives back a lock that another thread holds: nobody can do that (`canRule`). If W reads
 *      something older than w, a write that w depends on must go, but W needs w or b was not added maximally. If W reads
 *      something newer than w, then u is in the porf-prefix of W, and b was not added maximally. In the same way
 *      no other read of this lock is revisited so that u goes.
 *   2. If b goes, so does u: otherwise u was added before b, or is in the porf-prefix of W, and b was not added maximally.
 *   3. If u revisited a read x, then u does not go: x, which was added before u, reads it. So when u revisits x, nothing else
 *      may be left that waits for w: x must be the first that does.
 *   4. If b was added before w, then w does not go, since b reads it. So r is not in the porf-prefix of w: else it was in
 *      that of W. If there is no such read, apart from those of this lock, b waits for ever unless u revisits it.
 *
 * Where races are errors, plain reads are not revisited: what would revisit them races with them.
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

  /** The first read that waits for what this write, which is the newest event, gives back; NONE if there is none. */
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

  /** Whether this read, the first that waits for the lock, waits for ever unless the write, the newest event, revisits it. */
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
 * Whether a lock that a thread holds is left alone by the others, errors aside. Giving it back, destroying or initialising it is an error,
 * whatever that reads; but a trylock that fails is a write, and so is the initialisation of new memory that was a lock
 * before. Where races are errors, the latter races with whoever waits.
 */
function canRule({ sites }: Code, forbidsRaces: boolean): boolean {
  const has = (name: string): boolean => sites.some(({ instruction }) => instruction.op === name);
  return !has('trylock') && (forbidsRaces || !has('init'));
}
