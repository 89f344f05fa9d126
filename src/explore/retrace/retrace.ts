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
 *   late turns: no process is enabled, but a read that  `beginLate`
 *      waits can be placed
 *   at the end, what waits is reversed as in c)         `reverseWaiting`
 *   turn(S), any function of S                          `Turns`
 *
 * A node S is a sequence of events in which a placed read comes later than the writes that it precedes. Writes are always
 * added at the end, so memory is that of a real execution. [linear.ts](./linear.ts) finds that execution.
 */
import { ACQUIRE } from '../../machine/code/order.ts';
import { atomicWait, READS, WRITES } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { OldMoment } from '../../machine/run/old-moment.ts';
import { RUNNABLE, T_STATUS } from '../../machine/state/layout.ts';
import { IntVector, larger } from '../../util/int-vector.ts';
import type { Bound } from '../bound.ts';
import { processOf, type Step, stepOf } from '../runnable.ts';
import { ABANDON, NO_STEP, type Strategy } from '../strategy.ts';
import { linear, rearrange } from './linear.ts';
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
import { ALL_RULES, type Reversal, Reversals, type Rules } from './reversals.ts';
import { Sequence } from './sequence.ts';
import { Turns } from './turns.ts';

// What the event at some depth is.
/** Part of a reversal: the node at whose depth the reversal begins goes through the alternatives. */
const INNER = 0;
/** An operation had its turn. */
const TURN = 1;
/** An operation that waits was placed, or left waiting. */
const LATE = 2;

// Words of a level.
const L_KIND = 0;
const L_PROCESS = 1; // whose turn it is
const L_CHOICE = 2; // the next choice
const L_CHOICES = 3;
const L_PLACES = 4; // where its places begin in `places`
const L_PLACE = 5; // the next one
const L_END = 6; // where they end
const L_WORDS = 7;

const NOBODY = -1;

const GAP: Bound = {
  kind: 'machine',
  what: 'strategy retrace cannot order unordered writes to parts of the bytes that a thread waits for; use optimal',
};

export class Retrace implements Strategy {
  readonly name = 'retrace';
  readonly looksForSteps = true;
  /** Set by the gap in rule c), where the search would repeat or lose executions; see `breaks`. */
  incomplete: Bound | undefined;
  readonly sequence: Sequence;
  private readonly machine: Machine;
  private readonly rules: Rules;
  private readonly outcome: Outcome;
  private readonly places: Places;
  private readonly reversals: Reversals;
  private readonly turns: Turns;
  private readonly moment: OldMoment;
  /** Whether users of the machine's log see a real execution at the end of each. */
  private readonly arranges: boolean;

  // ---- the path from the root: a level per event
  private levels = new Int32Array(L_WORDS * 64);
  private readonly pendingAt: PendingList[] = [];
  private readonly waitingAt: Reversal[][] = [];
  /** Places of all levels: how many cells, and for each where it starts and ends and the index of its source. */
  private readonly alternatives = new IntVector();
  /** The deepest level whose node goes through alternatives now; -1 if a new node is to be begun. */
  private branch = NOBODY;
  private begun = false;
  private isDone = false;

  // ---- the current node
  private pending: PendingList = NOTHING_PENDING;
  /** The process that has the next turn, if it is enabled. */
  private forced = NOBODY;

  // ---- the step that was picked
  private isTurn = false;
  private isStarred = false;
  private isInstalled = false;
  /** It ends a reversal. */
  private isHead = false;
  /** Where its place is in `alternatives`, or -1 if it goes to the end. */
  private place = NOBODY;

  // ---- a reversal whose steps are being taken
  private reversal: Reversal | undefined;
  private next = 0;

  private restoreLog: (() => void) | undefined;

