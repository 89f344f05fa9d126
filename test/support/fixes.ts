/** Fixes of sketches: the possible changes, and brute force over all sets of changes. */
import type { Candidates, Change, Costs, Place, Target } from '../../src/fix/candidates.ts';
import { FENCES, makeCandidates, strongerOrders } from '../../src/fix/candidates.ts';
import type { Program } from '../../src/program/ir.ts';

/** Fences between any two visible instructions of a thread, and a stronger order for every access that can have one. */
export function candidatesOf(program: Program, costs: Costs, target: Target = 'machines'): Candidates {
  const places: Place[] = [];
  for (const [func, { blocks }] of program.functions.entries()) {
    for (const [block, { body }] of blocks.entries()) {
      for (const [index, instruction] of body.entries()) {
        const positions = [{ func, block, index }];
        if (!['load', 'store', 'rmw', 'cmpxchg'].includes(instruction.op)) continue;
        const common = { positions, location: undefined, isInLoop: false };
        if (block > 0 || index > 0) places.push({ kind: 'point', kinds: FENCES[target], ...common });
        const kinds = strongerOrders(instruction, target);
        if (kinds.length > 0) places.push({ kind: 'access', kinds, ...common });
      }
    }
  }
  return makeCandidates(program, places, costs);
}

/** Every set of changes that costs at most `cost`, with at most one change at each place unless they add up. */
export function* subsetsUpTo(changes: readonly Change[], cost: number, addUp = false): Generator<readonly Change[]> {
  const chosen: Change[] = [];
  function* from(start: number, left: number): Generator<readonly Change[]> {
    yield [...chosen];
    for (let i = start; i < changes.length; i++) {
      const change = changes[i]!;
      if (change.cost > left + 1e-9 || (!addUp && chosen.some(({ place }) => place === change.place))) continue;
      chosen.push(change);
      yield* from(i + 1, left - change.cost);
      chosen.pop();
    }
  }
  yield* from(0, cost);
}
