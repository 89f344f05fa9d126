/** The options of `fix`. */
import { type FixModel, modelsWith } from '../models/index.ts';
import type { CheckOptions } from './check.ts';
import type { CommandChoices } from './command-choices.ts';
import { type Described, flag, ofCommand, text, value } from './option.ts';
import { parseCount, parseOneOf } from './parsers.ts';
import {
  INTERPRET,
  JOBS,
  MAX_EXECUTIONS,
  MAX_STEPS,
  modelsOr,
  SPIN,
  type StrategyName,
  strategy,
  TIMEOUT,
  UNROLL,
} from './search.ts';

/**
 * - `safe`: no execution has an error
 * - `robust`: SC allows every execution
 */
export type Goal = 'safe' | 'robust';

export const GOALS: readonly Goal[] = ['safe', 'robust'];

type FixStrategy = Extract<StrategyName, 'optimal' | 'source'>;

export interface FixChoices
  extends Pick<CheckOptions, 'maxExecutions' | 'maxSteps' | 'spin' | 'unroll' | 'interpret'>,
    Pick<CommandChoices, 'jobs' | 'write' | 'cost'> {
  readonly models: readonly FixModel[];
  readonly goal: Goal;
  readonly minimise: boolean;
  readonly solutions: number;
  readonly strategy: FixStrategy;
  readonly timeout?: number;
}

export const FIX: Described<FixChoices> = {
  models: modelsOr('fix', modelsWith('fix')),
  goal: value('-g, --goal <goal>', 'safe: no errors; robust: sc allows every execution', parseOneOf(GOALS), 'safe'),
  minimise: flag('--minimise', 'add nothing; remove or weaken unneeded fences'),
  write: ofCommand(flag('--write', 'change the files, once the fix is proved')),
  cost: ofCommand(text('--cost <file>', 'costs of changes, as JSON; see below')),
  solutions: value('--solutions <n>', 'list up to n cheapest sets of changes', parseCount, 5),
  strategy: strategy<FixStrategy>('search strategy', ['optimal', 'source'], 'optimal'),
  unroll: UNROLL,
  spin: SPIN,
  maxExecutions: { ...MAX_EXECUTIONS, help: 'stop each search after n executions (a bound)' },
  maxSteps: { ...MAX_STEPS, help: `${MAX_STEPS.help} (a bound)` },
  timeout: { ...TIMEOUT, help: `${TIMEOUT.help} (a bound)` },
  jobs: JOBS,
  interpret: INTERPRET,
};
