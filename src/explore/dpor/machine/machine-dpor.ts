/** DPOR on the machine, the one system that the tool searches. */
import type { Machine } from '../../../machine/machine.ts';
import type { HappensBefore } from '../../../trace/happens-before.ts';
import type { StepNames } from '../../runnable.ts';
import { parseSchedule, printSchedule, scheduleOf } from '../../schedule.ts';
import { Dpor } from '../dpor.ts';
import { resumeSearch, saveSearch } from '../saved-search.ts';
import type { DporMode, SearchState } from '../search-state.ts';
import { ALL_SHORTCUTS, type Shortcuts } from '../shortcuts.ts';
import { MachineDependence } from './machine-dependence.ts';
import { MachineSteps } from './machine-steps.ts';

export class MachineDpor extends Dpor {
  /** Over the events of the current execution, as far as the search has needed it. */
  readonly happensBefore: HappensBefore;
  private readonly system: { runnable: Machine; next: MachineSteps; dependence: MachineDependence };

  constructor(machine: Machine, mode: DporMode, shortcuts: Shortcuts = ALL_SHORTCUTS) {
    const next = new MachineSteps(machine, shortcuts.invisibleSteps);
    const dependence = new MachineDependence(machine, shortcuts);
    const system = { runnable: machine, next, dependence };
    super(system, mode, shortcuts);
    this.system = system;
    this.happensBefore = dependence;
  }

  save(): SearchState {
    return saveSearch(this, this.system.dependence, stepNames(this.system.runnable));
  }

  /** Resumes a saved search on a fresh machine with the same program and model, and the same shortcuts. */
  static restore(machine: Machine, state: SearchState, shortcuts: Shortcuts = ALL_SHORTCUTS): MachineDpor {
    const dpor = new MachineDpor(machine, state.strategy, shortcuts);
    resumeSearch(dpor, dpor.system, stepNames(machine), state);
    return dpor;
  }
}

function stepNames(machine: Machine): StepNames {
  return {
    printTaken: (length) => printSchedule(machine, scheduleOf(machine).slice(0, length)),
    print: (step) => printSchedule(machine, [step]),
    parse: (text) => parseSchedule(machine, text),
  };
}
