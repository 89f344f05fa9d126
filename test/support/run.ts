/**
 * Runs a sketch on the machine and returns its results in the form of the axiomatic oracle, so that both can be
 * compared.
 */
import { Enumerator } from '../../src/explore/enumerator.ts';
import { Exhaustive } from '../../src/explore/exhaustive.ts';
import { explore } from '../../src/explore/explore.ts';
import type { Strategy } from '../../src/explore/strategy.ts';
import * as ev from '../../src/machine/events/event.ts';
import { Machine } from '../../src/machine/machine.ts';
import type { Model } from '../../src/models/index.ts';
import { INITIAL, ShashaSnirTrace } from '../../src/trace/shasha-snir.ts';
import { traceKey } from '../../src/trace/trace-key.ts';
import { executionKey } from './axiomatic.ts';
import { buildProgram, locationsOf, printState, registersOf, type Sketch } from './sketch.ts';

export interface Answers {
  /** As `printState` writes them. */
  readonly states: Set<string>;
  /** Keys made by the machine. */
  readonly traceKeys: Set<string>;
  /** The same traces, with the axiomatic oracle's names. */
  readonly executionKeys: Set<string>;
  /** Executions visited, counting equal traces separately. */
  readonly visited: number;
}

export type StrategyMaker = (machine: Machine) => Strategy;
export const enumerating: StrategyMaker = (machine) => new Enumerator(machine);
export const exhausting: StrategyMaker = () => new Exhaustive();

export function runSketch(sketch: Sketch, model: Model, makeStrategy: StrategyMaker = enumerating): Answers {
  const machine = new Machine(buildProgram(sketch), model);
  const states = new Set<string>();
  const traceKeys = new Set<string>();
  const executionKeys = new Set<string>();
  const result = explore(machine, makeStrategy(machine), {
    onExecution: (_, outcome) => {
      if (outcome !== 'complete') throw new Error(`unexpected outcome: ${outcome}`);
      states.add(finalState(machine, sketch));
      traceKeys.add(traceKey(machine));
      executionKeys.add(keyInOracleWords(machine, sketch));
    },
  });
  if (result.bounds.length > 0) throw new Error(`cut short: ${result.bounds.join(', ')}`);
  return { states, traceKeys, executionKeys, visited: result.executions };
}

export function finalState(machine: Machine, sketch: Sketch): string {
  const registers = registersOf(sketch).map((count, thread) =>
    Array.from({ length: count }, (_, k) => machine.register(thread, k)[0]),
  );
  const memory = locationsOf(sketch).map((_, location) => machine.global(location, 0, 4)[0]);
  return printState(registers, memory);
}

function keyInOracleWords(machine: Machine, sketch: Sketch): string {
  const trace = new ShashaSnirTrace(machine.events, machine.processes);
  const isAccess = (event: number): boolean =>
    [ev.LOAD_EVENT, ev.STORE_EVENT, ev.RMW_EVENT].includes(machine.events.get(event, ev.E_KIND));
  const names = new Map<number, string>([[INITIAL, 'init']]);
  trace.threads.forEach((events, thread) => {
    events.filter(isAccess).forEach((event, index) => {
      names.set(event, `${thread}.${index}`);
    });
  });
  const reads = trace.threads.map((events) =>
    events
      .filter((event) => trace.sourcesOf(event).length > 0)
      .map((event) => ({ read: names.get(event)!, source: names.get(trace.sourcesOf(event)[0]!)! })),
  );
  const coherence = locationsOf(sketch).map((_, location) => {
    const order = trace.storeOrders().find((o) => o.address === machine.layout.globals[location]);
    return (order?.writes ?? []).map((write) => names.get(write)!);
  });
  return executionKey(reads, coherence);
}
