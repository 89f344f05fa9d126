/**
 * From a search to [plain data](./search-state.ts), and from a [job](./job.ts) to the tree that a search begins with.
 */
import type { ActionNames, Job } from './job.ts';
import type { LoadedNodes } from './loaded-nodes.ts';
import { INVISIBLE, type SearchStack } from './search-stack.ts';
import type { Branch, SearchLevel } from './search-state.ts';
import type { SharedNodes } from './shared-nodes.ts';
import { NO_NODE, ROOT } from './wakeup-tree.ts';

/** The levels from depth `from` to `end`, where the next execution branches off. */
export function saveLevels(
  stack: SearchStack,
  names: ActionNames,
  loaded: LoadedNodes,
  from: number,
  end: number,
): SearchLevel[] {
  const { tree, sleep } = stack;
  /** The branch at `node` and its later siblings. A branch may be thousands of actions long, so this has its own stack. */
  const print = (node: number): Branch[] => {
    const all: Branch[] = [];
    const left: { readonly first: number; readonly branches: Branch[] }[] = [{ first: node, branches: all }];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      for (let n = next.first; n !== NO_NODE; n = tree.next(n)) {
        const arrival = loaded.arrivalAt(n);
        const children: Branch[] = [];
        next.branches.push({
          action: names.print(tree.action(n)),
          children,
          ...(arrival === undefined ? {} : { isFree: arrival.isFree, finished: arrival.sleepers.map(names.print) }),
          ...(loaded.isDoneLeaf(n) ? { isDone: true } : {}),
        });
        left.push({ first: tree.firstChild(n), branches: children });
      }
    }
    return all;
  };
  const levels: SearchLevel[] = [];
  for (let depth = from; depth <= end; depth++) {
    const isPath = depth < end;
    if (isPath && stack.nodeAt(depth) === INVISIBLE) continue;
    const first = tree.firstChild(depth < stack.length ? stack.parentAt(depth) : stack.parent);
    const finished = sleep.words.subarray(stack.finishedStart(depth), stack.sleepEnd(depth));
    levels.push({
      finished: Array.from(finished, names.print),
      ...(isPath ? { step: names.print(tree.action(first)), isFree: !stack.isPrescribed(depth) } : {}),
      branches: print(isPath ? tree.next(first) : first),
    });
  }
  return levels;
}

/** Fills the empty tree of a search with a job. Returns the node from which the tree is private. */
export function loadJob(
  stack: SearchStack,
  names: ActionNames,
  loaded: LoadedNodes,
  job: Job,
  shared: SharedNodes | undefined,
): number {
  const { tree } = stack;
  const addBranches = (root: number, all: readonly Branch[]): void => {
    const left: { readonly parent: number; readonly branches: readonly Branch[] }[] = [{ parent: root, branches: all }];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      let last = NO_NODE;
      for (const { action, children, isFree, finished = [], isDone } of next.branches) {
        last = tree.addAfter(next.parent, last, names.parse(action));
        if (isDone === true) loaded.noteDone(last);
        if (isFree === true || finished.length > 0)
          loaded.expect(last, { sleepers: finished.map(names.parse), isFree: isFree === true });
        left.push({ parent: last, branches: children });
      }
    }
  };
  let node = ROOT;
  let isFree = false;
  for (const { node: id, older, step, younger, children } of job.shared) {
    loaded.expect(node, { sleepers: older.map(names.parse), isFree });
    shared!.note(node, id, children);
    const next = tree.addChild(node, names.parse(step));
    shared!.addBranches(node, younger);
    node = next;
  }
  const root = node;
  isFree = true;
  for (const level of job.own ?? []) {
    loaded.expect(node, { sleepers: level.finished.map(names.parse), isFree });
    const next = level.step === undefined ? NO_NODE : tree.addChild(node, names.parse(level.step));
    addBranches(node, level.branches);
    node = next;
    isFree = level.isFree === true;
  }
  return root;
}
