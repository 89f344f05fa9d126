/**
 * Dynamic partial order reduction over chronological traces: every Shasha–Snir trace, and with `optimal` each exactly
 * once ([ODPOR] Alg. 1 Source-DPOR and Alg. 2 Optimal-DPOR; [NIDHUGG] Fig. 11–12 for store buffers).
 *
 *   paper                          here
 *   E                              the machine's events so far
 *   enabled(E)                     `steps`
 *   sleep(E)                       `sleep`, one stretch per depth
 *   wut(E), backtrack(E)           the children of the node of the last visible event ([wakeup-tree.ts](wakeup-tree.ts))
 *   e ≲_E e'                       `HappensBefore.races`
 *   pre(E, e)                      the first `e` events
 *   v = notdep(e, E).proc(e')      `sequence` ([wakeup-sequence.ts](wakeup-sequence.ts)), from `makeSequence`
 *   I_{E'}(v), WI_{E'}(v)          its `initials`, `isWeakInitial`
 *   insert_{E'}(v, wut(E'))        `insert`
 *   ≺                              children in order; a new step is the first in the machine's order: threads by number,
 *                                  the buffers of each before it
 *
 * Processes are threads and store buffers. Races are taken at the end of every maximal execution, all of them: a new
 * suffix changes the sequence of a race in the kept prefix, unless all of the suffix happens after its first event.
 *
 * Deviations
 *   - steps that nobody can tell the time of (a store entering the own buffer, a fence that need not wait any more,
 *     creating and joining threads) run as soon as they can and are in no set and no tree.
 *   - a step with choices is one step per choice; where one is taken, the others wait in the tree beside it.
 *   - `exit` runs when nothing else can: whatever it would cut off has been seen by then.
 */
import * as ev from '../../machine/event.ts';
import { FINISHED, RUNNABLE, T_HEAD, T_STATUS } from '../../machine/layout.ts';
import type { Machine } from '../../machine/machine.ts';
import { EXIT_NEXT, JOIN_NEXT, NextOperations, VISIBLE_NEXT } from '../../machine/next-operation.ts';
import { processOf, type Step, stepOf } from '../../machine/process.ts';
import { NO_OWN_STORE, WRITES } from '../../trace/actions.ts';
import { HappensBefore } from '../../trace/happens-before.ts';
import { IntVector, larger } from '../../util/int-vector.ts';
import { parseSchedule, printSchedule, scheduleOf } from '../schedule.ts';
import { ABANDON, NO_STEP, type Strategy } from '../strategy.ts';
import { Explored } from './explored.ts';
import { InvisibleSteps } from './invisible-steps.ts';
import type { Branch, DporMode, SearchLevel, SearchState } from './search-state.ts';
import { ALL_SHORTCUTS, type Shortcuts } from './shortcuts.ts';
import { NO_EVENT, VisibleEvents } from './visible-events.ts';
import { NO_ACTION, WakeupSequence } from './wakeup-sequence.ts';
import { NO_NODE, ROOT, WakeupTree } from './wakeup-tree.ts';

/** In the path: an event that is in no tree. */
const INVISIBLE = -1;
const NOT_KNOWN = -2;

// Words of a depth.
const D_NODE = 0; // of the event that was taken there
const D_PARENT = 1; // the node of the last visible event before it
const D_SLEEP = 2; // where what sleeps there begins, and ends
const D_SLEEP_END = 3;
const DEPTH_WORDS = 4;

/** Later than every event. */
const NEVER = 0x7fffffff;

