/**
 * Searches can be saved as [plain data](./search-state.ts) and resumed on another instance of the same system. Steps
 * are saved by name; their effects are found again by taking them.
 */
import type { StepNames } from '../runnable.ts';
import { type Dependence, NO_ACTION } from './dependence.ts';
import type { Dpor, Reducible } from './dpor.ts';
import { INVISIBLE } from './search-stack.ts';
import type { Branch, SearchLevel, SearchState } from './search-state.ts';
import { NO_NODE } from './wakeup-tree.ts';

/** The work that is left; an unfinished execution is left as a whole. */
export function saveSearch(dpor: Dpor, dependence: Dependence, names: StepNames): SearchState {
  const { stack } = dpor;
  const { tree } = stack;
  const print = (action: number): string => names.print(dependence.actions.step(action));
  /** The branch at `node` and its later siblings. */
  const printBranches = (node: number): Branch[] => {
    const branches: Branch[] = [];
    for (let n = node; n !== NO_NODE; n = tree.next(n)) {
      branches.push({ step: print(tree.action(n)), children: printBranches(tree.firstChild(n)) });
    }
    return branches;
  };
  const end = dpor.resumeDepth();
  const levels: SearchLevel[] = [];
  for (let depth = 0; depth <= end; depth++) {
    const isPath = depth < end;
    if (isPath && stack.nodeAt(depth) === INVISIBLE) continue;
    const first = tree.firstChild(depth < stack.length ? stack.parentAt(depth) : stack.parent);
    const sleeping = stack.sleep.words.subarray(stack.sleepStart(depth), stack.sleepEnd(depth));
    levels.push({
      depth,
      sleep: Array.from(sleeping, print),
      branches: printBranches(isPath ? tree.next(first) : first),
    });
  }
  return { strategy: dpor.name, prefix: names.printTaken(Math.max(end, 0)), levels };
}

/** Fills a new search, on a fresh instance of the system, with the work that was left. */
export function resumeSearch(dpor: Dpor, system: Reducible, names: StepNames, state: SearchState): void {
  dpor.resumeAt(-1);
  if (state.levels.length === 0) return;
  const { stack } = dpor;
  const { runnable } = system;
  const prefix = names.parse(state.prefix);
  const levels = new Map(state.levels.map((level) => [level.depth, level]));
  for (let depth = 0; depth <= prefix.length; depth++) {
    const level = levels.get(depth);
    dpor.catchUp(depth);
    const isPath = depth < prefix.length;
    let node = INVISIBLE;
    if (level !== undefined) {
      if (isPath) node = stack.tree.addChild(stack.parent, NO_ACTION);
      addBranches(dpor, system, names, stack.parent, level.branches);
      for (const step of level.sleep) stack.sleep.push(probe(system, names, step, () => {}));
      stack.endSleep(depth);
    }
    if (!isPath) break;
    system.dependence.prepare(prefix[depth]!);
    runnable.step(prefix[depth]!);
    dpor.resume(depth, node);
  }
  dpor.resumeAt(prefix.length);
}

function addBranches(
  dpor: Dpor,
  system: Reducible,
  names: StepNames,
  parent: number,
  branches: readonly Branch[],
): void {
  const { tree } = dpor.stack;
  for (const { step, children } of branches) {
    const node = tree.addChild(parent, NO_ACTION);
    tree.setAction(
      node,
      probe(system, names, step, () => addBranches(dpor, system, names, node, children)),
    );
  }
}

/** Finds the action of a step: takes it, lets `beyond` look further, and rolls back. */
function probe({ runnable, dependence, next }: Reducible, names: StepNames, text: string, beyond: () => void): number {
  const { depth } = runnable;
  const taken = names.parse(text)[0]!;
  dependence.prepare(taken);
  runnable.step(taken);
  dependence.observe(depth);
  const action = dependence.action(depth);
  for (let step = next.invisible(true); step >= 0; step = next.invisible(true)) {
    runnable.step(step);
    dependence.observe(runnable.depth - 1);
  }
  beyond();
  dependence.rollback(depth);
  runnable.rollback(depth);
  next.forget();
  return action;
}
