/** The options of `check` on one generated program, each compared with the simulator. */
import type { Checked, CheckOptions } from '../../src/options/check.ts';
import { CHECKED } from '../../src/options/check.ts';
import type { ModelResult } from '../../src/pipelines/model-run.ts';
import type { Program } from '../../src/program/ir.ts';
import type { FuzzProgram, Place } from './ast.ts';
import type { Dice } from './random.ts';
import { enumerate, type Found, find, LOG_LIMITS, run } from './searches.ts';
import type { SimModel } from './simulate/machine.ts';
import { type Simulated, simulate } from './simulate/simulate.ts';

export interface OptionPlan {
  /** With `--only`. */
  readonly only: readonly Checked[] | undefined;
  /** With `--keep-going`: all kinds of errors. */
  readonly allErrors: boolean;
  /** With this many delays; with random priorities of processes (`pct`), and of events (`pos`). */
  readonly delays: number | undefined;
  readonly pct: boolean;
  /** Under PSLO too. */
  readonly pslo: boolean;
  /** Compiled with `--junk`; by clang's optimiser; with a call of an undefined function that is never reached. */
  readonly junk: boolean;
  readonly optimise: '1' | '2' | undefined;
  readonly undefinedCall: boolean;
  /** With `--uninitialised`. */
  readonly uninitialised: boolean;
}

export const NO_OPTIONS: OptionPlan = {
  only: undefined,
  allErrors: false,
  delays: undefined,
  pct: false,
  pslo: false,
  junk: false,
  optimise: undefined,
  undefinedCall: false,
  uninitialised: false,
};

export const ALL_OPTIONS: OptionPlan = {
  only: ['assertions'],
  allErrors: true,
  delays: 4,
  pct: true,
  pslo: true,
  junk: true,
  optimise: '2',
  undefinedCall: true,
  uninitialised: true,
};

const LISTS: readonly (readonly Checked[])[] = [
  ['assertions'],
  ['deadlocks', 'liveness'],
  ['deadlocks'],
  ['liveness'],
  ['assertions', 'deadlocks'],
];

export function optionPlan(dice: Dice): Omit<OptionPlan, 'uninitialised'> {
  return {
    only: dice.chance(1 / 8) ? dice.pick(LISTS) : undefined,
    allErrors: dice.chance(1 / 10),
    delays: dice.chance(1 / 12) ? dice.pick([1, 3, 6]) : undefined,
    pct: dice.chance(1 / 12),
    pslo: dice.chance(1 / 8),
    junk: dice.chance(1 / 16),
    optimise: dice.chance(1 / 8) ? dice.pick(['1', '2'] as const) : undefined,
    undefinedCall: dice.chance(1 / 16),
  };
}

export function optionPlanOf(names: (...words: readonly string[]) => boolean, what: string): OptionPlan {
  const only = /only ([a-z,]+)/.exec(what)?.[1]?.split(',') as readonly Checked[] | undefined;
  const delays = /(\d+) delays/.exec(what)?.[1];
  return {
    only,
    allErrors: names('all errors'),
    delays: delays === undefined ? undefined : Number(delays),
    pct: names('pct'),
    pslo: names('pslo'),
    junk: names('junk'),
    optimise: names('-O1') ? '1' : names('-O2') ? '2' : undefined,
    undefinedCall: names('undefined call'),
    uninitialised: names('uninitialised'),
  };
}

/** Forms of the program for some of these options. */
export interface OptionForms {
  readonly junk?: Program;
  readonly optimised?: Program;
  readonly undefinedCall?: Program;
  readonly uninitialised?: Program;
  readonly uninitialisedAsWritten?: Program;
}

const KINDS: Readonly<Record<Checked, string>> = {
  assertions: 'assertion',
  deadlocks: 'deadlock',
  liveness: 'liveness',
};

