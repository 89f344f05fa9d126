/** How much room nested calls can need, from the program's text. */
import { callsOf, isRepeated } from './calls.ts';
import { successorsOf } from './flow.ts';
import type { Program } from './ir.ts';

/** The largest sum of `own`, by function, over the functions that can be active at once in a thread; may be infinite. */
export function deepestCalls(program: Program, own: readonly number[]): number {
  const callees = new Map<number, number[]>();
  for (const { from, to, spawns } of callsOf(program)) {
    // A created thread has room of its own.
    if (!spawns) callees.set(from, [...(callees.get(from) ?? []), to]);
  }
  const depths = new Map<number, number>();
  const depth = (func: number): number => {
    const known = depths.get(func);
    if (known !== undefined) return known;
    // Asked for again before it is known: calls may recurse.
    depths.set(func, Number.POSITIVE_INFINITY);
    const below = (callees.get(func) ?? []).reduce((most, callee) => Math.max(most, depth(callee)), 0);
    const found = (func < 0 ? 0 : own[func]!) + below;
    depths.set(func, found);
    return found;
  };
  return program.functions.reduce((most, _, func) => Math.max(most, depth(func)), 0);
}

/** By function: the bytes of its objects on the stack, each with `room` for what surrounds it; may be infinite. */
export function stackOf(program: Program, room: number): readonly number[] {
  return program.functions.map((func) => {
    let bytes = 0;
    func.blocks.forEach(({ body }, block) => {
      for (const i of body) {
        if (i.op !== 'alloca') continue;
        bytes += isRepeated(successorsOf(func), block) ? Number.POSITIVE_INFINITY : i.size + i.align + room;
      }
    });
    return bytes;
  });
}
