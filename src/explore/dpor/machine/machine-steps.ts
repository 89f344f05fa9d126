/**
 * What each thread of a machine will do next.
 *
 * Invisible: a store entering its thread's own buffer, a fence that no longer has to wait, creating and joining
 * threads. The set of threads at such an operation changes little from event to event, so the list is updated, not
 * rebuilt.
 */

import { BYTES, COMMITS, CREATES, EFFECTS, OBJECT, WAKES } from '../../../machine/events/effects.ts';
import * as ev from '../../../machine/events/event.ts';
import type { Machine } from '../../../machine/machine.ts';
import { EXIT_NEXT, INVISIBLE_NEXT, JOIN_NEXT, NextOperations, VISIBLE_NEXT } from '../../../machine/next-operation.ts';
import { FINISHED, RUNNABLE, T_HEAD, T_STATUS } from '../../../machine/state/layout.ts';
import { usesOperation } from '../../../program/uses.ts';
import type { FixedOrder } from '../../../trace/fixed-orders.ts';
import { IntVector } from '../../../util/int-vector.ts';
import { choiceOf, processOf, type Step, stepOf } from '../../runnable.ts';
import type { NextSteps } from '../next-steps.ts';
import type { Shortcuts } from '../shortcuts.ts';
import { HeldBack } from './held-back.ts';

const NOT_KNOWN = -1;

export class MachineSteps implements NextSteps {
  private readonly machine: Machine;
  private readonly next: NextOperations;
  /** Threads whose next operation is invisible, in order; it may not be enabled yet. */
  private readonly threads = new IntVector();
  /** The number of events that the list reflects. */
  private depth = NOT_KNOWN;
  /** None of these threads was enabled when last examined, and no event since has changed that (Lemma 24). */
  private areWaiting = false;
  /** The number of detached threads that the list reflects. */
  private detaches = 0;
  /** The program has an exit somewhere. */
  private readonly mayExit: boolean;
  private readonly heldBack: HeldBack;
  private hasOrders = false;
  holdsBack = false;

  private readonly remembersWaiting: boolean;

  /** Without `invisibleSteps`, everything but an exit is visible. */
  constructor(
    machine: Machine,
    { invisibleSteps, waitingThreads }: Pick<Shortcuts, 'invisibleSteps' | 'waitingThreads'>,
  ) {
    this.machine = machine;
    this.remembersWaiting = waitingThreads;
    this.next = new NextOperations(machine, invisibleSteps);
    this.heldBack = new HeldBack(machine);
    this.mayExit = usesOperation(machine.program, 'exit');
  }

  /** Sets the given orders: steps that have to wait for one are not enabled. */
  setOrders(orders: readonly FixedOrder[]): void {
    this.hasOrders = orders.length > 0;
    this.heldBack.orders = orders;
    this.holdsBack = false;
  }

  /** Commits by a thread's buffers come before its own steps. */
  addVisible(from: number, out: IntVector): number {
    if (this.hasOrders) return this.addUnlessHeld(from, out);
    const { machine } = this;
    const { threads } = machine;
    const count = machine.processes.threadCount;
    for (let thread = from; thread < count; thread++) {
      if (threads.get(thread, T_HEAD) !== 0) machine.addCommits(thread, out);
      if (threads.get(thread, T_STATUS) === RUNNABLE && this.next.of(thread) === VISIBLE_NEXT)
        machine.addChoices(thread, out);
      if (out.length > 0) return thread;
    }
    return -1;
  }

  /** The same with orders. */
  private addUnlessHeld(from: number, out: IntVector): number {
    const { machine, heldBack } = this;
    const { threads } = machine;
    if (from === 0) this.holdsBack = false;
    for (let thread = from; thread < machine.processes.threadCount; thread++) {
      const isRunnable = threads.get(thread, T_STATUS) === RUNNABLE;
      machine.addCommits(thread, out);
      if (isRunnable && this.next.of(thread) === VISIBLE_NEXT) machine.addChoices(thread, out);
      if (heldBack.remove(thread, out)) this.holdsBack = true;
      if (out.length > 0) return thread;
    }
    return -1;
  }

