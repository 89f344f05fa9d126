/** The options of `hunt`. */
import { defaultModels, type Model, type RelaxedModel } from '../models/index.ts';
import type { CommandChoices } from './command-choices.ts';
import { type Described, defaultsOf, flag, type Keeps, kept, list, negation, value } from './option.ts';
import { parseCount, parseCycleLength, parseProbability } from './parsers.ts';
import { INTERPRET, JOBS, MAX_STEPS, modelsOr, SEED, TIMEOUT } from './search.ts';

export interface HuntOptions {
  readonly models: readonly RelaxedModel[];
  /** Number of SC executions to predict from. */
  readonly runs: number;
  /** Number of trials per cycle. */
  readonly trials: number;
  /**
   * Executions per trial; a trial is what [RELAXER]'s test script runs. A trial ends early once an execution has had
   * the cycle, if the cycle is known to be harmful.
   */
  readonly attempts: number;
  readonly seed: number;
  readonly cycleLength: number;
  readonly maxCycles: number;
  readonly maxSteps: number;
  readonly probability: number;
  /** In steps; by default, the length of the longest SC run for stores and half of it for loads. */
  readonly storeDelay: number | undefined;
  readonly loadDelay: number | undefined;
  readonly barrierWait: boolean;
  /** As in [RELAXER] Sect. 5.3 and Fig. 7–9: no cycle is given up, and under PSLO nothing waits at barriers. */
  readonly asPublished: boolean;
  /** Functions, variables and files of the test harness, to tell its cycles from the program's. */
  readonly harness: readonly string[];
  /** Once every trial is made, start another round, with new schedules, until stopped or an error is found. */
  readonly goesOn?: boolean;
  /** Continue even if the program already fails under SC. */
  readonly keepGoing: boolean;
  readonly interpret: boolean;
  /** Polled during long executions; if it returns true, the caller must stop the hunt right after. */
  readonly isLate?: () => boolean;
}

/** Everything except the models. */
type HuntSettings = Omit<HuntOptions, 'models' | 'isLate' | 'goesOn'>;

export interface HuntChoices extends HuntSettings, Pick<CommandChoices, 'jobs'> {
  readonly models: readonly Model[];
  readonly timeout?: number;
}

/** Reports also keep how delays and barriers were treated, in another form (`huntReport`). */
export type KeptHuntName =
  | 'runs'
  | 'trials'
  | 'attempts'
  | 'cycleLength'
  | 'maxCycles'
  | 'maxSteps'
  | 'probability'
  | 'asPublished'
  | 'harness'
  | 'seed';

export const HUNT: Described<HuntChoices> & Keeps<KeptHuntName> = {
  models: modelsOr('hunt', defaultModels('hunt')),
  runs: kept(value('--runs <n>', 'SC runs to predict from', parseCount, 100)),
  trials: kept(value('--trials <n>', 'trials per predicted cycle', parseCount, 30)),
  attempts: kept(value('--attempts <n>', 'executions per trial', parseCount, 10)),
  cycleLength: kept(
    value('--cycle-length <n>', 'length of the longest cycles, in events (two per thread)', parseCycleLength, 4),
  ),
  maxCycles: kept(value('--max-cycles <n>', 'predict no more cycles than this', parseCount, 10_000)),
  probability: kept(
    value('--probability <p>', 'probability of delaying a store or load of the cycle', parseProbability, 0.5),
  ),
  storeDelay: value(
    '--delay-stores <steps>',
    'steps to delay a store (default: length of the longest SC run)',
    parseCount,
  ),
  loadDelay: value('--delay-loads <steps>', 'steps to delay a load (default: half of --delay-stores)', parseCount),
  barrierWait: negation(
    '--no-barrier-wait',
    'release delayed stores when their thread reaches a fence, lock or atomic, instead of holding the thread there',
  ),
  asPublished: kept(
    flag(
      '--as-published',
      'spend the effort of the RELAXER paper: --runs 100 --trials 30 --attempts 100, give up no cycle early, and --no-barrier-wait under pslo; slow',
    ),
  ),
  harness: kept(list('--harness <name>', 'a function, variable or file of the test harness')),
  maxSteps: kept({ ...MAX_STEPS, initial: 20_000 }),
  seed: { ...SEED, help: 'random seed' },
  timeout: TIMEOUT,
  jobs: JOBS,
  keepGoing: flag('--keep-going', 'keep hunting even if the program already fails under SC'),
  interpret: INTERPRET,
};

const { models: _, jobs: __, ...settings } = defaultsOf(HUNT);

export const HUNT_DEFAULTS: HuntSettings = settings;

/** What `--as-published` sets. The paper's other numbers are our defaults: cycles of 4 events, probability 0.5. */
export const PUBLISHED: Pick<HuntSettings, 'runs' | 'trials' | 'attempts' | 'asPublished'> = {
  runs: 100,
  trials: 30,
  attempts: 100,
  asPublished: true,
};