/** Schedules with few delays. */
const MAX_SCHEDULES = 300;
/** Runs of `pct` and of `pos`. */
const RUNS = 30;
/** Beyond these, the simulated states make the search too long. */
const MAX_DELAYED = 120;
const MAX_PSLO = 120;

/** The inputs of one comparison, and where its results go. */
export interface Context {
  readonly generated: FuzzProgram;
  readonly program: Program;
  readonly plan: OptionPlan;
  readonly sections: boolean;
  readonly uses: (what: string) => boolean;
  readonly kinds: (errors: ReadonlySet<string>) => ReadonlySet<string>;
  readonly count: (what: string) => void;
  readonly report: (what: string, detail: string) => void;
}

export function compareOptions(context: Context, model: SimModel, simulated: Simulated): void {
  const { plan } = context;
  if (plan.only !== undefined) compareOnly(context, plan.only, model, simulated);
  if (plan.allErrors) compareAllErrors(context, model, simulated);
  if (plan.delays !== undefined && simulated.states <= MAX_DELAYED)
    compareDelays(context, plan.delays, model, simulated);
  for (const strategy of plan.pct ? (['pct', 'pos'] as const) : [])
    compareRuns(context, strategy, check(context, model, { strategy, maxExecutions: RUNS }), simulated);
  if (plan.pslo && model === 'pso' && simulated.states <= MAX_PSLO) comparePslo(context, simulated);
}

function check({ program }: Context, model: SimModel, options: Partial<CheckOptions>): ModelResult {
  return run(program, { models: [model], keepGoing: true, ...options })[0]!;
}

function isCut({ count }: Context, name: string, bounds: readonly string[]): boolean {
  if (bounds.length > 0) count(`skipped ${name}: ${bounds[0]!.replace(/:.*/, '')}`);
  else count(name);
  return bounds.length > 0;
}

function errorsOf(context: Context, { errors }: ModelResult): ReadonlySet<string> {
  return context.kinds(new Set(errors.map(({ error }) => error.kind)));
}

function textOf(errors: ReadonlySet<string>): string {
  return [...errors].sort().join() || 'no error';
}

/** Errors of omitted kinds count as normal ends. */
function compareOnly(context: Context, only: readonly Checked[], model: SimModel, simulated: Simulated): void {
  // With sections, deadlocks and endless loops are not distinguished.
  if (context.sections && only.includes('deadlocks') !== only.includes('liveness')) return;
  const ignored = CHECKED.filter((what) => !only.includes(what)).map((what) => KINDS[what]);
  const result = check(context, model, { only, monitors: true, keepGoing: false });
  const name = `only ${only.join()}`;
  if (isCut(context, name, result.bounds)) return;
  const expected = new Set([...simulated.errors].filter((kind) => !ignored.includes(kind)));
  const detail = `${result.verdict.kind} ${textOf(errorsOf(context, result))}; simulator: ${textOf(simulated.errors)}`;
  if ((result.verdict.kind === 'violation') !== expected.size > 0)
    context.report(`${name} has another verdict than the simulator`, detail);
  else if ([...errorsOf(context, result)].some((kind) => !context.kinds(expected).has(kind)))
    context.report(`${name} has an error that the simulator has not`, detail);
}

function compareAllErrors(context: Context, model: SimModel, simulated: Simulated): void {
  const result = check(context, model, { monitors: true });
  if (isCut(context, 'all errors', result.bounds)) return;
  const [here, there] = [errorsOf(context, result), context.kinds(simulated.errors)];
  if (textOf(here) !== textOf(there))
    context.report('all errors are not those of the simulator', `${textOf(here)}; simulator: ${textOf(there)}`);
}

/** Whatever is found must exist; under SC, a search that no bound cut short must have found everything. */
function compareDelays(context: Context, delays: number, model: SimModel, simulated: Simulated): void {
  const result = check(context, model, { strategy: 'delays', delays, maxExecutions: MAX_SCHEDULES });
  const name = `${delays} delays`;
  compareRuns(context, name, result, simulated);
  if (result.bounds.length > 0 || model !== 'sc') return;
  context.count(`${name}, exhausted`);
  if (result.errors.length === 0 && simulated.errors.size > 0)
    context.report(`${name}, exhausted, miss an error`, textOf(simulated.errors));
}

