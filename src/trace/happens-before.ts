/**
 * Happens-before of a chronological trace, and its reversible races, online ([NIDHUGG] Sect. 3–5; [ODPOR] Sect. 3).
 *
 *   paper                                      here
 *   po_τ program order                         `previous` event of the thread
 *   su_τ store → its update                    `storeOf` an update
 *   uu_τ update → later update of its location through the access list of each word: `meet`
 *   src-ct_τ update → load that reads it       the same; not from the thread's own update (below)
 *   cf-ct_τ load → next update                 the same
 *   uf_τ update → fence that waited for it     `drain`, `addEpochBefore`
 *   E ⊢ e → e', →_E                            `happensBefore(e, e')`
 *   e ≲_E e', reversible race                  `races`
 *
 * Under SC a store reaches memory at once and there are no updates; everything else is the same code. What threads wait
 * for at the end of an execution is in `waiting-races.ts`.
 *
 * If a thread loads bytes that it wrote last itself, the value comes from its buffer before the update and from memory
 * after it, and no thread can observe the difference. So the update and the load are unordered. Once both have
 * happened, the load counts as a reader of the update, and any overwrite of the update happens after both.
 *
 * Beyond the paper
 *   - accesses have sizes: lists are kept per word, with a mask of bytes. A load that a store of its thread overlaps
 *     without covering it waits for the update, so it happens after it.
 *   - store–store barriers (PSO): an update happens after its thread's updates of all earlier epochs; an atomic
 *     operation without release semantics after only those, and after its thread's updates of its own bytes.
 *   - mutexes: unlock → lock cannot be reversed. The race is between the previous lock and the next one. A failed
 *     trylock only reads. An await is the general case: it cannot come before the write that made its condition true,
 *     so it races with the newest write before which the condition held.
 *   - condition variables: operations on one are ordered as they happened; a woken thread continues after the signal
 *     that woke it.
 *   - creating a thread precedes its events; its end and its updates precede the join.
 *   - an atomic section excludes everything: its start conflicts with all accesses of other threads.
 *   - on request, read-modify-writes that commute are not ordered
 *     ([decision 27](../../docs/decisions/0027-commuting-operations.md)).
 */
import { commutingSites } from '../machine/code/commuting.ts';
import { RELEASES } from '../machine/code/order.ts';
import {
  accessBy,
  BARRIER,
  BUFFERED,
  CHOOSES,
  COMMITS,
  CREATES,
  EFFECTS,
  ENDS_PROGRAM,
  EXCLUDES_ALL,
  JOINS,
  MAY_WAIT,
  NO_WAIT,
  SLEEPS,
  WRITES,
  waitOf,
} from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import { followsWaker } from '../machine/events/waker.ts';
import type { Machine } from '../machine/machine.ts';
import { usesOperation } from '../program/uses.ts';
import { type IntVector, larger } from '../util/int-vector.ts';
import { NO_ADDRESS, NO_OWN_STORE } from './actions.ts';
import { type EventName, type FixedOrder, NO_ORDERS } from './fixed-orders.ts';
import {
  H_ACTION,
  H_EPOCH,
  H_FORWARDED,
  H_LISTS,
  H_NEXT_FORWARDED,
  H_OWN,
  H_PREVIOUS,
  H_RACES,
  H_SECTION,
  H_STORE,
  H_UPDATE,
  H_WAITED,
  H_WORDS,
  NONE,
} from './predecessors.ts';
import { RaceOrder } from './race-order.ts';

interface HappensBeforeOptions {
  readonly everyAction?: boolean;
  readonly commuting?: boolean;
  /** See `Shortcuts` in `explore/dpor/shortcuts.ts`. */
  readonly longFrom?: number;
  readonly lateExits?: boolean;
  readonly clocksFrom?: number;
}

export class HappensBefore extends RaceOrder {
  /** Whether some event conflicts with every access of every other thread. */
  readonly usesAtomicSections: boolean;
  /** Whether exits do: they may come before accesses of other threads, not only after everything. */
  protected readonly exitsRace: boolean;
  /** Orders that the search imposes. They are part of happens-before, and never races. */
  protected orders: readonly FixedOrder[] = NO_ORDERS;
  private hasOrders = false;
  /** Whether some thread may sleep, so that its next event follows the one that woke it. */
  private readonly sleeps: boolean;
  /** Whether the program or the search needs any of what `observeRare` does. */
  private needsRare = false;
  /** Whether events without an access get an action too. */
  private readonly everyAction: boolean;
  protected readonly isOptimistic: boolean;

