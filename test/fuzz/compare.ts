/** Everything against everything, on one generated program. */
import type { Model } from '../../src/models/index.ts';
import { refusedProgram } from '../../src/pipelines/strategies.ts';
import type { Program } from '../../src/program/ir.ts';
import { CommutingWait } from '../../src/trace/commuting-writes.ts';
import { MixedWait } from '../../src/trace/wait-order.ts';
import { commutingTrace } from '../support/commuting-trace.ts';
import type { FuzzProgram, Statement } from './ast.ts';
import { compareMonitors, MONITOR_PARTS, type MonitorParts } from './compare-monitors.ts';
import {
  ALL_OPTIONS,
  type Context,
  compareOptimised,
  compareOptions,
  type OptionForms,
  type OptionPlan,
  optionPlan,
  optionPlanOf,
  readsFresh,
} from './compare-options.ts';
import { compareUninitialised } from './compare-uninitialised.ts';
import { isSequential } from './graph-forms.ts';
import { findInParts } from './parts.ts';
import { Dice } from './random.ts';
import {
  AWAITS,
  AWAITS_COMPILED,
  COMPILED,
  check,
  commuting,
  enumerate,
  exhaustive,
  type Found,
  find,
  GRAPHS,
  GRAPHS_COMPILED,
  graph,
  LOG_LIMITS,
  type MakeStrategy,
  NO_SPIN,
  needsEnumeration,
  optimal,
  retrace,
  run,
  SHORTCUTS_OFF,
  SHORTCUTS_OFF_COMMUTING,
  source,
  sourceCommuting,
} from './searches.ts';
import { simCode } from './simulate/code.ts';
import type { SimModel } from './simulate/machine.ts';
import { type NoAnswer, type Simulated, simulate } from './simulate/simulate.ts';

export const MODELS: readonly SimModel[] = ['sc', 'tso', 'pso'];

export interface Disagreement {
  /** What was compared; the same for disagreements of the same kind. */
  readonly what: string;
  readonly model: SimModel;
  /** What each side answered. */
  readonly detail: string;
}

/** What to compare; the choice depends on the seed, since some comparisons are slow. */
export interface Plan extends OptionPlan {
  readonly source: boolean;
  readonly enumerate: boolean;
  readonly exhaustive: boolean;
  readonly compiled: boolean;
  readonly noSpin: boolean;
  readonly check: boolean;
  readonly robust: boolean;
  /** All monitors, each by itself. */
  readonly monitors: boolean;
  /** Threads wait before idle reads. */
  readonly awaits: boolean;
  /** Operations that commute are not ordered; and the shortcuts to turn off in that search, one at a time. */
  readonly commuting: boolean;
  readonly shortcutsCommuting: typeof SHORTCUTS_OFF_COMMUTING;
  /** With execution graphs, and under rc11. */
  readonly graph: boolean;
  /** In parts, by the orders of pairs of events. */
  readonly parts: boolean;
  /** Shortcuts to turn off, one at a time. */
  readonly shortcuts: typeof SHORTCUTS_OFF;
  /** The simulator counts traces. */
  readonly traces: boolean;
  /** Also as written, not simplified. */
  readonly asWritten: boolean;
  /** Also as the clang from npm compiles it. */
  readonly npm: boolean;
  /** These forms with generated code, too. */
  readonly compiledForms: boolean;
}

/** Random, so that in the long run every comparison sees every pair of features. */
export function planFor(seed: number): Plan {
  const dice = new Dice(seed ^ 0x2c1b3c6d);
  const check = dice.chance(1 / 3);
  return {
    source: dice.chance(1 / 2),
    enumerate: dice.chance(1 / 6),
    exhaustive: dice.chance(1 / 3),
    compiled: dice.chance(1 / 8),
    noSpin: dice.chance(1 / 9),
    check,
    robust: check && dice.chance(1 / 2),
    shortcuts: dice.chance(1 / 2) ? [dice.pick(SHORTCUTS_OFF)] : [],
    traces: dice.chance(1 / 4),
    asWritten: dice.chance(1 / 11),
    npm: false,
    compiledForms: dice.chance(1 / 3),
    awaits: dice.chance(1 / 2),
    ...optionPlan(dice),
    commuting: dice.chance(1 / 2),
    shortcutsCommuting: dice.chance(1 / 3) ? [dice.pick(SHORTCUTS_OFF_COMMUTING)] : [],
    graph: dice.chance(1 / 6),
    monitors: dice.chance(9 / 10),
    uninitialised: dice.chance(1 / 10),
    parts: dice.chance(1 / 4),
  };
}

