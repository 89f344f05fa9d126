/** Which strategies fit which programs and models, and how each is made. */
import { Bounded } from '../explore/bounded.ts';
import { Delayed } from '../explore/delayed.ts';
import { MachineDpor } from '../explore/dpor/machine/machine-dpor.ts';
import { ALL_SHORTCUTS } from '../explore/dpor/shortcuts.ts';
import { Enumerator } from '../explore/enumerator.ts';
import { Exhaustive } from '../explore/exhaustive.ts';
import { axiomsOf } from '../explore/graph/axioms.ts';
import { GraphSearch } from '../explore/graph/search.ts';
import { Pct } from '../explore/pct.ts';
import { Pos } from '../explore/pos.ts';
import { Random } from '../explore/random.ts';
import { Retrace } from '../explore/retrace/retrace.ts';
import type { Strategy } from '../explore/strategy.ts';
import type { ErrorKind } from '../machine/code/error.ts';
import type { Machine, MachineOptions } from '../machine/machine.ts';
import { type Model, modelNamed, modelsWith } from '../models/index.ts';
import { delaysStores, keepsStoreOrder, lacks } from '../models/model.ts';
import { SC } from '../models/sc.ts';
import { CHECKED, type Checked, type CheckOptions } from '../options/check.ts';
import { DEFAULT_BUG_DEPTH, DEFAULT_DELAYS, DEFAULT_RANDOM_RUNS, type StrategyName } from '../options/search.ts';
import type { Instruction, Program } from '../program/ir.ts';
import { usesOperation } from '../program/uses.ts';

/** Steps per execution with `enumerate`, whose keys grow with the number of steps. */
const ENUMERATE_MAX_STEPS = 2000;
/** The same with DPOR, whose happens-before takes quadratic memory, and with random runs, which might not terminate. */
const DEFAULT_MAX_STEPS = 20_000;

/** `bounded` is defined for SC; under another model it would silently omit commits, and so behaviours. */
export function unsoundCombination(strategy: StrategyName, model: Model): string | undefined {
  const description = modelNamed(model);
  const { capabilities, isAxiomatic } = description;
  if (strategy === 'bounded' && !capabilities.bounded) {
    return `strategy bounded supports ${modelsWith('bounded').join(', ')}, not ${model}; use delays, pct or exhaustive`;
  }
  if (isAxiomatic && strategy !== 'optimal' && strategy !== 'graph') {
    return `${model} is explored by execution graphs, not by strategy ${strategy}; use graph`;
  }
  if (strategy === 'graph' && !capabilities.graph) {
    return `strategy graph supports ${modelsWith('graph').join(', ')}, not ${model}; use optimal`;
  }
  if (strategy === 'retrace' && !capabilities.dpor) {
    return `strategy retrace supports ${modelsWith('dpor').join(', ')}, not ${model}; use enumerate`;
  }
  return capabilities.check
    ? undefined
    : `${lacks(description, 'check')}; expected one of ${modelsWith('check').join(', ')}`;
}

/** Why execution graphs cannot answer what these options ask, although `check` accepts the model and the strategy. */
export function unansweredQuestion({ strategy, robust, races, only }: CheckOptions, model: Model): string | undefined {
  const description = modelNamed(model);
  const { isAxiomatic, language, capabilities } = description;
  // Sc is what the others are compared with.
  if (robust === true && !capabilities.robust && model !== SC.name) return `${lacks(description, 'robust')}; drop one`;
  if (strategy !== 'graph' && !isAxiomatic) return undefined;
  const what = isAxiomatic ? model : 'strategy graph';
  if (robust === true)
    return `--robust compares schedules of a machine with those of sc, and ${what} has none; drop one`;
  if (only?.includes('assertions') === false)
    return `--only without assertions runs on behind failed ones, which ${what} cannot; add assertions, or drop one`;
  if (races && language?.racesAreErrors !== true)
    return '--races is for strategies that run the machine; use optimal, or --model rc11';
  return undefined;
}

/** What `retrace` does not do yet, if these options ask for it. */
export function notRetraced({ strategy, keepGoing, observations, only }: CheckOptions): string | undefined {
  if (strategy !== 'retrace') return undefined;
  if (keepGoing) return 'strategy retrace stops at the first error; drop --keep-going, or use optimal';
  if (observations === true) return 'strategy retrace does not check --observations yet; use optimal';
  if (only?.includes('assertions') === false)
    return '--only without assertions runs on behind failed ones, which retrace does not yet; add assertions, or use optimal';
  return undefined;
}

/** Operations that `retrace` does not order yet, and what a program with them does. */
const NOT_RETRACED: readonly (readonly [Instruction['op'], string])[] = [
  ['exit', 'a thread ends the program, by `exit` or the like'],
  ['beginatomic', 'the program has atomic sections'],
  ['drain', 'the program uses `membarrier`'],
  ['mark', 'the program marks operations'],
];

/** Why the program cannot be searched by the strategy that was asked for. */
export function refusedProgram({ strategy }: Pick<CheckOptions, 'strategy'>, program: Program): string | undefined {
  if (strategy !== 'retrace') return undefined;
  const found = NOT_RETRACED.find(([operation]) => usesOperation(program, operation));
  return found === undefined
    ? undefined
    : `strategy retrace does not search this program yet: ${found[1]}; use --strategy optimal`;
}

/** Strategies that do not try every order, so that they must wake threads that sleep in a loop. */
export const WAKES: readonly StrategyName[] = ['random', 'pct', 'pos', 'bounded', 'delays'];

const RANDOM: readonly string[] = ['random', 'pct', 'pos'] satisfies readonly StrategyName[];

