/**
 * Barriers whose arrivals commute: docs/decisions/0038-barriers.md. The library has two ways to pass a barrier
 * (`lib/barrier.c`), and a variable in it selects one. A search that leaves commuting operations unordered tries the
 * merged way first. That can only prove the program correct: if it finds any error, in the program or in the merged way
 * itself, the search starts again with arrivals in order.
 */
import type { Global, Instruction, Program } from '../program/ir.ts';

const MERGES = '__fencepost_merges_arrivals';
/** Usually inlined into its callers, unless a caller has grown too long. */
const WAIT = 'pthread_barrier_wait';

/** The search with merged arrivals has found an error. */
export class OrderOfArrivals extends Error {
  override readonly name = 'OrderOfArrivals';
}

const known = new WeakMap<Program, Program>();

/** The program with merged arrivals; itself if it has no barriers, or if merging would not help. */
export function withMergedArrivals(program: Program): Program {
  let merged = known.get(program);
  if (merged === undefined) {
    merged = canMerge(program) ? { ...program, globals: program.globals.map(set) } : program;
    known.set(program, merged);
  }
  return merged;
}

/**
 * Where the wait is still a call, its operations are inside a library function and do not commute: merging would give
 * more orders, not fewer.
 */
function canMerge({ globals, functions }: Program): boolean {
  if (!globals.some(({ name }) => name === MERGES)) return false;
  const isCall = (i: Instruction): boolean =>
    i.op === 'call' && i.callee.kind === 'function' && functions[i.callee.index]!.name === WAIT;
  return !functions.some(({ blocks }) => blocks.some(({ body }) => body.some(isCall)));
}

function set(global: Global): Global {
  return global.name === MERGES ? { ...global, init: new Uint8Array([1, 0, 0, 0]) } : global;
}

/** Called when a search with merged arrivals finds an error, before the error is counted. */
export function demandOrder(): never {
  throw new OrderOfArrivals('an error with merged arrivals');
}