export const EVERYTHING: Plan = {
  source: true,
  enumerate: true,
  exhaustive: true,
  compiled: true,
  noSpin: true,
  check: true,
  robust: true,
  shortcuts: SHORTCUTS_OFF,
  traces: true,
  asWritten: true,
  npm: true,
  compiledForms: true,
  monitors: true,
  awaits: true,
  commuting: true,
  shortcutsCommuting: SHORTCUTS_OFF_COMMUTING,
  graph: true,
  parts: true,
  ...ALL_OPTIONS,
};

/** The comparisons that reproduce a disagreement. */
export function planOf(what: string): Plan {
  const names = (...words: readonly string[]): boolean => words.some((word) => what.includes(word));
  if (names('the tool fails')) return { ...EVERYTHING, npm: false };
  return {
    source: names('source'),
    enumerate: names('enumerate'),
    exhaustive: names('exhaustive'),
    compiled: names('generated code'),
    noSpin: names('no spin'),
    check: names('check', 'robust'),
    robust: names('robust'),
    shortcuts: SHORTCUTS_OFF.filter(({ name }) => names(name)),
    traces: names('the simulator'),
    asWritten: names('as written'),
    npm: names('npm clang'),
    compiledForms: names('generated code'),
    monitors: names('monitor '),
    awaits: names('awaits'),
    commuting: names('commuting'),
    shortcutsCommuting: SHORTCUTS_OFF_COMMUTING.filter(({ name }) => names(name)),
    graph: names('graph', 'rc11'),
    parts: names(PARTS),
    ...optionPlanOf(names, what),
  };
}

/**
 * Limit on the states of a model, as counted by the simulator. A program with more is replaced; one in ten may be
 * larger.
 */
const MAX_STATES = 700;
const MAX_STATES_OF_LARGE = 4000;
/** The same with traces. */
const MAX_TRACE_STATES = 6000;
/** Programs with more states are too large for trying every schedule, or for enumeration. */
const MAX_EXHAUSTIVE = 60;
const MAX_ENUMERATE = 250;
/** The same for monitors, which need no other model. */
const MAX_MONITORED = 200;

export type Simulations = Readonly<Record<SimModel, Simulated>>;

/** The simulator's answer, or why it has none. */
export function simulateAll(program: FuzzProgram): Simulations | NoAnswer {
  const found: Partial<Record<SimModel, Simulated>> = {};
  let maxStates = program.seed % 10 === 0 ? MAX_STATES_OF_LARGE : MAX_STATES;
  // All searches enumerate programs with sections.
  if (JSON.stringify(program.threads).includes('"op":"section"')) maxStates = MAX_ENUMERATE;
  for (const model of MODELS) {
    const answer = simulate(program, model, { maxStates });
    if (typeof answer === 'string') return answer;
    found[model] = answer;
  }
  return found as Simulations;
}

/** Forms of the same program. */
export interface Compiled extends OptionForms {
  readonly program: Program;
  readonly asWritten?: Program;
  readonly npm?: Program;
}

/** How often something was compared, or left out, by kind and reason. */
export class Tally {
  readonly counts: Map<string, number> = new Map();

  add(what: string, n: number = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + n);
  }
}

/** The parts that are compared; tests substitute broken ones. */
export interface Searches {
  readonly optimal: MakeStrategy;
  readonly source: MakeStrategy;
  readonly retrace: MakeStrategy;
  readonly enumerate: MakeStrategy;
  readonly exhaustive: MakeStrategy;
  readonly graph: MakeStrategy;
  readonly find: typeof find;
  readonly findInParts: typeof findInParts;
  readonly check: typeof check;
  readonly monitors: MonitorParts;
}

export const SEARCHES: Searches = {
  optimal,
  source,
  retrace,
  enumerate,
  exhaustive,
  graph,
  find,
  findInParts,
  check,
  monitors: MONITOR_PARTS,
};

export function compare(
  generated: FuzzProgram,
  simulations: Simulations,
  compiled: Compiled,
  plan: Plan,
  tally: Tally,
  searches: Searches = SEARCHES,
): Disagreement[] {
  return new Comparison(generated, simulations, compiled, plan, tally, searches).run();
}