export class Dpor implements Strategy {
  readonly name: DporMode;
  readonly looksForSteps = true;
  readonly incomplete: string | undefined = undefined;
  readonly happensBefore: HappensBefore;
  readonly tree: WakeupTree = new WakeupTree();
  private readonly machine: Machine;
  private readonly shortcuts: Shortcuts;
  /** `DEPTH_WORDS` for every event, and for the depth after the last one. */
  private depths = new Int32Array(DEPTH_WORDS * 128);
  private readonly visible = new VisibleEvents();
  /** The node of the last visible event. */
  private parent = ROOT;
  /** Actions asleep, a stretch for every depth. */
  private readonly sleep = new IntVector();
  /** The node of the step that was picked, and in how many ways its process could have gone on. */
  private picked = INVISIBLE;
  private choices = 1;
  private isExit = false;
  /** The thread that took the last step, if that was a join because nothing else was left to do. */
  private joining = -1;
  /** What `pick` answers if that thread has ended then, as no other can join: `ABANDON` or `NO_STEP`; else anything else. */
  private afterJoins = 0;
  private readonly operations: NextOperations;
  private readonly invisible: InvisibleSteps;
  /** Of the thread being looked at. */
  private readonly steps = new IntVector();
  /** Where the next execution branches off, if that is known already. */
  private next = 0;
  private inExecution = false;
  /** Executions so far. */
  private begun = 0;
  private readonly explored = new Explored();
  /** How many events of which thread have come last. */
  private streak = 0;
  private streakThread = -1;
  /** Events kept from the previous execution. */
  private kept = 0;
  /** Of the race being looked at. */
  private readonly sequence: WakeupSequence;
  private readonly initials = new IntVector();
  private common = new Int32Array(8);
  /**
   * Per race: if something that slept covers it, the event by which that ran later; `NEVER` otherwise, as `covered` for the
   * race being looked at.
   */
  private coveredUntil = new Int32Array(64).fill(NEVER);
  private covered = NEVER;

  constructor(machine: Machine, mode: DporMode, shortcuts: Shortcuts = ALL_SHORTCUTS) {
    this.name = mode;
    this.machine = machine;
    this.shortcuts = shortcuts;
    this.happensBefore = new HappensBefore(machine, { everyAction: !shortcuts.invisibleSteps });
    this.operations = new NextOperations(machine, shortcuts.invisibleSteps);
    this.invisible = new InvisibleSteps(machine, this.operations);
    this.sequence = new WakeupSequence(this.happensBefore, this.visible, shortcuts.accessLists);
  }

  // ---- one execution

  beginExecution(): number {
    const depth = this.retreat();
    this.next = NOT_KNOWN;
    this.inExecution = depth >= 0;
    if (depth >= 0 && this.begun > 0) this.explored.finishBranch(depth, this.begun);
    this.begun++;
    return depth;
  }

  /** About how many executions there will be in all; see `Explored`. Looks at all of the present execution. */
  estimate(): number {
    const { tree, depths, visible } = this;
    return this.explored.estimate(this.begun, visible.length, (depth) => {
      const at = depth * DEPTH_WORDS;
      if (depths[at + D_NODE] === INVISIBLE) return 1;
      let open = 0;
      for (let node = tree.firstChild(depths[at + D_PARENT]!); node !== NO_NODE; node = tree.next(node)) open++;
      return open;
    });
  }

  /** Gives up what has been explored and goes back to where the next execution branches off; -1 if there is none. */
  private retreat(): number {
    if (this.next === NOT_KNOWN) this.next = this.findNext();
    return this.next;
  }

  private findNext(): number {
    const { visible, depths, tree, sleep } = this;
    for (let depth = visible.length - 1; depth >= 0; depth--) {
      const at = depth * DEPTH_WORDS;
      const node = depths[at + D_NODE]!;
      if (node === INVISIBLE) continue;
      const parent = depths[at + D_PARENT]!;
      sleep.length = depths[at + D_SLEEP_END]!;
      sleep.push(tree.action(node));
      depths[at + D_SLEEP_END] = sleep.length;
      tree.removeFirstChild(parent);
      if (this.skipSleeping(parent, depth) === NO_NODE) continue;
      this.goBack(depth, parent);
      return depth;
    }
    visible.rollback(0);
    return -1;
  }

  private goBack(depth: number, parent: number): void {
    this.visible.rollback(depth);
    this.parent = parent;
    this.streak = 0;
    this.joining = -1;
    this.kept = depth;
    this.invisible.forget();
    this.happensBefore.rollback(depth);
  }

  /** Source sets may contain steps that sleep: leaves them out. The first child that is left. */
  private skipSleeping(parent: number, depth: number): number {
    const { tree } = this;
    let node = tree.firstChild(parent);
    while (
      this.name === 'source' &&
      node !== NO_NODE &&
      this.isAsleep(this.happensBefore.actions.step(tree.action(node)), depth)
    ) {
      tree.removeFirstChild(parent);
      node = tree.firstChild(parent);
    }
    return node;
  }

