/**
 * Schedules: the list of steps that replays an execution, in a form that people can read and write.
 *
 *   0 0.1*3 0.1/x 0:2        thread 0, thread 0.1 three times, a commit of 0.1's store to x, thread 0 making choice 2
 */

import { parseProcess, processName } from '../machine/describe/names.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { choiceOf, MAX_CHOICES, processOf, type Step, stepOf } from '../machine/state/process.ts';

/** Step numbers belong to one machine; to use a schedule on another machine, print it and parse it there. */
export type Schedule = readonly Step[];

/** The schedule of the execution that the machine has run. */
export function scheduleOf(machine: Machine): Schedule {
  return Array.from({ length: machine.depth }, (_, event) => machine.events.get(event, ev.E_STEP));
}

export function printSchedule(machine: Machine, schedule: Schedule): string {
  const parts: string[] = [];
  for (let i = 0; i < schedule.length; ) {
    const step = schedule[i]!;
    let times = 1;
    while (schedule[i + times] === step) times++;
    i += times;
    const choice = choiceOf(step);
    const name = processName(machine, processOf(step));
    parts.push(`${name}${choice === 0 ? '' : `:${choice}`}${times === 1 ? '' : `*${times}`}`);
  }
  return parts.join(' ');
}

/** How many steps a printed schedule has. */
export function countSteps(schedule: string): number {
  let steps = 0;
  for (const part of schedule.split(' ')) if (part !== '') steps += Number(/\*(\d+)$/.exec(part)?.[1] ?? 1);
  return steps;
}

/** Schedules written by hand are shorter. */
const MAX_STEPS = 10_000_000;

export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

/**
 * Reads a schedule for this program. Throws a `ScheduleError` that names the first part that it does not understand, or
 * the part that exceeds `maxSteps`.
 */
export function parseSchedule(machine: Machine, text: string, maxSteps: number = MAX_STEPS): Schedule {
  const steps: Step[] = [];
  for (const part of text.split(/\s+/).filter((p) => p !== '')) {
    const match = /^([^:*]+)(?::(\d{1,6}))?(?:\*(\d{1,9}))?$/.exec(part);
    const process = match === null ? -1 : parseProcess(machine, match[1]!);
    const choice = Number(match?.[2] ?? 0);
    if (process < 0 || choice >= MAX_CHOICES) {
      throw new ScheduleError(
        `"${part}" is not a step of this program; expected a thread (0.1) or store buffer (0.1/x), with :choice and *times`,
      );
    }
    const times = Number(match?.[3] ?? 1);
    if (steps.length + times > maxSteps)
      throw new ScheduleError(`with "${part}" the schedule has more than ${maxSteps} steps`);
    for (let n = times; n > 0; n--) steps.push(stepOf(process, choice));
  }
  return steps;
}
