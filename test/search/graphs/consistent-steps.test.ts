/**
 * Walking through executions step by step under RC11, against the search: each step that leads to one of its executions
 * is offered, and no other.
 */
import { expect, it } from 'vitest';
import { consistentSteps } from '../../../src/explore/graph/consistent-steps.ts';
import { judgeGraphRaces } from '../../../src/explore/graph/rebuild.ts';
import { programError } from '../../../src/machine/describe/program-error.ts';
import * as ev from '../../../src/machine/events/event.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { ShashaSnirTrace } from '../../../src/trace/shasha-snir.ts';
import { everything, forAllSketches } from '../../support/for-all.ts';
import { visitGraphs, withoutPlain } from '../../support/graphs.ts';
import { buildProgram, type Sketch } from '../../support/sketch.ts';

/** The same for executions with the same graph: what every thread did and read, and the order of stores. */
function keyOf(machine: Machine): string {
  const { events } = machine;
  const threads: string[][] = [];
  const names: string[] = [];
  for (let e = 0; e < machine.depth; e++) {
    const thread = events.get(e, ev.E_THREAD);
    threads[thread] ??= [];
    const own = threads[thread];
    names.push(`${thread}.${own.length}`);
    own.push([ev.E_KIND, ev.E_ADDRESS, ev.E_READ_LOW].map((field) => events.get(e, field)).join());
  }
  const trace = new ShashaSnirTrace(events, machine.processes);
  const orders = trace.storeOrders().map(({ address, writes }) => `${address}:${writes.map((w) => names[w])}`);
  const sources = names.map((name, e) => `${name}<${trace.sourcesOf(e).map((w) => names[w])}`);
  return [...threads.map((own) => own?.join(' ')), ...orders.sort(), ...sources.sort()].join('\n');
}

interface Walked {
  readonly keys: ReadonlySet<string>;
  readonly hasError: boolean;
}

function walk(machine: Machine): Walked {
  const [seen, keys] = [new Set<string>(), new Set<string>()];
  let hasError = false;
  const visit = (): void => {
    const key = keyOf(machine);
    if (seen.has(key)) return;
    seen.add(key);
    if (programError(machine) !== undefined || judgeGraphRaces(machine) !== undefined) {
      hasError = true;
      return;
    }
    const { depth } = machine;
    const steps = consistentSteps(machine);
    if (steps.length === 0) keys.add(key);
    for (const step of steps) {
      machine.enabled();
      machine.step(step);
      visit();
      machine.rollback(depth);
    }
  };
  visit();
  return { keys, hasError };
}

function compare(sketch: Sketch): void {
  const program = buildProgram(sketch);
  const wanted = visitGraphs(program, (_, machine) => keyOf(machine));
  const limits = program.roots.length === 1 ? { threads: 6 } : {};
  const walked = walk(new Machine(program, 'rc11', limits, { patience: 1 }));
  expect(walked.hasError).toBe(wanted.result.errors.length > 0);
  if (walked.hasError) return;
  expect([...walked.keys].sort()).toEqual([...wanted.keys].sort());
}

it.each([
  [2, 5, 2],
  [3, 5, 2],
  [2, 5, 1],
])('steps reach exactly the graphs of %i threads, %i operations, %i locations', (threads, totalOps, locations) => {
  forAllSketches({ ...everything, threads, totalOps, locations }, 40, (sketch, seed) =>
    compare(withoutPlain(sketch, seed % 8 === 0)),
  );
});
