/**
 * The witness of a violation in a log: the happens-before cycle, and an execution that store buffers allow.
 *
 * Event e of p can come before the store w, which happens before p's previous event. The cycle is e → w → … → e. From
 * w on, each event also follows the one before it in the log, so the whole cycle lies between w and e: in this part of
 * the log (`excerpts.ts`).
 */
import { BYTES, EFFECTS, EVENT_NAMES, OBJECT } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { StoreBufferModel } from '../../models/index.ts';
import type { Task } from '../../trace/conflict-order.ts';
import type { Relation } from '../../trace/shasha-snir.ts';
import { isBuffered, overlaps } from '../mapping.ts';
import { NONE } from '../thread-clocks.ts';
import { emit } from './emit.ts';
import type { NumberedEvent } from './record.ts';
import type { Witness, WitnessEvent, WitnessStep } from './violation.ts';
import { relationOf, Window } from './window.ts';

/**
 * `excerpt` ends with e, and has w at index `first`. The events before w only show which atomic sections and waits were
 * in progress.
 */
export function witnessOf(
  excerpt: readonly NumberedEvent[],
  first: number,
  model: StoreBufferModel,
): Witness | undefined {
  const window = new Window();
  for (const { entry } of excerpt) window.event(entry);
  const { log, previous, followed } = window;
  const [event, write] = pairOf(log, excerpt.length, first + 1) ?? [NONE, NONE];
  if (event === NONE) return undefined;
  const created = followed[event]!.find(({ relation }) => relation === 'create');
  const past = previous[event] === NONE ? created?.event : previous[event];
  const cycle = cycleOver(window, event, write);
  if (cycle === undefined || past === undefined) return undefined;
  const steps = emit(window, model, past, event, write);
  if (steps === undefined) return undefined;
  const describe = (e: number): WitnessEvent => describeEvent(log, e, excerpt);
  return {
    cycle: cycle.map(({ event: e, relation }) => ({ ...describe(e), relation })),
    execution: steps.flatMap((task, i) => {
      const step = stepOf(task, steps[i - 1], steps[i + 1], isBuffered(log.words, task.event * ev.EVENT_WORDS));
      const isShown = step !== undefined && log.get(task.event, ev.E_NUMBER) > first;
      return isShown ? [{ ...describe(task.event), step }] : [];
    }),
  };
}

function describeEvent(log: ev.EventLog, event: number, excerpt: readonly NumberedEvent[]): WitnessEvent {
  const { number, entry } = excerpt[log.get(event, ev.E_NUMBER) - 1]!;
  const { site, thread, address } = entry;
  const kind = log.get(event, ev.E_KIND);
  const isPlace = (EFFECTS[kind]! & (BYTES | OBJECT)) !== 0;
  return { number, thread, operation: EVENT_NAMES[kind]!, site, address: isPlace ? address : undefined };
}

/** The overlapping accesses of two events of the log, each of which may be several events here. */
function pairOf(log: ev.EventLog, second: number, first: number): readonly [event: number, write: number] | undefined {
  for (let event = log.length - 1; log.get(event, ev.E_NUMBER) === second; event--) {
    for (let write = 0; write < event; write++) {
      const isFirst = log.get(write, ev.E_NUMBER) === first;
      if (isFirst && overlaps(log.words, write * ev.EVENT_WORDS, event * ev.EVENT_WORDS)) return [event, write];
    }
  }
  return undefined;
}

/** A store that reaches memory right after entering its buffer is one step. */
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

/** A shortest cycle from `event` through `write`. Any distance in program order counts as one edge. */
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
    // Events before one that was reached by program order have been reached, too.
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

/** e comes before w: it reads the older value, or w overwrites it. */
function firstRelation(log: ev.EventLog, event: number, write: number): Relation {
  const relation = relationOf(log, event, write);
  return relation === 'source' ? 'store order' : relation;
}
