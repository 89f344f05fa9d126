/**
 * models/: all there is to know about each memory model, one file per model. The machine, happens-before, the monitors,
 * fix, hunt, reports, the command line and the viewer use the description, never the name, so that a model without a
 * description is refused instead of being mistaken for another.
 *
 * Which of its thread's stores an operation waits for is the same in all models (`machine/events/effects.ts`): none;
 * those to its own bytes and those before the last barrier; or all. A description says what that means for the model's
 * buffers.
 */

/** Where stores wait before they reach memory: nowhere, in one queue per thread, or in one per thread and location. */
export type Buffers = 'none' | 'thread' | 'location';

/** Whether stores wait before they reach memory. */
const DELAY: Readonly<Record<Buffers, boolean>> = { none: false, thread: true, location: true };
/** Whether the stores of a thread reach memory in program order. */
const KEEP_ORDER: Readonly<Record<Buffers, boolean>> = { none: true, thread: true, location: false };

type Buffering = Pick<ModelDescription, 'buffers'>;

/** Whether stores wait before they reach memory. */
export function delaysStores({ buffers }: Buffering): boolean {
  return DELAY[buffers];
}

/** Whether the stores of a thread reach memory in program order, barriers or not. */
export function keepsStoreOrder({ buffers }: Buffering): boolean {
  return KEEP_ORDER[buffers];
}

/**
 * What a read-modify-write or lock without release semantics waits for: nothing; its thread's stores to the same bytes
 * and those before the last store–store barrier; or all its thread's stores. With release semantics it waits for all of
 * them in every model, as do full fences and everything else that drains.
 */
export type AtomicsWaitFor = 'nothing' | 'own bytes' | 'all';

/** Which axioms `explore/graph` applies to execution graphs: those of a machine with these buffers, or others. */
type Axioms = 'buffers' | 'rc11';

/** What a model of a programming language has that a machine's has not. */
export interface Language {
  /** As in "in C11". */
  readonly name: string;
  /** Whether a data race is an error, whatever the program computes. */
  readonly racesAreErrors: boolean;
  /**
   * Whether a program has only SC executions if none of these has a race (`explore/graph/drf.ts`), so that the model
   * need not be searched.
   */
  readonly isScWithoutRaces: boolean;
  /** What compilers or machines may do although the model does not allow it; where they may; a page about it. */
  readonly lacks: { readonly what: string; readonly where: string; readonly page: string };
}

/**
 * What a model can be used for.
 *
 *   check      `check` explores its executions
 *   dpor       happens-before is known, so that DPOR explores one execution per trace
 *   bounded    bounding the preemptions of threads is enough: there is nothing else to preempt
 *   litmus     litmus tests can run under it
 *   monitors   a monitor predicts its non-SC traces from SC executions
 *   robust     it has non-SC traces, which `check --robust` can count
 *   fix        `fix` knows what its fences order
 *   hunt       the Relaxer knows which accesses it reorders
 *   graph      its axioms are known, so that `explore/graph` explores one execution per graph
 */
export type Capability = 'check' | 'dpor' | 'bounded' | 'litmus' | 'monitors' | 'robust' | 'fix' | 'hunt' | 'graph';

/** A model in words: `fencepost help MODEL`. */
export interface ModelHelp {
  readonly title: string;
  /** Which machines are like that, in a few words for tables. */
  readonly where: string;
  readonly allows: string;
  /** The machine that has a correct program if it is verified under this model, as in "Right on x86"; if any. */
  readonly machine: string | undefined;
  /** When to ask this model. */
  readonly use: string;
  /** Shows how it differs from the stronger models. */
  readonly example: {
    readonly title: string;
    /** A line for each row, a column for each thread. */
    readonly code: readonly string[];
    readonly outcome: string;
    /** The same as a litmus test of this package, whose condition is the outcome. */
    readonly litmus: string;
  };
}

export interface ModelDescription {
  readonly name: string;
  /** Other words for it, in lower case, which `--model` understands: `x86`, `arm`. */
  readonly alsoCalled?: readonly string[];
  readonly help: ModelHelp;
  readonly buffers: Buffers;
  readonly atomicsWaitFor: AtomicsWaitFor;
  /** Whether a store–store barrier (release store, release fence) orders stores that are otherwise unordered. */
  readonly heedsBarriers: boolean;
  /** Whether a load may read values older than the current one in memory. */
  readonly loadsMayBeStale: boolean;
  /** If loads may be stale: whether unlocking a mutex is also a load–load barrier, not only a store–store one. */
  readonly unlockOrdersLoads: boolean;
  /**
   * Whether it is defined by axioms over execution graphs, not by a machine: a read may read any write, a write may
   * take any place in the modification order of its location, and only `explore/graph` knows which of these choices are
   * consistent.
   */
  readonly isAxiomatic: boolean;
  readonly axioms: Axioms;
  /** If it is the model of a language. */
  readonly language: Language | undefined;
  /** Whether `check`, `hunt` and `litmus` use it if no model is given and they support it. */
  readonly isDefault: boolean;
  readonly capabilities: Readonly<Record<Capability, boolean>>;
  /** Why it lacks a capability, if that needs an explanation. */
  readonly why?: Readonly<Partial<Record<Capability, string>>>;
}

/** By buffers: the machines whose executions monitors predict and `explore/graph` has axioms for: SC, TSO and PSO. */
const USUAL: Readonly<Record<Buffers, Pick<ModelDescription, 'atomicsWaitFor' | 'heedsBarriers'>>> = {
  none: { atomicsWaitFor: 'nothing', heedsBarriers: false },
  thread: { atomicsWaitFor: 'all', heedsBarriers: false },
  location: { atomicsWaitFor: 'own bytes', heedsBarriers: true },
};

/** Whether its buffers alone say what its machine does: it does not differ from SC, TSO or PSO in anything else. */
export function isUsual(model: ModelDescription): boolean {
  const { atomicsWaitFor, heedsBarriers } = USUAL[model.buffers];
  return (
    !model.loadsMayBeStale &&
    !model.isAxiomatic &&
    model.atomicsWaitFor === atomicsWaitFor &&
    model.heedsBarriers === heedsBarriers
  );
}

/** How the machine runs a model by execution graphs: it keeps all writes, and does what the search tells it. */
export function runByGraphs(model: ModelDescription): ModelDescription {
  return {
    ...model,
    buffers: 'none',
    atomicsWaitFor: 'nothing',
    heedsBarriers: false,
    loadsMayBeStale: true,
    unlockOrdersLoads: false,
    isAxiomatic: true,
  };
}

/** That the model lacks the capability, and why, if the description says so. */
export function lacks({ name, why }: ModelDescription, capability: Capability): string {
  const reason = why?.[capability];
  return `${name} does not support ${capability}${reason === undefined ? '' : `: ${reason}`}`;
}

/** Throws unless the model has the capability: nothing continues with an unsupported model. */
export function requireCapability(model: ModelDescription, capability: Capability): void {
  if (!model.capabilities[capability]) throw new Error(lacks(model, capability));
}
