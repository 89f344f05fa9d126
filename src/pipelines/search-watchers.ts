/** The watchers that a search needs: what its options ask for, and what its strategy counts. */
import type { MachineDpor } from '../explore/dpor/machine/machine-dpor.ts';
import { Iterative } from '../explore/iterative.ts';
import type { Strategy } from '../explore/strategy.ts';
import type { Machine } from '../machine/machine.ts';
import type { CheckOptions } from '../options/check.ts';
import type { StrategyName } from '../options/search.ts';
import type { Program } from '../program/ir.ts';
import { Alarms } from './alarms.ts';
import { Coverage } from './coverage.ts';
import type { ModelRunParts } from './model-parts.ts';
import { Robustness } from './robustness.ts';
import { Rounds } from './rounds.ts';
import { hasSections, isRandom } from './strategies.ts';
import { Warnings } from './warnings.ts';
import { Watchers } from './watchers.ts';

/** A search, before it begins. */
interface Watchable {
  readonly program: Program;
  readonly machine: Machine;
  readonly name: StrategyName;
  readonly strategy: Strategy;
  readonly dpor: MachineDpor | undefined;
  readonly options: CheckOptions;
  readonly commuting: boolean;
  /** Seconds since the search began. */
  readonly elapsed: () => number;
}

export function watchersOf(search: Watchable, { watched, freedom }: ModelRunParts): Watchers {
  const { program, machine, name, strategy, dpor, options, commuting, elapsed } = search;
  const known = dpor !== undefined && !hasSections(program) ? { order: dpor.happensBefore } : {};
  const clock = watched?.statistics === true ? { now: elapsed } : {};
  const reportsRobustness = options.robust === true && machine.description.capabilities.robust;
  return new Watchers(new Warnings(machine, commuting), {
    alarms: watched === undefined ? undefined : new Alarms(machine, watched, { ...watched, ...known, ...clock }),
    robustness: reportsRobustness ? new Robustness() : undefined,
    freedom,
    rounds: strategy instanceof Iterative ? new Rounds(strategy) : undefined,
    coverage: isRandom(name) ? new Coverage() : undefined,
    traces: name === 'enumerate' ? new Set() : undefined,
  });
}
