/** A static bound on the room that nested calls can need. */
import { callsOf } from './calls.ts';
import { repeatedBlocks } from './cycles.ts';
import { successorsOf } from './flow.ts';
import type { Program } from './ir.ts';

/**
 * The largest sum of `own` (a number per function) over the functions that can be active at once in a thread. Infinite
 * if calls may recurse.
 */
export function deepestCalls(program: Program, own: readonly number[]): number {
  const callees = new Map<number, number[]>();
  for (const { from, to, spawns } of callsOf(program)) {
    // A created thread has its own room.
    if (!spawns) callees.set(from, [...(callees.get(from) ?? []), to]);
  }
  const depths = new Map<number, number>();
  const depth = (func: number): number => {
    const known = depths.get(func);
    if (known !== undefined) return known;
    // Asked for again before the sum is known: calls may recurse.
    depths.set(func, Number.POSITIVE_INFINITY);
    const below = (callees.get(func) ?? []).reduce((most, callee) => Math.max(most, depth(callee)), 0);
    const found = (func < 0 ? 0 : own[func]!) + below;
    depths.set(func, found);
    return found;
  };
  return program.functions.reduce((most, _, func) => Math.max(most, depth(func)), 0);
}

/** Bytes: an object's header in the machine, and the most that rounding adds to its size. */
export const AROUND_OBJECT: number = 24;

/** The most that local objects of nested calls can need in memory. */
export function stackNeeded(program: Program): number {
  return deepestCalls(program, stackOf(program, AROUND_OBJECT));
}

/**
 * By function: the bytes of its objects on the stack, each with `room` bytes for what surrounds it. Infinite if one is
 * in a loop.
 */
export function stackOf(program: Program, room: number): readonly number[] {
  return program.functions.map((func) => {
    let bytes = 0;
    const repeated = repeatedBlocks(successorsOf(func));
    func.blocks.forEach(({ body }, block) => {
      for (const i of body) {
        if (i.op !== 'alloca') continue;
        bytes += repeated.has(block) ? Number.POSITIVE_INFINITY : i.size + i.align + room;
      }
    });
    return bytes;
  });
}