  pick(): Step | typeof ABANDON | typeof NO_STEP {
    const { machine, tree } = this;
    // Whatever the tree has for later.
    if (machine.isOver) return NO_STEP;
    // Nothing else was left to do before the last join, and that has changed nothing for other threads.
    if (this.joining >= 0) {
      if (this.canJoin(this.joining)) return stepOf(this.joining);
      const hasEnded = machine.threads.get(this.joining, T_STATUS) === FINISHED;
      this.joining = -1;
      if (hasEnded && this.afterJoins < 0) return this.afterJoins;
    }
    const node = tree.firstChild(this.parent);
    const invisible = this.invisible.find(node !== NO_NODE || !this.shortcuts.lateJoins);
    if (invisible >= 0) {
      this.picked = INVISIBLE;
      return invisible;
    }
    if (node !== NO_NODE) {
      this.picked = node;
      const step = this.happensBefore.actions.step(tree.action(node));
      if (!machine.canTake(step)) throw new Error('a step of the wakeup tree cannot be taken where its turn comes');
      this.choices = this.choicesOf(step);
      return step;
    }
    const step = this.chooseNew(this.visible.length);
    if (step < 0 || this.isExit) {
      const join = this.invisible.find(true);
      if (join >= 0) {
        this.picked = INVISIBLE;
        this.joining = processOf(join);
        this.afterJoins = this.invisible.count === 1 ? step : 0;
        return join;
      }
      if (step < 0) return step;
    }
    this.picked = this.isExit ? INVISIBLE : tree.addChild(this.parent, NO_ACTION);
    return step;
  }

  private canJoin(thread: number): boolean {
    const { machine } = this;
    return this.operations.of(thread) === JOIN_NEXT && machine.choices(thread) > 0;
  }

  /** In how many ways the step's process could go on. */
  private choicesOf(step: Step): number {
    const process = processOf(step);
    return this.machine.processes.isThread(process) ? this.machine.choices(process) : 1;
  }

  /**
   * The first step that does not sleep; of another thread if one has been going on alone for long; an exit if nothing
   * else could be done. No invisible one: those that can be taken have been. What sleeps is that of the depth after the last
   * visible event.
   */
  private chooseNew(depth: number): Step | typeof ABANDON | typeof NO_STEP {
    const { machine, steps } = this;
    this.isExit = false;
    let exit = NO_STEP;
    let chosen = NO_STEP;
    const count = machine.processes.threadCount;
    const { threads } = machine;
    for (let thread = 0; thread < count; thread++) {
      if (threads.get(thread, T_STATUS) !== RUNNABLE && threads.get(thread, T_HEAD) === 0) continue;
      steps.clear();
      machine.addCommits(thread, steps);
      const commits = steps.length;
      const next = this.operations.of(thread);
      if (next === VISIBLE_NEXT) machine.addChoices(thread, steps);
      else if (next === EXIT_NEXT && exit < 0 && machine.choices(thread) > 0) exit = stepOf(thread);
      for (let i = 0; i < steps.length; i++) {
        const step = steps.words[i]!;
        if (this.isAsleep(step, depth)) {
          if (chosen === NO_STEP) chosen = ABANDON;
          continue;
        }
        if (chosen >= 0 && thread === this.streakThread) continue;
        this.choices = i < commits ? 1 : steps.length - commits;
        if (this.streak < this.shortcuts.maxStreak || thread !== this.streakThread) return step;
        chosen = step;
      }
    }
    if (chosen !== NO_STEP) return chosen;
    this.isExit = true;
    return exit;
  }

  private isAsleep(step: Step, depth: number): boolean {
    const { sleep, depths } = this;
    const { actions } = this.happensBefore;
    const end = depths[depth * DEPTH_WORDS + D_SLEEP_END]!;
    for (let i = depths[depth * DEPTH_WORDS + D_SLEEP]!; i < end; i++) {
      if (actions.step(sleep.words[i]!) === step) return true;
    }
    return false;
  }

  /** Where a process can go on in several ways, all of them are to be explored, unless something covers them. */
  private addOtherChoices(event: number, action: number): void {
    const { actions } = this.happensBefore;
    const taken = actions.step(action);
    for (let choice = 0; choice < this.choices; choice++) {
      const step = stepOf(processOf(taken), choice);
      if (step === taken) continue;
      this.sequence.reset(event, actions.variant(action, step, actions.access(action)));
      this.insert(event);
    }
  }