  constructor(machine: Machine, options: HappensBeforeOptions = {}) {
    super(machine);
    if (options.longFrom !== undefined) this.longFrom = options.longFrom;
    // Under PSO each thread has a buffer per location, which makes too many processes.
    if (options.clocksFrom !== undefined && !this.isPerLocation) {
      const { events } = machine;
      const bufferOf = (event: number): number => (events.get(event, ev.E_KIND) === ev.UPDATE_EVENT ? 1 : 0);
      this.rows.useClocks(options.clocksFrom, (event) => 2 * events.get(event, ev.E_THREAD) + bufferOf(event));
    }
    this.everyAction = options.everyAction === true;
    this.isOptimistic = machine.idleWaits?.optimistic !== undefined;
    if (options.commuting === true) {
      const classes = commutingSites(machine.code, {
        sleeps: machine.maySleep,
        mayBeIdle: (pc) => machine.idleWaits?.mayBeIdleAt(pc) === true,
      });
      if (classes.some((known) => known !== 0)) this.classes = classes;
    }
    this.exitsRace = options.lateExits === false && usesOperation(machine.program, 'exit');
    // Under an axiomatic model, atomic sections exclude only each other.
    const usesSections = !machine.description.isAxiomatic && usesOperation(machine.program, 'beginatomic');
    this.usesAtomicSections = usesSections || this.exitsRace;
    this.hasSections = this.usesAtomicSections || this.isOptimistic;
    this.sleeps = usesOperation(machine.program, 'wait');
    this.setOrders(NO_ORDERS);
  }

  /** Whether some operations of the program commute and are left unordered. */
  get mayCommute(): boolean {
    return this.classes.length > 0;
  }

  /** Whether one of the events in the bit set `bits`, from its word `from` on, happens before `event`. */
  happensAfterAny(event: number, bits: Int32Array, from: number): boolean {
    return this.rows.meets(event, bits, from);
  }

  /** The update of the store that is the thread's event number `index` (from 1), or `NONE` if it has not happened. */
  updateOf(thread: number, index: number): number {
    return this.fields[this.threads[thread]!.get(index - 1) * H_WORDS + H_UPDATE]!;
  }

  /** Fills `out` with the bit set of the events up to `end` that happen before all of `events`. */
  commonPast(events: IntVector, end: number, out: Int32Array): void {
    this.rows.common(events, end, out);
  }

  // ---- going forward

  /** Observes all events of the machine that have not been observed yet. */
  catchUp(): void {
    for (let event = this.length; event < this.machine.depth; event++) this.observe(event);
  }

  observe(event: number): void {
    if (event !== this.length) throw new Error('events must be observed one after the other');
    if ((event + 1) * H_WORDS > this.fields.length) this.fields = larger(this.fields, NONE);
    const words = this.machine.events.words;
    const at = event * ev.EVENT_WORDS;
    const kind = words[at + ev.E_KIND]!;
    const thread = words[at + ev.E_THREAD]!;
    while (this.threads.length <= thread) this.addThread();
    this.preds.clear();
    const isPrepared = this.needsRare && this.observeRare(event, kind, thread);
    this.ownStore = NONE;
    const h = event * H_WORDS;
    const { fields } = this;
    if (this.isBuffered) {
      fields[h + H_UPDATE] = NONE;
      fields[h + H_FORWARDED] = NONE;
    }
    fields[h + H_LISTS] = this.lists.end;
    this.length++;
    this.isPlain = !isPrepared && kind !== ev.LOCK_EVENT && (words[at + ev.E_FLAGS]! & ev.BLOCKS) === 0;
    const does = EFFECTS[kind]!;
    if ((does & COMMITS) !== 0) this.observeUpdate(event, thread, words[at + ev.E_INDEX]!);
    else this.observeOperation(event, kind, does, thread);
    this.order(event);
    if (isPrepared) this.endWait();
    fields[h + H_RACES] = this.races.length;
  }

  /** What only a few programs and searches need. Returns whether the event is of the operation that was prepared. */
  private observeRare(event: number, kind: number, thread: number): boolean {
    const { fields } = this;
    const h = event * H_WORDS;
    if (this.classes.length > 0 && this.prepared !== event && this.isAwait(event)) this.prepareAwait(event);
    const index = this.machine.events.get(event, ev.E_INDEX);
    if (this.hasOrders) this.addOrders(thread, index, kind === ev.UPDATE_EVENT);
    fields[h + H_SECTION] = this.usesAtomicSections ? this.sectionOf(event, kind) : NONE;
    const isPrepared = this.prepared === event;
    if (isPrepared) this.beginWait();
    fields[h + H_WAITED] = this.waits ? 1 : 0;
    return isPrepared;
  }