const PARTS = 'parts by orders';
const OTHER_FORMS: readonly string[] = ['as written', 'npm clang', 'undefined call', 'junk'];

class Comparison {
  private readonly generated: FuzzProgram;
  private readonly simulations: Simulations;
  private readonly compiled: Compiled;
  private readonly plan: Plan;
  private readonly tally: Tally;
  private readonly found: Disagreement[] = [];
  private readonly searches: Searches;
  private readonly hasLoops: boolean;
  private readonly sections: boolean;

  constructor(
    generated: FuzzProgram,
    simulations: Simulations,
    compiled: Compiled,
    plan: Plan,
    tally: Tally,
    searches: Searches,
  ) {
    this.searches = searches;
    this.generated = generated;
    this.simulations = simulations;
    this.compiled = compiled;
    this.plan = plan;
    this.tally = tally;
    this.hasLoops = simCode(generated).hasLoops;
    this.sections = needsEnumeration(compiled.program);
  }

  run(): Disagreement[] {
    const { program, asWritten, npm, junk, undefinedCall, optimised } = this.compiled;
    const { plan, sections } = this;
    const { optimal, source, retrace, enumerate, exhaustive, find } = this.searches;
    const traces = new Map<SimModel, number>();
    this.checkSubsets();
    for (const model of MODELS) {
      const simulated = this.simulations[model];
      const context = this.context(model);
      const first = sections ? 'enumerate' : 'optimal';
      const reference = find(program, model, sections ? enumerate : optimal);
      if (!this.againstSimulator(first, model, reference, simulated, sections)) continue;
      if (simulated.errors.size === 0) traces.set(model, reference.traces.size);
      const others: [string, () => Found][] = [];
      const addForm = (name: string, form: Program): void => {
        others.push([name, () => find(form, model, optimal)]);
        if (plan.compiledForms) others.push([`${name}, generated code`, () => find(form, model, optimal, COMPILED)]);
      };
      if (!sections) {
        if (plan.source) others.push(['source', () => find(program, model, source)]);
        if (plan.enumerate && this.isSmall('enumerate', simulated, MAX_ENUMERATE))
          others.push(['enumerate', () => find(program, model, enumerate)]);
        for (const { name, make } of plan.shortcuts) others.push([name, () => find(program, model, make)]);
      }
      if (plan.exhaustive && this.isSmall('exhaustive', simulated, MAX_EXHAUSTIVE))
        others.push(['exhaustive', () => find(program, model, exhaustive)]);
      if (refusedProgram({ strategy: 'retrace' }, program) === undefined) {
        others.push(['retrace', () => find(program, model, retrace)]);
        if (plan.compiled) others.push(['retrace, generated code', () => find(program, model, retrace, COMPILED)]);
      }
      if (!sections) {
        // The searches above share a machine.
        if (plan.compiled) others.push(['generated code', () => find(program, model, optimal, COMPILED)]);
        if (plan.noSpin && !this.hasLoops) others.push(['no spin', () => find(program, model, optimal, NO_SPIN)]);
        if (plan.asWritten && asWritten !== undefined) addForm('as written', asWritten);
        if (plan.npm && npm !== undefined) addForm('npm clang', npm);
        if (plan.undefinedCall && undefinedCall !== undefined) addForm('undefined call', undefinedCall);
        if (plan.junk && junk !== undefined && !readsFresh(context)) addForm('junk', junk);
      }
      for (const [name, run] of others) this.against(first, reference, name, run(), model, simulated);
      if (plan.parts && !sections) this.withParts(model, reference, simulated);
      if (plan.graph && !sections) this.withGraphs(model, reference, simulated);
      if (plan.awaits && !sections && this.hasLoops) this.withAwaits(model, simulated);
      if (plan.commuting && !sections) this.withCommuting(model, simulated);
      if (plan.traces) this.countTraces(first, model, reference, simulated);
      compareOptions(context, model, simulated);
      if (plan.uninitialised) this.withUninitialised(model, context);
      if (model === 'sc' && plan.optimise !== undefined && optimised !== undefined)
        compareOptimised(
          context,
          `-O${plan.optimise}`,
          find(optimised, model, sections ? enumerate : optimal),
          MAX_STATES_OF_LARGE,
        );
    }
    if (plan.graph) this.underRc11();
    if (plan.check) this.checkPipeline(traces);
    if (plan.monitors) this.runMonitors(traces);
    return this.found;
  }

