/** How a machine runs its program, apart from the memory model. */
export interface MachineOptions {
  /** Run everything in the plain interpreter: same events, but slower. */
  readonly interpret?: boolean;
  /** How often a place is interpreted before code is generated for its function. */
  readonly patience?: number;
  /** A thread that would repeat a loop iteration that changed nothing sleeps for the rest of the execution. */
  readonly spin?: boolean;
  /**
   * With `spin`: an iteration after which private memory is as it was changed nothing (`run/recurrence.ts`). On unless
   * false.
   */
  readonly recurrence?: boolean;
  /** With `spin`: nor did an iteration that has undone its writes (`run/undone-rounds.ts`). On unless false. */
  readonly undone?: boolean;
  /** With `spin`: such a thread does not even take the read after which it would sleep; it waits in front of it. */
  readonly awaits?: boolean;
  /** With `awaits`: nor does it prepare a node again that no other thread knows (`run/retries.ts`). On unless false. */
  readonly retries?: boolean;
  /**
   * With `awaits`: nor does it take a read-modify-write that fails and leads to such a read. Only for searches that
   * check the values of the place (`run/nested-waits.ts`). On unless false.
   */
  readonly nested?: boolean;
  /**
   * With `awaits`: no thread writes a stamp that another has read and not yet validated. Only for searches that check
   * the values of the stamp (`run/optimistic-reads.ts`). As `nested` unless false.
   */
  readonly optimistic?: boolean;
  /**
   * With `optimistic`: a thread does not even take a load from which it comes back whatever it loads on the way. On
   * unless false.
   */
  readonly doomed?: boolean;
  /** A thread stops after this many iterations of a loop with a visible operation or a call in it; 0 = never. */
  readonly unroll?: number;
  /** Run the model on execution graphs: the search decides what is read and where writes go. Always on for RC11. */
  readonly graphs?: boolean;
}

/** Measured: litmus tests are many and tiny, and end before this; a C program gets there within milliseconds. */
export const DEFAULT_PATIENCE = 2000;
