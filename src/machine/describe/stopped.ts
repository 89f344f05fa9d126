/** Why threads and executions stopped before their end. */
import { type Location, printLocation } from '../../program/location.ts';
import type { UnmodelledCall } from '../code/error.ts';
import * as op from '../code/opcodes.ts';
import { isUpdate } from '../events/effects.ts';
import * as ev from '../events/event.ts';
import type { Machine } from '../machine.ts';
import {
  ASSUME_BLOCKED,
  BOUND_BLOCKED,
  H_ERROR_DETAIL,
  H_ERROR_SITE,
  SPINNING,
  T_FRAME,
  T_PC,
  T_STATUS,
  UNMODELLED,
} from '../state/layout.ts';

/** How many threads are blocked permanently, by reason. */
export function blockedBy(machine: Machine): {
  spinning: number;
  unrolled: number;
  assumed: number;
  unmodelled: number;
} {
  const count = (status: number): number =>
    machine.processes.slotsInNameOrder.filter((thread) => machine.threads.get(thread, T_STATUS) === status).length;
  return {
    spinning: count(SPINNING),
    unrolled: count(BOUND_BLOCKED),
    assumed: count(ASSUME_BLOCKED),
    unmodelled: count(UNMODELLED),
  };
}

/** Whether all threads that an assumption has stopped are in our library, where another execution does the same. */
export function isCovered({ threads, processes, code }: Machine): boolean {
  const stopped = processes.slotsInNameOrder.filter((slot) => threads.get(slot, T_STATUS) === ASSUME_BLOCKED);
  return stopped.every((slot) => {
    const instruction = code.sites[code.words[threads.get(slot, T_PC) + op.SITE]!]?.instruction;
    return instruction?.op === 'assume' && instruction.isCovered === true;
  });
}

/** The last access of each thread that reached a loop bound or, if none did, loops forever: a place in that loop. */
export function cutLoops(machine: Machine): readonly (Location | undefined)[] {
  const { threads, code, processes, events } = machine;
  const withStatus = (status: number): readonly number[] =>
    processes.slotsInNameOrder.filter((slot) => threads.get(slot, T_STATUS) === status);
  const bounded = withStatus(BOUND_BLOCKED);
  const stopped = bounded.length > 0 ? bounded : withStatus(SPINNING);
  return stopped.map((slot) => {
    const isOwn = (event: number): boolean => events.get(event, ev.E_THREAD) === slot && !isUpdate(events, event);
    let last = machine.depth - 1;
    while (last >= 0 && !isOwn(last)) last--;
    return last < 0 ? undefined : code.sites[events.get(last, ev.E_SITE)]?.instruction.location;
  });
}

/** Whether a thread has reached something that is not defined or not modelled. Called after every execution. */
export function hasUnmodelled({ threads, processes }: Machine): boolean {
  const count = processes.threadCount;
  for (let thread = 0; thread < count; thread++) if (threads.get(thread, T_STATUS) === UNMODELLED) return true;
  return false;
}

/** What threads have stopped at because it is not defined or not modelled. */
export function unmodelledCalls(machine: Machine): readonly UnmodelledCall[] {
  const { threads, code } = machine;
  const stopped = machine.processes.slotsInNameOrder.filter((slot) => threads.get(slot, T_STATUS) === UNMODELLED);
  return stopped.map((slot) => {
    const pc = threads.get(slot, T_PC);
    const site = machine.frames.userSite(slot, code.words[pc + op.SITE]!);
    const text = code.words[pc + op.ASSERT_TEXT]!;
    const reason =
      text === op.NO_TEXT
        ? code.messages[code.words[pc + op.ASSERT_MESSAGE]!]!
        : machine.printer.string(machine.frames.low(threads.get(slot, T_FRAME), text));
    return {
      what: text === op.NO_TEXT ? 'undefined' : 'not modelled',
      reason,
      place: code.sites[site]!.instruction.location,
    };
  });
}

/** The loop in which a thread has taken as many local steps as are allowed, if that is the bound. */
export function endlessLoop({ bound, code, state }: Machine): Location | undefined {
  return bound === 'local steps' ? code.sites[state.words[H_ERROR_SITE]!]?.instruction.location : undefined;
}

/** The thread that reached the bound, and where. */
function threadAndPlace({ code, processes, state: { words } }: Machine): string {
  const location = code.sites[words[H_ERROR_SITE]!]?.instruction.location;
  const where = location === undefined ? '' : `, ${printLocation(location)}`;
  return `thread ${processes.threadName(words[H_ERROR_DETAIL]!)}${where}`;
}

/** The bound in more detail: how much heap was requested; what was to be printed, and where. */
export function boundText(machine: Machine): string | undefined {
  const { bound, layout } = machine;
  const { words } = machine.state;
  if (bound === 'printf conversion not modelled') {
    const { location } = machine.code.sites[words[H_ERROR_SITE]!]!.instruction;
    const where = location === undefined ? '' : `, ${printLocation(location)}`;
    const detail = words[H_ERROR_DETAIL]!;
    return `${bound} (%${detail === 0 ? '' : String.fromCharCode(detail)}${where})`;
  }
  if (bound === 'local steps') return `${bound} (${threadAndPlace(machine)})`;
  if (bound === 'local variables' || bound === 'nested calls') {
    const { threads, stackBytes, frameWords } = layout.limits;
    const room = bound === 'local variables' ? `${stackBytes} bytes` : `${frameWords} words`;
    return `${bound} (${threadAndPlace(machine)}; with room for ${threads} threads, each has ${room})`;
  }
  if (bound !== 'heap bytes') return bound;
  const asked = words[H_ERROR_DETAIL]! >>> 0;
  return `${bound} (${asked} more asked for; a thread has ${layout.limits.heapBytes} in all)`;
}
