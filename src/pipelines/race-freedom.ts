/**
 * Whether the SC executions of a program prove that the model of the language has no others: see
 * `explore/graph/drf.ts`.
 */
import { isRaceFree } from '../explore/graph/drf.ts';
import type { Machine } from '../machine/machine.ts';

/** In longer executions, looking at every pair of events would take too long. */
const MAX_EVENTS = 1000;

export class RaceFreedom {
  private isOpen = false;

  /** Called at the end of every SC execution, whatever its outcome. */
  conclude(machine: Machine): void {
    this.isOpen ||= machine.depth > MAX_EVENTS || !isRaceFree(machine);
  }

  /** Another part of the search has executions with races. */
  refute(): void {
    this.isOpen = true;
  }

  /** Whether the executions so far are free of races. */
  get holds(): boolean {
    return !this.isOpen;
  }
}