  observe(event: number): void {
    const { happensBefore, tree, visible, picked } = this;
    // Nobody asks about it unless something else follows, and then all is looked at.
    if (this.joining >= 0) return;
    this.invisible.observe(event);
    this.countStreak(this.machine.events.get(event, ev.E_THREAD));
    if (picked === INVISIBLE) return;
    this.catchUp(event);
    this.fit(event);
    const { depths } = this;
    const at = event * DEPTH_WORDS;
    happensBefore.observe(event);
    depths[at + D_NODE] = picked;
    depths[at + D_PARENT] = this.parent;
    const start = depths[at + D_SLEEP]!;
    const end = depths[at + D_SLEEP_END]!;
    const action = happensBefore.action(event);
    visible.add(true, processOf(happensBefore.actions.step(action)));
    tree.setAction(picked, action);
    if (this.choices > 1) this.addOtherChoices(event, action);
    this.parent = picked;
    depths[at + DEPTH_WORDS + D_SLEEP] = end;
    this.keepSleeping(event, action, start, end);
    depths[at + DEPTH_WORDS + D_SLEEP_END] = this.sleep.length;
  }

  /** Enters the invisible events before number `end`. Those that no visible one follows need not be known to anybody. */
  private catchUp(end: number): void {
    const { happensBefore, visible } = this;
    for (let event = visible.length; event < end; event++) {
      this.fit(event);
      const { depths } = this;
      const at = event * DEPTH_WORDS;
      // Something else may have asked for it.
      if (event === happensBefore.length) happensBefore.observe(event);
      visible.add(false, 0);
      depths[at + D_NODE] = INVISIBLE;
      depths[at + D_PARENT] = this.parent;
      depths[at + DEPTH_WORDS + D_SLEEP] = depths[at + D_SLEEP]!;
      depths[at + DEPTH_WORDS + D_SLEEP_END] = depths[at + D_SLEEP_END]!;
    }
  }

  /** Room for the event, and for the depth after it. */
  private fit(event: number): void {
    if ((event + 2) * DEPTH_WORDS > this.depths.length) this.depths = larger(this.depths);
  }

  private countStreak(thread: number): void {
    this.streak = thread === this.streakThread ? this.streak + 1 : 1;
    this.streakThread = thread;
  }

  /** sleep(E.p) := what of sleep(E) is independent of the event that p has just produced. */
  private keepSleeping(event: number, action: number, start: number, end: number): void {
    const { sleep, happensBefore, machine } = this;
    sleep.length = end;
    if (start === end) return;
    const { actions } = happensBefore;
    const process = processOf(actions.step(action));
    // A load that its own buffer answers touches nothing that others could change.
    const forwarded = (machine.events.get(event, ev.E_FLAGS) & ev.FORWARDED) !== 0;
    for (let i = start; i < end; i++) {
      const sleeping = sleep.words[i]!;
      if (processOf(actions.step(sleeping)) === process) continue;
      if (actions.conflict(action, sleeping, forwarded || this.isForwarded(sleeping))) continue;
      sleep.push(sleeping);
    }
  }

  /** Whether this is a load whose own store still waits in the buffer. */
  private isForwarded(action: number): boolean {
    const { happensBefore } = this;
    const own = happensBefore.actions.own(action);
    return own !== NO_OWN_STORE && happensBefore.updateOf(happensBefore.actions.thread(action), own) < 0;
  }

  // ---- races

  endExecution(): void {
    this.inExecution = false;
    const { happensBefore } = this;
    const { races } = happensBefore;
    if (this.common.length <= happensBefore.length >> 5) {
      this.common = new Int32Array(((happensBefore.length >> 5) + 1) * 2);
    }
    happensBefore.commonPast(this.kept, this.visible.length, this.visible.bits, this.common);
    const old = happensBefore.racesUpTo(this.kept - 1);
    for (let r = 0; r < races.length; r += 2) {
      const first = races.get(r);
      const second = races.get(r + 1);
      if (r < old && this.isSettled(r >> 1, first, second)) continue;
      const last = happensBefore.reversed(first, second);
      this.sequence.make(first, second, this.endOfSequence(second, last), last);
      this.insert(first);
      if (r >> 1 === this.coveredUntil.length) this.coveredUntil = larger(this.coveredUntil, NEVER);
      this.coveredUntil[r >> 1] = this.covered;
    }
    happensBefore.forEachBlocked((first, waiting) => {
      this.sequence.make(first, this.visible.length, this.visible.length, waiting);
      this.insert(first);
    });
  }