  /** Call before the first event. */
  setOrders(orders: readonly FixedOrder[]): void {
    this.orders = orders;
    this.hasOrders = orders.length > 0;
    const mayPrepare = this.machine.idleWaits !== undefined || this.classes.length > 0;
    this.needsRare = this.hasOrders || this.hasSections || mayPrepare;
  }

  private addOrders(thread: number, index: number, isUpdate: boolean): void {
    for (const { first, second } of this.orders) {
      if (second.thread !== thread || second.index !== index || second.isUpdate !== isUpdate) continue;
      const event = this.eventNamed(first);
      if (event !== NONE) this.add(event, 0);
    }
  }

  /** The event of this name, or `NONE` if it has not been observed. */
  eventNamed({ thread, index, isUpdate }: EventName): number {
    const own = this.threads[thread];
    if (own === undefined || own.length < index) return NONE;
    const event = own.get(index - 1);
    return isUpdate ? this.fields[event * H_WORDS + H_UPDATE]! : event;
  }

  /** The atomic section that contains the event. While a section is open, only its thread takes steps. */
  private sectionOf(event: number, kind: number): number {
    if (kind === ev.BEGIN_ATOMIC_EVENT) return event;
    const isOpen = event > 0 && this.machine.events.get(event - 1, ev.E_KIND) !== ev.END_ATOMIC_EVENT;
    return isOpen ? this.fields[(event - 1) * H_WORDS + H_SECTION]! : NONE;
  }

  private observeUpdate(event: number, thread: number, index: number): void {
    const { fields } = this;
    const words = this.machine.events.words;
    const at = event * ev.EVENT_WORDS;
    const h = event * H_WORDS;
    const store = this.threads[thread]!.get(index - 1);
    const last = this.lastUpdate.get(thread);
    const epoch = fields[store * H_WORDS + H_EPOCH]!;
    this.add(store, 0);
    fields[store * H_WORDS + H_UPDATE] = event;
    fields[h + H_STORE] = store;
    fields[h + H_PREVIOUS] = last;
    fields[h + H_EPOCH] = epoch;
    fields[h + H_OWN] = NONE;
    this.lastUpdate.words[thread] = event;
    if (!this.isPerLocation) {
      if (last !== NONE) this.add(last, 0);
    } else this.addEpochBefore(last, epoch);
    const address = words[at + ev.E_ADDRESS]!;
    const size = words[at + ev.E_SIZE]!;
    fields[h + H_ACTION] = this.actions.intern(
      words[at + ev.E_STEP]!,
      thread,
      WRITES,
      address,
      size,
      NO_OWN_STORE,
      NO_ADDRESS,
    );
    if (this.usesAtomicSections) this.touchAll(event, thread, WRITES);
    this.touch(event, ev.UPDATE_EVENT, thread, WRITES, address, size);
    // The loads that took their value from this store in the buffer now count as readers of memory.
    for (let l = fields[store * H_WORDS + H_FORWARDED]!; l !== NONE; l = fields[l * H_WORDS + H_NEXT_FORWARDED]!) {
      this.addReader(l, thread, words[l * ev.EVENT_WORDS + ev.E_ADDRESS]!, words[l * ev.EVENT_WORDS + ev.E_SIZE]!);
    }
  }

