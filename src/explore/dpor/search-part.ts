/**
 * The part of a search that one `Dpor` explores: all of it, or a [job](./job.ts). The part is what lies below its root,
 * a node of the wakeup tree. The search goes down to that node first, through nodes that were loaded with the job.
 */
import type { ActionNames, Job, Proposals } from './job.ts';
import type { Arrival, LoadedNodes } from './loaded-nodes.ts';
import { loadJob, saveLevels } from './saved-search.ts';
import type { SearchStack } from './search-stack.ts';
import type { SearchLevel } from './search-state.ts';
import { SharedNodes } from './shared-nodes.ts';
import { NO_NODE, ROOT } from './wakeup-tree.ts';
import type { Wakeups } from './wakeups.ts';

/** The root has not been reached yet: all events are above it. */
const ABOVE = 0x7fffffff;
/** An unstarted job. */
const NOT_BEGUN: readonly SearchLevel[] = [{ finished: [], branches: [] }];

export class SearchPart {
  /** The job, if the search is one. */
  job: Job | undefined;
  /** Events before this one are above the root. */
  floor = 0;
  private root = ROOT;
  private readonly stack: SearchStack;
  /** What is known of the nodes loaded with the job. */
  private readonly loaded: LoadedNodes;
  private readonly wakeups: Wakeups;

  constructor(stack: SearchStack, loaded: LoadedNodes, wakeups: Wakeups) {
    this.stack = stack;
    this.loaded = loaded;
    this.wakeups = wakeups;
  }

  /** Loads the job. The search is at the initial state. */
  begin(job: Job, names: ActionNames, proposals: Proposals | undefined): void {
    const { stack, loaded, wakeups } = this;
    stack.clear();
    const shared = proposals === undefined ? undefined : new SharedNodes(stack.tree, names, proposals);
    loaded.clear();
    this.root = loadJob(stack, names, loaded, job, shared);
    wakeups.share(shared);
    this.job = job;
    this.floor = ABOVE;
    this.arrive(ROOT, loaded.arrivalAt(ROOT));
    if (this.root === ROOT) this.begins(0);
  }

  /** The search takes this node with a visible event. */
  enter(node: number, event: number): void {
    if (this.loaded.isEmpty) this.stack.addVisible(node, false);
    else this.enterLoaded(node);
    if (this.floor === ABOVE && node === this.root) this.begins(event + 1);
  }

  private enterLoaded(node: number): void {
    const arrival = this.loaded.arrivalAt(node);
    this.stack.addVisible(node, arrival?.isFree === true);
    this.arrive(node, arrival);
  }

  private arrive(node: number, arrival: Arrival | undefined): void {
    if (arrival !== undefined) {
      this.stack.addSleepers(arrival.sleepers);
      this.loaded.arrive(node);
    }
    this.skipDone(node, this.stack.length);
  }

  /** What is private to the part begins at this depth. */
  private begins(depth: number): void {
    this.floor = depth;
    this.wakeups.sharedEnd = depth;
  }

  /** A branch that other workers have explored goes to sleep when its turn comes. */
  skipDone(parent: number, depth: number): void {
    const { loaded, stack } = this;
    if (!loaded.hasDone) return;
    for (;;) {
      const node = stack.tree.firstChild(parent);
      if (node === NO_NODE || !loaded.isDone(node)) return;
      stack.finishUntaken(depth, stack.tree.action(node));
      loaded.removeFirstChild(parent);
    }
  }

  /** What is left of a job that has not been touched. */
  get untouched(): readonly SearchLevel[] {
    return this.job?.own ?? NOT_BEGUN;
  }

  /** What is left above depth `end` of the stack. */
  left(names: ActionNames, end: number): readonly SearchLevel[] {
    return saveLevels(this.stack, names, this.loaded, this.floor, end);
  }
}
