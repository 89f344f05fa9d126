/**
 * What a bad execution implies for all fixes.
 *
 * A change forbids some orders of steps and allows no new ones. If the steps of an execution can be put into an order
 * that a whole set of changes allows, then no subset of it prevents the execution, and every fix has a change outside
 * the set. So changes are added one by one, as edges of the execution's graph, as long as some order remains. Those
 * that do not fit are the constraint: every fix has at least one of them.
 *
 * The order in which changes are added affects which constraint is found, not whether it is sound. Cheap changes come
 * first, so that the constraint consists of expensive ones and bounds the cost well.
 */
import { parseSchedule } from '../explore/schedule.ts';
import { SITE } from '../machine/code/opcodes.ts';
import { BARRIER, BUFFERED, CHOOSES, COMMITS, effectsOf, STAYS_BEHIND_BARRIER } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import { Machine } from '../machine/machine.ts';
import { T_PC } from '../machine/state/layout.ts';
import { processOf, type Step } from '../machine/state/process.ts';
import type { FixModel } from '../models/index.ts';
import { type Probed, probe } from './apply.ts';
import { type Candidates, type Change, type ChangeKind, isFenceKind } from './candidates.ts';
import { type Edge, ExecutionGraph } from './execution-graph.ts';

/** An execution of the program with `changes`, under a model. */
export interface BadExecution {
  readonly model: FixModel;
  readonly schedule: string;
  readonly changes: readonly Change[];
}

/** What a change would have prevented: in the execution, `early` took effect before `late` did. */
export interface DelayPair {
  readonly late: number;
  readonly early: number;
}

/** An execution with probes, and what it implies. */
export class Constraint {
  /** Every fix has one of these; empty: no set of changes helps. */
  readonly changes: readonly Change[];
  readonly execution: BadExecution;
  readonly machine: Machine;
  /** Events from this number on are updates appended by `drain`, not part of the execution. */
  private readonly length: number;
  private readonly graph: ExecutionGraph;
  /** By place: the events at that place. */
  private readonly visits = new Map<number, number[]>();

  constructor(candidates: Candidates, execution: BadExecution) {
    this.execution = execution;
    const probed = probe(candidates, execution.changes);
    this.machine = replay(probed, execution);
    this.length = this.machine.depth;
    drain(this.machine);
    this.graph = new ExecutionGraph(this.machine);
    this.findVisits(probed);
    const others = candidates.changes
      .filter((change) => this.visits.has(change.place) && !execution.changes.includes(change))
      .map((change) => ({ change, edges: this.edgesOf(change) }))
      .filter(({ edges }) => edges.length > 0)
      .sort((a, b) => a.change.cost - b.change.cost);
    this.changes = others.filter(({ edges }) => !this.graph.tryEdges(edges)).map(({ change }) => change);
  }

  private findVisits({ places }: Probed): void {
    const { events, code } = this.machine;
    for (let e = 0; e < events.length; e++) {
      if ((this.graph.does(e) & COMMITS) !== 0) continue;
      const place = places.get(code.sites[events.get(e, ev.E_SITE)]!.instruction);
      if (place === undefined) continue;
      const visits = this.visits.get(place);
      if (visits === undefined) this.visits.set(place, [e]);
      else visits.push(e);
    }
  }

  /** The edges that a change adds to the order of steps. */
  private edgesOf(change: Change): readonly Edge[] {
    const edges: Edge[] = [];
    for (const visit of this.visits.get(change.place)!) {
      const { before, after } = this.around(visit);
      const waits = (event: number, stores: readonly number[]): void => {
        for (const store of stores) edges.push({ from: this.graph.update.get(store)!, to: event });
      };
      const stores = before.filter((e) => this.graph.isStore(e));
      const isStore = this.graph.isStore(visit);
      if (change.kind === 'full-fence') waits(visit, stores);
      else if (this.machine.description.heedsBarriers && isBarrier(change.kind)) {
        if (!isFenceKind(change.kind) && !isStore) waits(visit, this.isLoad(visit) ? [] : stores);
        else edges.push(...this.barrier(stores, isStore ? [visit, ...after] : after));
      }
      if (change.kind === 'seq_cst' && isStore && after.length > 0) waits(after[0]!, [...stores, visit]);
    }
    return edges;
  }

  private isLoad(event: number): boolean {
    return this.machine.events.get(event, ev.E_KIND) === ev.LOAD_EVENT;
  }

  /** The events of its thread before and after it. */
  private around(visit: number): { before: readonly number[]; after: readonly number[] } {
    const thread = this.graph.threads[this.machine.events.get(visit, ev.E_THREAD)]!;
    const at = thread.indexOf(visit);
    return { before: thread.slice(0, at), after: thread.slice(at + 1) };
  }

