/**
 * Retrace: an optimal DPOR whose subtrees share nothing. Every trace is explored exactly once, none is given up, and what
 * is below a node depends on the node alone. Definitions, theorem and proof: docs/theory/retrace.md.
 *
 *   rule                                                here
 *   a) S.q canonical: the operation q of turn(S) goes   `beginNode`
 *      to the end
 *   b) S.q placed: q reads an older write; or makes     `Places`; starred
 *      another choice
 *   c) G.D.q: q comes before an event a of S, what it   `Reversals`; `beginReversal` takes their steps. They wait at
 *      happens after comes along, the rest is cut off   node G until the subtree of G.a is done
 *   the test                                            `Reversals.newestKept`
 *   a is postponed: it may not read what it could have  `Pending`, and `forced`
 *      read, and has the next turn
 *   late turns: no process is enabled, but a read that  `openLate`
 *      waits can be placed
 *   at the end, what waits is reversed as in c)         `Waiting`, `endExecution`
 *   turn(S), any function of S                          `Turns`
 *
 *   a job: a path from the root, and what is left there  `Ways`; `save`, `take`
 *
 * A node S is a sequence of events in which a placed read comes later than the writes that it precedes. Writes are always
 * added at the end, so memory is that of a real execution. [linear.ts](./linear.ts) finds that execution.
 */
import type { Machine } from '../../machine/machine.ts';
import type { Divisible } from '../dpor/divisible.ts';
import type { Job } from '../dpor/job.ts';
import type { SearchLevel } from '../dpor/search-state.ts';
import { processOf, type Step, stepOf } from '../runnable.ts';
import { ABANDON, NO_STEP, type Strategy } from '../strategy.ts';
import {
  CANONICAL,
  CHOICE,
  L_CHOICE,
  L_CHOICES,
  L_END,
  L_MAY_STAY,
  L_PLACE,
  L_PLACES,
  L_PROCESS,
  PLACE,
  REVERSAL,
  TURN,
} from './levels.ts';
import { Linear } from './linear.ts';
import { NOTHING_PENDING } from './pending.ts';
import { ALL_RULES, type Rules } from './reversals.ts';
import { NOBODY, Walk } from './walk.ts';
import { eachRange, lateThread, NOT_BEGUN, STAY, type Way, Ways } from './ways.ts';

export class Retrace extends Walk implements Strategy, Divisible {
  readonly name = 'retrace';
  readonly looksForSteps = true;
  /** Whether users of the machine's log see a real execution at the end of each. */
  private readonly arranges: boolean;
  private readonly ways: Ways;
  /** The deepest level whose node goes through alternatives now; -1 if a new node is to be begun. */
  private branch = NOBODY;
  private begun = false;
  private isDone = false;
  private readonly linear: Linear;

  constructor(machine: Machine, arranges = true, rules: Rules = ALL_RULES) {
    super(machine, rules);
    this.arranges = arranges;
    this.ways = new Ways(machine.processes);
    this.linear = new Linear(machine, this.sequence);
  }

  // ---- backtracking

  beginExecution(): number {
    if (this.isDone || this.incomplete !== undefined) return -1;
    if (!this.begun) {
      this.begun = true;
      return this.branch === NOBODY ? 0 : this.branch;
    }
    for (let depth = this.sequence.length - 1; depth >= 0; depth--) {
      this.turns.restore(depth);
      if (!this.levels.hasAlternative(depth)) continue;
      this.sequence.rollback(depth);
      this.linear.rollback(depth);
      this.pending = this.levels.cut(depth);
      this.branch = depth;
      return depth;
    }
    return -1;
  }

  // ---- going forward

  pick(): Step | typeof ABANDON | typeof NO_STEP {
    const { machine } = this;
    if (machine.isOver) return NO_STEP;
    if (this.incomplete !== undefined) return ABANDON;
    this.beginStep();
    if (this.reversal !== undefined) return this.continueReversal();
    if (this.branch !== NOBODY) return this.takeAlternative();
    return this.beginNode(machine.depth);
  }

  private beginNode(depth: number): Step | typeof NO_STEP {
    const { turns } = this;
    const step = turns.next(this.forced);
    if (step < 0) return this.openLate(depth, 0) ? this.takePlace(depth) : NO_STEP;
    this.beginLevel(depth, TURN, processOf(step), turns.choices);
    this.isTurn = true;
    return step;
  }

  private takeAlternative(): Step | typeof NO_STEP {
    const { levels, branch: depth } = this;
    this.branch = NOBODY;
    const choice = levels.get(depth, L_CHOICE);
    if (choice < levels.get(depth, L_CHOICES)) {
      levels.set(depth, L_CHOICE, choice + 1);
      return this.takeChoice(depth, choice);
    }
    if (levels.get(depth, L_PLACE) < levels.get(depth, L_END)) return this.takePlace(depth);
    if (levels.get(depth, L_MAY_STAY) === 1) return this.leaveWaiting(depth) ? this.takePlace(depth) : NO_STEP;
    return this.beginReversal(depth, levels.waiting[depth]!.pop()!);
  }

  // ---- the end of an execution

  /** Until `endExecution`, the machine's log is that of a real execution. */
  arrange(forget: (kept: number) => void): number {
    const { sequence, machine, linear } = this;
    if (!machine.hasFailed) return this.arranges ? linear.install(forget) : 0;
    // An error ends the real execution where it happens.
    if (sequence.hasPlaced) {
      const steps = linear.stepsToLast;
      sequence.rollback(0);
      machine.rollback(0);
      for (const step of steps) machine.step(step);
      if (!machine.hasFailed) throw new Error('an error of a placed read does not occur in the real execution');
    }
    return linear.installOwn(forget);
  }

