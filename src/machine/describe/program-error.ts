/** The error that ended an execution, in words, with details: where an object came from, who else waits. */
import { describeError, type ProgramError, TWO_MUTEXES } from '../code/error.ts';
import type { Machine } from '../machine.ts';
import { H_ERROR, H_ERROR_DETAIL, H_ERROR_SITE, H_ERROR_THREAD } from '../state/layout.ts';
import { describeConditionWait } from './deadlock.ts';
import { describeObject } from './object-history.ts';

/** `undefined` if there was none. */
export function programError(machine: Machine): ProgramError | undefined {
  const { code, printer, processes, state } = machine;
  const { words } = state;
  const error = words[H_ERROR]!;
  if (error === 0) return undefined;
  const thread = processes.threadName(words[H_ERROR_THREAD]!);
  const detail = words[H_ERROR_DETAIL]!;
  const described = describeError(code, error, thread, words[H_ERROR_SITE]!, detail, (address) =>
    printer.string(address),
  );
  const note = noteOf(machine, error, described, detail);
  return note === undefined ? described : { ...described, notes: [note] };
}

function noteOf(machine: Machine, error: number, { kind }: ProgramError, detail: number): string | undefined {
  if (error === TWO_MUTEXES) return describeConditionWait(machine, detail);
  return kind === 'memory' ? describeObject(machine, detail) : undefined;
}
