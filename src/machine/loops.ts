/**
 * The loops of a function in which a thread could wait: those with a visible operation or a call inside. Found for the
 * spin loops and the bound of `--unroll` (design: "Spin loops"); `code.ts` marks their edges, the interpreter acts.
 *
 * A loop is known by its head, the target of a retreating edge of a depth-first search. Of a graph that is not reducible
 * this finds the heads that the search happens to meet first; every cycle has one all the same.
 */
import type { Func, Instruction, Operand } from '../program/ir.ts';

export interface Loop {
  /** Block. */
  readonly head: number;
  /** Blocks from which an edge leads back to the head. */
  readonly tails: ReadonlySet<number>;
  /** Registers whose values at the head matter for what comes. */
  readonly live: readonly number[];
}

export function findLoops(func: Func): Loop[] {
  const successors = func.blocks.map(({ body }) => targetsOf(body.at(-1)!));
  const tails = retreatingEdges(successors);
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

function targetsOf(terminator: Instruction): number[] {
  switch (terminator.op) {
    case 'jump':
      return [terminator.target];
    case 'branch':
      return [terminator.ifTrue, terminator.ifFalse];
    case 'switch':
      return [terminator.default, ...terminator.cases.map(({ target }) => target)];
    default:
      return [];
  }
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

/** Head → blocks with an edge back to it: those that a depth-first search from block 0 finds leading to an ancestor. */
function retreatingEdges(successors: readonly (readonly number[])[]): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  const visited = new Set([0]);
  const open = new Set([0]);
  /** Blocks on the way from the root, each with how many of its successors are done. */
  const path = [{ block: 0, done: 0 }];
  while (path.length > 0) {
    const top = path.at(-1)!;
    const next = successors[top.block]![top.done++];
    if (next === undefined) {
      open.delete(top.block);
      path.pop();
    } else if (open.has(next)) {
      found.set(next, (found.get(next) ?? new Set()).add(top.block));
    } else if (!visited.has(next)) {
      visited.add(next);
      open.add(next);
      path.push({ block: next, done: 0 });
    }
  }
  return found;
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

/** Per block: the registers that are read before they are written, from its start on. */
function liveAtStart(func: Func, successors: readonly (readonly number[])[]): Set<number>[] {
  const live = func.blocks.map(() => new Set<number>());
  for (let changed = true; changed; ) {
    changed = false;
    for (let block = func.blocks.length - 1; block >= 0; block--) {
      const now = new Set(successors[block]!.flatMap((target) => [...live[target]!]));
      for (const instruction of func.blocks[block]!.body.toReversed()) {
        for (const register of writtenRegisters(instruction)) now.delete(register);
        for (const register of readRegisters(instruction)) now.add(register);
      }
      changed ||= now.size > live[block]!.size;
      live[block] = now;
    }
  }
  return live;
}

function writtenRegisters(instruction: Instruction): number[] {
  const written: number[] = [];
  if ('dest' in instruction && instruction.dest !== undefined) written.push(instruction.dest);
  if ('success' in instruction && instruction.success !== undefined) written.push(instruction.success);
  if ('timedOut' in instruction && instruction.timedOut !== undefined) written.push(instruction.timedOut);
  return written;
}

/** Operands are the fields that look like one; arguments are a list of them. */
function readRegisters(instruction: Instruction): number[] {
  return Object.values(instruction)
    .flat()
    .filter(isOperand)
    .flatMap((operand) => (operand.kind === 'register' ? [operand.index] : []));
}

function isOperand(value: unknown): value is Operand {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
