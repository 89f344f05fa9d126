/**
 * The end of an execution ([ODPOR] Alg. 2 l. 3–7; Alg. 1 l. 5–9): every reversible race, and every action that still
 * waits, gives a wakeup sequence, which goes into the wakeup tree unless something covers it.
 *
 *   paper                          here
 *   e ≲_E e'                       `Dependence.races`
 *   E' = pre(E, e)                 the first `e` events
 *   v = notdep(e, E).proc(e')      `sequence`
 *   I_[E'](v), WI_[E'](v)          its `initials`, `isWeakInitial`
 *   sleep(E') ∩ WI_[E'](v) = ∅     not `sleepCovers`
 *   insert_[E'](v, wut(E'))        `insert`
 *
 * All races are examined at the end of every maximal execution, since a new suffix can change the sequence of a race in
 * the kept prefix. Lemmas 3 and 4 of [decision 16](../../../docs/decisions/0016-dependence.md) say for which races it
 * cannot.
 */
import { IntVector, larger } from '../../util/int-vector.ts';
import { processOf, stepOf } from '../runnable.ts';
import { type Dependence, NO_ACTION, NO_EVENT } from './dependence.ts';
import type { LoadedNodes } from './loaded-nodes.ts';
import type { SearchStack } from './search-stack.ts';
import type { DporMode } from './search-state.ts';
import type { SharedNodes } from './shared-nodes.ts';
import type { Shortcuts } from './shortcuts.ts';
import { WakeupSequence } from './wakeup-sequence.ts';
import { NO_NODE } from './wakeup-tree.ts';

/** Later than every event. */
const NEVER = 0x7fffffff;

export class Wakeups {
  private readonly dependence: Dependence;
  private readonly stack: SearchStack;
  private readonly mode: DporMode;
  private readonly shortcuts: Shortcuts;
  private readonly loaded: LoadedNodes;
  /** The sequence of the race being examined. */
  private readonly sequence: WakeupSequence;
  private readonly initials = new IntVector();
  private readonly waiting = new IntVector();
  private readonly postponed = new IntVector();
  /**
   * New events, at least the first of each process; and the bits of what happens before all of them, so before every
   * new event.
   */
  private readonly newFirsts = new IntVector();
  private common = new Int32Array(8);
  /**
   * Per race: if a sleeping action covers it, the later event that ran that action; otherwise `NEVER`. `covered` is the
   * value for the race being examined.
   */
  private coveredUntil = new Int32Array(64).fill(NEVER);
  private covered = NEVER;

  /** The copies of shared nodes, and the depth from which nothing is shared. */
  private shared: SharedNodes | undefined;
  sharedEnd = 0;

  constructor(dependence: Dependence, stack: SearchStack, mode: DporMode, shortcuts: Shortcuts, loaded: LoadedNodes) {
    this.dependence = dependence;
    this.loaded = loaded;
    this.stack = stack;
    this.mode = mode;
    this.shortcuts = shortcuts;
    this.sequence = new WakeupSequence(dependence, stack.visible, shortcuts.longFrom);
  }

  /**
   * The search is now a job, with these copies of the nodes above it; every depth counts as above until `sharedEnd` is
   * set.
   */
  share(shared: SharedNodes | undefined): void {
    this.shared = shared;
    this.sharedEnd = NEVER;
  }

  private isLoadedFree(node: number): boolean {
    return !this.loaded.isEmpty && this.loaded.isFree(node);
  }

  /** Inserts the sequences of the execution that has ended; it shares its first `kept` events with the one before. */
  insertAll(kept: number): void {
    const { dependence, stack, sequence } = this;
    const { races } = dependence;
    const { visible } = stack;
    if (this.common.length <= dependence.length >> 5) {
      this.common = new Int32Array(((dependence.length >> 5) + 1) * 2);
    }
    visible.firstFrom(kept, this.shortcuts.longFrom, this.newFirsts);
    dependence.commonPast(this.newFirsts, visible.length, this.common);
    const old = dependence.racesUpTo(kept - 1);
    const { common } = this;
    // Lemma 3: the sequence of a race of the kept prefix contains nothing new.
    const skipsUnchanged = this.shortcuts.unchangedRaces;
    const { postpones } = dependence;
    for (let r = 0; r < races.length; r += 2) {
      const first = races.get(r);
      const second = races.get(r + 1);
      if (r < old) {
        if (skipsUnchanged && (common[first >> 5]! & (1 << (first & 31))) !== 0) continue;
        if (this.isSettled(r >> 1, second, kept)) continue;
      }
      const last = dependence.reversed(r >> 1);
      sequence.make(first, second, this.endOfSequence(second, last), last);
      if (postpones) this.postponeMore(r >> 1);
      this.insert(first);
      if (r >> 1 === this.coveredUntil.length) this.coveredUntil = larger(this.coveredUntil, NEVER);
      this.coveredUntil[r >> 1] = this.covered;
    }
    this.insertWaiting();
  }

  private postponeMore(race: number): void {
    const { dependence, sequence, postponed } = this;
    dependence.alsoPostponed(race, postponed);
    for (let i = 0; i < postponed.length; i++) sequence.postpone(postponed.get(i));
  }

