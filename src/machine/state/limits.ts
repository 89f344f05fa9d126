/** How much a machine has room for. */
import type { Program } from '../../program/ir.ts';
import { mostThreads } from '../../program/thread-count.ts';

/** What the machine has room for. Running out of one of these is reported as `inconclusive`, never a wrong answer. */
export interface Limits {
  readonly threads: number;
  /** Words of register frames per thread: how deep calls may nest. */
  readonly frameWords: number;
  /** Bytes of stack memory per thread, for local variables that stay private. */
  readonly stackBytes: number;
  /** Bytes per thread for everything it ever allocates: addresses are not reused. */
  readonly heapBytes: number;
  readonly syncObjects: number;
  /** Stores waiting in all store buffers together. */
  readonly bufferEntries: number;
  /** Writes to memory per execution, kept for stale reads under PSLO. */
  readonly commits: number;
  /** Instructions between two visible operations of a thread. */
  readonly localSteps: number;
}

export const MAX_THREADS = 64;

/** Building a machine asks for these, and a program may need many machines. */
const threadCounts = new WeakMap<Program, number>();

function threadsOf(program: Program): number {
  let count = threadCounts.get(program);
  if (count === undefined) {
    count = Math.min(MAX_THREADS, mostThreads(program));
    threadCounts.set(program, count);
  }
  return count;
}

/** Enough room for the program; small if the program's shape shows that little is needed. */
export function defaultLimits(program: Program, largestFrame: number): Limits {
  let spawns = false;
  let calls = false;
  let allocas = false;
  let heap = false;
  let syncs = 0;
  const writes: number[] = [];
  let loops = false;
  for (const func of program.functions) {
    writes.push(0);
    func.blocks.forEach((block, index) => {
      for (const i of block.body) {
        if (i.op === 'spawn') spawns = true;
        else if (i.op === 'call') calls = true;
        else if (i.op === 'alloca') allocas = true;
        else if (i.op === 'allocate') heap = true;
        else if (i.op === 'store' || i.op === 'rmw' || i.op === 'cmpxchg' || i.op === 'await' || i.op === 'free')
          writes[writes.length - 1]!++;
        else if (i.op === 'lock' || i.op === 'trylock' || i.op === 'unlock' || i.op === 'wait') syncs++;
        else if (i.op === 'jump') loops ||= i.target <= index;
        else if (i.op === 'branch') loops ||= i.ifTrue <= index || i.ifFalse <= index;
        else if (i.op === 'switch') loops ||= i.default <= index || i.cases.some((c) => c.target <= index);
      }
    });
  }
  // Without loops, calls and new threads every instruction of a root runs at most once.
  const straight = !loops && !calls && !spawns;
  const allWrites = program.roots.reduce((sum, root) => sum + (writes[root.function] ?? 0), 0);
  return {
    threads: threadsOf(program),
    frameWords: calls ? 1 << 16 : largestFrame,
    stackBytes: allocas ? 1 << 18 : 0,
    heapBytes: heap ? 1 << 20 : 0,
    syncObjects: syncs === 0 ? 0 : 1 << 10,
    bufferEntries: straight ? allWrites : 1 << 14,
    commits: straight ? 2 * allWrites + 1 : 1 << 16,
    localSteps: 1_000_000,
  };
}
