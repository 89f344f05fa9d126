/** The rows of happens-before, and the reversible races, each found when its second event is observed. */
import { DECIDED_BY, NOTHING } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import { IntVector } from '../util/int-vector.ts';
import { Actions } from './actions.ts';
import { CommutingWrites } from './commuting-writes.ts';
import { reversedAction } from './conditional.ts';
import { OptimisticOrder } from './optimistic-order.ts';
import { H_ACTION, H_RACES, H_SECTION, H_WAITED, H_WORDS, NONE } from './predecessors.ts';

// Words of a race of an operation that waits.
const W_RACE = 0;
const W_ACCESS = 1; // the access of the operation if it came first
const W_POSTPONED = 2; // where its further events begin, and end
const W_POSTPONED_END = 3;
const WAITED_WORDS = 4;

export class RaceOrder extends OptimisticOrder {
  /** Whether events may be in atomic sections or optimistic reads. */
  protected hasSections = false;
  readonly actions: Actions = new Actions();
  /** Reversible races as pairs of events, ordered by the second. */
  readonly races: IntVector = new IntVector();
  /**
   * Races of operations that wait, `WAITED_WORDS` each. Other races, which are the most, take no room here; `findWaited`
   * gives the place of a race.
   */
  private readonly waitedRaces: IntVector = new IntVector();
  /** Further events that must come after the second event of such a race, for all of them together. */
  private readonly postponed: IntVector = new IntVector();

  action(event: number): number {
    return this.fields[event * H_WORDS + H_ACTION]!;
  }

  /** End of the races whose second event is `event` or earlier. */
  racesUpTo(event: number): number {
    return event < 0 ? 0 : this.fields[event * H_WORDS + H_RACES]!;
  }

  /** Records what happens before the event, and the races of which it is the second event. */
  protected order(event: number): void {
    const { preds, rows, fields, hasSections } = this;
    const count = preds.length;
    rows.joinPasts(event, preds);
    for (let i = 0; i < count; i++) {
      if ((preds.words[i]! & 1) === 0) continue;
      const pred = preds.words[i]! >> 1;
      const section = hasSections ? fields[pred * H_WORDS + H_SECTION]! : NONE;
      if (section !== NONE) this.findRaceWithSection(section, event);
      // No other predecessor of the event happens after `pred`.
      else if (!rows.has(pred, event)) this.addRace(pred, event);
    }
    if (!this.isPlain) this.findRacesOfWaiting(event);
    rows.add(event, preds);
  }

  /** The event took a mutex, or waited for a value. */
  private findRacesOfWaiting(event: number): void {
    if (this.heldLock !== NONE) this.findRaceWithLock(event);
    if (this.fields[event * H_WORDS + H_WAITED] === 1) this.findRacesOfWait(event);
  }

  /** No event can come inside an atomic section, and no write inside an optimistic read: the race is with all of it. */
  private findRaceWithSection(section: number, event: number): void {
    if (this.isImmediate(section, NONE, section) && !this.isLastRace(section, event)) this.addRace(section, event);
  }

  private findRaceWithLock(event: number): void {
    const words = this.machine.events.words;
    const other = words[this.heldLock * ev.EVENT_WORDS + ev.E_THREAD] !== words[event * ev.EVENT_WORDS + ev.E_THREAD];
    if (other && this.isImmediate(this.heldLock, this.heldUnlock, NONE)) this.addRace(this.heldLock, event);
    this.heldLock = NONE;
  }

  private findRacesOfWait(event: number): void {
    const { enabling, accesses, further, furtherEnds, postponed, waitedRaces } = this;
    for (let i = 0, from = 0; i < enabling.length; from = furtherEnds.get(i++)) {
      const end = furtherEnds.get(i);
      let canCome = this.canComeBefore(enabling.get(i));
      for (let f = from; f < end && canCome; f++) canCome = this.canComeBefore(further.get(f));
      if (!canCome) continue;
      const at = waitedRaces.extend(WAITED_WORDS);
      waitedRaces.words[at + W_RACE] = this.races.length >> 1;
      waitedRaces.words[at + W_ACCESS] = accesses.get(i);
      waitedRaces.words[at + W_POSTPONED] = postponed.length;
      for (let f = from; f < end; f++) postponed.push(further.get(f));
      waitedRaces.words[at + W_POSTPONED_END] = postponed.length;
      this.addRace(enabling.get(i), event);
    }
  }

