/**
 * Wakes threads that sleep in a waiting loop whenever something changes that they may be waiting for. For searches that
 * do not try every order of events: a waiting thread must keep waiting, but need not read again before such a change.
 */

import { isWrite } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { SPINNING, T_STATUS } from '../machine/state/layout.ts';
import { wouldLeave } from '../machine/would-leave.ts';
import type { Follower } from './strategy.ts';

export class Waker implements Follower {
  private readonly machine: Machine;

  constructor(machine: Machine) {
    this.machine = machine;
  }

  observe(event: number): void {
    const { machine } = this;
    if (!isWrite(machine.events, event)) return this.lookAgain(machine.events.get(event, ev.E_THREAD));
    for (let thread = 0; thread < machine.processes.threadCount; thread++) {
      if (machine.threads.get(thread, T_STATUS) === SPINNING) machine.wake(thread);
    }
  }

  /** A thread that has just gone to sleep may have missed a change while it was reading elsewhere. */
  private lookAgain(thread: number): void {
    const { machine } = this;
    const sleeps = machine.threads.get(thread, T_STATUS) === SPINNING;
    if (sleeps && wouldLeave(machine, thread)) machine.wake(thread);
  }

  /** Waking is part of the previous step, and is undone with it. */
  rollback(): void {}
}
