/**
 * Barriers whose arrivals commute: docs/decisions/0038-barriers.md. The library has two ways to pass a barrier (`lib/barrier.c`), and a
 * variable of its own says which one is taken. A search without the order of operations that commute tries the merged one
 * first. It can only prove: if it finds any error, of the program or of the merged way, the search begins again in order.
 */
import type { Global, Instruction, Program } from '../program/ir.ts';

const MERGES = '__fencepost_merges_arrivals';
/** Part of every function that calls it, as a rule: a function is not made longer without end. */
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

/** Inside a function of the library, operations do not commute: there would be more orders, not fewer. */
function canMerge({ globals, functions }: Program): boolean {
  if (!globals.some(({ name }) => name === MERGES)) return false;
  const isCall = (i: Instruction): boolean =>
    i.op === 'call' && i.callee.kind === 'function' && functions[i.callee.index]!.name === WAIT;
  return !functions.some(({ blocks }) => blocks.some(({ body }) => body.some(isCall)));
}

function set(global: Global): Global {
  return global.name === MERGES ? { ...global, init: new Uint8Array([1, 0, 0, 0]) } : global;
}

/** What a search with merged arrivals does when it finds an error, before that counts. */
export function demandOrder(): never {
  throw new OrderOfArrivals('an error with merged arrivals');
}
