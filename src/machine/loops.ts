/**
 * The loops of a function in which a thread could wait: those with a visible operation or a call inside. Found for the
 * spin loops and the bound of `--unroll` (design: "Spin loops"); `code.ts` marks their edges, the interpreter acts.
 *
 * A loop is known by its head, the target of a retreating edge of a depth-first search. Of a graph that is not reducible
 * this finds the heads that the search happens to meet first; every cycle has one all the same.
 */
import { depthFirst, liveAtStart, successorsOf } from '../program/flow.ts';
import type { Func, Instruction } from '../program/ir.ts';

export interface Loop {
  /** Block. */
  readonly head: number;
  /** Blocks from which an edge leads back to the head. */
  readonly tails: ReadonlySet<number>;
  /** Registers whose values at the head matter for what comes. */
  readonly live: readonly number[];
}

export function findLoops(func: Func): Loop[] {
  const successors = successorsOf(func);
  const tails = depthFirst(successors).retreating;
  if (tails.size === 0) return [];
  const live = liveAtStart(func, successors);
  const loops: Loop[] = [];
  for (const [head, from] of tails) {
    const body = bodyOf(head, from, successors);
    const canWait = [...body].some((block) => func.blocks[block]!.body.some(isVisibleOrCall));
    if (canWait) loops.push({ head, tails: from, live: [...live[head]!].sort((a, b) => a - b) });
  }
  return loops;
}

const VISIBLE: ReadonlySet<Instruction['op']> = new Set([
  'load',
  'store',
  'rmw',
  'cmpxchg',
  'fence',
  'free',
  'choose',
  'spawn',
  'join',
  'lock',
  'trylock',
  'unlock',
  'wait',
  'signal',
  'broadcast',
  'beginatomic',
  'endatomic',
  'exit',
  'await',
  'destroy',
]);

function isVisibleOrCall({ op }: Instruction): boolean {
  return op === 'call' || VISIBLE.has(op);
}

/** The head and every block from which a tail can be reached without passing the head. */
function bodyOf(
  head: number,
  tails: ReadonlySet<number>,
  successors: readonly (readonly number[])[],
): ReadonlySet<number> {
  const body = new Set([head, ...tails]);
  for (let before = 0; before !== body.size; ) {
    before = body.size;
    successors.forEach((targets, block) => {
      if (targets.some((target) => target !== head && body.has(target))) body.add(block);
    });
  }
  return body;
}
