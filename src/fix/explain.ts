/**
 * Explains why a change is needed: the accesses of a bad execution that it would keep in order, and the cycle that they
 * close.
 */

import type { ProgramError } from '../machine/code/error.ts';
import { describeEvent, type EventDescription } from '../machine/describe/describe.ts';
import { Naming } from '../machine/describe/naming.ts';
import { type FixModel, modelNamed } from '../models/index.ts';
import { type CycleEdge, findCycle, findCycleOver } from '../trace/cycle.ts';
import { type Relation, ShashaSnirTrace } from '../trace/shasha-snir.ts';
import type { Candidates, Change } from './candidates.ts';
import { Constraint, type DelayPair } from './constraint.ts';
import { GraphConstraint } from './graph-constraint.ts';
import type { Learnt } from './synthesis.ts';

export interface Explanation {
  readonly model: FixModel;
  /**
   * `early` took effect before the store `late` reached memory. In the model of the language, `late` did not happen
   * before `early`, although it must.
   */
  readonly late: EventDescription;
  readonly early: EventDescription;
  /** Each event comes before the next, and the last before the first; empty if no cycle contains the two accesses. */
  readonly cycle: readonly { readonly event: EventDescription; readonly relation: Relation }[];
  /** The error that the execution ends in. */
  readonly error: ProgramError | undefined;
}

/**
 * Explains a change by an execution that no other change of the set prevents. In a cheapest set there is always one.
 */
export function explainChange(
  change: Change,
  set: readonly Change[],
  learnt: readonly Learnt[],
  candidates: Candidates,
): Explanation | undefined {
  const against = learnt.filter(({ changes }) => changes.includes(change));
  const alone = against.filter(({ changes }) => !changes.some((c) => c !== change && set.includes(c)));
  for (const one of [...alone, ...against]) {
    const explanation = explain(change, one, candidates);
    if (explanation !== undefined) return explanation;
  }
  return undefined;
}

function explain(change: Change, learnt: Learnt, candidates: Candidates): Explanation | undefined {
  const { execution, error } = learnt;
  if (isGraph(learnt)) {
    const constraint = new GraphConstraint(candidates, execution);
    const pair = constraint.orderedBy(change);
    return pair && describe(constraint, { late: pair.first, early: pair.second }, [], error);
  }
  const constraint = new Constraint(candidates, execution);
  const { machine } = constraint;
  const trace = new ShashaSnirTrace(machine.events, machine.processes);
  const pairs = constraint.delayPairs(change);
  let best: { pair: DelayPair; cycle: ReturnType<typeof findCycleOver> } | undefined;
  for (const pair of pairs) {
    const cycle = findCycleOver(trace, pair.late, pair.early);
    const length = cycle?.length ?? Number.POSITIVE_INFINITY;
    if (best === undefined || length < (best.cycle?.length ?? Number.POSITIVE_INFINITY)) best = { pair, cycle };
  }
  return best && describe(constraint, best.pair, best.cycle ?? [], error);
}

/** Explains an execution that no change prevents, by two accesses on a cycle that nothing keeps in order. */
export function explainImpossible(learnt: Learnt, candidates: Candidates): Explanation | undefined {
  const { execution, error } = learnt;
  if (isGraph(learnt)) {
    const constraint = new GraphConstraint(candidates, execution);
    const { race } = constraint;
    return race && describe(constraint, { late: race.first, early: race.second }, [], error);
  }
  const constraint = new Constraint(candidates, execution);
  const { events, processes } = constraint.machine;
  const cycle = findCycle(new ShashaSnirTrace(events, processes)) ?? [];
  const at = cycle.findIndex(({ from, to, relation }) => {
    return relation === 'program order' && constraint.isOvertaken(from, to);
  });
  if (at < 0) return undefined;
  const { from: late, to: early } = cycle[at]!;
  return describe(constraint, { late, early }, [...cycle.slice(at), ...cycle.slice(0, at)], error);
}

function isGraph({ execution }: Learnt): boolean {
  return modelNamed(execution.model).isAxiomatic;
}

function describe(
  { machine, execution }: Pick<Constraint, 'machine' | 'execution'>,
  { late, early }: DelayPair,
  cycle: readonly CycleEdge[],
  error: ProgramError | undefined,
): Explanation {
  const naming = new Naming(machine);
  return {
    model: execution.model,
    late: describeEvent(machine, late, naming),
    early: describeEvent(machine, early, naming),
    cycle: cycle.map(({ from, relation }) => ({ event: describeEvent(machine, from, naming), relation })),
    error,
  };
}
