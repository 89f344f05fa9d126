/**
 * The node at which the search is, and every way that leads on from it: to the end, to a place, a late turn, a reversal.
 * Which way is taken is up to [retrace.ts](./retrace.ts).
 */
import { WRITES } from '../../machine/events/effects.ts';
import type { Machine } from '../../machine/machine.ts';
import { OldMoment } from '../../machine/run/old-moment.ts';
import type { SimultaneousAccesses } from '../../trace/simultaneous.ts';
import type { Bound } from '../bound.ts';
import { type Step, stepOf } from '../runnable.ts';
import { CHOICE, INNER, L_PLACE, L_PLACES, L_PROCESS, LATE, Levels, PLACE } from './levels.ts';
import { Outcome } from './outcome.ts';
import {
  breaks,
  type Limit,
  NOTHING_PENDING,
  newPending,
  type PendingList,
  pendingOf,
  withLimit,
  without,
  withPending,
} from './pending.ts';
import { Places } from './places.ts';
import { Races } from './races.ts';
import { type Reversal, Reversals, type Rules } from './reversals.ts';
import { Sequence } from './sequence.ts';
import { Turns } from './turns.ts';
import { Waiting } from './waiting.ts';

export const NOBODY = -1;

const GAP: Bound = {
  kind: 'machine',
  what: 'strategy retrace cannot order unordered writes to parts of the bytes that a thread waits for; use optimal',
};

export class Walk {
  /** Set by the gap in rule c), where the search would repeat or lose executions; see `breaks`. */
  incomplete: Bound | undefined;
  protected readonly sequence: Sequence;
  protected readonly machine: Machine;
  protected readonly rules: Rules;
  private readonly outcome: Outcome;
  private readonly places: Places;
  protected readonly reversals: Reversals;
  protected readonly turns: Turns;
  private readonly moment: OldMoment;
  protected readonly levels: Levels = new Levels();
  protected readonly waiting: Waiting;
  private races: Races | undefined;

  // ---- the current node
  protected pending: PendingList = NOTHING_PENDING;
  /** The process that has the next turn, if it is enabled. */
  protected forced: number = NOBODY;

  // ---- the step that was picked
  protected isTurn = false;
  protected isStarred = false;
  private isInstalled = false;
  /** It ends a reversal. */
  protected isHead = false;
  /** Where its place is in the places of the levels, or -1 if it goes to the end. */
  protected place: number = NOBODY;

  // ---- a reversal whose steps are being taken
  protected reversal: Reversal | undefined;
  private first = 0;
  private next = 0;

  constructor(machine: Machine, rules: Rules) {
    this.machine = machine;
    this.rules = rules;
    this.sequence = new Sequence(machine);
    this.outcome = new Outcome(machine, this.sequence);
    this.places = new Places(this.sequence, this.outcome);
    this.turns = new Turns(machine, this.sequence);
    this.moment = new OldMoment(machine);
    this.reversals = new Reversals(
      machine,
      this.sequence,
      this.outcome,
      rules,
      (event) => this.levels.pending[event]!,
      (event, reversal) => this.levels.waiting[event]!.push(reversal),
    );
    this.waiting = new Waiting(machine, this.sequence, this.outcome);
  }

  /** Another step is about to be picked. */
  protected beginStep(): void {
    this.isTurn = false;
    this.isStarred = false;
    this.isHead = false;
    this.place = NOBODY;
  }

  protected beginLevel(depth: number, kind: number, process: number, choices: number): void {
    this.levels.begin(depth, kind, process, choices, this.pending);
    this.turns.begin(depth);
  }

  protected takeChoice(depth: number, choice: number): Step {
    this.levels.take(depth, CHOICE, choice);
    this.isStarred = true;
    return stepOf(this.levels.get(depth, L_PROCESS), choice);
  }

  /** The next one. */
  protected takePlace(depth: number): Step {
    const place = this.levels.get(depth, L_PLACE);
    this.levels.set(depth, L_PLACE, this.levels.placeEnd(place));
    return this.takePlaceAt(depth, place);
  }

  protected takePlaceAt(depth: number, place: number): Step {
    this.levels.take(depth, PLACE, place);
    this.place = place;
    this.isStarred = true;
    this.install(place);
    return stepOf(this.levels.get(depth, L_PROCESS));
  }

  /** Lets the next step find the cells of a place as they were then. */
  protected install(place: number): void {
    const { machine, sequence, moment, levels } = this;
    const { cells } = sequence;
    const { places } = levels;
    const end = levels.placeEnd(place);
    for (let i = place + 1; i < end; i += 3) {
      const index = places.get(i + 2);
      // A cell may have been divided since.
      for (let at = places.get(i); at < places.get(i + 1); at = cells.end(cells.at(at))) {
        const cell = cells.at(at);
        if (index === sequence.newest(cell)) continue;
        moment.install(machine.markAt(sequence.write(cell, index + 1)), at, cells.end(cell) - at);
        this.isInstalled = true;
      }
    }
  }

  // ---- late turns

  /**
   * Nothing is enabled at the end. From thread `from` on, the first read that waits and can be placed has a late turn;
   * false if there is none.
   */
  protected openLate(depth: number, from: number): boolean {
    const { machine, levels, waiting } = this;
    const { threadCount } = machine.processes;
    for (let thread = from; thread < threadCount && this.rules.late; thread++) {
      if (!waiting.beginAwait(thread, false)) continue;
      this.beginLevel(depth, LATE, thread, 0);
      if (this.places.find(pendingOf(this.pending, thread), this.rules.bounds, levels.places) === 0) continue;
      levels.endPlaces(depth);
      return true;
    }
    return false;
  }

