/** How a machine runs its program, apart from the memory model. */
export interface MachineOptions {
  /** Run everything in the plain interpreter: the same events, but slower. */
  readonly interpret?: boolean;
  /** How often a place is interpreted before its function becomes generated code. */
  readonly patience?: number;
  /** A thread that would repeat a loop iteration that changed nothing sleeps for the rest of the execution. */
  readonly spin?: boolean;
  /** With `spin`: it does not even take the read after which it would sleep, but waits in front of it. */
  readonly awaits?: boolean;
  /** With `awaits`: it does not prepare again a node that nobody knows, either (`run/retries.ts`). On unless false. */
  readonly retries?: boolean;
  /**
   * With `awaits`: it does not take a read-modify-write that fails and leads to such a read, either. Only for searches that check
   * the values of the place (`run/nested-waits.ts`). On unless false.
   */
  readonly nested?: boolean;
  /**
   * With `awaits`: no thread writes a stamp that another has read and not yet validated. Only for searches that check the values of the
   * stamp (`run/optimistic-reads.ts`). As `nested` unless false.
   */
  readonly optimistic?: boolean;
  /** A thread stops after this many iterations of a loop with a visible operation or a call in it; 0 = never. */
  readonly unroll?: number;
  /** Run the model by execution graphs, whose search says what is read and where writes go. Rc11 always is. */
  readonly graphs?: boolean;
}

/**
 * Measured: litmus tests, many and tiny, end before this and lose nothing; a C program gets there in milliseconds.
 */
export const DEFAULT_PATIENCE = 2000;
