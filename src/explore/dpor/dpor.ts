/**
 * Dynamic partial order reduction: [ODPOR] Alg. 2, Optimal-DPOR, explores every trace exactly once; Alg. 1,
 * Source-DPOR, every trace at least once. The [dependence](./dependence.ts) defines traces. Alg. 2, restated; the line
 * numbers are ours:
 *
 *   paper                                          here
 *   l. 1   Explore(E, Sleep, WuT)                  one level of the [stack](./search-stack.ts) for every event
 *   l. 2   if enabled(s_[E]) = ∅                   `pick` answers `NO_STEP`, and the loop calls `endExecution`
 *   l. 3–7 races, v, insert_[E'](v, wut(E'))       `endExecution`: [wakeups.ts](./wakeups.ts)
 *   l. 9–10  wut(E) := WuT                         nothing to do: all levels share one tree
 *   l. 12  choose p ∈ enabled(s_[E])               `pick`: [new-steps.ts](./new-steps.ts)
 *   l. 13  wut(E) := ⟨{p}, ∅⟩                      `pick` adds a child
 *   l. 14  sleep(E) := Sleep                       `SearchStack.sleep`
 *   l. 15–16 p = min_≺ {p ∈ wut(E)}                `pick` takes the first child
 *   l. 17  Sleep' := {q ∈ sleep(E) | E ⊢ p ◇ q}    `observe`: `SearchStack.addVisible`
 *   l. 18  WuT' = subtree(wut(E), p)               going down takes the subtree along
 *   l. 19  Explore(E.p, Sleep', WuT')              the loop takes the step and calls `observe`
 *   l. 20–21 p sleeps, p.w leaves wut(E)           `beginExecution`: `SearchStack.finish`
 *
 * In Alg. 1, backtrack(E) is wut(E) with sequences of one step, races are examined in the same place, and l. 4 leaves
 * out sleeping processes: `skipSleeping`.
 *
 * Deviations
 *   - recursion is an explicit stack, so that a search can be [saved](./saved-search.ts) and resumed.
 *   - the search may be a [part](./search-part.ts) of one: then it stays below a node, and proposes what belongs above.
 *   - invisible steps run as soon as they are enabled, and are in no set and no tree (Lemma 5, Lemma 6 for joins).
 *   - a step with choices is one step per choice; where one is taken, the others wait in the tree beside it.
 *   - an exit runs when nothing else can (Lemma 9).
 *
 * The lemmas are in [decision 16](../../../docs/decisions/0016-dependence.md). Each shortcut has a switch in
 * [shortcuts.ts](./shortcuts.ts).
 */
import type { Runnable, Step } from '../runnable.ts';
import { type ABANDON, NO_STEP, type Strategy } from '../strategy.ts';
import { type Dependence, NO_ACTION } from './dependence.ts';
import { Explored } from './explored.ts';
import type { ActionNames, Job, Proposals } from './job.ts';
import { LateJoins, LOOK_AT_ALL } from './late-joins.ts';
import { LoadedNodes } from './loaded-nodes.ts';
import { NewSteps } from './new-steps.ts';
import type { NextSteps } from './next-steps.ts';
import { SearchPart } from './search-part.ts';
import { INVISIBLE, SearchStack } from './search-stack.ts';
import type { DporMode, SearchLevel } from './search-state.ts';
import { ALL_SHORTCUTS, type Shortcuts } from './shortcuts.ts';
import { NO_NODE } from './wakeup-tree.ts';
import { Wakeups } from './wakeups.ts';

const NOT_KNOWN = -2;
/** The search cannot be divided by these orders: they are not decided in every execution. */
export class NotByOrders extends Error {
  override readonly name = 'NotByOrders';
}

/** What the search runs, and what it knows about it. */
export interface Reducible {
  readonly runnable: Runnable;
  readonly next: NextSteps;
  readonly dependence: Dependence;
}

export class Dpor implements Strategy {
  readonly name: DporMode;
  readonly looksForSteps = true;
  readonly incomplete = undefined;
  readonly stack: SearchStack;
  private readonly runnable: Runnable;
  private readonly next: NextSteps;
  private readonly dependence: Dependence;
  private readonly shortcuts: Shortcuts;
  private readonly newSteps: NewSteps;
  private readonly joins: LateJoins;
  private readonly wakeups: Wakeups;
  private readonly explored = new Explored();
  private readonly part: SearchPart;
  private readonly loaded: LoadedNodes;
  /** Executions that got stuck because of the orders of a job. */
  stuck = 0;
  /** The node of the step that was picked, and how many choices its process had. */
  private picked = INVISIBLE;
  private ways = 1;
  /** Where the next execution branches off, if already known. */
  private branch = 0;
  private inExecution = false;
  /** Executions so far. */
  private begun = 0;
  /** Events kept from the previous execution. */
  private kept = 0;
  constructor({ runnable, next, dependence }: Reducible, mode: DporMode, shortcuts: Shortcuts = ALL_SHORTCUTS) {
    this.name = mode;
    this.runnable = runnable;
    this.next = next;
    this.dependence = dependence;
    this.shortcuts = shortcuts;
    this.stack = new SearchStack(dependence);
    this.newSteps = new NewSteps(next, this.stack, shortcuts);
    this.joins = new LateJoins(next);
    this.loaded = new LoadedNodes(this.stack.tree);
    this.wakeups = new Wakeups(dependence, this.stack, mode, shortcuts, this.loaded);
    this.part = new SearchPart(this.stack, this.loaded, this.wakeups);
  }

  // ---- backtracking