  endExecution(hasFailed = false): void {
    const { machine, waiting } = this;
    this.linear.restore();
    if (machine.hasFailed && !hasFailed) throw new Error('after an error, the search cannot go on');
    // An error of the machine ends its execution at once: what other threads would have done is not known.
    if (machine.hasFailed) this.isDone = true;
    if (this.isDone || machine.isOver || !this.rules.waiting) return;
    const { threadCount } = machine.processes;
    for (let thread = 0; thread < threadCount; thread++)
      if (waiting.beginLock(thread) || waiting.beginAwait(thread, true)) this.reversals.find();
  }

  // ---- as plain data

  /** A path can be followed without any execution. */
  readonly isReplaying: boolean = false;

  save(): { readonly levels: readonly SearchLevel[] } {
    const { ways, levels, sequence, branch } = this;
    if (this.isDone) return { levels: [] };
    if (this.begun) return { levels: ways.levels(levels, sequence.length) };
    return { levels: branch === NOBODY ? NOT_BEGUN : ways.levels(levels, branch + 1) };
  }

  resume(levels: readonly SearchLevel[]): void {
    this.take({ shared: [], own: levels });
  }

  take({ own = NOT_BEGUN }: Pick<Job, 'shared' | 'own'>): void {
    this.forget();
    this.isDone = own.length === 0;
    for (const { step, branches } of own) {
      const left = branches.map(({ action }) => this.read(action));
      if (step !== undefined) this.follow(this.read(step), left);
      else if (left.length > 0) this.branchOff(left);
    }
  }

  /** A way, once its cells are there. */
  private read(action: string): Way {
    const way = this.ways.parse(action);
    eachRange(way, this.sequence.addCells);
    return way;
  }

  /** The path ends here, with these ways. */
  private branchOff(left: readonly Way[]): void {
    const { depth } = this.machine;
    this.open(depth, left[0]!);
    this.expect(depth, left);
    this.expectReversals(depth, left);
    this.branch = depth;
  }

  /** The path goes this way; others are left. */
  private follow(way: Way, left: readonly Way[]): void {
    const { machine, levels } = this;
    const { depth } = machine;
    const first = this.open(depth, way);
    const place = levels.places.length;
    if (way.kind === PLACE) for (const word of way.place) levels.places.push(word);
    this.expect(depth, left);
    this.beginStep();
    this.run(this.firstStep(depth, way, first, place));
    while (this.reversal !== undefined) {
      this.beginStep();
      this.run(this.continueReversal());
    }
    this.expectReversals(depth, left);
  }

  private run(step: Step): void {
    this.machine.step(step);
    this.observe(this.machine.depth - 1);
  }

  private firstStep(depth: number, way: Way, canonical: Step, place: number): Step {
    switch (way.kind) {
      case CANONICAL:
        return canonical;
      case CHOICE:
        return this.takeChoice(depth, way.choice);
      case PLACE:
        return this.takePlaceAt(depth, place);
      case REVERSAL:
        return this.beginReversal(depth, way.reversal);
      default:
        throw new Error('a job of another search: its path stays where it is');
    }
  }

  private forget(): void {
    const { machine, sequence, turns, levels } = this;
    sequence.rollback(0);
    this.linear.rollback(0);
    machine.rollback(0);
    turns.clear();
    levels.clear();
    this.pending = NOTHING_PENDING;
    this.forced = NOBODY;
    this.reversal = undefined;
    this.branch = NOBODY;
    this.begun = false;
    this.incomplete = undefined;
  }

  /** Begins the level at the end of the path, with the turn that has this way. Returns its first step. */
  private open(depth: number, way: Way): Step {
    const { turns, levels } = this;
    const thread = lateThread(way);
    if (thread < 0) {
      const step = turns.next(this.forced);
      if (step < 0) throw new Error('a job of another search: there is no turn');
      this.beginLevel(depth, TURN, processOf(step), 1);
      return step;
    }
    let isOpen = this.openLate(depth, 0);
    while (isOpen && levels.get(depth, L_PROCESS) !== thread) isOpen = this.leaveWaiting(depth);
    if (!isOpen) throw new Error('a job of another search: there is no late turn');
    levels.places.length = levels.get(depth, L_PLACES);
    levels.set(depth, L_MAY_STAY, 0);
    return stepOf(thread);
  }

  /** These ways are left at the level. */
  private expect(depth: number, ways: readonly Way[]): void {
    const { levels } = this;
    levels.set(depth, L_PLACE, levels.places.length);
    for (const way of ways) this.expectOne(depth, way);
    levels.endPlaces(depth);
  }

  /** Those that were found on the way here are others' already. */
  private expectReversals(depth: number, ways: readonly Way[]): void {
    this.levels.waiting[depth] = ways.flatMap((way) => (way.kind === REVERSAL ? [way.reversal] : []));
  }

  private expectOne(depth: number, way: Way): void {
    const { levels } = this;
    if (way.kind === PLACE) for (const word of way.place) levels.places.push(word);
    else if (way.kind === STAY) levels.set(depth, L_MAY_STAY, 1);
    else if (way.kind === CHOICE) {
      if (levels.get(depth, L_CHOICES) === 1) levels.set(depth, L_CHOICE, way.choice);
      levels.set(depth, L_CHOICES, way.choice + 1);
    }
  }
}
