/**
 * models/: what there is to know about each memory model, one file per model. The machine, happens-before, the monitors,
 * fix, hunt, reports, the command line and the viewer ask the description, never the name, so that a model that is not
 * described is refused instead of being taken for another.
 *
 * What an operation demands of its thread's stores is the same everywhere (`machine/events/effects.ts`): nothing, those
 * behind a barrier, or all. A description says what that means where stores wait in such buffers.
 */

/** What stores wait in before they reach memory: nothing, one queue per thread, or one per thread and location. */
export type Buffers = 'none' | 'thread' | 'location';

/**
 * What can be done with a model.
 *
 *   check      `check` explores its executions
 *   dpor       happens-before is known, so that DPOR explores one execution per trace
 *   bounded    counting preemptions of threads covers it: there is nothing else to preempt
 *   litmus     litmus tests are run under it
 *   monitors   there is a monitor that finds its traces beyond SC in SC executions
 *   robust     it has traces beyond SC that `check --robust` can count
 *   fix        `fix` knows what its fences keep in order
 *   hunt       the Relaxer knows which accesses it swaps
 */
export type Capability = 'check' | 'dpor' | 'bounded' | 'litmus' | 'monitors' | 'robust' | 'fix' | 'hunt';

export interface ModelDescription {
  readonly name: string;
  readonly buffers: Buffers;
  /**
   * What a read-modify-write or lock without release semantics waits for: nothing, the own stores to its bytes and those
   * from before the last store–store barrier, or all own stores. With release semantics, and for full fences and what else
   * drains, it is all own stores wherever there are any.
   */
  readonly atomicsWaitFor: 'nothing' | 'own bytes' | 'all';
  /** A store–store barrier (release store, release fence) keeps stores in order that would not be anyway. */
  readonly heedsBarriers: boolean;
  /** A load may see older values than memory has. */
  readonly loadsMayBeStale: boolean;
  readonly capabilities: Readonly<Record<Capability, boolean>>;
  /** Why it lacks a capability, where that needs an explanation. */
  readonly why?: Readonly<Partial<Record<Capability, string>>>;
}

/** Throws unless the model has the capability: nothing continues with an unsupported model. */
export function requireCapability({ name, capabilities, why }: ModelDescription, capability: Capability): void {
  if (capabilities[capability]) return;
  const reason = why?.[capability];
  throw new Error(`${name} has no ${capability}${reason === undefined ? '' : `: ${reason}`}`);
}