  beginExecution(): number {
    const depth = this.retreat();
    this.branch = NOT_KNOWN;
    this.inExecution = depth >= 0;
    if (depth >= 0 && this.begun > 0) this.explored.finishBranch(depth, this.begun);
    this.begun++;
    this.newSteps.isStuck = false;
    return depth;
  }

  /** Drops what has been explored and backtracks to where the next execution branches off; -1 if there is none. */
  private retreat(): number {
    if (this.branch === NOT_KNOWN) this.branch = this.findBranch();
    return this.branch;
  }

  /** The deepest depth at which the tree has another branch (l. 15). */
  private findBranch(): number {
    const { stack, part, loaded } = this;
    for (let depth = stack.length - 1; depth >= part.floor; depth--) {
      if (stack.nodeAt(depth) === INVISIBLE) continue;
      stack.finish(depth);
      if (!loaded.isEmpty) part.skipDone(stack.parentAt(depth), depth);
      if (this.skipSleeping(stack.parentAt(depth), depth) === NO_NODE) continue;
      this.goBack(depth);
      return depth;
    }
    stack.rollback(0);
    return -1;
  }

  private goBack(depth: number): void {
    this.stack.rollback(depth);
    this.kept = depth;
    this.joins.forget();
    this.newSteps.forget();
    this.next.forget();
    this.dependence.rollback(depth);
  }

  /** Source sets may contain sleeping steps: removes them. Returns the first child that is left. */
  private skipSleeping(parent: number, depth: number): number {
    const { stack, dependence } = this;
    const { tree } = stack;
    let node = tree.firstChild(parent);
    if (this.name !== 'source') return node;
    while (node !== NO_NODE && stack.isAsleep(dependence.actions.step(tree.action(node)), depth)) {
      tree.removeFirstChild(parent);
      node = tree.firstChild(parent);
    }
    return node;
  }

  // ---- going forward

  pick(): Step | typeof ABANDON | typeof NO_STEP {
    const { next, stack, joins, newSteps } = this;
    const { tree } = stack;
    // Keep the rest of the tree for later executions.
    if (this.runnable.isOver) return NO_STEP;
    if (joins.areRunning) {
      const answer = joins.next();
      if (answer !== LOOK_AT_ALL) return answer;
    }
    const node = tree.firstChild(stack.parent);
    const invisible = next.invisible(node !== NO_NODE || !this.shortcuts.lateJoins);
    if (invisible >= 0) {
      this.picked = INVISIBLE;
      return invisible;
    }
    if (node !== NO_NODE) return this.takeBranch(node);
    const step = newSteps.choose();
    if (step < 0 || newSteps.isExit) {
      const join = joins.begin(step);
      this.picked = INVISIBLE;
      if (join >= 0) return join;
      if (step < 0 || this.shortcuts.lateExits) return step;
    }
    this.ways = newSteps.ways;
    this.picked = tree.addChild(stack.parent, NO_ACTION);
    this.dependence.prepare(step);
    return step;
  }

  private takeBranch(node: number): Step {
    const step = this.dependence.actions.step(this.stack.tree.action(node));
    this.picked = node;
    this.ways = this.next.ways(step);
    if (this.ways === 0) throw new Error('a step of the wakeup tree cannot be taken where its turn comes');
    this.dependence.prepare(step);
    return step;
  }

  observe(event: number): void {
    // A late join matters only if something else follows, and then all threads are examined.
    if (this.joins.areRunning) return;
    this.newSteps.observe(this.next.observe(event));
    if (this.picked !== INVISIBLE) this.enter(event);
  }

  /** Enters a visible event, and the invisible ones before it. Trailing invisible events need no entry. */
  private enter(event: number): void {
    if (this.stack.length < event) this.catchUp(event);
    this.dependence.observe(event);
    this.part.enter(this.picked, event);
    if (this.ways > 1) this.wakeups.insertOtherWays(event, this.ways);
  }

  /** Enters the invisible events before number `end`. */
  catchUp(end: number): void {
    const { dependence, stack } = this;
    for (let event = stack.length; event < end; event++) {
      // It may already have been observed for another purpose.
      if (event === dependence.length) dependence.observe(event);
      stack.addInvisible();
    }
  }

  endExecution(hasFailed = false): void {
    this.inExecution = false;
    // Other users of the dependence may have observed events that have been rolled back since.
    this.dependence.rollback(this.runnable.depth);
    if (this.newSteps.isStuck) this.stuck++;
    // With an error, the parts are not added up anyway, and the error must be reported.
    else if (!hasFailed && this.part.job?.orders !== undefined && !this.dependence.ordersHold())
      throw new NotByOrders();
    this.wakeups.insertAll(this.kept);
  }

  // ---- progress

  /** Estimates how many executions there will be in all; see `Explored`. */
  estimate(): number {
    return this.explored.estimate(this.begun, this.stack.length, (depth) => this.stack.openAt(depth));
  }

  // ---- parts of a search

  /** Starts or continues this job from the initial state. What belongs above it is proposed. */
  begin(job: Job, names: ActionNames, proposals?: Proposals): void {
    this.goBack(0);
    this.part.begin(job, names, proposals);
    this.branch = 0;
    this.begun = 0;
    this.stuck = 0;
    this.inExecution = false;
  }

  /** Nothing is left to do. */
  end(): void {
    this.branch = -1;
  }

  /** What is left of the search, or of its job; empty once it is done. An unfinished execution counts as unexplored. */
  left(names: ActionNames): readonly SearchLevel[] {
    const { part, inExecution, begun } = this;
    if (part.job !== undefined && begun < 2 && (inExecution || begun === 0)) return part.untouched;
    const end = inExecution ? this.kept : this.retreat();
    return end < 0 ? [] : part.left(names, end);
  }
}
