/** One execution of a hunt, and the trace it leaves behind. */
import type { ProgramError } from '../../machine/error.ts';
import type { Machine } from '../../machine/machine.ts';
import { processOf } from '../../machine/process.ts';
import { ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import { explore, type FoundError } from '../explore.ts';
import type { Strategy } from '../strategy.ts';
import { Waker } from '../wake.ts';

export interface Run {
  readonly error: FoundError | undefined;
  readonly steps: number;
  /** What cut it short, if something did. */
  readonly bound: string | undefined;
}

/** Runs the strategy's one execution; the machine is left at its end. */
export function runOnce(
  machine: Machine,
  strategy: Strategy,
  maxSteps: number,
  judge: ((machine: Machine) => ProgramError | undefined) | undefined,
): Run {
  const { errors, bounds, steps } = explore(machine, strategy, {
    followers: [new Waker(machine)],
    maxDepth: maxSteps,
    ...(judge === undefined ? {} : { judge }),
  });
  const [error] = errors;
  return { error, steps, bound: bounds.find((b) => b !== 'first error' && b !== strategy.incomplete) };
}

/**
 * The trace of the machine's execution with all its stores in memory. One that an error has ended may have some left that
 * nobody will see: without them the trace would not show what came before them. They are committed from the state before
 * the step that failed, which belongs to no cycle. The machine is left at the end of that execution, whose schedule shows
 * the trace.
 */
export function settledTrace(machine: Machine): ShashaSnirTrace {
  machine.enabled();
  if (machine.outcome === 'error' && hasWaitingStores(machine)) machine.rollback(machine.depth - 1);
  for (let commit = nextCommit(machine); commit >= 0; commit = nextCommit(machine)) machine.step(commit);
  return new ShashaSnirTrace(machine.events, machine.processes);
}

function hasWaitingStores({ memory, processes }: Machine): boolean {
  for (let thread = 0; thread < processes.threadCount; thread++) if (!memory.isDrained(thread)) return true;
  return false;
}

function nextCommit(machine: Machine): number {
  machine.enabled();
  const { steps, processes } = machine;
  for (let i = 0; i < steps.length; i++) if (!processes.isThread(processOf(steps.get(i)))) return steps.get(i);
  return -1;
}
