/**
 * The stack of the search: what [ODPOR] Alg. 2 keeps for every prefix E of the current execution.
 *
 *   paper            here
 *   E                the first `depth` events
 *   sleep(E)         a range of `sleep`, from `sleepStart` to `sleepEnd`
 *   wut(E)           the children of `parentAt(depth)` in the `tree`, the first of which is the current execution
 *
 * Invisible events have a depth too, but are in no tree: they share the sleep set and tree of the previous depth.
 */
import { IntVector, larger } from '../../util/int-vector.ts';
import { processOf, type Step } from '../runnable.ts';
import type { Dependence } from './dependence.ts';
import { VisibleEvents } from './visible-events.ts';
import { NO_NODE, ROOT, WakeupTree } from './wakeup-tree.ts';

/** In place of a node: the event is in no tree. */
export const INVISIBLE = -1;

// Words of a depth.
const D_NODE = 0; // of the event taken there
const D_PARENT = 1; // the node of the last visible event before it
const D_SLEEP = 2; // where its sleep set begins, and ends
const D_SLEEP_END = 3;
const D_FINISHED = 4; // where, in its sleep set, the steps begin that were finished here
const D_PRESCRIBED = 5; // whether something was prescribed below the event when it was entered
const DEPTH_WORDS = 6;

export class SearchStack {
  readonly tree: WakeupTree = new WakeupTree();
  readonly visible: VisibleEvents = new VisibleEvents();
  /** Sleeping actions, one range per depth. */
  readonly sleep: IntVector = new IntVector();
  /** The node of the last visible event. */
  parent: number = ROOT;
  /** `DEPTH_WORDS` for every event, and for the depth after the last one. */
  private depths = new Int32Array(DEPTH_WORDS * 128);
  private readonly dependence: Dependence;

  constructor(dependence: Dependence) {
    this.dependence = dependence;
  }

  /** Events entered. */
  get length(): number {
    return this.visible.length;
  }

  nodeAt(depth: number): number {
    return this.depths[depth * DEPTH_WORDS + D_NODE]!;
  }
  parentAt(depth: number): number {
    return this.depths[depth * DEPTH_WORDS + D_PARENT]!;
  }
  sleepStart(depth: number): number {
    return this.depths[depth * DEPTH_WORDS + D_SLEEP]!;
  }
  sleepEnd(depth: number): number {
    return this.depths[depth * DEPTH_WORDS + D_SLEEP_END]!;
  }

  /**
   * Where, in the sleep set of the depth, the steps begin that were finished there; those before it slept on arrival.
   */
  finishedStart(depth: number): number {
    return this.depths[depth * DEPTH_WORDS + D_FINISHED]!;
  }
  /** Whether more than the event itself had been prescribed when it was entered. */
  isPrescribed(depth: number): boolean {
    return this.depths[depth * DEPTH_WORDS + D_PRESCRIBED] !== 0;
  }

  /** The number of branches left at a depth, including the current one. */
  openAt(depth: number): number {
    if (this.nodeAt(depth) === INVISIBLE) return 1;
    const { tree } = this;
    let open = 0;
    for (let node = tree.firstChild(this.parentAt(depth)); node !== NO_NODE; node = tree.next(node)) open++;
    return open;
  }

  /** Puts further actions to sleep at the depth after the last event. */
  addSleepers(actions: readonly number[]): void {
    const at = this.visible.length * DEPTH_WORDS;
    this.sleep.length = this.depths[at + D_SLEEP_END]!;
    for (const action of actions) this.sleep.push(action);
    this.depths[at + D_SLEEP_END] = this.sleep.length;
  }

  /** Enters an invisible event. */
  addInvisible(): void {
    const at = this.add(INVISIBLE);
    const { depths } = this;
    this.visible.add(false, 0);
    depths[at + DEPTH_WORDS + D_SLEEP] = depths[at + D_SLEEP]!;
    depths[at + DEPTH_WORDS + D_SLEEP_END] = depths[at + D_SLEEP_END]!;
    depths[at + DEPTH_WORDS + D_FINISHED] = depths[at + D_FINISHED]!;
  }

