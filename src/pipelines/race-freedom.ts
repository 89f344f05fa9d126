/**
 * Whether the SC executions of a program prove that the model of the language has no others: see
 * `explore/graph/drf.ts`.
 */
import { isRaceFree } from '../explore/graph/drf.ts';
import type { Watcher } from '../explore/watcher.ts';
import type { Machine } from '../machine/machine.ts';

/** In longer executions, looking at every pair of events would take too long. */
const MAX_EVENTS = 1000;

/** `isOpen`: some execution has a race, or is too long to tell. */
export interface SavedRaceFreedom {
  readonly isOpen: boolean;
}

export class RaceFreedom implements Watcher<SavedRaceFreedom> {
  private isOpen = false;

  /** Called at the end of every SC execution, whatever its outcome. */
  conclude(machine: Machine): void {
    this.isOpen ||= machine.depth > MAX_EVENTS || !isRaceFree(machine);
  }

  save(): SavedRaceFreedom {
    return { isOpen: this.isOpen };
  }

  merge({ isOpen }: SavedRaceFreedom): void {
    this.isOpen ||= isOpen;
  }

  /** Whether the executions so far are free of races. */
  get holds(): boolean {
    return !this.isOpen;
  }
}
