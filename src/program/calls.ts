/** The calls in a program's text, including those through pointers. */
import { repeatedBlocks } from './cycles.ts';
import { forEachOperand, successorsOf } from './flow.ts';
import type { Instruction, Program } from './ir.ts';

/**
 * `from` and `to` are functions. A negative number -1-n stands for a pointer called with n arguments; it calls every
 * function whose address is taken and that has at most n parameters. The machine calls no other.
 */
export interface Call {
  readonly from: number;
  readonly to: number;
  readonly spawns: boolean;
  /** Times per run of `from`: 1, or `Infinity` in a loop. */
  readonly times: number;
}

/** Cached: many machines are made for the same program. */
const known = new WeakMap<Program, readonly Call[]>();

export function callsOf(program: Program): readonly Call[] {
  const calls = known.get(program) ?? findCalls(program);
  known.set(program, calls);
  return calls;
}

function findCalls(program: Program): readonly Call[] {
  const calls: Call[] = [];
  program.functions.forEach((func, from) => {
    const repeated = repeatedBlocks(successorsOf(func));
    func.blocks.forEach(({ body }, block) => {
      for (const i of body) {
        if (i.op !== 'call' && i.op !== 'spawn') continue;
        const to = i.callee.kind === 'function' ? i.callee.index : -1 - i.arguments.length;
        const times = repeated.has(block) ? Number.POSITIVE_INFINITY : 1;
        calls.push({ from, to, spawns: i.op === 'spawn', times });
      }
    });
  });
  const pointers = new Set(calls.map(({ to }) => to).filter((to) => to < 0));
  // An address that is only compared cannot be called.
  const taken = addressTaken(program, (i) => i.op !== 'compare');
  for (const from of pointers) {
    for (const to of taken) {
      if (program.functions[to]!.parameters <= -1 - from) calls.push({ from, to, spawns: false, times: 1 });
    }
  }
  return calls;
}

/**
 * Functions whose address is used for anything but a direct call or spawn, in a global or in an instruction that
 * `counts`.
 */
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