  /** Each model has all executions of the one before it, and so its errors: `src/pipelines/subsets.ts`. */
  private checkSubsets(): void {
    for (const [i, model] of MODELS.slice(1).entries()) {
      const [smaller, larger] = [this.simulations[MODELS[i]!], this.simulations[model]];
      const lost = [...smaller.errors].filter((kind) => !larger.errors.has(kind));
      if (lost.length > 0) this.report(`an error under ${MODELS[i]} is none under ${model}`, model, lost.join());
    }
  }

  /** The tool drops all parts if one has an error. */
  private withParts(model: SimModel, reference: Found, simulated: Simulated): void {
    if (simulated.errors.size > 0) return this.tally.add('skipped parts: errors');
    const found = this.searches.findInParts(this.compiled.program, model);
    if (typeof found === 'string') this.tally.add(`skipped parts: ${found}`);
    else this.against('optimal', reference, PARTS, found, model, simulated);
  }

  private context(model: SimModel): Context {
    const { generated, plan, sections } = this;
    return {
      generated,
      program: this.compiled.program,
      plan,
      sections,
      uses: (what) => this.uses(what),
      kinds: (errors) => this.kinds(errors),
      count: (what) => this.tally.add(what.startsWith('skipped') ? what : `${model} ${what}`),
      report: (what, detail) => this.report(what, model, detail),
    };
  }

  /** Compared with a separate simulation, which has about as many states even with loops. */
  private withUninitialised(model: SimModel, context: Context): void {
    compareUninitialised(context, model, this.compiled, this.plan, this.searches, (name, found, simulated, isExact) =>
      this.againstSimulator(name, model, found, simulated, isExact),
    );
  }

  /**
   * Graphs must give the same outcomes and errors, and as many executions where graphs and traces order the same
   * operations.
   */
  private withGraphs(model: SimModel, reference: Found, simulated: Simulated): void {
    const { program } = this.compiled;
    const { graph, find } = this.searches;
    for (const [name, options] of this.graphMachines) {
      const found = find(program, model, graph, options, LOG_LIMITS);
      if (!this.againstSimulator(name, model, found, simulated, false)) continue;
      if (simulated.errors.size > 0 || ['exit', 'trylock', 'timedlock', 'free'].some((what) => this.uses(what)))
        continue;
      if (this.mayEndWaiting) continue;
      if (found.complete !== reference.complete)
        this.report(`optimal and ${name} differ in executions`, model, `${reference.complete} and ${found.complete}`);
    }
  }

  /**
   * Whether the program may end while a thread waits in a loop. DPOR counts each value that the thread may have read
   * last; in a graph it has read the newest one.
   */
  private get mayEndWaiting(): boolean {
    const { threads } = this.generated;
    const joined = threads.flat().filter(({ op }) => op === 'join').length;
    return this.hasLoops && joined < threads.length - 1;
  }

  private get graphMachines(): readonly (readonly [string, typeof GRAPHS])[] {
    return this.plan.compiled
      ? [
          ['graph', GRAPHS],
          ['graph, generated code', GRAPHS_COMPILED],
        ]
      : [['graph', GRAPHS]];
  }

  /**
   * Rc11 allows everything that the machines allow, if the program has no race. But where an atomic section blocks all
   * other threads, some of them may continue under rc11, and end a deadlock.
   */
  private underRc11(): void {
    const { graph, find } = this.searches;
    const found = find(this.compiled.program, 'rc11', graph, GRAPHS, LOG_LIMITS);
    for (const model of MODELS) {
      const simulated = this.simulations[model];
      if (found.errors.size === 0 && found.bounds.length > 0) return this.tally.add('skipped rc11: bounds');
      this.tally.add(`${model} rc11 ${found.errors.size === 0 ? 'without' : 'with'} errors`);
      const certain = [...this.kinds(simulated.errors)].filter((kind) => !this.sections || kind !== 'deadlock');
      if (certain.length > 0 && found.errors.size === 0)
        this.report('rc11 misses an error', model, [...simulated.errors].join());
      const lost = [...simulated.outcomes].filter((outcome) => !this.has(found, outcome, false));
      if (found.errors.size === 0 && lost.length > 0)
        this.report('rc11 lacks outcomes that the simulator has', model, lost.join('; '));
    }
    this.checkRc11(found);
    if (!isSequential(this.generated) || found.errors.size > 0 || this.sections) return;
    this.tally.add('sc rc11 without races, all seq_cst');
    const extra = [...found.outcomes].filter((outcome) => !this.simulations.sc.outcomes.has(outcome));
    if (extra.length > 0)
      this.report('rc11 has outcomes that sc has not, though all is seq_cst', 'sc', extra.join('; '));
  }

