/**
 * Read-modify-writes that a thread retries after it has waited: `while (xchg(&l, 1)) while (l);`. They are in a loop,
 * and a waiting read follows directly, with only local instructions and fences in between. A superset is fine: whether
 * the thread would only wait after such an operation is decided when it is about to run (`run/nested-waits.ts`).
 */
import { successorsOf } from '../../program/flow.ts';
import type { Func, Instruction, Program } from '../../program/ir.ts';
import { liveAtStart } from '../../program/live-registers.ts';
import type { Code } from './code.ts';
import { type IdleRead, liveBefore, wordsOf } from './idle-reads.ts';
import { isVisible } from './loops.ts';
import * as op from './opcodes.ts';

/** By pc: the words of the frame that are live before the operation. */
export type NestedReads = ReadonlyMap<number, readonly number[]>;

/** Many machines are made for the same program. */
const known = new WeakMap<Program, NestedReads>();

/** Of code with `idle` marks, whose idle reads are `reads`. */
export function nestedReads(code: Code, reads: ReadonlyMap<number, IdleRead>): NestedReads {
  const found = known.get(code.program) ?? find(code, reads);
  known.set(code.program, found);
  return found;
}

function find({ program, words, functions, sites }: Code, reads: ReadonlyMap<number, IdleRead>): NestedReads {
  const found = new Map<number, readonly number[]>();
  functions.forEach(({ entry, end, offsets }, index) => {
    const waits = new Set<Instruction>();
    for (const pc of reads.keys())
      if (entry <= pc && pc < end && words[pc] === op.LOAD) waits.add(sites[words[pc + op.SITE]!]!.instruction);
    if (waits.size === 0) return;
    const func = program.functions[index]!;
    const successors = successorsOf(func);
    const live = liveAtStart(func, successors);
    for (let pc = entry; pc < end; pc += op.lengthAt(words, pc)) {
      if (words[pc] !== op.RMW && words[pc] !== op.CMPXCHG) continue;
      const { block, index: at } = sites[words[pc + op.SITE]!]!;
      if (!reachedFrom(block, successors).has(block) || !leadsTo(func, successors, block, at, waits)) continue;
      found.set(pc, wordsOf(func, offsets, liveBefore(func, successors, live, block, at)));
    }
  });
  return found;
}

/** Whether the next visible operation after instruction `at` of the block, apart from fences, may be one of `waits`. */
function leadsTo(
  func: Func,
  successors: readonly (readonly number[])[],
  block: number,
  at: number,
  waits: ReadonlySet<Instruction>,
): boolean {
  const nextVisible = (body: readonly Instruction[]): Instruction | undefined =>
    body.find((i) => isVisible(i) && i.op !== 'fence');
  const first = nextVisible(func.blocks[block]!.body.slice(at + 1));
  if (first !== undefined) return waits.has(first);
  const reached = new Set(successors[block]);
  for (const next of reached) {
    const visible = nextVisible(func.blocks[next]!.body);
    if (visible === undefined) for (const target of successors[next]!) reached.add(target);
    else if (waits.has(visible)) return true;
  }
  return false;
}

function reachedFrom(block: number, successors: readonly (readonly number[])[]): ReadonlySet<number> {
  const found = new Set(successors[block]);
  for (const next of found) for (const target of successors[next]!) found.add(target);
  return found;
}
