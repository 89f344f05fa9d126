/**
 * What each thread will do next, as far as reduction needs to know. A thread is a process together with those that act
 * for it, such as its store buffers; its number is that of its process.
 *
 *   visible      all other steps
 *   invisible    independent of every step of every other process in every state, and never disabled once enabled
 *                (Lemma 5)
 *   a join       invisible, and enables nothing but what its own thread does next (Lemma 6)
 *   an exit      ends the execution
 *
 * The lemmas are in [decision 16](../../../docs/decisions/0016-dependence.md). Treating every step as visible is always
 * sound.
 */
import type { IntVector } from '../../util/int-vector.ts';
import type { Step } from '../runnable.ts';

export interface NextSteps {
  /**
   * Adds the enabled visible steps of the first thread, from number `from` on, that has any; returns that thread or -1.
   */
  addVisible(from: number, out: IntVector): number;
  /**
   * Whether a step has been left out, since `addVisible` was last called from 0, because it has to wait for a given
   * order.
   */
  readonly holdsBack: boolean;
  /** The number of choices (0, 1, …) that the process of the step has; 0 if the step is not enabled. */
  ways(step: Step): number;
  /** The enabled exit of the first thread, from number `from` on, that has one; -1 if there is none. */
  exit(from: number): Step | -1;
  /** The first enabled invisible step, with joins or without them; -1 if there is none. */
  invisible(joins: boolean): Step | -1;
  /** How many threads had an invisible next step, enabled or not, at the last call of `invisible`. */
  readonly invisibleCount: number;
  /** The thread's next step if it is an enabled join; else -1. */
  join(thread: number): Step | -1;
  hasEnded(thread: number): boolean;
  /** Call for each event as it happens; returns its thread. Omitting one costs time, not correctness. */
  observe(event: number): number;
  /** The system has been rolled back. */
  forget(): void;
}