  /** The pipeline must give the same answer, also where it takes it from SC. */
  private checkRc11(found: Found): void {
    const models: readonly Model[] = ['sc', 'rc11'];
    const options = { models, monitors: true, limits: LOG_LIMITS } as const;
    const [sc, rc11] = run(this.compiled.program, options);
    if (rc11!.verdict.kind === 'inconclusive') return this.tally.add('skipped check under rc11: bounds');
    this.tally.add(`sc check under rc11: ${rc11!.how}`);
    if ((rc11!.verdict.kind === 'violation') !== found.errors.size > 0)
      this.report('check and graph differ under rc11', 'sc', `${rc11!.verdict.kind}, ${[...found.errors].join()}`);
    if (rc11!.how !== 'robust') return;
    const extra = [...found.outcomes].filter((outcome) => !this.simulations.sc.outcomes.has(outcome));
    if (extra.length > 0) this.report('rc11 is not sc, though it is free of races', 'sc', extra.join('; '));
    if (['exit', 'trylock', 'timedlock', 'free'].some((what) => this.uses(what))) return;
    if (sc!.executions !== found.complete)
      this.report(
        'rc11 has more executions than sc, though it is free of races',
        'sc',
        `${sc!.executions} and ${found.complete}`,
      );
  }

  /** There may be fewer executions, but with the same outcomes and errors; the searches must agree on the traces. */
  private withAwaits(model: SimModel, simulated: Simulated): void {
    const { program } = this.compiled;
    const { plan } = this;
    const { optimal, source, enumerate, find } = this.searches;
    const first = 'optimal with awaits';
    const reference = this.waiting(() => find(program, model, optimal, AWAITS));
    if (reference === undefined) return;
    if (!this.againstSimulator(first, model, reference, simulated, false)) return;
    const others: [string, MakeStrategy, typeof AWAITS][] = [];
    if (plan.source) others.push(['source with awaits', source, AWAITS]);
    if (plan.enumerate && this.isSmall('enumerate', simulated, MAX_ENUMERATE))
      others.push(['enumerate with awaits', enumerate, AWAITS]);
    for (const { name, make } of plan.shortcuts) others.push([`${name}, with awaits`, make, AWAITS]);
    if (plan.compiled) others.push(['generated code with awaits', optimal, AWAITS_COMPILED]);
    for (const [name, make, options] of others) {
      const found = this.waiting(() => find(program, model, make, options));
      if (found !== undefined) this.against(first, reference, name, found, model, simulated);
    }
  }

  /** The same without ordering operations that commute: traces then lack their order. */
  private withCommuting(model: SimModel, simulated: Simulated): void {
    const { program } = this.compiled;
    const { plan } = this;
    const { enumerate, find } = this.searches;
    const first = 'commuting';
    const search = (make: MakeStrategy, options = AWAITS): Found | undefined =>
      this.waiting(() => find(program, model, make, options, undefined, commutingTrace));
    const reference = search(commuting);
    if (reference === undefined) return;
    if (!this.againstSimulator(first, model, reference, simulated, false)) return;
    const others: [string, MakeStrategy, typeof AWAITS][] = [];
    if (plan.source) others.push(['commuting, source', sourceCommuting, AWAITS]);
    if (plan.enumerate && this.isSmall('enumerate', simulated, MAX_ENUMERATE))
      others.push(['enumerate for commuting', enumerate, AWAITS]);
    for (const { name, make } of plan.shortcutsCommuting) others.push([name, make, AWAITS]);
    if (plan.compiled) others.push(['generated code, commuting', commuting, AWAITS_COMPILED]);
    for (const [name, make, options] of others) {
      const found = search(make, options);
      if (found !== undefined) this.against(first, reference, name, found, model, simulated);
    }
  }

  /**
   * `undefined` if threads wait for bytes that are written in parts, or for the result of many operations that commute:
   * then the tool searches without waiting, or orders these operations.
   */
  private waiting(search: () => Found): Found | undefined {
    try {
      return search();
    } catch (error) {
      if (!(error instanceof MixedWait || error instanceof CommutingWait)) throw error;
      this.tally.add(`skipped awaits: ${error.message}`);
      return undefined;
    }
  }

