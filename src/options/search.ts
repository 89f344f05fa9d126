/** What several commands let the user say of a search. */
import { type Model, modelNames } from '../models/index.ts';
import { flag, negation, type Option, value } from './option.ts';
import { parseCount, parseNatural, parseOneOf, parseSeconds, parseSomeOf } from './parsers.ts';

/**
 * - `optimal`: every trace, each exactly once (exact)
 * - `source`: every trace, with executions that turn out to be needless now and then (exact)
 * - `enumerate`: every trace, visiting each state with each trace so far once (exact; memory grows with the states)
 * - `exhaustive`: every schedule, one after the other (exact; only for the smallest programs)
 * - `bounded`: every SC schedule with at most so many preemptions
 * - `random`: seeded random schedules
 */
export type StrategyName = 'optimal' | 'source' | 'enumerate' | 'exhaustive' | 'bounded' | 'random';

export const STRATEGIES: readonly StrategyName[] = [
  'optimal',
  'source',
  'enumerate',
  'exhaustive',
  'bounded',
  'random',
];

export const DEFAULT_RANDOM_RUNS = 10_000;
export const DEFAULT_MAX_STATES = 1_000_000;

/** In the help of a command that takes these models. */
export function modelsText(taken: readonly Model[]): string {
  return `memory models, separated by commas: ${taken.join(', ')}`;
}

export function models(help: string, initial: readonly Model[] = modelNames()): Option<readonly Model[]> {
  const refusal = (word: string): string => `"${word}" is no memory model; there are ${modelNames().join(', ')}.`;
  const option = value('-m, --model <list>', help, parseSomeOf(modelNames(), refusal), initial);
  return { ...option, shown: initial.join(',') };
}

/** Some of `names`, which the help lists. */
export function someOf<T extends string>(flags: string, help: string, names: readonly T[]): Option<readonly T[]> {
  return value(flags, `${help}: ${names.join(', ')}`, parseSomeOf(names));
}

export function strategy<T extends StrategyName>(help: string, names: readonly T[], initial: T): Option<T> {
  return value('-s, --strategy <name>', `${help}: ${names.join(', ')}`, parseOneOf(names), initial);
}

export const PREEMPTIONS: Option<number> = value(
  '--preemptions <k>',
  'for bounded: at most this many preemptions',
  parseNatural,
  2,
);
export const UNROLL: Option<number> = value(
  '--unroll <n>',
  'stop a thread that has run a loop so many times (a bound)',
  parseCount,
);
export const SPIN: Option<boolean> = negation(
  '--no-spin',
  'also run iterations of loops that only wait, which may be without end',
);
export const MAX_EXECUTIONS: Option<number> = value(
  '--max-executions <n>',
  `stop after so many executions (random: ${DEFAULT_RANDOM_RUNS} runs)`,
  parseCount,
);
export const MAX_STEPS: Option<number> = value(
  '--max-steps <n>',
  'give up an execution after so many steps',
  parseCount,
);
export const MAX_STATES: Option<number> = value(
  '--max-states <n>',
  'for enumerate: give up after so many states',
  parseCount,
  DEFAULT_MAX_STATES,
);
export const TIMEOUT: Option<number> = value('--timeout <seconds>', 'stop after so many seconds', parseSeconds);
export const SEED: Option<number> = value('--seed <n>', 'for random: which runs', parseNatural, 1);
export const INTERPRET: Option<boolean> = {
  ...flag('--interpret', 'run everything by the interpreter, without generated code: the same, more slowly'),
  isOfOutput: true,
};
