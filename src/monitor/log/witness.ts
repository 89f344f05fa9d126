/**
 * What shows a violation in a log: the happens-before cycle, and an execution that store buffers allow.
 *
 * Event e of p can come before the store w, which happens before p's previous event. The cycle is e → w → … → e; each event but
 * e follows the one before it in the log too, so all of it lies between w and e. This part of the log is kept when the log is
 * read a second time, up to a limit.
 */
import { BYTES, EFFECTS, EVENT_NAMES, OBJECT } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Task } from '../../trace/conflict-order.ts';
import type { Relation } from '../../trace/shasha-snir.ts';
import { MemoryLimit } from '../../util/memory-limit.ts';
import { NONE } from '../event-clock.ts';
import { isBuffered, overlaps } from '../mapping.ts';
import { emit } from './emit.ts';
import type { LogEvent, LogListener } from './record.ts';
import type { LoggedViolation, Witness, WitnessEvent, WitnessStep } from './violation.ts';
import { relationOf, Window } from './window.ts';

/** Events between w and e at most; events kept for all violations together. */
const MAX_APART = 20_000;
const MAX_KEPT = 200_000;

const TOO_FAR = `the two events are more than ${MAX_APART} events apart`;
const TOO_MANY = 'there are too many violations';
/** A monitor was wrong, or what waits for a value could not go on. */
const NOT_FOUND = 'none was found, so this alarm may be false';

/** Receives a log for the second time, up to the last violation. */
export class Witnesses implements LogListener {
  private readonly violations: readonly LoggedViolation[];
  private readonly reasons = new Map<LoggedViolation, string>();
  private readonly kept = new Map<number, LogEvent>();
  /** Disjoint, ascending. */
  private readonly parts: { readonly from: number; to: number }[] = [];
  private part = 0;
  /** Events read so far. */
  count = 0;

  constructor(violations: readonly LoggedViolation[]) {
    this.violations = violations;
    let room = MAX_KEPT;
    const wanted = violations.filter((violation) => {
      const apart = violation.eventNumber - violation.writeNumber;
      if (apart > MAX_APART) this.reasons.set(violation, TOO_FAR);
      else if (apart > room) this.reasons.set(violation, TOO_MANY);
      else room -= apart;
      return !this.reasons.has(violation);
    });
    const ranges = wanted
      .map(({ writeNumber: from, eventNumber: to }) => ({ from, to }))
      .sort((a, b) => a.from - b.from);
    for (const { from, to } of ranges) {
      const last = this.parts.at(-1);
      if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
      else this.parts.push({ from, to });
    }
  }

  /** Whether the rest of the log is not needed. */
  get isComplete(): boolean {
    return this.part === this.parts.length;
  }

  event(entry: LogEvent): void {
    this.count++;
    const part = this.parts[this.part];
    if (part === undefined || this.count < part.from) return;
    this.kept.set(this.count, { ...entry });
    if (this.count === part.to) this.part++;
  }

  site(): void {}

  name(): void {}

  /** The violations, each with its witness or the reason why there is none. */
  get witnessed(): readonly LoggedViolation[] {
    return this.violations.map((violation) => ({
      ...violation,
      witness: this.reasons.get(violation) ?? this.tryWitness(violation),
    }));
  }

  private tryWitness(violation: LoggedViolation): Witness | string {
    try {
      return this.witnessOf(violation) ?? NOT_FOUND;
    } catch (error) {
      if (error instanceof MemoryLimit) return 'out of memory';
      throw error;
    }
  }