function compareRuns(context: Context, name: string, result: ModelResult, { errors }: Simulated): void {
  context.count(name);
  const found = errorsOf(context, result);
  const detail = `${textOf(found)}; simulator: ${textOf(errors)}`;
  if ([...found].some((kind) => !context.kinds(errors).has(kind)))
    context.report(`${name} finds an error that the simulator has not`, detail);
  if (result.verdict.kind === 'verified' && errors.size > 0)
    context.report(`${name} is verified, but not by the simulator`, detail);
}

/** PSLO has all executions of PSO. */
function comparePslo(context: Context, simulated: Simulated): void {
  const found = find(context.program, 'pslo', enumerate, { spin: true, interpret: true }, LOG_LIMITS);
  if (isCut(context, 'pslo', found.bounds)) return;
  const missing = [...context.kinds(simulated.errors)].filter((kind) => !context.kinds(found.errors).has(kind));
  if (missing.length > 0) context.report('pslo misses an error of pso', missing.join());
  const lost = [...simulated.outcomes].filter((outcome) => !found.outcomes.has(outcome));
  if (lost.length > 0) context.report('pslo lacks outcomes of pso', lost.join('; '));
}

/** Whether what junk would replace is ever read. */
export function readsFresh({ uses }: Pick<Context, 'uses'>): boolean {
  return uses('malloc') || uses('escape') || uses('usePointer');
}

/** Statements whose accesses cannot be made atomic, or are to uninitialised memory. */
const NOT_ATOMIC: readonly string[] = ['malloc', 'free', 'escape', 'usePointer', 'asmTouch', 'await', 'notify'];

/**
 * The program with relaxed atomic accesses instead of plain and volatile ones; `undefined` if it may still have a data
 * race.
 */
export function withoutRaces(program: FuzzProgram): FuzzProgram | undefined {
  const isAligned = (place: Place | undefined): boolean => place === undefined || place.offset % place.size === 0;
  const text = JSON.stringify(program, (_, value) => {
    const isPlain = value?.how === 'plain' || value?.how === 'volatile';
    if (!isPlain || ![value.place, value.first, value.second].every(isAligned)) return value;
    return { ...value, how: 'relaxed' };
  });
  const isFree = !/"how":"(plain|volatile)"/.test(text) && NOT_ATOMIC.every((op) => !text.includes(`"op":"${op}"`));
  return isFree ? (JSON.parse(text) as FuzzProgram) : undefined;
}

/**
 * An optimiser may remove behaviours of a program without data races, but never add any. This is compared only under
 * SC, since it may turn an exchange into a store, which other models can delay. After an error, which is undefined
 * behaviour, nothing is guaranteed.
 */
export function compareOptimised(context: Context, name: string, found: Found, maxStates: number): void {
  const simulated = simulate(withoutRaces(context.generated)!, 'sc', { maxStates });
  if (typeof simulated === 'string') return context.count(`skipped ${name}: ${simulated}`);
  if (simulated.errors.has('memory') || simulated.errors.has('misuse'))
    return context.count(`skipped ${name}: undefined behaviour`);
  if (isCut(context, name, found.bounds)) return;
  const extra = [...context.kinds(found.errors)].filter((kind) => !context.kinds(simulated.errors).has(kind));
  if (extra.length > 0) context.report(`${name} has an error that the simulator has not`, extra.join());
  // Globals may be split or removed.
  const results = (outcome: string): string => outcome.replace(/ \|.*/, '');
  const known = new Set([...simulated.outcomes].map(results));
  const others = [...found.outcomes].map(results).filter((outcome) => !known.has(outcome));
  if (others.length > 0) context.report(`${name} has results that the simulator has not`, others.join('; '));
}
