/** DPOR on the machine, the one system that the tool searches. */
import type { Machine } from '../../../machine/machine.ts';
import { NO_ORDERS } from '../../../trace/fixed-orders.ts';
import type { HappensBefore } from '../../../trace/happens-before.ts';
import { processOf } from '../../runnable.ts';
import { parseSchedule, printSchedule } from '../../schedule.ts';
import type { Divisible } from '../divisible.ts';
import { Dpor } from '../dpor.ts';
import type { ActionNames, Job, Proposals } from '../job.ts';
import type { DporMode, SearchLevel, SearchState } from '../search-state.ts';
import { ALL_SHORTCUTS, type Shortcuts } from '../shortcuts.ts';
import { MachineDependence } from './machine-dependence.ts';
import { MachineSteps } from './machine-steps.ts';

export class MachineDpor extends Dpor implements Divisible {
  /** A loaded search can be saved at once. */
  readonly isReplaying = false;
  /** Over the events of the current execution, as far as the search has needed it. */
  readonly happensBefore: HappensBefore;
  readonly machine: Machine;
  /** The search is a part of another one, restricted to given orders. */
  isPart = false;
  private readonly names: ActionNames;
  private readonly steps: MachineSteps;
  private readonly order: MachineDependence;

  constructor(machine: Machine, mode: DporMode, shortcuts: Shortcuts = ALL_SHORTCUTS) {
    const next = new MachineSteps(machine, shortcuts);
    const dependence = new MachineDependence(machine, shortcuts);
    super({ runnable: machine, next, dependence }, mode, shortcuts);
    this.machine = machine;
    this.names = actionNames(machine, dependence);
    this.happensBefore = dependence;
    this.steps = next;
    this.order = dependence;
  }

  save(): SearchState {
    return { strategy: this.name, levels: this.left(this.names) };
  }

  /** Resumes a saved search on a fresh machine with the same program and model, and the same shortcuts. */
  static restore(
    machine: Machine,
    { strategy, levels }: SearchState,
    shortcuts: Shortcuts = ALL_SHORTCUTS,
  ): MachineDpor {
    const dpor = new MachineDpor(machine, strategy, shortcuts);
    dpor.resume(levels);
    return dpor;
  }

  /** Continues a saved search. */
  resume(levels: readonly SearchLevel[]): void {
    if (levels.length === 0) this.end();
    else this.begin({ shared: [], own: levels }, this.names);
  }

  /** Starts or continues this job. */
  take(job: Job, proposals: Proposals): void {
    const { orders = NO_ORDERS } = job;
    this.isPart = orders.length > 0;
    this.order.setOrders(orders);
    this.steps.setOrders(orders);
    this.begin(job, this.names, proposals);
  }
}

/** An action is printed as the name of its step, followed by numbers that are the same on every machine. */
function actionNames(machine: Machine, { actions }: MachineDependence): ActionNames {
  // Actions are few, and keep their numbers.
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  const print = (a: number): string => {
    const name = printSchedule(machine, [actions.step(a)]);
    return [name, actions.access(a), actions.address(a), actions.bytes(a), actions.own(a), actions.second(a)].join(' ');
  };
  const parse = (text: string): number => {
    const [name, ...words] = text.split(' ');
    const [access, address, bytes, own, second] = words.map(Number);
    const step = parseSchedule(machine, name!)[0]!;
    const thread = machine.processes.owner(processOf(step));
    return actions.intern(step, thread, access!, address!, bytes!, own!, second!);
  };
  return {
    print: (a) => {
      texts[a] ??= print(a);
      return texts[a];
    },
    parse: (text) => {
      const number = numbers.get(text) ?? parse(text);
      numbers.set(text, number);
      return number;
    },
  };
}
