/**
 * Dependence of the machine's events: happens-before of chronological traces ([NIDHUGG] Sect. 3–5), and conflicts
 * between [actions](../../../trace/actions.ts). All that the search needs to know about store buffers is here and in
 * [happens-before.ts](../../../trace/happens-before.ts).
 *
 * Buffers are separate processes, whose events are updates. A load whose own store is still buffered reads nothing
 * else, so whether it conflicts depends on which updates come before it: in the prefix, in the set, or already removed
 * from it. An action without such a store is *plain*: it conflicts with the same actions in every context.
 */
import { COMMUTES } from '../../../machine/code/commuting.ts';
import { ATOMIC, BUFFERED, BYTES, EFFECTS, effectsOf, FREES } from '../../../machine/events/effects.ts';
import * as ev from '../../../machine/events/event.ts';
import type { Machine } from '../../../machine/machine.ts';
import { bytesIn, NO_ENTRY } from '../../../trace/access-lists.ts';
import { NO_ADDRESS, NO_OWN_STORE, WRITES } from '../../../trace/actions.ts';
import { WaitingRaces } from '../../../trace/waiting-races.ts';
import { processOf, type Step } from '../../runnable.ts';
import { type Dependence, type EventSet, NO_ACTION, NO_EVENT } from '../dependence.ts';
import type { Shortcuts } from '../shortcuts.ts';

export class MachineDependence extends WaitingRaces implements Dependence {
  /** Conflicts are found in the access list of each word (Lemma 7). */
  private readonly usesLists: boolean;

  constructor(machine: Machine, shortcuts: Shortcuts) {
    super(machine, { everyAction: !shortcuts.invisibleSteps, ...shortcuts });
    this.usesLists = shortcuts.accessLists && !this.usesAtomicSections;
  }

  prepare(step: Step): void {
    const { machine } = this;
    const process = processOf(step);
    const { idleWaits } = machine;
    if (idleWaits === undefined || !machine.processes.isThread(process)) return;
    this.prepareWait(process);
    idleWaits.optimistic?.begin(process);
  }

  alternative(action: number, step: Step): number {
    return this.actions.variant(action, step, this.actions.access(action));
  }

  /** A compare-exchange that writes only when it comes first then also conflicts with unordered readers. */
  conflictsWithMore(action: number, second: number): boolean {
    const { actions } = this;
    return (actions.access(action) & ~actions.access(this.action(second)) & WRITES) !== 0;
  }

  ordersHold(): boolean {
    return this.orders.every(({ first, second }) => this.areOrdered(this.eventNamed(first), this.eventNamed(second)));
  }

  /**
   * Whether both have happened, are plain accesses and conflict, so that their order is the same in all executions of
   * the trace.
   */
  areOrdered(first: number, second: number): boolean {
    if (!this.isPlainAccess(first) || !this.isPlainAccess(second)) return false;
    const { actions } = this;
    const [a, b] = [this.action(first), this.action(second)];
    if (a === NO_ACTION || b === NO_ACTION) return false;
    return actions.own(a) === NO_OWN_STORE && actions.own(b) === NO_OWN_STORE && actions.conflict(a, b, false);
  }

  /** Only its thread and its buffer decide when it can happen: no await, no lock. */
  private isPlainAccess(event: number): boolean {
    return event !== NO_EVENT && (effectsOf(this.machine.events, event) & (BYTES | ATOMIC | FREES)) === BYTES;
  }

  // ---- two actions

  wakes(event: number, action: number, sleeping: number): boolean {
    const { actions } = this;
    if (!actions.conflict(action, sleeping, false)) return false;
    // A forwarded load reads nothing that others could change.
    const forwarded = (this.machine.events.words[event * ev.EVENT_WORDS + ev.E_FLAGS]! & ev.FORWARDED) !== 0;
    return !(forwarded || this.isAnsweredByBuffer(sleeping)) || actions.conflict(action, sleeping, true);
  }

  /** Whether this is a load whose own store is still buffered. */
  private isAnsweredByBuffer(action: number): boolean {
    const own = this.actions.own(action);
    return own !== NO_OWN_STORE && this.updateOf(this.actions.thread(action), own) < 0;
  }

  alwaysConflict(action: number, last: number): boolean {
    return this.actions.own(action) === NO_OWN_STORE && this.actions.conflict(action, last, false);
  }

  /**
   * For plain actions only. A compare-exchange that sleeps as a success and runs as a failure no longer conflicts with
   * readers.
   */
  conflictsWithAllOf(event: number, action: number): boolean {
    const { actions } = this;
    if (actions.own(action) !== NO_OWN_STORE) return false;
    const [slept, ran] = [actions.access(action), actions.access(this.action(event))];
    return (slept & COMMUTES) === (ran & COMMUTES) && (slept & ~ran) === 0;
  }

