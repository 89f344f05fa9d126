/**
 * Robustness by exploration: counts the traces of a search that SC does not allow. By [SHASHA-SNIR], they are those
 * with a cycle. The first cycle found is kept, in words, with the schedule that shows it.
 */
import { printSchedule, scheduleOf } from '../explore/schedule.ts';
import type { Watcher } from '../explore/watcher.ts';
import { describeEvent, type EventDescription } from '../machine/describe/describe.ts';
import { Naming } from '../machine/describe/naming.ts';
import type { Machine } from '../machine/machine.ts';
import { type CycleEdge, findCycle, isAcyclic } from '../trace/cycle.ts';
import { settle } from '../trace/settle.ts';
import { type Relation, ShashaSnirTrace } from '../trace/shasha-snir.ts';

export interface CycleDescription {
  readonly edges: readonly {
    readonly from: EventDescription;
    readonly relation: Relation;
    readonly to: EventDescription;
  }[];
  /** The schedule of an execution that has it. */
  readonly schedule: string;
}

/** How many executions have a trace with a cycle, and the first such cycle. */
export interface SavedRobustness {
  readonly cyclic: number;
  readonly cycle?: CycleDescription;
}

export class Robustness implements Watcher<SavedRobustness> {
  cyclic = 0;
  cycle: CycleDescription | undefined;

  conclude(machine: Machine): void {
    const trace = new ShashaSnirTrace(machine.events, machine.processes);
    if (isAcyclic(trace)) return;
    this.cyclic++;
    this.cycle ??= describe(machine, findCycle(trace)!);
  }

  save(): SavedRobustness {
    const { cyclic, cycle } = this;
    return cycle === undefined ? { cyclic } : { cyclic, cycle };
  }

  merge({ cyclic, cycle }: SavedRobustness): void {
    this.cyclic += cyclic;
    this.cycle ??= cycle;
  }
}

/** A shortest cycle through `event` in the machine's execution; `undefined` if there is none. */
export function describeCycle(machine: Machine, event: number): CycleDescription | undefined {
  const cycle = findCycle(new ShashaSnirTrace(settle(machine.events), machine.processes), [event]);
  return cycle === undefined ? undefined : describe(machine, cycle);
}

function describe(machine: Machine, cycle: readonly CycleEdge[]): CycleDescription {
  const naming = new Naming(machine);
  return {
    edges: cycle.map(({ from, relation, to }) => ({
      from: describeEvent(machine, from, naming),
      relation,
      to: describeEvent(machine, to, naming),
    })),
    schedule: printSchedule(machine, scheduleOf(machine)),
  };
}
