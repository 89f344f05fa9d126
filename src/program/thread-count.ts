/**
 * A static bound on the number of different threads in all executions of a program. Threads are identified by their
 * names, which count the threads created so far: the thread of a second `spawn` is `0.2` or, in an execution that skips
 * the first, `0.1`. There is a bound if only `main` creates threads, and not in loops: they are then `0.1`, `0.2` and
 * so on, at most one for each time that a `spawn` can run.
 */
import { type Call, callsOf } from './calls.ts';
import type { Program } from './ir.ts';

/** `Infinity` if there is no static bound. */
export function mostThreads(program: Program): number {
  const calls = callsOf(program);
  const spawns = calls.filter(({ spawns }) => spawns);
  if (spawns.length === 0) return program.roots.length;
  if (program.roots.length > 1 || leads(calls, spawns)) return Number.POSITIVE_INFINITY;
  return 1 + timesOf(calls, spawns, program.roots[0]!.function);
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

/** How often these calls can run in total. */
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
