/**
 * How many threads the executions of a program can have between them, from its text. Threads are told apart by their
 * names, so one execution's second thread is another's first if that did not create the first. The text tells the
 * count if `main` alone creates threads, and not in loops: then they are `0.1`, `0.2` and so on, at most one for each
 * time that a `spawn` can run.
 */
import { successorsOf } from './flow.ts';
import type { Operand, Program } from './ir.ts';

/** Where calls lead that name no function: to every function whose address is taken. */
const POINTER = -1;

interface Call {
  readonly from: number;
  readonly to: number;
  readonly spawns: boolean;
  /** Times per run of `from`: 1, or `Infinity` in a loop. */
  readonly times: number;
}

/** `Infinity` if the text does not tell. */
export function mostThreads(program: Program): number {
  const calls = callsOf(program);
  const spawns = calls.filter(({ spawns }) => spawns);
  if (spawns.length === 0) return program.roots.length;
  if (program.roots.length > 1 || leads(calls, spawns)) return Number.POSITIVE_INFINITY;
  return 1 + timesOf(calls, spawns, program.roots[0]!.function);
}

function callsOf({ functions, globals }: Program): readonly Call[] {
  const calls: Call[] = [];
  const taken = new Set<number>();
  for (const { relocations = [] } of globals) {
    for (const { target } of relocations) if (target.kind === 'function') taken.add(target.index);
  }
  functions.forEach((func, from) => {
    const successors = successorsOf(func);
    func.blocks.forEach(({ body }, block) => {
      for (const i of body) {
        const callee = i.op === 'call' || i.op === 'spawn' ? i.callee : undefined;
        for (const operand of Object.values(i).flat() as unknown[]) {
          if (isFunction(operand) && operand !== callee) taken.add(operand.index);
        }
        if (callee === undefined) continue;
        const to = callee.kind === 'function' ? callee.index : POINTER;
        const times = isRepeated(successors, block) ? Number.POSITIVE_INFINITY : 1;
        calls.push({ from, to, spawns: i.op === 'spawn', times });
      }
    });
  });
  for (const to of taken) calls.push({ from: POINTER, to, spawns: false, times: 1 });
  return calls;
}

function isFunction(value: unknown): value is Extract<Operand, { kind: 'function' }> {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'function';
}

/** Whether the block is on a cycle, and so may run more than once in one call. */
function isRepeated(successors: readonly (readonly number[])[], block: number): boolean {
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

/** Whether a created thread may create another. */
function leads(calls: readonly Call[], spawns: readonly Call[]): boolean {
  const reached = new Set<number>();
  const waiting = spawns.map(({ to }) => to);
  for (let func = waiting.pop(); func !== undefined; func = waiting.pop()) {
    if (reached.has(func)) continue;
    reached.add(func);
    for (const { from, to } of calls) if (from === func) waiting.push(to);
  }
  return spawns.some(({ from }) => reached.has(from));
}

/** How often these calls can run, all together. */
function timesOf(calls: readonly Call[], counted: readonly Call[], root: number): number {
  const known = new Map<number, number>();
  const runs = (func: number): number => {
    const before = known.get(func);
    if (before !== undefined) return before;
    // Asked for again before it is known: a cycle of calls.
    known.set(func, Number.POSITIVE_INFINITY);
    const count = sum(calls.filter(({ to }) => to === func)) + (func === root ? 1 : 0);
    known.set(func, count);
    return count;
  };
  const sum = (some: readonly Call[]): number =>
    some.reduce((total, { from, times }) => {
      const count = runs(from);
      // Not 0 × ∞.
      return count === 0 ? total : total + count * times;
    }, 0);
  return sum(counted);
}
