/** Whether the execution ended in an access that was not carried out. */
import * as ev from '../events/event.ts';
import type { Machine } from '../machine.ts';
import { H_ERROR_DETAIL } from '../state/layout.ts';
import { programError } from './program-error.ts';

/** The last event is an access that was not carried out, because it is invalid. */
export function failedAccess(machine: Machine): boolean {
  const { depth, events, state } = machine;
  if (depth === 0 || programError(machine)?.kind !== 'memory') return false;
  return state.words[H_ERROR_DETAIL] === events.get(depth - 1, ev.E_ADDRESS);
}