  /** Ours, not in the paper: an action that waits at the end could have run before some event (Lemma 2). */
  private insertWaiting(): void {
    const { waiting, sequence } = this;
    this.dependence.findWaiting(waiting);
    const { length } = this.stack;
    for (let i = 0; i < waiting.length; i += 3 + waiting.get(i + 2)) {
      const first = waiting.get(i);
      sequence.make(first, length, length, waiting.get(i + 1));
      for (let k = 0; k < waiting.get(i + 2); k++) sequence.postpone(waiting.get(i + 3 + k));
      this.insert(first);
    }
  }

  /** Ours, not in the paper: if a process has several choices, all must be explored unless something covers them. */
  insertOtherWays(event: number, ways: number): void {
    const { dependence, sequence } = this;
    const action = dependence.action(event);
    const taken = dependence.actions.step(action);
    for (let choice = 0; choice < ways; choice++) {
      const step = stepOf(processOf(taken), choice);
      if (step === taken) continue;
      sequence.reset(event, dependence.alternative(action, step));
      this.insert(event);
    }
  }

  /** Whether a race of the kept prefix is unchanged since it was last examined, for other reasons. */
  private isSettled(race: number, second: number, kept: number): boolean {
    const { dependence, shortcuts } = this;
    if (this.mode === 'source' && !dependence.conflictsWithMore(dependence.reversed(race), second)) return true;
    // Lemma 4: the sleeping action that covered it still does.
    return shortcuts.coveredRaces && this.coveredUntil[race]! < kept;
  }

  /**
   * notdep(e, E) extends to the end of the execution. For source sets it ends at `second`, unless the reversed event
   * has more conflicts: the events that it then conflicts with may come later (Lemma 2).
   */
  private endOfSequence(second: number, last: number): number {
    return this.mode === 'source' && !this.dependence.conflictsWithMore(last, second) ? second : this.stack.length;
  }

  /** Adds the sequence to the work to be explored before event `first`, unless something covers it. */
  private insert(first: number): void {
    if (this.mode === 'source') return this.insertInitial(first);
    if (this.sleepCovers(first)) return;
    const { stack, sequence, dependence } = this;
    const { tree } = stack;
    let node = stack.parentAt(first);
    // The first child is the current execution, which conflicts with the sequence.
    let child = tree.next(tree.firstChild(node));
    for (;;) {
      while (child !== NO_NODE) {
        const action = tree.action(child);
        if (!sequence.removeFirst(action)) {
          if (!sequence.isWeakInitial(action)) {
            child = tree.next(child);
            continue;
          }
          sequence.remove();
        }
        // Free: everything that starts with it is explored there.
        if (tree.firstChild(child) === NO_NODE ? this.shared?.isCopy(child) !== true : this.isLoadedFree(child)) return;
        node = child;
        child = tree.firstChild(node);
      }
      if (first >= this.sharedEnd) break;
      child = this.shared!.append(node, this.actions(first));
      if (child === NO_NODE) return;
    }
    for (let event = sequence.next(first); event !== NO_EVENT; event = sequence.next(event)) {
      node = tree.addChild(node, dependence.action(event));
    }
    if (sequence.last !== NO_ACTION) tree.addChild(node, sequence.last);
  }

  /** The actions that remain in the sequence. */
  private actions(first: number): number[] {
    const { sequence, dependence } = this;
    const actions: number[] = [];
    for (let event = sequence.next(first); event !== NO_EVENT; event = sequence.next(event)) {
      actions.push(dependence.action(event));
    }
    if (sequence.last !== NO_ACTION) actions.push(sequence.last);
    return actions;
  }

  private sleepCovers(first: number): boolean {
    const { stack, sequence, dependence } = this;
    const looksAtLast = this.shortcuts.sleepersFirst && sequence.last !== NO_ACTION;
    const { words } = stack.sleep;
    const end = stack.sleepEnd(first);
    this.covered = NEVER;
    for (let i = stack.sleepStart(first); i < end; i++) {
      const action = words[i]!;
      // Lemma 7: a sleeper with an event in the sequence was woken by an earlier one there, so it is not a weak
      // initial; any other must conflict with nothing in the sequence.
      if (looksAtLast && dependence.alwaysConflict(action, sequence.last)) continue;
      if (!sequence.isWeakInitial(action)) continue;
      const { ownEvent } = sequence;
      if (sequence.isOutside && dependence.conflictsWithAllOf(ownEvent, action)) this.covered = ownEvent;
      return true;
    }
    return false;
  }

  /**
   * Source sets: one process that can start the sequence is enough; nothing is added if one is already there or sleeps.
   * It must be in the sequence: an outsider that could go first leads elsewhere.
   */
  private insertInitial(first: number): void {
    const { stack, sequence, dependence, initials } = this;
    const { tree } = stack;
    const parent = stack.parentAt(first);
    sequence.initials(initials);
    for (let i = 0; i < initials.length; i++) {
      const step = dependence.actions.step(initials.get(i));
      if (stack.isAsleep(step, first)) return;
      for (let n = tree.firstChild(parent); n !== NO_NODE; n = tree.next(n)) {
        if (dependence.actions.step(tree.action(n)) === step) return;
      }
    }
    tree.addChild(parent, initials.get(0));
  }
}