  private isSmall(what: string, { states }: Simulated, limit: number): boolean {
    if (states > limit) this.tally.add(`skipped ${what}: too large`);
    return states <= limit;
  }

  private report(what: string, model: SimModel, detail: string): void {
    this.found.push({ what, model, detail });
  }

  /** False if the search was cut short. */
  private againstSimulator(
    name: string,
    model: SimModel,
    found: Found,
    simulated: Simulated,
    isExact: boolean,
  ): boolean {
    if (found.bounds.length > 0) {
      this.tally.add(`skipped ${name}: ${found.bounds[0]!.replace(/:.*/, '')}`);
      return false;
    }
    this.tally.add(`${model} ${name}`);
    this.compareErrors(name, model, found, simulated, isExact);
    const extra = [...found.outcomes].filter((outcome) => !simulated.outcomes.has(outcome));
    if (extra.length > 0) this.report(`${name} has outcomes that the simulator has not`, model, extra.join('; '));
    const isWhole = isExact || simulated.errors.size === 0;
    const missing = isWhole ? [...simulated.outcomes].filter((outcome) => !this.has(found, outcome, isExact)) : [];
    if (missing.length > 0) this.report(`${name} lacks outcomes that the simulator has`, model, missing.join('; '));
    if (['optimal', 'optimal with awaits', 'commuting', 'retrace', PARTS].includes(name)) {
      // Two executions that `exit` cuts at different points may have the same trace.
      if (found.traces.size !== found.complete && !this.uses('exit'))
        this.report(
          `${name === 'retrace' ? name : 'optimal'} has a trace twice`,
          model,
          `${found.complete} executions, ${found.traces.size} traces`,
        );
      if (found.abandoned > 0) this.report('optimal has executions that are asleep', model, String(found.abandoned));
    }
    return true;
  }

  /**
   * DPOR takes an exit only where nothing else can run, and then only one of several: all of them leave the same
   * memory, and no verdict depends on the status.
   */
  private has({ outcomes }: Found, outcome: string, isExact: boolean): boolean {
    if (isExact || this.exits < 2 || !outcome.startsWith('exit ')) return outcomes.has(outcome);
    return [...outcomes].some((other) => other.startsWith('exit '));
  }

  private compareErrors(name: string, model: SimModel, found: Found, simulated: Simulated, isExact: boolean): void {
    const [own, simulators] = [this.kinds(found.errors), this.kinds(simulated.errors)];
    const [here, there] = [[...own].sort().join(), [...simulators].sort().join()];
    const detail = `${name}: ${here || 'no error'}; simulator: ${there || 'no error'}`;
    // An error ends its execution and may hide others; only an exact search must find those.
    if (found.errors.size === 0 && simulated.errors.size > 0) this.report(`${name} misses an error`, model, detail);
    else if ([...own].some((kind) => !simulators.has(kind)))
      this.report(`${name} has an error that the simulator has not`, model, detail);
    else if (isExact && here !== there) this.report(`${name} misses a kind of error`, model, detail);
  }

  /**
   * With sections, deadlocks and endless loops are equivalent: a thread stuck inside a section keeps others from
   * leaving their loops.
   */
  private kinds(errors: ReadonlySet<string>): ReadonlySet<string> {
    if (!this.sections) return errors;
    return new Set([...errors].map((kind) => (kind === 'liveness' ? 'deadlock' : kind)));
  }

  private against(
    first: string,
    reference: Found,
    name: string,
    found: Found,
    model: SimModel,
    simulated: Simulated,
  ): void {
    const isExact = name.startsWith('enumerate') || name === 'exhaustive';
    if (!this.againstSimulator(name, model, found, simulated, isExact)) return;
    if (simulated.errors.size > 0 || this.uses('exit')) return;
    // If locals have addresses, there are more events and different traces, but the same number of traces.
    if (OTHER_FORMS.some((form) => name.startsWith(form))) {
      if (found.traces.size !== reference.traces.size)
        this.report(
          `${first} and ${name} differ in the number of traces`,
          model,
          `${reference.traces.size} and ${found.traces.size}`,
        );
      return;
    }
    const lost = [...reference.traces].filter((trace) => !found.traces.has(trace)).length;
    const extra = [...found.traces].filter((trace) => !reference.traces.has(trace)).length;
    if (lost + extra > 0)
      this.report(`${first} and ${name} differ in traces`, model, `${lost} only in ${first}, ${extra} only in ${name}`);
  }