  /** Whether nothing has changed about a race of the kept prefix since it was last looked at. */
  private isSettled(race: number, first: number, second: number): boolean {
    if (this.name === 'source' && !this.writesWhenReversed(second, this.happensBefore.reversed(first, second)))
      return true;
    // Lemma 3: nothing new is in its sequence.
    if (this.shortcuts.unchangedRaces && (this.common[first >> 5]! & (1 << (first & 31))) !== 0) return true;
    // Lemma 4: what sleeps and covered it still does.
    return this.shortcuts.coveredRaces && this.coveredUntil[race]! < this.kept;
  }

  /**
   * notdep(e, E) goes to the end of the execution; for source sets, up to `second`. But a compare-exchange that writes only
   * when it comes first conflicts with readers that it is not ordered with here, and those may come later (Lemma 2).
   */
  private endOfSequence(second: number, last: number): number {
    return this.name === 'source' && !this.writesWhenReversed(second, last) ? second : this.visible.length;
  }

  private writesWhenReversed(second: number, last: number): boolean {
    const { actions } = this.happensBefore;
    return (actions.access(last) & ~actions.access(this.happensBefore.action(second)) & WRITES) !== 0;
  }

  /** Adds the sequence to what is to be explored from before event `first`, if nothing covers it yet. */
  private insert(first: number): void {
    if (this.name === 'source') return this.insertInitial(first);
    if (this.sleepCovers(first)) return;
    const { tree, sequence, happensBefore } = this;
    let node = this.depths[first * DEPTH_WORDS + D_PARENT]!;
    // The first child is the current execution, which conflicts with the sequence.
    let child = tree.next(tree.firstChild(node));
    while (child !== NO_NODE) {
      if (!sequence.isWeakInitial(tree.action(child))) {
        child = tree.next(child);
        continue;
      }
      sequence.remove();
      if (tree.firstChild(child) === NO_NODE) return;
      node = child;
      child = tree.firstChild(node);
    }
    for (let event = sequence.next(first); event !== NO_EVENT; event = sequence.next(event)) {
      node = tree.addChild(node, happensBefore.action(event));
    }
    if (sequence.last !== NO_ACTION) tree.addChild(node, sequence.last);
  }

  private sleepCovers(first: number): boolean {
    const { sleep, depths, sequence } = this;
    const { actions } = this.happensBefore;
    const end = depths[first * DEPTH_WORDS + D_SLEEP_END]!;
    this.covered = NEVER;
    for (let i = depths[first * DEPTH_WORDS + D_SLEEP]!; i < end; i++) {
      const action = sleep.words[i]!;
      const isPlain = actions.own(action) === NO_OWN_STORE;
      // What slept and is in the sequence was woken by something in it, so cannot be its first; all else must not conflict.
      const looksAtLast = this.shortcuts.sleepersFirst && isPlain && sequence.last !== NO_ACTION;
      if (looksAtLast && actions.conflict(action, sequence.last, false)) continue;
      if (!sequence.isWeakInitial(action)) continue;
      if (isPlain && sequence.isOutside && this.ranAlike(action, sequence.ownEvent)) this.covered = sequence.ownEvent;
      return true;
    }
    return false;
  }

  /**
   * Whether `event`, by which the sleeping action ran later, conflicts with all that the action conflicts with. A
   * compare-exchange that sleeps as a success and runs as a failure does not: it no longer conflicts with readers.
   */
  private ranAlike(action: number, event: number): boolean {
    const { actions } = this.happensBefore;
    return (actions.access(action) & ~actions.access(this.happensBefore.action(event))) === 0;
  }

