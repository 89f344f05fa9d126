/** The options of `robust`. */
import type { StoreBufferModel } from '../models/index.ts';
import { type MonitorName, monitors } from '../monitor/monitors.ts';
import type { CheckOptions } from './check.ts';
import type { CommandChoices } from './command-choices.ts';
import { type Described, flag, type Keeps } from './option.ts';
import { RECORDED, record } from './output.ts';
import {
  BUG_DEPTH,
  DELAYS,
  INTERPRET,
  JOBS,
  MAX_EXECUTIONS,
  MAX_STEPS,
  modelsFor,
  PREEMPTIONS,
  SEED,
  SPIN,
  type StrategyName,
  someOf,
  strategy,
  TIMEOUT,
  UNROLL,
} from './search.ts';

export type RobustStrategy = Exclude<StrategyName, 'enumerate' | 'retrace'>;

const ROBUST_STRATEGIES: readonly RobustStrategy[] = [
  'optimal',
  'source',
  'exhaustive',
  'bounded',
  'delays',
  'random',
  'pct',
  'pos',
];

export const MONITORS: readonly MonitorName[] = Object.keys(monitors) as MonitorName[];

export interface RobustOptions
  extends Omit<CheckOptions, 'models' | 'strategy' | 'robust' | 'races' | 'monitors' | 'only' | 'advice'> {
  readonly models: readonly StoreBufferModel[];
  readonly strategy: RobustStrategy;
  readonly monitors: readonly MonitorName[];
  /** Stop as soon as every model has a violation. */
  readonly first?: boolean;
}

/** On the command line; models and monitors follow from each other. */
export interface RobustChoices
  extends Omit<
      RobustOptions,
      'models' | 'monitors' | 'maxStates' | 'keepGoing' | 'observations' | 'limits' | 'countOrders'
    >,
    Pick<CommandChoices, 'jobs' | 'record'> {
  readonly models?: readonly StoreBufferModel[];
  readonly monitors?: readonly MonitorName[];
  readonly timeout?: number;
}

export const ROBUST: Described<RobustChoices> & Keeps<'strategy' | 'seed'> = {
  models: modelsFor('monitors'),
  monitors: someOf('--monitor <list>', 'monitors, separated by commas; see below', MONITORS),
  strategy: strategy('strategy for SC executions', ROBUST_STRATEGIES, 'optimal'),
  first: flag('--first', 'stop as soon as each model has a violation; there may be others'),
  preemptions: PREEMPTIONS,
  delays: DELAYS,
  bugDepth: BUG_DEPTH,
  unroll: UNROLL,
  spin: SPIN,
  maxExecutions: MAX_EXECUTIONS,
  maxSteps: MAX_STEPS,
  timeout: TIMEOUT,
  jobs: JOBS,
  seed: SEED,
  interpret: INTERPRET,
  record: record(RECORDED),
};