  ways(step: Step): number {
    const { machine, heldBack } = this;
    const process = processOf(step);
    if (this.hasOrders && heldBack.has(machine.processes.owner(process), step)) return 0;
    if (!machine.processes.isThread(process)) return machine.canTake(step) ? 1 : 0;
    const choices = machine.choices(process);
    return choiceOf(step) < choices ? choices : 0;
  }

  exit(from: number): Step | -1 {
    if (!this.mayExit) return -1;
    const { machine } = this;
    const count = machine.processes.threadCount;
    for (let thread = from; thread < count; thread++) {
      if (machine.threads.get(thread, T_STATUS) !== RUNNABLE || this.next.of(thread) !== EXIT_NEXT) continue;
      if (machine.choices(thread) > 0) return stepOf(thread);
    }
    return -1;
  }

  get invisibleCount(): number {
    return this.threads.length;
  }

  invisible(joins: boolean): Step | -1 {
    const { machine, threads } = this;
    if (this.depth !== machine.depth) this.lookAtAll();
    if (this.areWaiting) return -1;
    for (let i = 0; i < threads.length; i++) {
      const thread = threads.words[i]!;
      if (!joins && this.next.of(thread) === JOIN_NEXT) continue;
      if (machine.choices(thread) > 0) return stepOf(thread);
    }
    this.areWaiting = joins && this.remembersWaiting;
    return -1;
  }

  join(thread: number): Step | -1 {
    return this.next.of(thread) === JOIN_NEXT && this.machine.choices(thread) > 0 ? stepOf(thread) : -1;
  }

  hasEnded(thread: number): boolean {
    return this.machine.threads.get(thread, T_STATUS) === FINISHED;
  }

  observe(event: number): number {
    const { words } = this.machine.events;
    const at = event * ev.EVENT_WORDS;
    const thread = words[at + ev.E_THREAD]!;
    if (this.depth === event) this.update(words, at, thread);
    return thread;
  }

  /** The list reflects all events but this one. */
  private update(words: Int32Array, at: number, thread: number): void {
    this.depth++;
    const does = EFFECTS[words[at + ev.E_KIND]!]!;
    if ((does & WAKES) !== 0) return this.forget();
    if ((does & COMMITS) !== 0) {
      this.areWaiting = false;
      return;
    }
    if ((does & CREATES) !== 0 && words[at + ev.E_OTHER]! >= 0) this.look(words[at + ev.E_OTHER]!);
    const isListed = this.look(thread);
    // The listed threads wait only for another thread to end or to be detached, or for stores to reach memory: an access
    // changes nothing for them, but the thread may have detached one after it.
    const { threads, processes } = this.machine;
    const isAccess = (does & (BYTES | OBJECT)) !== 0;
    const isAsBefore = isAccess && !isListed && this.detaches === processes.detaches;
    if (!isAsBefore || threads.get(thread, T_STATUS) !== RUNNABLE) this.areWaiting = false;
    this.detaches = processes.detaches;
  }

  /** The machine has been rolled back. */
  forget(): void {
    this.depth = NOT_KNOWN;
  }

  private lookAtAll(): void {
    const { machine, threads } = this;
    threads.clear();
    for (let thread = 0; thread < machine.processes.threadCount; thread++)
      if (this.stands(thread)) threads.push(thread);
    this.depth = machine.depth;
    this.areWaiting = false;
    this.detaches = machine.processes.detaches;
  }

  private stands(thread: number): boolean {
    const { machine } = this;
    if (machine.threads.get(thread, T_STATUS) !== RUNNABLE) return false;
    const next = this.next.of(thread);
    return next === INVISIBLE_NEXT || next === JOIN_NEXT;
  }

  /** Adds the thread to the list or removes it; returns whether it is now listed. */
  private look(thread: number): boolean {
    const { threads } = this;
    const { words } = threads;
    let place = 0;
    while (place < threads.length && words[place]! < thread) place++;
    const isListed = place < threads.length && words[place] === thread;
    const stands = this.stands(thread);
    if (stands === isListed) return stands;
    if (isListed) {
      words.copyWithin(place, place + 1, threads.length);
      threads.length--;
    } else {
      threads.push(thread);
      threads.words.copyWithin(place + 1, place, threads.length - 1);
      threads.words[place] = thread;
    }
    return stands;
  }
}