  /** Edges from the stores before a barrier to the stores and other operations that stay behind it. */
  private barrier(stores: readonly number[], after: readonly number[]): readonly Edge[] {
    const { graph } = this;
    const held = after.filter((e) => (graph.does(e) & STAYS_BEHIND_BARRIER) !== 0);
    if (stores.length === 0 || held.length === 0) return [];
    const node = graph.addNode();
    return [
      ...stores.map((store) => ({ from: graph.update.get(store)!, to: node })),
      ...held.map((e) => ({ from: node, to: graph.update.get(e) ?? e })),
    ];
  }

  /**
   * Whether a store was still buffered when a later event of its thread took effect, with all compatible changes made.
   */
  isOvertaken(store: number, later: number): boolean {
    const { graph } = this;
    if (!graph.isStore(store)) return false;
    const times = graph.times();
    return times[graph.update.get(later) ?? later]! < times[graph.update.get(store)!]!;
  }

  /**
   * The accesses that a change of the constraint would have kept in order: stores before it that reached memory only
   * after something following it took effect, with the steps in an order that the compatible changes allow.
   */
  delayPairs(change: Change): readonly DelayPair[] {
    const { graph, length } = this;
    const times = graph.times();
    const pairs: DelayPair[] = [];
    for (const visit of this.visits.get(change.place)!) {
      const isAccess = change.kind === 'release' || change.kind === 'seq_cst';
      const { before, after } = this.around(visit);
      const isFull = change.kind === 'full-fence' || change.kind === 'seq_cst';
      const first = change.kind === 'seq_cst' ? [...before, visit] : before;
      const second = isAccess ? [visit, ...after] : after;
      for (const late of first) {
        if (!graph.isStore(late)) continue;
        for (const early of second) {
          const does = graph.does(early);
          if (early === late || !(isFull || (does & STAYS_BEHIND_BARRIER) !== 0)) continue;
          // A fence or a choice has no effect on memory.
          if ((does & (BARRIER | BUFFERED)) === BARRIER || (does & CHOOSES) !== 0) continue;
          const node = graph.update.get(early) ?? early;
          if (node < length && times[node]! < times[graph.update.get(late)!]!) pairs.push({ late, early });
        }
      }
    }
    return pairs;
  }
}

/**
 * Whether a change of this kind is a store–store barrier. The kinds for the language alone order nothing on a machine.
 */
function isBarrier(kind: ChangeKind): boolean {
  return kind === 'store-fence' || kind === 'release' || kind === 'seq_cst';
}

/**
 * The execution is another one with probes. A probe is a step, so what its thread does after it without a step, such as
 * detaching itself twice, comes earlier.
 */
export class DoesNotFit extends Error {}

/** Replays the execution with probes; each probe runs as soon as a thread reaches it. */
export function replay({ program, probes }: Probed, { model, schedule }: BadExecution): Machine {
  const machine = new Machine(program, model);
  const { code, threads, processes, steps } = machine;
  const isProbe = (step: Step): boolean => {
    const process = processOf(step);
    if (!processes.isThread(process)) return false;
    return probes.has(code.sites[code.words[threads.get(process, T_PC) + SITE]!]!.instruction);
  };
  const runProbes = (): void => {
    for (let i = 0, count = machine.enabled(); i < count; i++) {
      if (!isProbe(steps.get(i))) continue;
      machine.step(steps.get(i));
      count = machine.enabled();
      i = -1;
    }
  };
  for (const step of parseSchedule(machine, schedule)) {
    runProbes();
    let isEnabled = false;
    for (let i = 0; i < steps.length; i++) isEnabled ||= steps.get(i) === step;
    if (!isEnabled) throw new DoesNotFit(`a schedule does not fit its own program: step ${machine.depth + 1}`);
    machine.step(step);
  }
  return machine;
}

/**
 * An execution that stopped, at an error or a cycle, could always have continued by committing the stores still
 * buffered: appends these commits as events. The machine must not be used afterwards.
 */
function drain({ events, processes }: Machine): void {
  const waiting = Array.from({ length: processes.threadCount }, () => new Map<number, number>());
  for (let e = 0; e < events.length; e++) {
    const does = effectsOf(events, e);
    const thread = waiting[events.get(e, ev.E_THREAD)]!;
    if ((does & BUFFERED) !== 0) thread.set(events.get(e, ev.E_INDEX), e);
    else if ((does & COMMITS) !== 0) thread.delete(events.get(e, ev.E_INDEX));
  }
  for (const [slot, stores] of waiting.entries()) {
    for (const [index, store] of stores) {
      const at = events.append(ev.UPDATE_EVENT, slot, index, 0, events.get(store, ev.E_SITE));
      for (const field of [ev.E_ADDRESS, ev.E_SIZE, ev.E_STORED_LOW, ev.E_STORED_HIGH])
        events.words[at + field] = events.get(store, field);
      events.words[at + ev.E_FLAGS] = ev.WROTE_MEMORY;
    }
  }
}