/** Whether the strategy leaves out no execution that could differ. */
export function isExact(strategy: StrategyName): boolean {
  return !WAKES.includes(strategy);
}

/** Whether the strategy makes random runs, which prove nothing. */
export function isRandom(strategy: string): boolean {
  return RANDOM.includes(strategy);
}

/**
 * Why a program is enumerated although DPOR was requested (which derives reorderings only from events that happened):
 *
 * - `atomic sections`: an execution that ends inside one never shows what the threads that it excluded would have done
 * - `membarrier`: happens-before does not include that a barrier waits for another thread's buffer
 * - `assertions do not count`: a failed assertion ends an execution at once, but is not an error
 * - `no happens-before`: the model has none
 * - `all errors`: an error ends its execution at once, and may hide others (`all-errors.ts`)
 */
export type WhyEnumerated =
  | 'atomic sections'
  | 'membarrier'
  | 'assertions do not count'
  | 'no happens-before'
  | 'all errors';

export function whyEnumerated(options: CheckOptions, program: Program, model: Model): WhyEnumerated | undefined {
  if (!isDpor(options.strategy)) return undefined;
  const description = modelNamed(model);
  const { capabilities, isAxiomatic } = description;
  if (isAxiomatic) return undefined;
  if (!capabilities.dpor) return 'no happens-before';
  if (hasSections(program)) return 'atomic sections';
  if (delaysStores(description) && hasMembarrier(program)) return 'membarrier';
  return mayEndEarly(options, program) ? 'assertions do not count' : undefined;
}

export function isDpor(strategy: StrategyName): boolean {
  return strategy === 'optimal' || strategy === 'source';
}

/** Whether some executions without errors may end while other threads could continue. */
export function mayEndEarly({ only }: Pick<CheckOptions, 'only'>, program: Program): boolean {
  return hasSections(program) || (only !== undefined && !only.includes('assertions'));
}

export function hasSections(program: Program): boolean {
  return usesOperation(program, 'beginatomic');
}

/**
 * Whether threads may request fences in others. Monitors do not know these and would report violations that they
 * prevent.
 */
export function hasMembarrier(program: Program): boolean {
  return usesOperation(program, 'drain');
}

/**
 * Whether a pointer to a mutex or condition variable may reach memory before its initialisation does. No monitor knows
 * that a lock reads the initialisation.
 */
export function mayOvertakeInitialisation(model: Model, program: Program): boolean {
  return !keepsStoreOrder(modelNamed(model)) && initialisesLocks(program);
}

/** Whether mutexes or condition variables are initialised while the program runs. */
function initialisesLocks(program: Program): boolean {
  return usesOperation(program, 'init');
}

export function defaultMaxSteps(strategy: StrategyName): number | undefined {
  switch (strategy) {
    case 'enumerate':
      return ENUMERATE_MAX_STEPS;
    case 'optimal':
    case 'source':
    case 'retrace':
    case 'graph':
    case 'random':
    case 'pct':
    case 'pos':
    case 'bounded':
    case 'delays':
      return DEFAULT_MAX_STEPS;
    case 'exhaustive':
      return undefined;
  }
}

/** `commuting`: leave operations that commute unordered. */
export function makeStrategy(options: CheckOptions, machine: Machine, commuting: boolean): Strategy {
  switch (options.strategy) {
    case 'optimal':
    case 'source':
      return new MachineDpor(machine, options.strategy, { ...ALL_SHORTCUTS, commuting });
    case 'retrace':
      return new Retrace(machine);
    case 'graph':
      return new GraphSearch(machine, axiomsOf(modelNamed(machine.model)), { keepsGoing: options.keepGoing });
    case 'enumerate':
      return new Enumerator(machine, options.maxStates);
    case 'exhaustive':
      return new Exhaustive();
    case 'random':
      return new Random(options.seed, options.maxExecutions ?? DEFAULT_RANDOM_RUNS);
    case 'pct':
      return new Pct(options.seed, options.maxExecutions ?? DEFAULT_RANDOM_RUNS, options.bugDepth ?? DEFAULT_BUG_DEPTH);
    case 'pos':
      return new Pos(machine, options.seed, options.maxExecutions ?? DEFAULT_RANDOM_RUNS);
    case 'bounded':
      return new Bounded(options.preemptions);
    case 'delays':
      return new Delayed(options.delays ?? DEFAULT_DELAYS);
  }
}

const KINDS: Readonly<Record<Checked, ErrorKind>> = {
  assertions: 'assertion',
  deadlocks: 'deadlock',
  liveness: 'liveness',
};

/** The kinds of errors that `--only` ignores. */
export function ignoredKinds({ only }: CheckOptions): ReadonlySet<ErrorKind> {
  return new Set(only === undefined ? [] : CHECKED.filter((what) => !only.includes(what)).map((what) => KINDS[what]));
}

/** Whether to leave out executions that differ from others only in unobservable ways. */
export function mergesOrders({ countOrders, races, robust }: CheckOptions, strategy: StrategyName): boolean {
  return countOrders !== true && isDpor(strategy) && !races && robust !== true;
}

export function machineOptions(options: CheckOptions, strategy: StrategyName): MachineOptions {
  return {
    interpret: options.interpret === true,
    spin: options.spin !== false,
    // What a round shows for a moment is seen by chance, in searches that do not try every order; a thread that sleeps
    // shows nothing.
    undone: isExact(strategy) && strategy !== 'retrace',
    awaits: mergesOrders(options, strategy),
    unroll: options.unroll ?? 0,
    graphs: strategy === 'graph',
  };
}
