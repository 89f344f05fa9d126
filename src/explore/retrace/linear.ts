/**
 * The sequence in an order in which the machine could have run it: a placed read comes before the writes that it did not
 * see, everything else in the order of the sequence. So two sequences that begin alike also begin alike in this order,
 * and whoever follows the executions need only look at the rest.
 */
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { IntVector } from '../../util/int-vector.ts';
import type { Sequence } from './sequence.ts';

const { EVENT_WORDS } = ev;

export class Linear {
  private readonly machine: Machine;
  private readonly sequence: Sequence;
  /** The events in their new order; and by event: its place, or `UNPLACED`. */
  private readonly order = new IntVector();
  private readonly places = new IntVector();
  /** The log in the order of the execution before; its order; and how many writes come before each place. */
  private log: Int32Array = new Int32Array(0);
  private readonly before = new IntVector();
  private readonly writes = new IntVector();
  /** Events of the sequence from this one on may be others than then. */
  private changed = 0;
  private ownLog: Int32Array | undefined;

  constructor(machine: Machine, sequence: Sequence) {
    this.machine = machine;
    this.sequence = sequence;
  }

  /** Events from this one on are about to change. */
  rollback(event: number): void {
    if (event < this.changed) this.changed = event;
  }

  /** The steps up to the last event of the sequence; what does not happen before it is left out. */
  get stepsToLast(): readonly number[] {
    const { sequence, order, machine } = this;
    this.clear();
    this.place(sequence.length - 1);
    return Array.from({ length: order.length }, (_, i) => machine.events.get(order.get(i), ev.E_STEP));
  }

  /**
   * Gives the machine's log the new order, until `restore`. First the log is that of the execution before, and `forget`
   * is told how many of its events are still the same; returns their number.
   */
  install(forget: (kept: number) => void): number {
    const { machine, sequence, order } = this;
    const { events } = machine;
    this.clear();
    for (let event = 0; event < sequence.length; event++) if (this.places.words[event]! === UNPLACED) this.place(event);
    const kept = this.same;
    this.ownLog = events.words;
    if (this.log.length < events.words.length) this.log = enlarged(this.log, events.words.length);
    events.words = this.log;
    forget(kept);
    this.before.length = kept;
    this.writes.length = kept;
    for (let place = kept; place < order.length; place++) this.copy(order.words[place]!, place);
    this.changed = sequence.length;
    return kept;
  }

  /** The same where the machine's log is that of a real execution already. */
  installOwn(forget: (kept: number) => void): number {
    const { events } = this.machine;
    const own = events.words;
    if (this.log.length > 0) events.words = this.log;
    forget(0);
    events.words = own;
    // It says nothing about the sequence.
    this.log = own.slice();
    this.before.clear();
    this.writes.clear();
    this.changed = 0;
    return 0;
  }

  /** Gives the machine its own log again. */
  restore(): void {
    if (this.ownLog !== undefined) this.machine.events.words = this.ownLog;
    this.ownLog = undefined;
  }

  private clear(): void {
    const { order, places, sequence } = this;
    order.clear();
    places.clear();
    for (let event = 0; event < sequence.length; event++) places.push(UNPLACED);
  }

  /** Appends the event, and before it all that happens before it and is not there yet. */
  private place(event: number): void {
    const { order, places, sequence } = this;
    const { stride, words } = sequence.order;
    const last = (sequence.length - 1) >> 5;
    for (let w = 0; w <= last; w++) {
      let bits = words[event * stride + w]!;
      while (bits !== 0) {
        const bit = bits & -bits;
        bits ^= bit;
        const other = (w << 5) + 31 - Math.clz32(bit);
        if (places.words[other]! === UNPLACED) this.place(other);
      }
    }
    places.words[event] = order.length;
    order.push(event);
  }

  /** How many events are the same, in the same places, as in the execution before. */
  private get same(): number {
    const { order, before, changed } = this;
    const most = Math.min(order.length, before.length);
    let place = 0;
    while (place < most && order.words[place] === before.words[place] && order.words[place]! < changed) place++;
    return place;
  }

  /**
   * Loads from memory say how many writes they saw; one that comes before the update of its thread's own store has taken
   * its value from the buffer.
   */
  private copy(event: number, place: number): void {
    const { log, before, writes, sequence } = this;
    const own = this.ownLog!;
    const at = place * EVENT_WORDS;
    const from = event * EVENT_WORDS;
    for (let i = 0; i < EVENT_WORDS; i++) log[at + i] = own[from + i]!;
    const seen = place === 0 ? 0 : writes.words[place - 1]!;
    if (log[at + ev.E_KIND] === ev.LOAD_EVENT && (log[at + ev.E_FLAGS]! & ev.FORWARDED) === 0) {
      log[at + ev.E_AS_OF] = seen;
      const source = sequence.sourceOf(event);
      if (source >= 0 && this.places.words[source]! > place) {
        log[at + ev.E_FLAGS]! |= ev.FORWARDED;
        log[at + ev.E_OWN_STORE] = own[source * EVENT_WORDS + ev.E_INDEX]!;
      }
    }
    before.push(event);
    writes.push(seen + ((log[at + ev.E_FLAGS]! & ev.WROTE_MEMORY) === 0 ? 0 : 1));
  }
}

const UNPLACED = -1;

function enlarged(words: Int32Array, length: number): Int32Array {
  const result = new Int32Array(length);
  result.set(words);
  return result;
}
