/** The calls in a program's text, those by address included. */
import { forEachOperand, successorsOf } from './flow.ts';
import type { Instruction, Program } from './ir.ts';

/**
 * Who calls: a function, or, if negative, a pointer that is called with `-1 - from` arguments. It leads to every function
 * whose address is taken and that has at most so many parameters; the machine calls no other.
 */
export interface Call {
  readonly from: number;
  readonly to: number;
  readonly spawns: boolean;
  /** Times per run of `from`: 1, or `Infinity` in a loop. */
  readonly times: number;
}

/** Machines for the same program are made often. */
const known = new WeakMap<Program, readonly Call[]>();

export function callsOf(program: Program): readonly Call[] {
  const calls = known.get(program) ?? findCalls(program);
  known.set(program, calls);
  return calls;
}

function findCalls(program: Program): readonly Call[] {
  const calls: Call[] = [];
  program.functions.forEach((func, from) => {
    const successors = successorsOf(func);
    func.blocks.forEach(({ body }, block) => {
      for (const i of body) {
        if (i.op !== 'call' && i.op !== 'spawn') continue;
        const to = i.callee.kind === 'function' ? i.callee.index : -1 - i.arguments.length;
        const times = isRepeated(successors, block) ? Number.POSITIVE_INFINITY : 1;
        calls.push({ from, to, spawns: i.op === 'spawn', times });
      }
    });
  });
  const pointers = new Set(calls.map(({ to }) => to).filter((to) => to < 0));
  // Of an address that is only compared, nothing can be called.
  const taken = addressTaken(program, (i) => i.op !== 'compare');
  for (const from of pointers) {
    for (const to of taken) {
      if (program.functions[to]!.parameters <= -1 - from) calls.push({ from, to, spawns: false, times: 1 });
    }
  }
  return calls;
}

/** Functions whose address is used other than to call them, or to start a thread with them, by name; in which instructions. */
export function addressTaken(
  { functions, globals }: Program,
  counts: (instruction: Instruction) => boolean = () => true,
): readonly number[] {
  const taken = new Set<number>();
  for (const { relocations = [] } of globals) {
    for (const { target } of relocations) if (target.kind === 'function') taken.add(target.index);
  }
  for (const { blocks } of functions) {
    for (const { body } of blocks) {
      for (const i of body) {
        if (!counts(i)) continue;
        const callee = i.op === 'call' || i.op === 'spawn' ? i.callee : undefined;
        forEachOperand(i, (operand) => {
          if (operand.kind === 'function' && operand !== callee) taken.add(operand.index);
        });
      }
    }
  }
  return [...taken];
}

/** Whether the block is on a cycle, and so may run more than once in one call. */
export function isRepeated(successors: readonly (readonly number[])[], block: number): boolean {
  const reached = new Set<number>();
  const waiting = [...successors[block]!];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === block) return true;
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...successors[next]!);
  }
  return false;
}
