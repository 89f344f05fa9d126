/**
 * One generated program whose fresh memory and registers have no value: compares every search with the simulator, which
 * tracks undefined bits one by one.
 */

import type { Program } from '../../src/program/ir.ts';
import { CommutingWait } from '../../src/trace/commuting-writes.ts';
import { MixedWait } from '../../src/trace/wait-order.ts';
import { commutingTrace } from '../support/commuting-trace.ts';
import type { Compiled, Plan, Searches } from './compare.ts';
import type { Context } from './compare-options.ts';
import { withFreshValues } from './fresh.ts';
import {
  AWAITS,
  AWAITS_COMPILED,
  COMPILED,
  commuting,
  type Found,
  GRAPHS,
  LOG_LIMITS,
  type MakeStrategy,
  run,
} from './searches.ts';
import type { SimModel } from './simulate/machine.ts';
import { type Simulated, simulate } from './simulate/simulate.ts';

const MAX_STATES = 4000;
const MAX_ENUMERATE = 250;
const MAX_EXHAUSTIVE = 60;

/** Compares what a search found; with `isExact`, it must find all kinds of errors. */
type Against = (name: string, found: Found, simulated: Simulated, isExact: boolean) => unknown;

export function compareUninitialised(
  context: Context,
  model: SimModel,
  compiled: Compiled,
  plan: Plan,
  { find, optimal, source, enumerate, exhaustive, graph }: Searches,
  against: Against,
): void {
  const { uninitialised: program, uninitialisedAsWritten: asWritten } = compiled;
  if (program === undefined) return;
  const simulated = simulate(withFreshValues(context.generated), model, { maxStates: MAX_STATES, uninitialised: true });
  if (typeof simulated === 'string') return context.count(`skipped uninitialised: ${simulated}`);
  if (simulated.errors.has('uninitialised')) context.count('uninitialised, with such errors');
  const compare = (name: string, search: () => Found, isExact: boolean = false): void => {
    try {
      against(`uninitialised, ${name}`, search(), simulated, isExact);
    } catch (error) {
      if (!(error instanceof MixedWait || error instanceof CommutingWait)) throw error;
    }
  };
  const isSmall = simulated.states <= MAX_ENUMERATE;
  if (context.sections) {
    if (isSmall) compare('enumerate', () => find(program, model, enumerate), true);
    return;
  }
  compare('optimal', () => find(program, model, optimal));
  compare('optimal with awaits', () => find(program, model, optimal, AWAITS));
  const withCommuting = (make: MakeStrategy, options = AWAITS): Found =>
    find(program, model, make, options, undefined, commutingTrace);
  compare('commuting', () => withCommuting(commuting));
  if (plan.source) compare('source', () => find(program, model, source));
  if (isSmall) compare('enumerate', () => find(program, model, enumerate), true);
  if (simulated.states <= MAX_EXHAUSTIVE) compare('exhaustive', () => find(program, model, exhaustive), true);
  if (plan.compiled || plan.compiledForms) {
    compare('generated code', () => find(program, model, optimal, COMPILED));
    compare('generated code, commuting', () => withCommuting(commuting, AWAITS_COMPILED));
  }
  if (plan.graph) compare('graph', () => find(program, model, graph, GRAPHS, LOG_LIMITS));
  if (asWritten !== undefined) compare('as written', () => find(asWritten, model, optimal));
  checkPipeline(context, model, program, simulated);
}

/** Checks SC with monitors, and this model only if one of them raises an alarm. */
function checkPipeline(context: Context, model: SimModel, program: Program, simulated: Simulated): void {
  const models: readonly SimModel[] = model === 'sc' ? ['sc'] : ['sc', model];
  const { verdict, errors, bounds } = run(program, { models, monitors: true }).at(-1)!;
  if (bounds.length > 0) return context.count('skipped uninitialised, check: bounds');
  context.count('uninitialised, check');
  const [kind] = errors.map(({ error }) => error.kind);
  const detail = `check: ${verdict.kind} ${kind ?? ''}; simulator: ${[...simulated.errors].join() || 'no error'}`;
  if ((verdict.kind === 'violation') !== simulated.errors.size > 0)
    context.report('uninitialised, check has another verdict than the simulator', detail);
  else if (kind !== undefined && !simulated.errors.has(kind))
    context.report('uninitialised, check has an error that the simulator has not', detail);
}
