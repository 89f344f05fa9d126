/**
 * The loops of a function in which a thread could wait: those with a visible operation or a call inside. Used for spin
 * loops (docs/decisions/0018-idle-iterations.md) and the bound of `--unroll`; `compile.ts` marks their edges, the
 * interpreter acts on the marks.
 *
 * A loop is identified by its head, the target of a retreating edge of a depth-first search. In an irreducible graph
 * this finds the heads that the search happens to meet first; every cycle still has one.
 */
import { depthFirst, predecessorsOf, successorsOf, writtenRegisters } from '../../program/flow.ts';
import type { Func, Instruction, VisibleInstruction } from '../../program/ir.ts';
import { liveAtStart } from '../../program/live-registers.ts';
import { bitsOf, isFloat } from '../../program/types.ts';

interface Loop {
  /** A block. */
  readonly head: number;
  /** All its blocks. */
  readonly body: ReadonlySet<number>;
  /** Blocks from which an edge leads back to the head. */
  readonly tails: ReadonlySet<number>;
  /** Registers that are live at the head. */
  readonly live: readonly number[];
  /** Whether each iteration increments a counter, so that no iteration returns to the head with nothing changed. */
  readonly isCounted: boolean;
  /** After how many rounds that undo what they do a thread sleeps (`run/undone-rounds.ts`); 0 = no round can. */
  readonly undoes: Undoes;
}

/** 2: the loop has an inner one that only loads; a thread that comes back may well wait there, and go on later. */
export type Undoes = 0 | 1 | 2;

/** Many machines are made for the same program. */
const known = new WeakMap<Func, readonly Loop[]>();

export function loopsOf(func: Func): readonly Loop[] {
  const loops = known.get(func) ?? findLoops(func);
  known.set(func, loops);
  return loops;
}

function findLoops(func: Func): readonly Loop[] {
  const successors = successorsOf(func);
  const predecessors = predecessorsOf(successors);
  const tails = depthFirst(successors).retreating;
  let live: readonly ReadonlySet<number>[] | undefined;
  const loops: Loop[] = [];
  for (const [head, from] of tails) {
    const body = bodyOf(head, from, predecessors);
    const canWait = [...body].some((block) => func.blocks[block]!.body.some(isVisibleOrCall));
    if (!canWait) continue;
    live ??= liveAtStart(func, successors);
    const isCounted = hasCounter(func, head, from, body, successors);
    const instructions = [...body].flatMap((block) => func.blocks[block]!.body);
    const waits = [...tails].some(([inner, ends]) => {
      if (inner === head || !body.has(inner)) return false;
      return onlyLoads([...bodyOf(inner, ends, predecessors)].flatMap((block) => func.blocks[block]!.body));
    });
    const undoes = canUndo(instructions) ? (waits ? 2 : 1) : 0;
    loops.push({ head, body, tails: from, live: [...live[head]!].sort((a, b) => a - b), isCounted, undoes });
  }
  return loops;
}

function onlyLoads(body: readonly Instruction[]): boolean {
  return body.every((i) => !isVisibleOrCall(i) || i.op === 'load' || i.op === 'fence');
}

function canUndo(body: readonly Instruction[]): boolean {
  const writes = body.filter(({ op }) => op === 'store' || op === 'rmw' || op === 'cmpxchg');
  return writes.length > 1 || body.some(({ op }) => op === 'unlock' || op === 'call');
}

/** All of them, so that the compiler asks for a new one. */
const VISIBLE: Readonly<Record<VisibleInstruction['op'], true>> = {
  load: true,
  store: true,
  rmw: true,
  cmpxchg: true,
  fence: true,
  free: true,
  choose: true,
  spawn: true,
  join: true,
  lock: true,
  trylock: true,
  unlock: true,
  wait: true,
  signal: true,
  broadcast: true,
  beginatomic: true,
  endatomic: true,
  exit: true,
  await: true,
  destroy: true,
  init: true,
  lifetime: true,
  drain: true,
};
const VISIBLE_NAMES: ReadonlySet<string> = new Set(Object.keys(VISIBLE));

export function isVisible({ op }: Instruction): boolean {
  return VISIBLE_NAMES.has(op);
}

function isVisibleOrCall(instruction: Instruction): boolean {
  return instruction.op === 'call' || isVisible(instruction);
}

/** The head and every block from which a tail can be reached without passing the head. */
function bodyOf(
  head: number,
  tails: ReadonlySet<number>,
  predecessors: readonly (readonly number[])[],
): ReadonlySet<number> {
  const body = new Set([head, ...tails]);
  for (const block of body) if (block !== head) for (const before of predecessors[block]!) body.add(before);
  return body;
}

/**
 * Whether some register is written at only one place in the loop, which adds a constant to it and which every iteration
 * passes.
 */
function hasCounter(
  func: Func,
  head: number,
  tails: ReadonlySet<number>,
  body: ReadonlySet<number>,
  successors: readonly (readonly number[])[],
): boolean {
  const writes = new Map<number, number>();
  for (const block of body) {
    for (const register of func.blocks[block]!.body.flatMap(writtenRegisters)) {
      writes.set(register, (writes.get(register) ?? 0) + 1);
    }
  }
  return [...body].some((block) => {
    const counts = func.blocks[block]!.body.some((i) => isStep(i) && writes.get(i.dest) === 1);
    return counts && !goesAround(block, head, tails, body, successors);
  });
}

function isStep(instruction: Instruction): instruction is Extract<Instruction, { op: 'binary' }> {
  if (instruction.op !== 'binary' || instruction.operator !== 'add') return false;
  const { dest, left, right } = instruction;
  if (left.kind !== 'register' || left.index !== dest) return false;
  if (right.kind !== 'constant' || isFloat(right.type)) return false;
  return BigInt.asUintN(bitsOf(right.type), BigInt(right.value)) !== 0n;
}

/** Whether a path leads from the head to a tail without passing `block`. */
function goesAround(
  block: number,
  head: number,
  tails: ReadonlySet<number>,
  body: ReadonlySet<number>,
  successors: readonly (readonly number[])[],
): boolean {
  if (block === head) return false;
  const reached = new Set([head]);
  for (const from of reached) {
    if (tails.has(from)) return true;
    for (const to of successors[from]!) if (to !== head && to !== block && body.has(to)) reached.add(to);
  }
  return false;
}