  // ---- an action and a set of events

  isIndependent(action: number, set: EventSet, last: number): boolean {
    const { actions } = this;
    const own = actions.own(action);
    if (own === NO_OWN_STORE && this.usesLists) {
      if (last !== NO_ACTION && actions.conflict(action, last, false)) return false;
      return set.isEmpty || !this.isTouched(action, set);
    }
    const update = own === NO_OWN_STORE ? NO_EVENT : this.updateOfOwn(action);
    // While its own store is buffered, the load reads nothing else.
    let forwarded = own !== NO_OWN_STORE && (update < 0 || update >= set.first) && !set.isRemoved(update);
    for (let event = set.next(set.first); event !== NO_EVENT; event = set.next(event)) {
      if (event === update) forwarded = false;
      const other = this.action(event);
      if (!actions.conflict(action, other, false)) continue;
      const looksElsewhere = forwarded || this.isForwarded(event, other, set);
      if (!looksElsewhere || actions.conflict(action, other, true)) return false;
    }
    return last === NO_ACTION || !actions.conflict(action, last, forwarded);
  }

  /**
   * The update of the action's own store; `NO_EVENT` if it has not happened in the current execution. An action of the
   * wakeup tree may come from an execution in which its thread had got further, or had taken another path: then its
   * store has not even entered the buffer here. It will have done so when the action's turn comes; and if its update
   * comes before that, the update is in the tree above the action and has been compared with the set.
   */
  private updateOfOwn(action: number): number {
    const { actions } = this;
    const own = this.threads[actions.thread(action)];
    const index = actions.own(action);
    if (own === undefined || index > own.length) return NO_EVENT;
    const { words } = this.machine.events;
    const at = own.get(index - 1) * ev.EVENT_WORDS;
    const isStore = (EFFECTS[words[at + ev.E_KIND]!]! & BUFFERED) !== 0;
    const start = words[at + ev.E_ADDRESS]!;
    const address = actions.address(action);
    const isSame = isStore && start < address + actions.bytes(action) && address < start + words[at + ev.E_SIZE]!;
    return isSame ? this.updateOf(actions.thread(action), index) : NO_EVENT;
  }

  /** Whether an event of the set conflicts with the action, found through the access lists of its bytes. */
  private isTouched(action: number, set: EventSet): boolean {
    const { actions } = this;
    const access = actions.access(action);
    if (access === 0) return false;
    const second = actions.second(action);
    if (this.touches(action, set, access, actions.address(action), actions.bytes(action))) return true;
    return second !== NO_ADDRESS && this.touches(action, set, WRITES, second, 1);
  }

  private touches(action: number, set: EventSet, access: number, address: number, size: number): boolean {
    const { lists } = this;
    for (let word = address >> 2; word << 2 < address + size; word++) {
      const list = lists.list(word);
      const mask = bytesIn(word, address, size);
      if (this.findsConflict(action, set, lists.lastWrite(list), mask, true)) return true;
      // A forwarded load is entered late, when its store reaches memory.
      const areInOrder = !this.isBuffered;
      if ((access & WRITES) !== 0 && this.findsConflict(action, set, lists.lastRead(list), mask, areInOrder))
        return true;
    }
    return false;
  }

  /** Whether one of the accesses from `entry` backwards, newest first if `areInOrder`, is in the set and conflicts. */
  private findsConflict(action: number, set: EventSet, entry: number, mask: number, areInOrder: boolean): boolean {
    const { lists, actions } = this;
    const thread = actions.thread(action);
    for (let n = entry; n !== NO_ENTRY; n = this.before(n, thread)) {
      const event = lists.event(n);
      if (areInOrder && event <= set.first) return false;
      if (!set.has(event) || (lists.mask(n) & mask) === 0) continue;
      const other = this.action(event);
      if (actions.thread(other) === thread || actions.commute(action, other)) continue;
      if (!this.isForwarded(event, other, set)) return true;
    }
    return false;
  }

  /** The entry before this one in its list; in a long list, the newest before it that is not the thread's. */
  private before(entry: number, thread: number): number {
    const { lists } = this;
    if (entry < this.longFrom) return lists.previous(entry);
    const owner = this.machine.events.words[lists.event(entry) * ev.EVENT_WORDS + ev.E_THREAD];
    return owner === thread ? lists.other(entry) : lists.previous(entry);
  }

  /** Whether the event is a load whose own store is still buffered when its turn in the set comes. */
  private isForwarded(event: number, action: number, set: EventSet): boolean {
    const own = this.actions.own(action);
    if (own === NO_OWN_STORE) return false;
    const update = this.updateOf(this.actions.thread(action), own);
    if (update < 0) return true;
    if (set.isRemoved(update)) return false;
    return update > event || update === set.first || (update > set.first && !set.has(update));
  }
}