  /** Enters the visible event of this node. `isFree`: nothing was prescribed below the node. */
  addVisible(node: number, isFree: boolean): void {
    const { dependence, tree, visible } = this;
    const event = visible.length;
    const at = this.add(node);
    this.depths[at + D_PRESCRIBED] = isFree || tree.firstChild(node) === NO_NODE ? 0 : 1;
    const action = dependence.action(event);
    visible.add(true, processOf(dependence.actions.step(action)));
    tree.setAction(node, action);
    this.parent = node;
    this.keepSleeping(event, action, at);
  }

  /** Alg. 2 l. 17: Sleep' := {q ∈ sleep(E) | E ⊢ p ◇ q}, where p has just produced `event`. */
  private keepSleeping(event: number, action: number, at: number): void {
    const { sleep, depths, dependence } = this;
    const start = depths[at + D_SLEEP]!;
    const end = depths[at + D_SLEEP_END]!;
    sleep.length = end;
    depths[at + DEPTH_WORDS + D_SLEEP] = end;
    depths[at + DEPTH_WORDS + D_SLEEP_END] = end;
    depths[at + DEPTH_WORDS + D_FINISHED] = end;
    if (start === end) return;
    const { actions } = dependence;
    const process = processOf(actions.step(action));
    for (let i = start; i < end; i++) {
      const sleeping = sleep.words[i]!;
      if (processOf(actions.step(sleeping)) === process) continue;
      if (!dependence.wakes(event, action, sleeping)) sleep.push(sleeping);
    }
    depths[at + DEPTH_WORDS + D_SLEEP_END] = sleep.length;
    depths[at + DEPTH_WORDS + D_FINISHED] = sleep.length;
  }

  /** Whether the step sleeps at this depth. */
  isAsleep(step: Step, depth: number): boolean {
    const { depths } = this;
    const { actions } = this.dependence;
    const { words } = this.sleep;
    const end = depths[depth * DEPTH_WORDS + D_SLEEP_END]!;
    for (let i = depths[depth * DEPTH_WORDS + D_SLEEP]!; i < end; i++) {
      if (actions.step(words[i]!) === step) return true;
    }
    return false;
  }

  private add(node: number): number {
    const at = this.visible.length * DEPTH_WORDS;
    // Room for the depth after it, too.
    if (at + 2 * DEPTH_WORDS > this.depths.length) this.depths = larger(this.depths);
    this.depths[at + D_NODE] = node;
    this.depths[at + D_PARENT] = this.parent;
    return at;
  }

  /** Alg. 2 l. 20–21: the step taken at this depth now sleeps and leaves the tree. */
  finish(depth: number): void {
    const { sleep, tree, depths } = this;
    const at = depth * DEPTH_WORDS;
    sleep.length = depths[at + D_SLEEP_END]!;
    sleep.push(tree.action(depths[at + D_NODE]!));
    depths[at + D_SLEEP_END] = sleep.length;
    tree.removeFirstChild(depths[at + D_PARENT]!);
  }

  /** Other workers have explored this action at this depth: it sleeps, too. */
  finishUntaken(depth: number, action: number): void {
    const { sleep, depths } = this;
    const at = depth * DEPTH_WORDS;
    sleep.length = depths[at + D_SLEEP_END]!;
    sleep.push(action);
    depths[at + D_SLEEP_END] = sleep.length;
  }

  /** Forgets everything. */
  clear(): void {
    this.rollback(0);
    this.tree.clear();
    this.parent = ROOT;
    this.sleep.clear();
    this.depths.fill(0, 0, DEPTH_WORDS);
  }

  /** Forgets all events from number `depth` on. */
  rollback(depth: number): void {
    if (depth < this.visible.length) this.parent = this.parentAt(depth);
    this.visible.rollback(depth);
  }
}
