/**
 * Runs a search over a program and collects the traces it visits, so that searches can be compared. DPOR runs as in
 * `check`, with all its shortcuts, and with generated code from the second visit to a place on; the oracles interpret.
 */
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import { ALL_SHORTCUTS, type Shortcuts } from '../../src/explore/dpor/shortcuts.ts';
import { Enumerator } from '../../src/explore/enumerator.ts';
import { Exhaustive } from '../../src/explore/exhaustive.ts';
import { explore } from '../../src/explore/explore.ts';
import { Retrace } from '../../src/explore/retrace/retrace.ts';
import type { Strategy } from '../../src/explore/strategy.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type Model, modelsWith } from '../../src/models/index.ts';
import type { Program } from '../../src/program/ir.ts';
import { traceKey } from '../../src/trace/trace-key.ts';

export const DPOR_MODELS: readonly Model[] = modelsWith('dpor');

const searches = {
  optimal: (machine: Machine, shortcuts: Shortcuts): Strategy => new MachineDpor(machine, 'optimal', shortcuts),
  source: (machine: Machine, shortcuts: Shortcuts): Strategy => new MachineDpor(machine, 'source', shortcuts),
  enumerate: (machine: Machine): Strategy => new Enumerator(machine, MAX_STATES),
  retrace: (machine: Machine): Strategy => new Retrace(machine),
  exhaustive: (): Strategy => new Exhaustive(),
};

/** Tests with generated programs skip programs that have more. */
const MAX_STATES = 20_000;

export interface Visited {
  /** Outcome and trace of every execution that did not end in an error, in the order visited. */
  readonly traces: readonly string[];
  readonly distinct: ReadonlySet<string>;
  readonly errors: number;
  readonly deadlocks: number;
  /** Executions given up because everything left was asleep. */
  readonly asleep: number;
  readonly bounds: readonly string[];
}

export function visit(
  program: Program,
  model: Model,
  search: keyof typeof searches,
  maxExecutions: number = Number.POSITIVE_INFINITY,
  shortcuts: Shortcuts = ALL_SHORTCUTS,
): Visited {
  const isOracle = search === 'enumerate' || search === 'exhaustive';
  const limits = program.roots.length === 1 ? { threads: 6 } : {};
  const machine = new Machine(program, model, limits, isOracle ? { interpret: true } : { patience: 1 });
  const traces: string[] = [];
  let errors = 0;
  let deadlocks = 0;
  const { abandoned, bounds } = explore(machine, searches[search](machine, shortcuts), {
    keepGoing: true,
    maxExecutions,
    onExecution: (_, outcome) => {
      if (outcome === 'error') errors++;
      else traces.push(`${outcome} ${traceKey(machine)}`);
      if (outcome === 'deadlock') deadlocks++;
    },
  });
  return { traces, distinct: new Set(traces), errors, deadlocks, asleep: abandoned, bounds };
}
