/**
 * What each thread will do next, as far as reduction needs to know it. A thread is a process together with those that act
 * for it, such as its store buffers; it has the number of its process.
 *
 *   visible      all steps but the following
 *   invisible    independent of every step of every other process in every state, and never disabled once enabled (Lemma 5)
 *   a join       invisible, and enables nothing but what its own thread does next (Lemma 6)
 *   an exit      ends everything
 *
 * The lemmas are in [decision 16](../../../docs/decisions/0016-dependence.md). A system that has only visible steps is always right.
 */
import type { IntVector } from '../../util/int-vector.ts';
import type { Step } from '../runnable.ts';

export interface NextSteps {
  /** Adds the enabled visible steps of the first thread from number `from` on that has some; that thread, or -1. */
  addVisible(from: number, out: IntVector): number;
  /** The number of choices (0, 1, …) that the process of the step has; 0 if the step is not enabled. */
  ways(step: Step): number;
  /** The first enabled exit, -1 if there is none. */
  exit(): Step | -1;
  /** The first enabled invisible step, with joins or without them; -1 if there is none. */
  invisible(joins: boolean): Step | -1;
  /** How many threads stand before an invisible step, enabled or not; as of the last `invisible`. */
  readonly invisibleCount: number;
  /** The thread's next step, if that is a join and enabled; else -1. */
  join(thread: number): Step | -1;
  hasEnded(thread: number): boolean;
  /** The thread that an event is of. */
  threadOf(event: number): number;
  /** To be told events as they happen. One that is left out costs time, not correctness. */
  observe(event: number): void;
  /** The system has gone back. */
  forget(): void;
}