  private addRace(first: number, second: number): void {
    this.races.push(first);
    this.races.push(second);
  }

  /** Where the record of a race begins; -1 if it has none. */
  private findWaited(race: number): number {
    const { words, length } = this.waitedRaces;
    let low = 0;
    let high = length / WAITED_WORDS;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (words[middle * WAITED_WORDS + W_RACE]! < race) low = middle + 1;
      else high = middle;
    }
    const at = low * WAITED_WORDS;
    return at < length && words[at + W_RACE] === race ? at : -1;
  }

  get postpones(): boolean {
    return this.postponed.length > 0;
  }

  alsoPostponed(race: number, out: IntVector): void {
    out.clear();
    const { words } = this.waitedRaces;
    const at = this.findWaited(race);
    if (at < 0) return;
    for (let i = words[at + W_POSTPONED]!; i < words[at + W_POSTPONED_END]!; i++) out.push(this.postponed.get(i));
  }

  private isLastRace(first: number, second: number): boolean {
    const { races } = this;
    const end = races.length;
    return end > 0 && races.get(end - 2) === first && races.get(end - 1) === second;
  }

  /** Forgets the races of events from number `depth` on. */
  protected forgetRaces(depth: number): void {
    this.races.length = this.racesUpTo(depth - 1);
    if (this.waitedRaces.length > 0) this.forgetWaited(this.races.length >> 1);
  }

  /** Forgets what is known of races from number `end` on. */
  private forgetWaited(end: number): void {
    const { waitedRaces, postponed } = this;
    while (waitedRaces.length > 0 && waitedRaces.get(waitedRaces.length - WAITED_WORDS + W_RACE) >= end) {
      waitedRaces.length -= WAITED_WORDS;
      postponed.length = waitedRaces.get(waitedRaces.length + W_POSTPONED);
    }
  }

  /** The action of a race's second event when it comes before the first. */
  reversed(race: number): number {
    const { events } = this.machine;
    const first = this.races.get(2 * race);
    const second = this.races.get(2 * race + 1);
    const action = this.action(second);
    if (this.fields[second * H_WORDS + H_WAITED] === 1) {
      // The access of an operation that waits if it came before this write of another thread; 0 if it is the same.
      const at = this.findWaited(race);
      const access = at < 0 ? 0 : this.waitedRaces.get(at + W_ACCESS);
      return access === 0 ? action : this.actions.variant(action, this.actions.step(action), access);
    }
    if (DECIDED_BY[events.get(second, ev.E_KIND)] === NOTHING) return action;
    const without = this.classOf(first) === 0 ? undefined : this.bytesWithout(first, second);
    return reversedAction(events, this.actions, first, this.action(first), second, action, without);
  }

  /** What the bytes of `first` hold when `second` runs, without `first` and all that happens after it. */
  private bytesWithout(first: number, second: number): Uint8Array {
    const { events } = this.machine;
    const address = events.get(first, ev.E_ADDRESS);
    const size = events.get(first, ev.E_SIZE);
    const group: number[] = [];
    for (let e = this.writeBefore(second, address, size); e !== NONE; e = this.writeBefore(e, address, size)) {
      if (e !== first && this.happensBefore(first, e)) continue;
      if (!this.commute(e, first)) break;
      group.push(e);
    }
    const writes = new CommutingWrites(events, this.classOf(first), group, (a, b) => this.happensBefore(a, b));
    const value = writes.valueOf(group.filter((e) => e !== first));
    return Uint8Array.from({ length: size }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
  }
}
