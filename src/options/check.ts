/** The options of `check`. */

import type { Limits } from '../machine/state/layout.ts';
import { defaultModels, type Model } from '../models/index.ts';
import type { CommandChoices } from './command-choices.ts';
import { type Described, flag, type Keeps, kept, negation, text } from './option.ts';
import { RECORDED, record } from './output.ts';
import {
  BUG_DEPTH,
  COUNT_ORDERS,
  DELAYS,
  INTERPRET,
  JOBS,
  MAX_EXECUTIONS,
  MAX_STATES,
  MAX_STEPS,
  modelsOr,
  PREEMPTIONS,
  REDIS,
  RESUME,
  SAVE,
  SEED,
  SPIN,
  STRATEGIES,
  type StrategyName,
  someOf,
  strategy,
  TIMEOUT,
  UNROLL,
} from './search.ts';

/** The kinds of errors that `--only` can leave out, in the plural. */
export const CHECKED = ['assertions', 'deadlocks', 'liveness'] as const;
export type Checked = (typeof CHECKED)[number];

export interface CheckOptions {
  readonly models: readonly Model[];
  readonly strategy: StrategyName;
  /** For `bounded`: the largest number of preemptions. */
  readonly preemptions: number;
  /** For `delays`: the largest number of delays. */
  readonly delays?: number;
  /** For `pct`: the depth of the bugs that it looks for. */
  readonly bugDepth?: number;
  readonly seed: number;
  /** For `random`, `pct` and `pos`, the number of runs; otherwise a bound. */
  readonly maxExecutions: number | undefined;
  readonly maxSteps: number | undefined;
  /** For `enumerate`: a bound on visited states. */
  readonly maxStates: number;
  readonly keepGoing: boolean;
  /**
   * With several workers: report the first error that any of them finds, not the one that a single-threaded search
   * finds.
   */
  readonly first?: boolean;
  /**
   * Of the kinds in `CHECKED`, only these count as errors. Kinds after which an execution cannot continue, such as
   * memory errors, always do.
   */
  readonly only?: readonly Checked[];
  /** Data races are errors, not warnings. */
  readonly races: boolean;
  /** Test every trace for a cycle. */
  readonly robust?: boolean;
  /** Explore SC first, with monitors; skip models that they prove robust. For exact strategies. */
  readonly monitors?: boolean;
  /** Report executions with operation results that no serial execution has. */
  readonly observations?: boolean;
  /** Omit loop iterations that only wait. */
  readonly spin?: boolean;
  /**
   * Count every trace: threads also read values that let them only wait on, and operations that commute are explored in
   * every order.
   */
  readonly countOrders?: boolean;
  /** Iterations allowed per loop; 0 or absent = unlimited. */
  readonly unroll?: number;
  /** Interpret everything instead of generating code. */
  readonly interpret?: boolean;
  /**
   * Unless false, errors under the model of the language come with the orders that would prevent them, which takes
   * further searches.
   */
  readonly advice?: boolean;
  /** Size limits of machines; generous by default. */
  readonly limits?: Partial<Limits>;
}

/** The options on the command line. */
export interface CheckChoices
  extends Omit<CheckOptions, 'limits' | 'advice'>,
    Pick<CommandChoices, 'jobs' | 'save' | 'resume' | 'redis' | 'record'> {
  readonly timeout?: number;
}

/** The machines, then the language. A default model that does not support a search or question is left out. */
const DEFAULT_MODELS: readonly Model[] = defaultModels('check');

export const CHECK: Described<CheckChoices> & Keeps<'strategy' | 'seed' | 'observations' | 'keepGoing'> = {
  models: modelsOr('check', DEFAULT_MODELS),
  strategy: strategy('search strategy', STRATEGIES, 'optimal'),
  preemptions: PREEMPTIONS,
  delays: DELAYS,
  bugDepth: BUG_DEPTH,
  unroll: UNROLL,
  spin: SPIN,
  countOrders: COUNT_ORDERS,
  maxExecutions: MAX_EXECUTIONS,
  maxSteps: MAX_STEPS,
  maxStates: MAX_STATES,
  timeout: { ...TIMEOUT, help: `${TIMEOUT.help}; each model gets an equal share of the time left` },
  jobs: JOBS,
  save: SAVE,
  resume: RESUME,
  redis: REDIS,
  seed: SEED,
  keepGoing: kept(flag('--keep-going', 'continue after the first error, and collect the others that the search finds')),
  first: flag(
    '--first',
    'stop at the first error that any search thread or worker finds, not at the one that -j 1 finds first',
  ),
  only: someOf('--only <list>', 'check only some of these, separated by commas', CHECKED),
  races: flag('--races', 'report data races as errors, not warnings'),
  robust: flag('--robust', 'also check robustness; show an execution that SC does not allow, if any'),
  monitors: negation('--no-monitors', 'explore every model, even if monitors prove it robust'),
  observations: kept(flag('--observations', 'require the results of marked operations to match a serial execution')),
  interpret: INTERPRET,
  record: record(RECORDED),
};

export interface SuiteChoices {
  readonly suite?: string;
}

export const SUITE: Described<SuiteChoices> = {
  suite: text(
    '--suite <path>',
    'check many programs against expected verdicts: a table (.tsv), or a folder of programs with lines such as ' +
      '"// fencepost: tso fails"',
  ),
};
