/**
 * What a bad execution of the language's model implies for all fixes.
 *
 * An execution is a graph, and RC11 is monotone: a stronger order or one more fence allows no new executions, and does
 * not remove the order between any two accesses. So each change is tried on the graph itself: if the graph stays
 * consistent with a whole set of changes (and racy, if it is bad because of a race), no subset of it prevents the
 * execution, and every fix has a change outside the set. As in `constraint.ts`, changes are added one by one, the cheap
 * ones first; those that do not fit are the constraint.
 */
import { type Fate, fateOf } from '../explore/graph/rebuild.ts';
import { ACQ_REL, ACQUIRE, ACQUIRES, type OrderCode, RELEASE, RELEASES, SEQ_CST } from '../machine/code/order.ts';
import { BYTES, COMMITS, effectsOf } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { probe } from './apply.ts';
import type { Candidates, Change, ChangeKind } from './candidates.ts';
import { type BadExecution, replay } from './constraint.ts';

/** The order of a probe to which no change applies: it is not part of the graph. */
const ABSENT = -1;

export class GraphConstraint {
  /** Every fix has one of these; empty: no set of changes helps. */
  readonly changes: readonly Change[];
  readonly execution: BadExecution;
  readonly machine: Machine;
  private readonly isRace: boolean;
  /** A set of changes that, all together, leave the execution bad. */
  private readonly compatible = new Set<Change>();
  /** By event: its place, if it has one. */
  private readonly placeOf: (number | undefined)[] = [];
  private readonly isProbe: boolean[] = [];

  constructor(candidates: Candidates, execution: BadExecution) {
    this.execution = execution;
    const probed = probe(candidates, execution.changes);
    this.machine = replay(probed, execution);
    const { events, code } = this.machine;
    for (let e = 0; e < events.length; e++) {
      const { instruction } = code.sites[events.get(e, ev.E_SITE)]!;
      this.placeOf.push((effectsOf(events, e) & COMMITS) === 0 ? probed.places.get(instruction) : undefined);
      this.isProbe.push(probed.probes.has(instruction));
    }
    const fate = this.fate();
    if (fate.kind === 'inconsistent') throw new Error(`${execution.model} does not have an execution that it showed`);
    this.isRace = fate.kind === 'race';
    const visited = new Set(this.placeOf);
    const others = candidates.changes
      .filter((change) => visited.has(change.place) && !execution.changes.includes(change))
      .sort((a, b) => a.cost - b.cost);
    this.changes = others.filter((change) => !this.tryChange(change));
  }

  private tryChange(change: Change): boolean {
    this.compatible.add(change);
    if (this.isBad(this.fate())) return true;
    this.compatible.delete(change);
    return false;
  }

  private isBad(fate: Fate): boolean {
    return this.isRace ? fate.kind === 'race' : fate.kind !== 'inconsistent';
  }

  /** The fate of the execution with the compatible changes, and perhaps one more. */
  private fate(further?: Change): Fate {
    const kinds = new Map<number, ChangeKind[]>();
    for (const { place, kind } of further === undefined ? this.compatible : [...this.compatible, further]) {
      const list = kinds.get(place);
      if (list === undefined) kinds.set(place, [kind]);
      else list.push(kind);
    }
    return fateOf(this.machine, (e) => this.orderOf(e, kinds));
  }

  private orderOf(e: number, changes: ReadonlyMap<number, readonly ChangeKind[]>): OrderCode {
    const { events } = this.machine;
    const place = this.placeOf[e];
    const kinds = place === undefined ? undefined : changes.get(place);
    let order = this.isProbe[e] ? ABSENT : events.get(e, ev.E_ORDER);
    if (kinds === undefined) return order;
    const flags = events.get(e, ev.E_FLAGS);
    const hasFailed = (flags & ev.COMPARED) !== 0 && (flags & ev.WROTE_MEMORY) === 0;
    for (const kind of kinds) order = changed(order, kind, hasFailed);
    return order;
  }

  /**
   * Two events that a change of the constraint puts in order: without it they race, or with it one would have to see
   * the other but does not. If the contradiction is a cycle of seq_cst orders, the accesses around the change.
   */
  orderedBy(change: Change): { readonly first: number; readonly second: number } | undefined {
    const fate = this.isRace ? this.fate() : this.fate(change);
    if (fate.kind === 'consistent') return undefined;
    if (fate.first !== undefined) return { first: fate.first, second: fate.second };
    return this.around(change);
  }

  /** In an execution that no change prevents: the two accesses that race. */
  get race(): { readonly first: number; readonly second: number } | undefined {
    const fate = this.fate();
    return fate.kind === 'race' ? fate : undefined;
  }

  /**
   * The last access of the thread up to the changed place, which may be at the place itself, and the first one after
   * it.
   */
  private around({ place }: Change): { readonly first: number; readonly second: number } | undefined {
    const { events } = this.machine;
    const isAccess = (e: number): boolean => (effectsOf(events, e) & BYTES) !== 0;
    for (const [at, own] of this.placeOf.entries()) {
      if (own !== place) continue;
      const thread = events.get(at, ev.E_THREAD);
      const before = this.placeOf.findLastIndex(
        (_, e) => e <= at && events.get(e, ev.E_THREAD) === thread && isAccess(e),
      );
      const after = this.placeOf.findIndex((_, e) => e > at && events.get(e, ev.E_THREAD) === thread && isAccess(e));
      if (before >= 0 && after >= 0) return { first: before, second: after };
    }
    return undefined;
  }
}

/** The order of an access or fence with one more change. */
function changed(order: OrderCode, kind: ChangeKind, hasFailed: boolean): OrderCode {
  switch (kind) {
    case 'full-fence':
    case 'seq_cst':
      return SEQ_CST;
    case 'store-fence':
    case 'release':
      if (hasFailed || (order !== ABSENT && RELEASES[order] === 1)) return order;
      return order !== ABSENT && ACQUIRES[order] === 1 ? ACQ_REL : RELEASE;
    case 'acquire':
    case 'acquire-fence':
      if (hasFailed || (order !== ABSENT && ACQUIRES[order] === 1)) return order;
      return order !== ABSENT && RELEASES[order] === 1 ? ACQ_REL : ACQUIRE;
    case 'acquire-failure':
      return !hasFailed || ACQUIRES[order] === 1 ? order : ACQUIRE;
  }
}