  /**
   * Source sets: one process that can start the sequence is enough, if none is there already. One that sleeps will do,
   * and need not be explored; but it must be in the sequence: an outsider that could go first leads elsewhere.
   */
  private insertInitial(first: number): void {
    const { sequence, happensBefore, tree, initials } = this;
    const { actions } = happensBefore;
    const parent = this.depths[first * DEPTH_WORDS + D_PARENT]!;
    sequence.initials(initials);
    for (let i = 0; i < initials.length; i++) {
      const step = actions.step(initials.get(i));
      if (this.isAsleep(step, first)) return;
      for (let n = tree.firstChild(parent); n !== NO_NODE; n = tree.next(n)) {
        if (actions.step(tree.action(n)) === step) return;
      }
    }
    tree.addChild(parent, initials.get(0));
  }

  // ---- the search as a value

  /** What is left to do; of an execution that has not come to its end, all. */
  save(): SearchState {
    const { machine, depths, visible, sleep } = this;
    const end = this.inExecution ? this.kept : this.retreat();
    const levels: SearchLevel[] = [];
    for (let depth = 0; depth <= end; depth++) {
      const isPath = depth < end;
      const at = depth * DEPTH_WORDS;
      if (isPath && depths[at + D_NODE] === INVISIBLE) continue;
      const parent = depth < visible.length ? depths[at + D_PARENT]! : this.parent;
      const first = this.tree.firstChild(parent);
      const sleeping = sleep.words.subarray(depths[at + D_SLEEP], depths[at + D_SLEEP_END]);
      levels.push({
        depth,
        sleep: Array.from(sleeping, (action) => this.printStep(action)),
        branches: this.printBranches(isPath ? this.tree.next(first) : first),
      });
    }
    const steps = scheduleOf(machine).slice(0, Math.max(end, 0));
    return { strategy: this.name, prefix: printSchedule(machine, steps), levels };
  }

  private printStep(action: number): string {
    return printSchedule(this.machine, [this.happensBefore.actions.step(action)]);
  }

  /** The branch at `node` and those behind it. */
  private printBranches(node: number): Branch[] {
    const branches: Branch[] = [];
    for (let n = node; n !== NO_NODE; n = this.tree.next(n)) {
      branches.push({
        step: this.printStep(this.tree.action(n)),
        children: this.printBranches(this.tree.firstChild(n)),
      });
    }
    return branches;
  }

  /** Goes on where a search was saved, on a fresh machine with the same program and model. */
  static restore(machine: Machine, state: SearchState): Dpor {
    const dpor = new Dpor(machine, state.strategy);
    dpor.next = -1;
    const prefix = parseSchedule(machine, state.prefix);
    const levels = new Map(state.levels.map((level) => [level.depth, level]));
    if (state.levels.length === 0) return dpor;
    for (let depth = 0; depth <= prefix.length; depth++) {
      const level = levels.get(depth);
      dpor.catchUp(depth);
      const isPath = depth < prefix.length;
      dpor.picked = INVISIBLE;
      if (level !== undefined) {
        if (isPath) dpor.picked = dpor.tree.addChild(dpor.parent, NO_ACTION);
        dpor.addBranches(dpor.parent, level.branches);
        for (const step of level.sleep) dpor.sleep.push(dpor.probe(step, () => {}));
        dpor.depths[depth * DEPTH_WORDS + D_SLEEP_END] = dpor.sleep.length;
      }
      if (!isPath) break;
      machine.step(prefix[depth]!);
      dpor.observe(depth);
    }
    dpor.kept = prefix.length;
    dpor.next = prefix.length;
    return dpor;
  }

  private addBranches(parent: number, branches: readonly Branch[]): void {
    for (const { step, children } of branches) {
      const node = this.tree.addChild(parent, NO_ACTION);
      this.tree.setAction(
        node,
        this.probe(step, () => this.addBranches(node, children)),
      );
    }
  }

  /** What a step does here: takes it, lets `beyond` look further, and goes back. */
  private probe(step: string, beyond: () => void): number {
    const { machine, happensBefore, invisible } = this;
    const { depth } = machine;
    machine.step(parseSchedule(machine, step)[0]!);
    happensBefore.observe(depth);
    const action = happensBefore.action(depth);
    for (let step = invisible.find(true); step >= 0; step = invisible.find(true)) {
      machine.step(step);
      happensBefore.observe(machine.depth - 1);
    }
    beyond();
    happensBefore.rollback(depth);
    machine.rollback(depth);
    invisible.forget();
    return action;
  }
}