  private witnessOf({ eventNumber, writeNumber, model }: LoggedViolation): Witness | undefined {
    const window = new Window();
    for (let number = writeNumber; number <= eventNumber; number++) {
      const entry = this.kept.get(number);
      if (entry === undefined) return undefined;
      window.event(entry);
    }
    const { log, previous, followed } = window;
    const [event, write] = pairOf(log, 1 + eventNumber - writeNumber) ?? [NONE, NONE];
    if (event === NONE) return undefined;
    const created = followed[event]!.find(({ relation }) => relation === 'create');
    const past = previous[event] === NONE ? created?.event : previous[event];
    const cycle = cycleOver(window, event, write);
    const steps = past === undefined ? undefined : emit(window, model, past, event, write);
    if (cycle === undefined || steps === undefined) return undefined;
    const describe = (e: number): WitnessEvent => this.describe(log, e, writeNumber);
    return {
      cycle: cycle.map(({ event: e, relation }) => ({ ...describe(e), relation })),
      execution: steps.flatMap((task, i) => {
        const step = stepOf(task, steps[i - 1], steps[i + 1], isBuffered(log.words, task.event * ev.EVENT_WORDS));
        return step === undefined ? [] : [{ ...describe(task.event), step }];
      }),
    };
  }

  private describe(log: ev.EventLog, event: number, first: number): WitnessEvent {
    const number = log.get(event, ev.E_STEP) + first - 1;
    const { site, thread, address } = this.kept.get(number)!;
    const kind = log.get(event, ev.E_KIND);
    const isPlace = (EFFECTS[kind]! & (BYTES | OBJECT)) !== 0;
    return { number, thread, operation: EVENT_NAMES[kind]!, site, address: isPlace ? address : undefined };
  }
}

/** The access of the last of `count` events of the log, and that of the first which it overlaps: each may be several events. */
function pairOf(log: ev.EventLog, count: number): readonly [event: number, write: number] | undefined {
  for (let event = 0; event < log.length; event++) {
    if (log.get(event, ev.E_STEP) !== count) continue;
    for (let write = 0; log.get(write, ev.E_STEP) === 1; write++) {
      if (overlaps(log.words, write * ev.EVENT_WORDS, event * ev.EVENT_WORDS)) return [event, write];
    }
  }
  return undefined;
}

/** A store that reaches memory right after it has entered its buffer is one step. */
function stepOf(
  task: Task,
  before: Task | undefined,
  after: Task | undefined,
  isStore: boolean,
): WitnessStep | undefined {
  const { event, isCommit } = task;
  if (isCommit) return before?.event === event ? undefined : 'reaches memory';
  return isStore && after?.event !== event ? 'buffered' : 'at once';
}

/** A shortest cycle from `event` over `write`. Any distance in program order counts as one edge. */
function cycleOver(
  { log, previous, followed }: Window,
  event: number,
  write: number,
): readonly { readonly event: number; readonly relation: Relation }[] | undefined {
  /** By event: the next one on the way to `event`. */
  const next = new Map<number, { readonly event: number; readonly relation: Relation }>();
  const queue: number[] = [];
  const reach = (from: number, to: number, relation: Relation): void => {
    if (from === event || next.has(from)) return;
    next.set(from, { event: to, relation });
    queue.push(from);
  };
  const goBack = (to: number): void => {
    // What is before an event that has been reached in this way has been, too.
    for (let e = previous[to]!; e !== NONE && next.get(e)?.relation !== 'program order'; e = previous[e]!) {
      reach(e, to, 'program order');
    }
  };
  goBack(event);
  for (const { event: from, relation } of followed[event]!) if (relation === 'create') reach(from, event, relation);
  for (let i = 0; i < queue.length && !next.has(write); i++) {
    const to = queue[i]!;
    for (const { event: from, relation } of followed[to]!) reach(from, to, relation);
    goBack(to);
  }
  if (!next.has(write)) return undefined;
  const path: { event: number; relation: Relation }[] = [{ event, relation: firstRelation(log, event, write) }];
  for (let e = write; e !== event; e = next.get(e)!.event) path.push({ event: e, relation: next.get(e)!.relation });
  return path;
}

/** e is before w: it reads what was there before, or w overwrites it. */
function firstRelation(log: ev.EventLog, event: number, write: number): Relation {
  const relation = relationOf(log, event, write);
  return relation === 'source' ? 'store order' : relation;
}