  constructor(machine: Machine, arranges = true, rules: Rules = ALL_RULES) {
    this.machine = machine;
    this.arranges = arranges;
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
      (event) => this.pendingAt[event]!,
      (reversal) => this.waitingAt[reversal.first]!.push(reversal),
    );
  }

  // ---- backtracking

  beginExecution(): number {
    if (this.isDone || this.incomplete !== undefined) return -1;
    if (!this.begun) {
      this.begun = true;
      return 0;
    }
    for (let depth = this.sequence.length - 1; depth >= 0; depth--) {
      this.turns.restore(depth);
      if (!this.hasAlternative(depth)) continue;
      this.sequence.rollback(depth);
      this.alternatives.length = this.levels[depth * L_WORDS + L_END]!;
      this.pending = this.pendingAt[depth]!;
      this.branch = depth;
      return depth;
    }
    return -1;
  }

  private hasAlternative(depth: number): boolean {
    const { levels } = this;
    const l = depth * L_WORDS;
    if (levels[l + L_KIND] === LATE || levels[l + L_CHOICE]! < levels[l + L_CHOICES]!) return true;
    return levels[l + L_PLACE]! < levels[l + L_END]! || this.waitingAt[depth]!.length > 0;
  }

  // ---- going forward

  pick(): Step | typeof ABANDON | typeof NO_STEP {
    const { machine } = this;
    if (machine.isOver) return NO_STEP;
    if (this.incomplete !== undefined) return ABANDON;
    this.isTurn = false;
    this.isStarred = false;
    this.isHead = false;
    this.place = NOBODY;
    if (this.reversal !== undefined) return this.continueReversal();
    if (this.branch !== NOBODY) return this.takeAlternative();
    return this.beginNode(machine.depth);
  }

  private beginLevel(depth: number, kind: number, process: number, choices: number): void {
    while ((depth + 1) * L_WORDS > this.levels.length) this.levels = larger(this.levels);
    const { levels } = this;
    const l = depth * L_WORDS;
    levels[l + L_KIND] = kind;
    levels[l + L_PROCESS] = process;
    levels[l + L_CHOICE] = 1;
    levels[l + L_CHOICES] = choices;
    levels[l + L_PLACES] = this.alternatives.length;
    levels[l + L_PLACE] = this.alternatives.length;
    levels[l + L_END] = this.alternatives.length;
    this.pendingAt[depth] = this.pending;
    const waiting = this.waitingAt[depth];
    if (waiting === undefined) this.waitingAt[depth] = [];
    else waiting.length = 0;
    this.turns.begin(depth);
  }

  private beginNode(depth: number): Step | typeof NO_STEP {
    const { turns } = this;
    const step = turns.next(this.forced);
    if (step < 0) return this.beginLate(depth, 0);
    this.beginLevel(depth, TURN, processOf(step), turns.choices);
    this.isTurn = true;
    return step;
  }

  private takeAlternative(): Step | typeof NO_STEP {
    const { levels, branch: depth } = this;
    const l = depth * L_WORDS;
    this.branch = NOBODY;
    this.isStarred = true;
    const process = levels[l + L_PROCESS]!;
    if (levels[l + L_KIND] === TURN && levels[l + L_CHOICE]! < levels[l + L_CHOICES]!)
      return stepOf(process, levels[l + L_CHOICE]!++);
    if (levels[l + L_PLACE]! < levels[l + L_END]!) return this.takePlace(depth);
    if (levels[l + L_KIND] === LATE) return this.leaveWaiting(depth);
    return this.beginReversal(depth, this.waitingAt[depth]!.pop()!);
  }

  private takePlace(depth: number): Step {
    const { levels, alternatives } = this;
    const l = depth * L_WORDS;
    const place = levels[l + L_PLACE]!;
    levels[l + L_PLACE] = place + 1 + 3 * alternatives.get(place);
    this.place = place;
    this.isStarred = true;
    this.install(place);
    return stepOf(levels[l + L_PROCESS]!);
  }

  /** Lets the next step find the cells of a place as they were then. */
  private install(place: number): void {
    const { machine, sequence, moment, alternatives } = this;
    const { cells } = sequence;
    const end = place + 1 + 3 * alternatives.get(place);
    for (let i = place + 1; i < end; i += 3) {
      const index = alternatives.get(i + 2);
      // A cell may have been divided since.
      for (let at = alternatives.get(i); at < alternatives.get(i + 1); at = cells.end(cells.at(at))) {
        const cell = cells.at(at);
        if (index === sequence.newest(cell)) continue;
        moment.install(machine.markAt(sequence.write(cell, index + 1)), at, cells.end(cell) - at);
        this.isInstalled = true;
      }
    }
  }

  // ---- late turns

  /** Nothing is enabled at the end. From thread `from` on, the first read that waits and can be placed goes late. */
  private beginLate(depth: number, from: number): Step | typeof NO_STEP {
    const { machine, alternatives } = this;
    const { threadCount } = machine.processes;
    for (let thread = from; thread < threadCount && this.rules.late; thread++) {
      if (!this.beginAwait(thread, false)) continue;
      this.beginLevel(depth, LATE, thread, 0);
      if (this.places.find(pendingOf(this.pending, thread), this.rules.bounds, alternatives) === 0) continue;
      this.levels[depth * L_WORDS + L_END] = alternatives.length;
      return this.takePlace(depth);
    }
    return NO_STEP;
  }

  /** The operation stays where it is until one of its bytes has a newer write. */
  private leaveWaiting(depth: number): Step | typeof NO_STEP {
    const { sequence, levels, alternatives } = this;
    const thread = levels[depth * L_WORDS + L_PROCESS]!;
    alternatives.length = levels[depth * L_WORDS + L_PLACES]!;
    this.beginAwait(thread, false);
    const newer: Limit[] = [];
    for (let i = 0; i < sequence.opCells.length; i++) {
      const cell = sequence.opCells.get(i);
      newer.push({ start: sequence.cells.start(cell), end: sequence.cells.end(cell), index: sequence.newest(cell) });
    }
    const was = pendingOf(this.pending, thread) ?? newPending(thread);
    this.pending = withPending(this.pending, { ...was, newer });
    return this.beginLate(depth, thread + 1);
  }

  /** Whether the thread waits in an await that writes, or does not; begins its operation. */
  private beginAwait(thread: number, writes: boolean): boolean {
    const { machine, sequence, outcome } = this;
    if (machine.threads.get(thread, T_STATUS) !== RUNNABLE) return false;
    const awaited = machine.upcoming.awaiting(thread);
    if (awaited === undefined || awaited.modifies !== writes || machine.choices(thread) > 0) return false;
    const { address, order } = awaited;
    // It waits for its own stores.
    if (!machine.memory.canAtomic(thread, address, 4, order)) return false;
    const access = writes ? READS | WRITES : READS;
    sequence.beginWaiting(thread, ev.RMW_EVENT, address, 4, access, atomicWait(order));
    outcome.ofAwait(awaited);
    return true;
  }

  private beginLock(thread: number): boolean {
    const { machine, sequence, outcome } = this;
    if (machine.threads.get(thread, T_STATUS) !== RUNNABLE) return false;
    const mutex = machine.upcoming.wantedMutex(thread);
    if (mutex < 0 || machine.choices(thread) > 0 || !machine.memory.canAtomic(thread, mutex, 1, ACQUIRE)) return false;
    sequence.beginWaiting(thread, ev.LOCK_EVENT, mutex, 1, READS | WRITES, atomicWait(ACQUIRE));
    outcome.ofLock(mutex);
    return true;
  }

  // ---- reversals

  private beginReversal(depth: number, reversal: Reversal): Step {
    this.turns.keep(depth);
    this.reversal = reversal;
    this.next = 0;
    return this.continueReversal();
  }

  /** The next step of D; or q, after which the postponed operation has its turn. */
  private continueReversal(): Step {
    const { machine } = this;
    const { steps, process, first, choice } = this.reversal!;
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
      for (let other = ways - 1; other > 0; other--) this.waitingAt[first]!.push({ ...this.reversal!, choice: other });
    this.isHead = true;
    return stepOf(process, choice);
  }

  /** Where in the store orders the sources of a read are now. A source that is not there is in its thread's buffer. */
  private findSources(steps: Int32Array, at: number): void {
    const { sequence, alternatives } = this;
    const count = steps[at]!;
    if (count === 0) return;
    const start = alternatives.length;
    alternatives.push(count);
    for (let i = at + 1; i < at + 1 + 3 * count; i += 3) {
      const { words, length } = sequence.cells.names[sequence.cells.at(steps[i]!)]!;
      let index = length - 1;
      while (index >= 0 && words[index] !== steps[i + 2]) index--;
      if (index < 0) {
        alternatives.length = start;
        return;
      }
      alternatives.push(steps[i]!);
      alternatives.push(steps[i + 1]!);
      alternatives.push(index);
    }
    this.place = start;
    this.install(start);
  }

  // ---- what happened

  observe(event: number): void {
    const { sequence, moment } = this;
    if (this.isInstalled) moment.restore(this.machine.markAt(event));
    this.isInstalled = false;
    sequence.begin(event);
    if (this.isTurn) this.findAlternatives(event);
    if (this.place !== NOBODY) this.setSources();
    sequence.finish(event, this.isStarred);
    if (this.pending.length > 0) {
      if (breaks(this.pending, sequence)) this.incomplete = GAP;
      this.pending = without(this.pending, sequence.opProcess);
    }
    this.forced = NOBODY;
    if (this.reversal === undefined) return;
    if (this.place !== NOBODY) this.alternatives.length = this.place;
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
    this.places.find(pendingOf(this.pending, sequence.opProcess), this.rules.bounds, this.alternatives);
    this.levels[event * L_WORDS + L_END] = this.alternatives.length;
  }

  /** The step has read older writes. */
  private setSources(): void {
    const { sequence, alternatives, place } = this;
    const { opCells, opSources, cells } = sequence;
    if (sequence.opForwards) return;
    const count = alternatives.get(place);
    let of = place + 1;
    for (let i = 0; i < opCells.length; i++) {
      while (of + 3 < place + 1 + 3 * count && alternatives.get(of + 1) <= cells.start(opCells.get(i))) of += 3;
      opSources.words[i] = alternatives.get(of + 2);
    }
  }

  private endReversal(head: number): void {
    const { sequence, turns } = this;
    const { first, low, ranges, postponed: process } = this.reversal!;
    this.reversal = undefined;
    const was = pendingOf(this.pendingAt[first]!, process) ?? newPending(process);
    const cell = sequence.cells.at(low);
    const least = { start: low, end: sequence.cells.end(cell), index: sequence.newest(cell) };
    this.pending = withPending(this.pending, {
      ...was,
      least: withLimit(was.least, least),
      units: [...was.units, { head, low }],
      ranges,
    });
    if (this.rules.nextTurn) this.forced = process;
    turns.toBack(this.machine.processes.owner(process));
    turns.toBack(this.machine.processes.owner(sequence.opProcess));
  }

  // ---- the end of an execution

  /** Until `endExecution`, the machine's log is that of a real execution. */
  arrange(): void {
    const { sequence, machine } = this;
    if (!sequence.hasPlaced) return;
    if (!machine.hasFailed) {
      if (this.arranges) this.restoreLog = rearrange(machine, sequence, linear(sequence, -1));
      return;
    }
    // An error ends the real execution where it happens.
    const steps = linear(sequence, sequence.length - 1).map((event) => machine.events.get(event, ev.E_STEP));
    machine.rollback(0);
    for (const step of steps) machine.step(step);
    if (!machine.hasFailed) throw new Error('an error of a placed read does not occur in the real execution');
  }

  endExecution(hasFailed = false): void {
    const { machine } = this;
    this.restoreLog?.();
    this.restoreLog = undefined;
    if (machine.hasFailed && !hasFailed) throw new Error('after an error, the search cannot go on');
    // An error of the machine ends its execution at once: what other threads would have done is not known.
    if (machine.hasFailed) this.isDone = true;
    if (machine.isOver || !this.rules.waiting) return;
    const { threadCount } = machine.processes;
    for (let thread = 0; thread < threadCount; thread++)
      if (this.beginLock(thread) || this.beginAwait(thread, true)) this.reversals.find();
  }
}
