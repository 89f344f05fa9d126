/** A search divided among workers that take turns in one process, in an order determined by a seed. */

import type { Divisible } from '../../src/explore/dpor/divisible.ts';
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import { ALL_SHORTCUTS, type Shortcuts } from '../../src/explore/dpor/shortcuts.ts';
import { Exploration } from '../../src/explore/explore.ts';
import type { FrontierData } from '../../src/explore/frontier/frontier.ts';
import { Keeper } from '../../src/explore/frontier/keeper.ts';
import type { Strategy } from '../../src/explore/strategy.ts';
import { Machine, type MachineOptions } from '../../src/machine/machine.ts';
import type { Limits } from '../../src/machine/state/layout.ts';
import type { Model } from '../../src/models/index.ts';
import type { Program } from '../../src/program/ir.ts';
import { traceKey } from '../../src/trace/trace-key.ts';
import { Prng } from '../../src/util/prng.ts';

export interface Divided {
  /** Outcome and trace of every execution. */
  readonly traces: readonly string[];
  readonly asleep: number;
  readonly proposed: number;
  readonly appended: number;
  /** Jobs that were divided, and those that were lost and restarted. */
  readonly divided: number;
  readonly lost: number;
  /** How often everything left was merged into one job. */
  readonly merged: number;
}

export interface DividedOptions {
  readonly workers: number;
  readonly seed: number;
  readonly shortcuts?: Shortcuts;
  readonly machine?: MachineOptions;
  readonly limits?: Partial<Limits>;
  readonly maxExecutions?: number;
  readonly key?: (machine: Machine) => string;
  /** The search; by default Optimal-DPOR. */
  readonly search?: (machine: Machine) => DividedSearch;
  /** Whether its jobs share nothing. */
  readonly isList?: boolean;
}

export type DividedSearch = Strategy & Divisible;

interface Engine {
  readonly machine: Machine;
  readonly search: DividedSearch;
}

class Worker {
  private readonly make: () => Engine;
  private made: Engine | undefined;
  exploration: Exploration | undefined;
  id = -1;
  /** Found since the job was taken; not yet handed over. */
  traces: string[] = [];

  constructor(make: () => Engine) {
    this.make = make;
  }

  /** Created on demand: in small programs, many workers never get any work. */
  get engine(): Engine {
    this.made ??= this.make();
    return this.made;
  }
}

export function searchDivided(program: Program, model: Model, options: DividedOptions): Divided {
  const { workers: count, seed, shortcuts = ALL_SHORTCUTS, maxExecutions = Number.POSITIVE_INFINITY } = options;
  const key = options.key ?? traceKey;
  const prng = new Prng(seed);
  let keeper = Keeper.of(undefined, options.isList);
  // Copies of shared nodes are usually incomplete.
  keeper.mostCopied = prng.below(12);
  const traces: string[] = [];
  let asleep = 0;
  let divided = 0;
  let lost = 0;
  let merged = 0;
  let proposed = 0;
  let appended = 0;
  const limits = options.limits ?? (program.roots.length === 1 ? { threads: 6 } : {});
  const makeSearch = options.search ?? ((machine: Machine) => new MachineDpor(machine, 'optimal', shortcuts));
  const make = (): Worker =>
    new Worker(() => {
      const machine = new Machine(program, model, limits, options.machine ?? { patience: 1 });
      return { machine, search: makeSearch(machine) };
    });
  const workers = Array.from({ length: count }, make);
  while (!keeper.isDone) {
    if (traces.length > maxExecutions) throw new Error('more executions than there are traces');
    const worker = workers[prng.below(count)]!;
    if (worker.exploration === undefined) {
      const { waiting } = keeper;
      if (waiting.length === 0) continue;
      const { id, job } = keeper.take(waiting[prng.below(waiting.length)]!);
      worker.id = id;
      worker.traces = [];
      const { machine, search } = worker.engine;
      search.take(JSON.parse(JSON.stringify(job)), keeper);
      worker.exploration = new Exploration(machine, search, {
        keepGoing: true,
        onExecution: (machine, outcome) => {
          worker.traces.push(`${outcome} ${key(machine)}`);
        },
      });
    }
    const { exploration } = worker;
    const before = exploration.result.abandoned;
    const { search } = worker.engine;
    while (!exploration.advanceExecutions(1 + prng.below(3)) && search.isReplaying);
    asleep += exploration.result.abandoned - before;
    const commit = (): void => {
      traces.push(...worker.traces);
      worker.traces = [];
    };
    const { levels } = search.save();
    switch (levels.length === 0 ? 0 : 1 + prng.below(7)) {
      case 0:
      case 1:
      case 2:
        // Ends the job, or hands over what is left, perhaps divided.
        commit();
        if (levels.length > 0) divided++;
        keeper.handOver(worker.id, levels, prng.below(3) > 0);
        worker.exploration = undefined;
        break;
      case 3:
        commit();
        keeper.keep(worker.id, levels);
        break;
      case 4:
        // The worker dies, and with it everything that it has not handed over.
        keeper.lose(worker.id);
        workers[workers.indexOf(worker)] = make();
        lost++;
        break;
      case 5:
        if (prng.below(8) > 0) break;
        // All workers are gone; the frontier continues elsewhere.
        proposed += keeper.proposed;
        appended += keeper.appended;
        keeper = Keeper.restore(JSON.parse(JSON.stringify(keeper.save())) as FrontierData);
        keeper.mostCopied = prng.below(12);
        for (let i = 0; i < count; i++) workers[i] = make();
        lost++;
        break;
      case 6:
        // Everything left becomes one job, which may be divided again. Not for graphs.
        if (keeper.size === 1 || options.search !== undefined) break;
        keeper.merge(prng.below(3) === 0);
        for (const one of workers) one.exploration = undefined;
        merged++;
    }
  }
  proposed += keeper.proposed;
  appended += keeper.appended;
  return { traces, asleep, proposed, appended, divided, lost, merged };
}
