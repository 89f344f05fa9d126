/**
 * Explains in words why SC does not allow an execution. Its trace has a cycle ([SHASHA-SNIR]). Somewhere on it the
 * accesses of one thread took effect out of program order, and that is the explanation: a store waited in a buffer, or
 * a load read an old value. Stores still buffered at the end are assumed to reach memory after it, oldest first.
 */

import type { Naming } from '../../machine/describe/naming.ts';
import { effectsOf, SECTION } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { findCycle, isAcyclic } from '../../trace/cycle.ts';
import { ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import type { SourceLines } from '../source-lines.ts';
import type { Cause, CycleEdgeReport } from '../trace-schema.ts';
import { stepsOf, Words } from './buffer-words.ts';
import type { ToldPlace } from './event-words.ts';
import { explainGraph, GraphWords, MAX_LOOKS } from './explain-graph.ts';

interface Explanation {
  /** Whether SC also allows the execution; if so, the other fields are absent. Absent if unknown. */
  readonly sequential?: boolean;
  readonly cycle?: readonly CycleEdgeReport[];
  readonly explanation?: readonly string[];
  /** Absent if store buffers are the only cause. */
  readonly causes?: readonly Cause[];
}

/** The trace of the machine's execution, completed by draining the store buffers. */
export function completedTrace(machine: Machine): ShashaSnirTrace {
  const log = new ev.EventLog();
  log.words = machine.events.words.slice();
  log.length = stepsOf(machine);
  for (const slot of machine.processes.slotsInNameOrder) {
    for (const { address, size, low, high, site, store } of machine.memory.pending(slot)) {
      const at = log.append(ev.UPDATE_EVENT, slot, store, 0, site);
      log.words[at + ev.E_ADDRESS] = address;
      log.words[at + ev.E_SIZE] = size;
      log.words[at + ev.E_STORED_LOW] = low;
      log.words[at + ev.E_STORED_HIGH] = high;
      log.words[at + ev.E_FLAGS] = ev.WROTE_MEMORY;
    }
  }
  return new ShashaSnirTrace(log, machine.processes);
}

/** `placeOf`: where people look for an event that happens in a wrapper, and the name of the wrapper. */
export function explain(
  machine: Machine,
  trace: ShashaSnirTrace,
  naming: Naming,
  placeOf: (event: number) => ToldPlace | undefined = () => undefined,
  source?: SourceLines,
): Explanation {
  if (isAcyclic(trace)) return hasSection(machine) ? {} : { sequential: true };
  if (machine.description.isAxiomatic) return explainGraph(new GraphWords(machine, trace, naming, placeOf, source));
  const words = new Words(machine, trace, naming, placeOf, source);
  // If there are too many, the ones nearest to the error.
  const starts = words.reordered().slice(-Math.ceil(MAX_LOOKS / trace.events.length));
  const isOfBarriers = machine.description.heedsBarriers;
  const cycle =
    (isOfBarriers
      ? (findCycle(trace, starts, words.publishing) ?? findCycle(trace, starts, words.barriers))
      : undefined) ?? findCycle(trace, starts);
  if (cycle === undefined) {
    return {
      sequential: false,
      explanation: ['the execution is too long to find a short reason.'],
      ...causesOf(words.hasStaleLoads, words.lateStores().length > 0),
    };
  }
  const own = cycle.filter((edge) => edge.relation === 'program order');
  const swapped = own.filter((edge) => words.isSwapped(edge));
  const clauses = [
    ...swapped.flatMap((edge) => [words.swapped(edge), ...words.overwritten(edge.to, cycle)]),
    ...own
      .filter((edge) => !swapped.includes(edge))
      .flatMap((edge) => [words.inOrder(edge), ...words.overwritten(edge.to, cycle)]),
  ].map((clause, i) => (i === 0 ? clause : `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`));
  return {
    sequential: false,
    cycle: cycle.map(({ from, relation, to }) => ({ from: words.place(from), relation, to: words.place(to) })),
    explanation: [
      `${clauses.join('. ')}.`,
      ...words.underTso(swapped),
      ...words.remedies(own.filter((e) => words.isOpen(e))),
    ],
    ...causesOf(
      swapped.some((e) => words.isStale(e.to)),
      swapped.some((e) => !words.isStale(e.to)),
    ),
  };
}

function causesOf(isOfOldValues: boolean, isOfBuffers: boolean): Pick<Explanation, 'causes'> {
  return isOfOldValues ? { causes: [...(isOfBuffers ? (['store buffers'] as const) : []), 'stale loads'] } : {};
}

/** A trace does not record that atomic sections exclude each other. */
function hasSection({ events }: Machine): boolean {
  for (let event = 0; event < events.length; event++) {
    if ((effectsOf(events, event) & SECTION) !== 0) return true;
  }
  return false;
}
