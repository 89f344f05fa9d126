/** How much a machine has room for by default. */

import { deepestCalls, stackNeeded } from '../../program/call-depth.ts';
import type { Program } from '../../program/ir.ts';
import { mostThreads } from '../../program/thread-count.ts';
import { type Limits, WHOLE_FRAME_WORDS, WHOLE_STACK_BYTES } from './layout.ts';

export const MAX_THREADS = 512;
/** Unless the program asks for more: every thread costs memory. */
export const FEW_THREADS = 64;

/** A search reached a thread that it has no room for. It can start over with a program that asks for more threads. */
export class TooManyThreads extends Error {
  override readonly name = 'TooManyThreads';
  constructor() {
    super(`an execution has more than ${FEW_THREADS} threads`);
  }
}

/**
 * The room that a thread gets for calls, for local variables in memory, and for its heap: threads share a total, because how many
 * there will be is often not known. No powers of two: words of different threads should not compete for the same lines
 * of the cache. The system backs only what is touched.
 */
const FRAME_WORDS = { least: 1 << 16, most: WHOLE_FRAME_WORDS, total: FEW_THREADS * WHOLE_FRAME_WORDS };
const STACK_BYTES = { least: 1 << 18, most: WHOLE_STACK_BYTES, total: 128_000_000 };
const HEAP_BYTES = { least: 1 << 18, most: 8_000_000, total: 128_000_000 };

function alignUp(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}

function roomFor(needed: number, threads: number, { least, most, total }: typeof STACK_BYTES): number {
  return Math.min(needed, Math.max(least, Math.min(most, Math.floor(total / threads))));
}

/** Kept because every machine needs them, and a program may need many machines. */
const threadCounts = new WeakMap<Program, number>();

function threadsOf(program: Program): number {
  let count = threadCounts.get(program);
  if (count === undefined) {
    count = Math.min(program.manyThreads === true ? MAX_THREADS : FEW_THREADS, mostThreads(program));
    threadCounts.set(program, count);
  }
  return count;
}

/** By `frameWords`, which belongs to one form of one program's code. */
const known = new WeakMap<readonly number[], Limits>();

/** Enough room for the program; small if the program's shape shows that little is needed. */
export function defaultLimits(program: Program, frameWords: readonly number[]): Limits {
  const limits = known.get(frameWords) ?? findLimits(program, frameWords);
  known.set(frameWords, limits);
  return limits;
}

function findLimits(program: Program, frameWords: readonly number[]): Limits {
  let spawns = false;
  let calls = false;
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
  const threads = threadsOf(program);
  const allWrites = program.roots.reduce((sum, root) => sum + (writes[root.function] ?? 0), 0);
  return {
    threads,
    frameWords: roomFor(deepestCalls(program, frameWords), threads, FRAME_WORDS),
    stackBytes: alignUp(roomFor(program.stackBytes ?? stackNeeded(program), threads, STACK_BYTES)),
    heapBytes: heap ? alignUp(roomFor(HEAP_BYTES.most, threads, HEAP_BYTES)) : 0,
    syncObjects: syncs === 0 ? 0 : 1 << 10,
    bufferEntries: straight ? allWrites : 1 << 14,
    commits: straight ? 2 * allWrites + 1 : 1 << 16,
    localSteps: 1_000_000,
  };
}
