/** Errors: the same error at the same place is kept once, with the first execution that ends in it. */
import type { ProgramError } from '../machine/code/error.ts';
import type { Machine } from '../machine/machine.ts';
import { printSchedule, scheduleOf } from './schedule.ts';

export interface FoundError {
  readonly error: ProgramError;
  /** As `printSchedule` writes it: valid for any machine with this program and model. */
  readonly schedule: string;
  /** As the search found it, if `schedule` is a simpler execution with the same error. */
  readonly original?: string;
}

export class FoundErrors {
  readonly list: FoundError[] = [];

  /** The machine's execution ends in this error. */
  note(machine: Machine, error: ProgramError): void {
    if (!isKnown(this.list, error)) this.list.push({ error, schedule: printSchedule(machine, scheduleOf(machine)) });
  }

  add(found: FoundError): void {
    if (!isKnown(this.list, found.error)) this.list.push(found);
  }

  save(): readonly FoundError[] {
    return [...this.list];
  }

  merge(other: readonly FoundError[]): void {
    for (const found of other) this.add(found);
  }
}

export function isKnown(errors: readonly FoundError[], error: ProgramError): boolean {
  return errors.some(
    ({ error: e }) =>
      e.kind === error.kind && e.message === error.message && e.file === error.file && e.line === error.line,
  );
}
