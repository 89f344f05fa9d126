/** Runs monitors over the SC executions of a program, and determines by brute force what they should say. */
import { expect } from 'vitest';
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../../src/explore/enumerator.ts';
import { Exhaustive } from '../../src/explore/exhaustive.ts';
import { explore } from '../../src/explore/explore.ts';
import type { Strategy } from '../../src/explore/strategy.ts';
import { Machine } from '../../src/machine/machine.ts';
import { CausalScan } from '../../src/monitor/causal-scan.ts';
import { CAUSAL, type MonitorName, Monitors } from '../../src/monitor/monitors.ts';
import { hasSections } from '../../src/pipelines/strategies.ts';
import type { Program } from '../../src/program/ir.ts';
import { isAcyclic } from '../../src/trace/cycle.ts';
import { ShashaSnirTrace } from '../../src/trace/shasha-snir.ts';
import { traceKey } from '../../src/trace/trace-key.ts';

export const ALL_MONITORS: readonly MonitorName[] = ['sober', 'sober-fixed', 'tso', 'pso', 'causal-tso', 'causal-pso'];

export function machineFor(program: Program, model: 'sc' | 'tso' | 'pso'): Machine {
  return new Machine(program, model, program.roots.length === 1 ? { threads: 6 } : {});
}

const searches = {
  optimal: (machine: Machine): Strategy => new MachineDpor(machine, 'optimal'),
  exhaustive: (): Strategy => new Exhaustive(),
};

/** The monitors that report a violation, over all executions that the search visits. */
export function alarms(
  program: Program,
  search: keyof typeof searches,
  names: readonly MonitorName[] = ALL_MONITORS,
): ReadonlySet<MonitorName> {
  const machine = machineFor(program, 'sc');
  const found = new Set<MonitorName>();
  const reports: string[] = [];
  const monitors = new Monitors(machine.events, names, (name) => (event, write) => {
    found.add(name);
    if (name.startsWith('causal-')) reports.push(`${name} ${event} ${write}`);
  });
  const strategy = searches[search](machine);
  const scanned: string[] = [];
  const scan = new CausalScan(
    machine,
    strategy instanceof MachineDpor ? strategy.happensBefore : monitors.clock,
    ['thread', 'location'],
    (buffers, event, write) => {
      scanned.push(`${CAUSAL[buffers]} ${event} ${write}`);
    },
  );
  explore(machine, strategy, {
    followers: [
      {
        observe: (event) => monitors.observe(event),
        rollback: (depth) => {
          monitors.rollback(depth);
          scan.rollback(depth);
        },
      },
    ],
    keepGoing: true,
    onExecution: () => {
      monitors.conclude(machine);
      scan.conclude();
    },
  });
  // Both must report the same pairs of events, in the same executions.
  if (names === ALL_MONITORS && !hasSections(program)) expect(scanned.sort()).toEqual(reports.sort());
  return found;
}

export interface Traces {
  readonly all: ReadonlySet<string>;
  /** Traces with a cycle. */
  readonly cyclic: number;
  readonly errors: number;
}

/** All traces of a program; `undefined` if there are too many. */
export function tracesOf(program: Program, model: 'sc' | 'tso' | 'pso', maxStates = 20_000): Traces | undefined {
  const machine = machineFor(program, model);
  const all = new Set<string>();
  let cyclic = 0;
  let errors = 0;
  const { bounds } = explore(machine, new Enumerator(machine, maxStates), {
    keepGoing: true,
    onExecution: (_, outcome) => {
      if (outcome === 'error' || outcome === 'deadlock') errors++;
      if (outcome === 'error') return;
      const key = traceKey(machine);
      if (all.has(key)) return;
      all.add(key);
      if (!isAcyclic(new ShashaSnirTrace(machine.events, machine.processes))) cyclic++;
    },
  });
  return bounds.length > 0 ? undefined : { all, cyclic, errors };
}

export interface Robustness {
  readonly tso: boolean;
  readonly pso: boolean;
}

/**
 * Whether SC allows every trace of TSO and of PSO. `undefined` if that takes too long or the program is wrong; also if
 * it has atomic sections and an acyclic trace that SC does not allow: traces do not show that sections exclude each
 * other.
 */
export function robustness(program: Program): Robustness | undefined {
  const sc = tracesOf(program, 'sc');
  if (sc === undefined || sc.errors > 0) return undefined;
  const answer = { tso: true, pso: true };
  for (const model of ['tso', 'pso'] as const) {
    const traces = tracesOf(program, model);
    if (traces === undefined) return undefined;
    answer[model] = traces.cyclic === 0 && traces.errors === 0;
    if (traces.errors > 0 || traces.all.size > sc.all.size === traces.cyclic > 0) continue;
    if (hasSections(program)) return undefined;
    throw new Error(`${model}: cycles and trace counts disagree`);
  }
  return answer;
}
