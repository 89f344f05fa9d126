/**
 * What comes before what in the sequence, as rows of bits:
 *
 *   ≺  closure of po, waits, source, store order  `past`, a row per event; never changes once the event is there
 *   hb  closure of ≺ and fr                       `order`, the same; grows when a read is placed
 *   F  reads that an event's past overwrote       `overwritten`
 *   nc  starred events                            `starred`
 *   the same of an operation that is not there    `opPast`, `opOrder`, `opOverwritten`
 */
import { Predecessors } from '../../trace/predecessors.ts';
import { IntVector } from '../../util/int-vector.ts';
import { add, Rows } from './rows.ts';

export class Relations extends Predecessors {
  readonly past: Rows = new Rows(4);
  readonly order: Rows = new Rows(4);
  readonly overwritten: Rows = new Rows(4);
  starred: Int32Array = new Int32Array(4);
  opPast: Int32Array = new Int32Array(4);
  opOrder: Int32Array = new Int32Array(4);
  opOverwritten: Int32Array = new Int32Array(4);
  /** Rows of `order` that were changed: their old words, the event, and how many words. */
  protected readonly log: IntVector = new IntVector();

  /** Whether some read has been placed before a write. */
  get hasPlaced(): boolean {
    return this.log.length > 0;
  }

  /** Words of a row that may be other than 0: one bit per event so far. */
  private get width(): number {
    return (this.length + 31) >> 5;
  }

  // ---- the operation

  /** It comes after its immediate predecessors, and after nothing else yet. */
  protected joinPreds(): void {
    const { opPast, opOrder, opOverwritten, preds } = this;
    // Small rows are cleared faster one word at a time.
    const { length } = opPast;
    for (let w = 0; w < length; w++) {
      opPast[w] = 0;
      opOrder[w] = 0;
      opOverwritten[w] = 0;
    }
    for (let i = 0; i < preds.length; i++) this.joinEvent(preds.words[i]! >> 1);
  }

  /** It comes after this event. */
  protected joinEvent(event: number): void {
    const { opPast, opOrder, opOverwritten, width } = this;
    const { stride } = this.past;
    const row = event * stride;
    const past = this.past.words;
    const order = this.order.words;
    const overwritten = this.overwritten.words;
    for (let w = 0; w < width; w++) {
      opPast[w]! |= past[row + w]!;
      opOrder[w]! |= order[row + w]!;
      opOverwritten[w]! |= overwritten[row + w]!;
    }
    add(opPast, event);
    add(opOrder, event);
  }

  /** It overwrites what this event has read. */
  protected joinReader(read: number): void {
    const { opOrder, opOverwritten, width } = this;
    const { stride, words } = this.order;
    const row = read * stride;
    for (let w = 0; w < width; w++) opOrder[w]! |= words[row + w]!;
    add(opOrder, read);
    add(opOverwritten, read);
  }

  // ---- its event

  protected writeRows(event: number, isStarred: boolean): void {
    const { opPast, opOrder, opOverwritten, width } = this;
    const row = event * this.past.stride;
    const past = this.past.words;
    const order = this.order.words;
    const overwritten = this.overwritten.words;
    for (let w = 0; w < width; w++) {
      past[row + w] = opPast[w]!;
      order[row + w] = opOrder[w]!;
      overwritten[row + w] = opOverwritten[w]!;
    }
    if (isStarred) add(this.starred, event);
  }

  /** The event, which is the newest one, comes before `next`, and so before all that comes after that. */
  protected putBefore(event: number, next: number): void {
    const { opOrder, log, order } = this;
    const { stride, words } = order;
    for (let e = 0; e < event; e++) {
      if ((e !== next && !order.has(e, next)) || order.has(e, event)) continue;
      const row = e * stride;
      const to = log.extend(stride + 2);
      for (let w = 0; w < stride; w++) {
        log.words[to + w] = words[row + w]!;
        words[row + w]! |= opOrder[w]!;
      }
      words[row + (event >> 5)]! |= 1 << (event & 31);
      log.words[to + stride] = e;
      log.words[to + stride + 1] = stride;
    }
  }

  // ---- room, and rolling back

  protected widen(): void {
    const stride = this.past.stride * 2;
    for (const rows of [this.past, this.order, this.overwritten]) rows.widen(stride, this.length);
    const wider = (set: Int32Array): Int32Array<ArrayBuffer> => {
      const result = new Int32Array(stride);
      result.set(set);
      return result;
    };
    this.starred = wider(this.starred);
    this.opPast = wider(this.opPast);
    this.opOrder = wider(this.opOrder);
    this.opOverwritten = wider(this.opOverwritten);
  }

  /** Forgets the newest event. The log was `length` words long before it. */
  protected forgetRows(event: number, length: number): void {
    const { log, order } = this;
    while (log.length > length) {
      const width = log.words[log.length - 1]!;
      const row = log.words[log.length - 2]! * order.stride;
      log.length -= width + 2;
      for (let w = 0; w < width; w++) order.words[row + w] = log.words[log.length + w]!;
      for (let w = width; w < order.stride; w++) order.words[row + w] = 0;
    }
    this.starred[event >> 5]! &= ~(1 << (event & 31));
  }
}