  private observeOperation(event: number, kind: number, does: number, thread: number): void {
    const { fields } = this;
    const words = this.machine.events.words;
    const at = event * ev.EVENT_WORDS;
    const h = event * H_WORDS;
    const own = this.threads[thread]!;
    const previous = own.length === 0 ? NONE : own.get(own.length - 1);
    let epoch = previous === NONE ? 0 : fields[previous * H_WORDS + H_EPOCH]!;
    own.push(event);
    fields[h + H_PREVIOUS] = previous;
    if (previous !== NONE) {
      this.add(previous, 0);
      if (this.sleeps && followsWaker(words[previous * ev.EVENT_WORDS + ev.E_KIND]!, kind))
        this.add(this.wakerOf(thread, previous), 0);
    } else if (this.created.get(thread) !== NONE) this.add(this.created.get(thread), 0);

    let access = accessBy(does, words[at + ev.E_FLAGS]!);
    if (kind === ev.RMW_EVENT && this.classes.length > 0) access |= this.classOf(event);
    if (this.isBuffered) {
      const wait = (does & MAY_WAIT) === 0 ? NO_WAIT : waitOf(words, at);
      if (wait !== NO_WAIT) this.waitFor(thread, epoch, wait);
      // A full fence needs no barrier: no earlier store is still buffered.
      else if ((does & BARRIER) !== 0 && RELEASES[words[at + ev.E_ORDER]!] === 1) epoch++;
      // A store that enters its thread's buffer accesses nothing.
      if ((does & BUFFERED) !== 0) access = 0;
    }
    const second = (does & SLEEPS) !== 0 ? words[at + ev.E_MUTEX]! : NO_ADDRESS;
    if ((does & (CREATES | JOINS | ENDS_PROGRAM)) !== 0)
      access = this.linkThreads(event, does, words[at + ev.E_OTHER]!);
    fields[h + H_EPOCH] = epoch;
    const address = words[at + ev.E_ADDRESS]!;
    const size = Math.max(1, words[at + ev.E_SIZE]!);
    if (access !== 0) this.access(event, kind, thread, access, address, size, second);
    fields[h + H_OWN] = this.ownStore;
    if (kind === ev.LOAD_EVENT && this.isOptimistic) this.observeOptimistic(event, thread, words[at + ev.E_INDEX]!);
    const index = this.ownStore === NONE ? NO_OWN_STORE : words[this.ownStore * ev.EVENT_WORDS + ev.E_INDEX]!;
    const step = words[at + ev.E_STEP]!;
    if (access !== 0) fields[h + H_ACTION] = this.actions.intern(step, thread, access, address, size, index, second);
    // Of the remaining events, only the action of a choice is ever asked for.
    else if ((does & CHOOSES) !== 0 || this.everyAction) {
      fields[h + H_ACTION] = this.actions.intern(step, thread, 0, 0, 0, NO_OWN_STORE, NO_ADDRESS);
    } else fields[h + H_ACTION] = NONE;
  }

  /** The event creates, joins or ends threads. Returns its access. */
  private linkThreads(event: number, does: number, other: number): number {
    if ((does & CREATES) !== 0) this.noteCreation(event, other);
    else if ((does & JOINS) !== 0) this.join(other);
    else if (this.exitsRace) return EXCLUDES_ALL;
    else for (let e = 0; e < event; e++) this.add(e, 0);
    return 0;
  }

  private access(
    event: number,
    kind: number,
    thread: number,
    access: number,
    address: number,
    size: number,
    second: number,
  ): void {
    const words = this.machine.events.words;
    const at = event * ev.EVENT_WORDS;
    if (this.usesAtomicSections) this.touchAll(event, thread, access);
    if (access === EXCLUDES_ALL) return;
    if (kind === ev.LOAD_EVENT && (words[at + ev.E_FLAGS]! & ev.FORWARDED) !== 0) {
      const store = this.threads[thread]!.get(words[at + ev.E_OWN_STORE]! - 1);
      this.ownStore = store;
      const { fields } = this;
      fields[event * H_WORDS + H_NEXT_FORWARDED] = fields[store * H_WORDS + H_FORWARDED]!;
      fields[store * H_WORDS + H_FORWARDED] = event;
      return;
    }
    this.touch(event, kind, thread, access, address, size);
    if (second !== NO_ADDRESS) this.touch(event, kind, thread, WRITES, second, 1);
  }

  // ---- rolling back

  /** Forgets all events from number `depth` on. */
  rollback(depth: number): void {
    if (depth >= this.length) return;
    const { fields } = this;
    const words = this.machine.events.words;
    this.lists.truncate(fields[depth * H_WORDS + H_LISTS]!);
    for (let e = this.length - 1; e >= depth; e--) {
      const kind = words[e * ev.EVENT_WORDS + ev.E_KIND]!;
      const thread = words[e * ev.EVENT_WORDS + ev.E_THREAD]!;
      const h = e * H_WORDS;
      if (kind === ev.UPDATE_EVENT) {
        this.lastUpdate.words[thread] = fields[h + H_PREVIOUS]!;
        fields[fields[h + H_STORE]! * H_WORDS + H_UPDATE] = NONE;
        continue;
      }
      this.threads[thread]!.length--;
      if (kind === ev.SPAWN_EVENT && words[e * ev.EVENT_WORDS + ev.E_OTHER]! >= 0) {
        this.created.words[words[e * ev.EVENT_WORDS + ev.E_OTHER]!] = NONE;
      }
      if (kind === ev.LOAD_EVENT && (words[e * ev.EVENT_WORDS + ev.E_FLAGS]! & ev.FORWARDED) !== 0) {
        fields[fields[h + H_OWN]! * H_WORDS + H_FORWARDED] = fields[h + H_NEXT_FORWARDED]!;
      }
    }
    this.length = depth;
    this.forgetRaces(depth);
  }
}