  /** The operation stays where it is until one of its bytes has a newer write. Whether another one has a late turn. */
  protected leaveWaiting(depth: number): boolean {
    const { sequence, levels } = this;
    const thread = levels.get(depth, L_PROCESS);
    levels.places.length = levels.get(depth, L_PLACES);
    this.waiting.beginAwait(thread, false);
    const newer: Limit[] = [];
    for (let i = 0; i < sequence.opCells.length; i++) {
      const cell = sequence.opCells.get(i);
      newer.push({ start: sequence.cells.start(cell), end: sequence.cells.end(cell), index: sequence.newest(cell) });
    }
    const was = pendingOf(this.pending, thread) ?? newPending(thread);
    this.pending = withPending(this.pending, { ...was, newer });
    return this.openLate(depth, thread + 1);
  }

  // ---- reversals

  protected beginReversal(depth: number, reversal: Reversal): Step {
    this.turns.keep(depth);
    this.levels.takeReversal(depth, reversal);
    this.reversal = reversal;
    this.first = depth;
    this.next = 0;
    return this.continueReversal();
  }

  /** The next step of D; or q, after which the postponed operation has its turn. */
  protected continueReversal(): Step {
    const { machine, first } = this;
    const { steps, process, choice } = this.reversal!;
    this.isStarred = true;
    if (machine.depth > first) this.beginLevel(machine.depth, INNER, NOBODY, 0);
    if (this.next < steps.length) {
      const step = steps[this.next]!;
      this.findSources(steps, this.next + 1);
      this.next += 2 + 3 * steps[this.next + 1]!;
      return step;
    }
    const ways = machine.processes.isThread(process)
      ? machine.choices(process)
      : machine.canTake(stepOf(process))
        ? 1
        : 0;
    if (ways <= choice) throw new Error('a reversal cannot be taken where it belongs');
    if (choice === 0)
      for (let other = ways - 1; other > 0; other--)
        this.levels.waiting[first]!.push({ ...this.reversal!, choice: other });
    this.isHead = true;
    return stepOf(process, choice);
  }

  /** Where in the store orders the sources of a read are now. A source that is not there is in its thread's buffer. */
  private findSources(steps: readonly number[], at: number): void {
    const { sequence, levels } = this;
    const { places } = levels;
    const count = steps[at]!;
    if (count === 0) return;
    const start = places.length;
    places.push(count);
    for (let i = at + 1; i < at + 1 + 3 * count; i += 3) {
      const { words, length } = sequence.cells.names[sequence.cells.at(steps[i]!)]!;
      let index = length - 1;
      while (index >= 0 && words[index] !== steps[i + 2]) index--;
      if (index < 0) {
        places.length = start;
        return;
      }
      places.push(steps[i]!);
      places.push(steps[i + 1]!);
      places.push(index);
    }
    this.place = start;
    this.install(start);
  }

  // ---- what happened

  /** Tells `accesses` of all pairs that can happen at the same time, in all executions. */
  watchRaces(accesses: SimultaneousAccesses): void {
    this.races = new Races(this.machine, this.sequence, this.outcome, accesses);
  }

  observe(event: number): void {
    const { sequence, moment } = this;
    if (this.isInstalled) moment.restore(this.machine.markAt(event));
    this.isInstalled = false;
    sequence.begin(event);
    if (this.isTurn) this.findAlternatives(event);
    if (this.place !== NOBODY) this.setSources();
    this.races?.find(event);
    sequence.finish(event, this.isStarred);
    if (this.pending.length > 0) {
      if (breaks(this.pending, sequence)) this.incomplete = GAP;
      this.pending = without(this.pending, sequence.opProcess);
    }
    this.forced = NOBODY;
    if (this.reversal === undefined) return;
    if (this.place !== NOBODY) this.levels.places.length = this.place;
    if (this.isHead) this.endReversal(event);
  }

  /** The operation whose turn it is has gone to the end; where else could it go? */
  private findAlternatives(event: number): void {
    const { sequence, outcome } = this;
    const { opCells, opAccess } = sequence;
    if (opCells.length === 0) return;
    outcome.ofEvent(event);
    if (outcome.mayWrite) {
      const access = opAccess.get(0);
      for (let i = 0; i < opAccess.length; i++) opAccess.words[i]! |= WRITES;
      this.reversals.find();
      if ((access & WRITES) === 0) for (let i = 0; i < opAccess.length; i++) opAccess.words[i] = access;
    }
    this.places.find(pendingOf(this.pending, sequence.opProcess), this.rules.bounds, this.levels.places);
    this.levels.endPlaces(event);
  }

  /** The step has read older writes. */
  private setSources(): void {
    const { sequence, levels, place } = this;
    const { opCells, opSources, cells } = sequence;
    if (sequence.opForwards) return;
    const { places } = levels;
    const last = levels.placeEnd(place) - 3;
    let of = place + 1;
    for (let i = 0; i < opCells.length; i++) {
      while (of < last && places.get(of + 1) <= cells.start(opCells.get(i))) of += 3;
      opSources.words[i] = places.get(of + 2);
    }
  }

  private endReversal(head: number): void {
    const { sequence, turns, levels, first } = this;
    const { low, lowEnd, ranges, postponed: process } = this.reversal!;
    this.reversal = undefined;
    const was = pendingOf(levels.pending[first]!, process) ?? newPending(process);
    const least = { start: low, end: lowEnd, index: sequence.newest(sequence.cells.at(low)) };
    this.pending = withPending(this.pending, {
      process,
      least: withLimit(was.least, least),
      units: ranges.length === 0 ? was.units : [...was.units, { head, low }],
      newer: was.newer,
      ranges,
    });
    if (this.rules.nextTurn) this.forced = process;
    turns.toBack(this.machine.processes.owner(process));
    turns.toBack(this.machine.processes.owner(sequence.opProcess));
  }
}
