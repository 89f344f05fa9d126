/** What to ask of `check`. */

import type { Limits } from '../machine/state/layout.ts';
import { type Model, modelsWith } from '../models/index.ts';
import { type Described, flag, negation } from './option.ts';
import { record } from './output.ts';
import {
  INTERPRET,
  MAX_EXECUTIONS,
  MAX_STATES,
  MAX_STEPS,
  models,
  modelsText,
  PREEMPTIONS,
  SEED,
  SPIN,
  STRATEGIES,
  type StrategyName,
  strategy,
  TIMEOUT,
  UNROLL,
} from './search.ts';

export interface CheckOptions {
  readonly models: readonly Model[];
  readonly strategy: StrategyName;
  /** For `bounded`: up to how many preemptions. */
  readonly preemptions: number;
  readonly seed: number;
  /** For `random` the number of runs; otherwise where to give up. */
  readonly maxExecutions: number | undefined;
  readonly maxSteps: number | undefined;
  /** For `enumerate`: states to visit before giving up. */
  readonly maxStates: number;
  readonly keepGoing: boolean;
  /** Data races are errors. */
  readonly races: boolean;
  /** Test every trace for a cycle. */
  readonly robust?: boolean;
  /** Look at SC first, with monitors; a model that they prove robust is not explored. For exact strategies. */
  readonly monitors?: boolean;
  /** Executions whose operations have results that no serial execution has are errors. */
  readonly observations?: boolean;
  /** Leave out iterations of loops that only wait. */
  readonly spin?: boolean;
  /** How often a loop may be run; 0 or nothing = any number of times. */
  readonly unroll?: number;
  /** Run everything by the plain interpreter, without generated code. */
  readonly interpret?: boolean;
  /** Room that machines have; plenty unless given. */
  readonly limits?: Partial<Limits>;
}

/** On the command line. */
export interface CheckChoices extends Omit<CheckOptions, 'limits'> {
  readonly timeout?: number;
  readonly record?: string;
}

export const DEFAULT_MODELS: readonly Model[] = modelsWith('check');

export const CHECK: Described<CheckChoices> = {
  models: models(modelsText(DEFAULT_MODELS), DEFAULT_MODELS),
  strategy: strategy('which schedules', STRATEGIES, 'optimal'),
  preemptions: PREEMPTIONS,
  unroll: UNROLL,
  spin: SPIN,
  maxExecutions: MAX_EXECUTIONS,
  maxSteps: MAX_STEPS,
  maxStates: MAX_STATES,
  timeout: TIMEOUT,
  seed: SEED,
  keepGoing: flag('--keep-going', 'go on after an error, to find others'),
  races: flag('--races', 'data races on plain accesses are errors, not warnings'),
  robust: flag('--robust', 'also say whether every execution is one of SC, and show one that is not'),
  monitors: negation('--no-monitors', 'explore every model, also where monitors prove that it adds nothing to sc'),
  observations: flag('--observations', 'marked operations must have the results of some serial execution'),
  interpret: INTERPRET,
  record: record('write an SC execution, with a violation if one was seen, as a log for monitor'),
};
