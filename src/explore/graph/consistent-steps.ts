/**
 * The next steps that an axiomatic model allows after an execution. A search builds its graph as it goes; this is for
 * walking through one execution by hand: every step that the machine offers is tried, and judged by the graph of the
 * execution with it.
 *
 * Nothing is missing: what the axioms allow, they allow without its last event, too, and the machine's order respects
 * po and rf. So each consistent execution is reached step by step, in any such order of its events.
 */

import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import type { GraphMemory } from '../../machine/memory/graph.ts';
import { NextAccess } from '../../machine/next-access.ts';
import { processOf, type Step } from '../../machine/state/process.ts';
import { modelNamed } from '../../models/index.ts';
import { axiomsOf } from './axioms.ts';
import { Graph } from './graph.ts';
import { findMixed } from './races.ts';
import { fateOf, hasPair } from './rebuild.ts';
import { MIXED, Unmodelled } from './unmodelled.ts';

/** Whether the model allows the machine's execution. */
export function isConsistent(machine: Machine): boolean {
  return fateOf(machine, (event) => machine.events.get(event, ev.E_ORDER)).kind !== 'inconsistent';
}

/** The machine ends where it was. */
export function consistentSteps(machine: Machine): readonly Step[] {
  machine.enabled();
  const { depth } = machine;
  const steps = Array.from({ length: machine.steps.length }, (_, i) => machine.steps.get(i));
  return steps.filter((step) => {
    machine.enabled();
    machine.step(step);
    const isAllowed = isConsistent(machine);
    machine.rollback(depth);
    return isAllowed;
  });
}

/** What the model does not cover in the machine's execution, or in the next step of a thread. */
export function unmodelledIn(machine: Machine): string | undefined {
  if (hasPair(machine, findMixed)) return MIXED;
  const graph = new Graph();
  const next = new NextAccess(machine);
  const consistency = axiomsOf(modelNamed(machine.model))(graph);
  const unmodelled = new Unmodelled(machine, graph, machine.memory as GraphMemory, next, consistency);
  machine.enabled();
  for (let i = 0; i < machine.steps.length; i++) {
    const thread = processOf(machine.steps.get(i));
    next.of(thread);
    const found = unmodelled.operation(thread);
    if (found !== undefined) return found;
  }
  return unmodelled.ending();
}