  private countTraces(name: string, model: SimModel, found: Found, simulated: Simulated): void {
    if (this.hasLoops || simulated.errors.size > 0 || this.uses('exit') || this.mayEndInSection)
      return this.tally.add('skipped traces of the simulator: loops, errors or exit');
    const answer = simulate(this.generated, model, { maxStates: MAX_TRACE_STATES, traces: true });
    if (typeof answer === 'string' || answer.traces === undefined)
      return this.tally.add('skipped traces of the simulator: too many');
    this.tally.add(`${model} traces of the simulator`);
    if (answer.traces !== found.traces.size)
      this.report(
        `${name} has another number of traces than the simulator`,
        model,
        `${found.traces.size} and ${answer.traces}`,
      );
  }

  private runMonitors(traces: ReadonlyMap<SimModel, number>): void {
    const { sc } = this.simulations;
    if (this.sections || this.uses('exit') || sc.errors.size > 0)
      return this.tally.add('skipped monitors: sections, exit or errors');
    const hidesTraces = this.hasLoops || this.uses('assume');
    const robustness = (model: SimModel, isAlarmed: boolean): boolean | undefined => {
      if (this.simulations[model].errors.size > 0) return false;
      const [ofSc, own] = [traces.get('sc'), traces.get(model)];
      // Executions that end early count for robustness, but are not among the traces.
      if (ofSc === undefined || own === undefined || (isAlarmed && hidesTraces)) return undefined;
      return ofSc === own;
    };
    compareMonitors(this.context('sc'), robustness, sc.states <= MAX_MONITORED, this.searches.monitors);
  }

  /** SC with monitors, and other models only if a monitor raises an alarm. */
  private checkPipeline(traces: ReadonlyMap<SimModel, number>): void {
    const strategy = this.plan.source ? 'source' : 'optimal';
    for (const { model: name, verdict, how, errors, bounds, robust } of this.searches.check(
      this.compiled.program,
      strategy,
      this.plan.robust,
    )) {
      const model = name as SimModel;
      if (bounds.length > 0) {
        this.tally.add(`skipped check: ${bounds[0]!.replace(/:.*/, '')}`);
        continue;
      }
      this.tally.add(`${model} check: ${how}`);
      const simulated = this.simulations[model];
      const [kind] = errors.map(({ error }) => error.kind);
      const detail = `check: ${verdict.kind} ${kind ?? ''} (${how}); simulator: ${[...simulated.errors].join() || 'no error'}`;
      if ((verdict.kind === 'violation') !== simulated.errors.size > 0)
        this.report(`check (${strategy}) has another verdict than the simulator`, model, detail);
      else if (
        kind !== undefined &&
        !this.kinds(simulated.errors).has(this.sections && kind === 'liveness' ? 'deadlock' : kind)
      )
        this.report(`check (${strategy}) has an error that the simulator has not`, model, detail);
      const [sc, own] = [traces.get('sc'), traces.get(model)];
      if (this.sections || robust === null || sc === undefined || own === undefined || this.uses('exit')) continue;
      // Executions that end early count for robustness, but are not among the traces.
      if (!robust && (this.hasLoops || this.uses('assume'))) continue;
      this.tally.add(`${model} robustness`);
      if (robust !== (sc === own))
        this.report(
          `robustness (${strategy}) is not what the number of traces says`,
          model,
          `${how}: ${robust}; ${sc} traces under sc, ${own} here`,
        );
    }
  }

  /** Threads that may end the program. */
  private get exits(): number {
    return this.generated.threads.filter((body) => JSON.stringify(body).includes('"how":"exit"')).length;
  }

  /**
   * Whether main may return in a section, as `exit` would: where that cuts the others off is not in the simulator's
   * traces, which have no fences and no stores that wait.
   */
  private get mayEndInSection(): boolean {
    const isEnd = ({ op, ...s }: Statement): boolean =>
      op === 'end' || ('yes' in s && [...s.yes, ...s.no].some(isEnd)) || ('body' in s && s.body.some(isEnd));
    return this.generated.threads[0]!.some((s) => s.op === 'section' && isEnd(s));
  }

  private uses(how: string): boolean {
    const text = JSON.stringify(this.generated);
    return text.includes(`"how":"${how}"`) || text.includes(`"op":"${how}"`);
  }
}
