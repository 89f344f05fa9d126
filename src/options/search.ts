/** Search options that several commands share. */
import { isModel, modelMeant, modelNamed, modelsWith, type NamesWith } from '../models/index.ts';
import { type Capability, lacks } from '../models/model.ts';
import { common, flag, kept, negation, type Option, ofCommand, text, value } from './option.ts';
import { parseCount, parseNatural, parseOneOf, parseSeconds, parseSomeOf, parseUpTo } from './parsers.ts';

/**
 * - `optimal`: every trace, each exactly once (exact)
 * - `source`: every trace, sometimes with redundant executions (exact)
 * - `retrace`: every trace, each exactly once, in subtrees that share nothing (exact; not yet for every program)
 * - `enumerate`: every trace, visiting each pair of state and partial trace once (exact; memory grows with the number
 *   of states)
 * - `graph`: every execution graph, each exactly once (exact; a second opinion on `optimal`, and the search for rc11)
 * - `exhaustive`: every schedule, one after the other (exact; only for the smallest programs)
 * - `bounded`: every SC schedule with a bounded number of preemptions
 * - `delays`: every schedule with a bounded number of delays
 * - `random`: seeded random schedules
 * - `pct`: seeded random priorities, with a guarantee
 * - `pos`: seeded random priorities of events
 */
export const STRATEGIES = [
  'optimal',
  'source',
  'retrace',
  'enumerate',
  'graph',
  'exhaustive',
  'bounded',
  'delays',
  'random',
  'pct',
  'pos',
] as const;
export type StrategyName = (typeof STRATEGIES)[number];

export const DEFAULT_RANDOM_RUNS = 10_000;
export const DEFAULT_DELAYS = 2;
export const DEFAULT_BUG_DEPTH = 3;
export const DEFAULT_MAX_STATES = 1_000_000;

type ModelsOption<C extends Capability> = Option<readonly NamesWith<C>[]>;

/** Models, of those that have the capability. */
export function modelsFor<C extends Capability>(capability: C): ModelsOption<C> {
  const names = modelsWith(capability);
  const refusal = (word: string): string => {
    const what = isModel(word) ? lacks(modelNamed(word), capability) : `Unknown memory model "${word}"`;
    return `${what}; expected one of ${names.join(', ')}.`;
  };
  const help = `memory models, separated by commas: ${names.join(', ')}`;
  return common({ ...value('-m, --model <list>', help, parseSomeOf(names, refusal, modelMeant)), addsUp: true });
}

/** The same, with the models to use if none is given. */
export function modelsOr<C extends Capability>(capability: C, initial: readonly NamesWith<C>[]): ModelsOption<C> {
  return { ...modelsFor(capability), initial, shown: initial.join(',') };
}

/** Some of `names`, which the help lists. */
export function someOf<T extends string>(flags: string, help: string, names: readonly T[]): Option<readonly T[]> {
  return { ...value(flags, `${help}: ${names.join(', ')}`, parseSomeOf(names)), addsUp: true };
}

type KeptOption<T> = Option<T> & { readonly isKept: true };

export function strategy<T extends StrategyName>(help: string, names: readonly T[], initial: T): KeptOption<T> {
  return kept(value('-s, --strategy <name>', `${help}: ${names.join(', ')}`, parseOneOf(names), initial));
}

function onlyFor<T>(name: StrategyName, option: Option<T>): Option<T> {
  return { ...option, help: `for ${name}: ${option.help}`, onlyFor: name };
}

export const PREEMPTIONS: Option<number> = onlyFor(
  'bounded',
  value(
    '--preemptions <k>',
    'explore with 0, 1, … up to this many preemptions; a row for each (k or 0..k)',
    parseUpTo,
    2,
  ),
);
export const DELAYS: Option<number> = onlyFor(
  'delays',
  value(
    '--delays <k>',
    'explore with 0, 1, … up to this many delays; a row for each (k or 0..k)',
    parseUpTo,
    DEFAULT_DELAYS,
  ),
);
export const BUG_DEPTH: Option<number> = onlyFor(
  'pct',
  value('--bug-depth <d>', 'how many ordering constraints a bug may depend on', parseCount, DEFAULT_BUG_DEPTH),
);
export const UNROLL: Option<number> = value(
  '--unroll <n>',
  'stop a thread after n iterations of a loop (verdicts are then bounded)',
  parseCount,
);
export const SPIN: Option<boolean> = negation(
  '--no-spin',
  'also run loop iterations that only wait; may not terminate',
);
export const COUNT_ORDERS: Option<boolean> = flag(
  '--count-orders',
  'also count executions that differ only in an order that nothing observes',
);
export const MAX_EXECUTIONS: Option<number> = value(
  '--max-executions <n>',
  `stop after n executions (default for random, pct and pos: ${DEFAULT_RANDOM_RUNS})`,
  parseCount,
);
export const MAX_STEPS: Option<number> = value('--max-steps <n>', 'cut an execution after n steps', parseCount);
export const MAX_STATES: Option<number> = value(
  '--max-states <n>',
  'for enumerate: stop after n states',
  parseCount,
  DEFAULT_MAX_STATES,
);
export const TIMEOUT: Option<number> = {
  ...value('--timeout <time>', 'stop after this many seconds, or 30s, 5m, 1h', parseSeconds),
  isCommon: true,
  isGivenAnew: true,
};

type CommandOption<T> = Option<T> & { readonly isOfCommand: true };

export const JOBS: CommandOption<number> = ofCommand({
  ...value('-j, --jobs <n>', 'number of search threads (1: no extra threads; default: all cores)', parseCount),
  isCommon: true,
  isOfOutput: true,
  isGivenAnew: true,
});
export const SAVE: CommandOption<string> = ofCommand({
  ...text('--save <file>', 'save the search to a file periodically and when interrupted'),
  isOfOutput: true,
  isOfOneProgram: true,
  isGivenAnew: true,
});
export const RESUME: CommandOption<string> = ofCommand({
  ...text('--resume <file>', 'resume a saved search with its program and options'),
  isOfOutput: true,
  isOfOneProgram: true,
});
export const REDIS: CommandOption<string> = ofCommand({
  ...text(
    '--redis <url>',
    'share the search with workers on this Redis: redis://, rediss://, or env:NAME to read the URL from a variable',
  ),
  isOfOutput: true,
  isGivenAnew: true,
});
export const SEED: KeptOption<number> = kept(value('--seed <n>', 'for random, pct and pos: seed', parseNatural, 1));
export const INTERPRET: Option<boolean> = {
  ...flag('--interpret', 'interpret everything instead of generating code: same results, slower'),
  isOfOutput: true,
};
