/** The error that ended an execution, in words, with details: where an object came from, which other thread waits. */

import { printLocation } from '../../program/location.ts';
import { asCode } from '../../util/code-text.ts';
import { describeError, type ProgramError, TWO_MUTEXES, UNINITIALISED } from '../code/error.ts';
import type { Machine } from '../machine.ts';
import { H_ERROR, H_ERROR_DETAIL, H_ERROR_ORIGIN, H_ERROR_SITE, H_ERROR_THREAD } from '../state/layout.ts';
import { describeConditionWait } from './deadlock.ts';
import { describeLive, describeObject } from './object-history.ts';

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
  const notes = notesOf(machine, error, described, detail);
  return notes.length === 0 ? described : { ...described, notes };
}

function notesOf(machine: Machine, error: number, described: ProgramError, detail: number): string[] {
  if (error === UNINITIALISED) return describeOrigin(machine, described, detail);
  const note = error === TWO_MUTEXES ? describeConditionWait(machine, detail) : undefined;
  const object = described.kind === 'memory' ? describeObject(machine, detail) : undefined;
  return [note, object].filter((text) => text !== undefined);
}

/** Where a value that was never written was read, and where its memory comes from. */
function describeOrigin(machine: Machine, { line, column }: ProgramError, address: number): string[] {
  const location = machine.code.sites[machine.state.words[H_ERROR_ORIGIN]!]?.instruction.location;
  if (address === 0) {
    if (location?.variable === undefined) return [];
    return [`the variable ${asCode(location.variable)}, declared at ${printLocation(location)}, has no value`];
  }
  const isHere = location === undefined || (location.line === line && location.column === column);
  const object = describeLive(machine, address);
  return [
    ...(isHere ? [] : [`the value was read at ${printLocation(location)}`]),
    ...(object === undefined ? [] : [`from ${object}`]),
  ];
}
