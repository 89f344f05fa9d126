/**
 * At the end of an execution: threads that wait in front of an idle read (`run/idle-waits.ts`) take it and the fences
 * after it, and go to sleep, as on a machine whose threads read while they wait.
 */
import type { Machine } from './machine.ts';
import { RUNNABLE, SPINNING, T_STATUS } from './state/layout.ts';
import { stepOf } from './state/process.ts';

/** A thread that runs alone for more steps than this does not count as idle. */
export const MAX_IDLE_STEPS = 100_000;

export function takeIdleReads(machine: Machine): void {
  const { idleWaits, processes, threads } = machine;
  if (idleWaits === undefined || machine.isOver) return;
  for (let thread = 0; thread < processes.threadCount; thread++) {
    if (threads.get(thread, T_STATUS) !== RUNNABLE || !machine.isReady(thread) || !machine.waitsIdly(thread)) continue;
    if (idleWaits.isEarly) {
      // Other executions show how it continues.
      machine.step(stepOf(thread));
      threads.set(thread, T_STATUS, SPINNING);
      continue;
    }
    // It may take another iteration until the loop notices.
    for (let steps = 0; machine.isReady(thread); steps++) {
      if (steps > MAX_IDLE_STEPS) throw new Error('a thread that waits does not come to rest');
      machine.step(stepOf(thread));
    }
  }
}
