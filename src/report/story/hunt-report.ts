/** Builds the report of `hunt` from its results. */
import type { FoundError } from '../../explore/explore.ts';
import { SC } from '../../models/sc.ts';
import type { CycleResult, HuntResult } from '../../pipelines/hunt/result.ts';
import type { Location } from '../../program/location.ts';
import type { ErrorReport, HuntCycleReport, HuntReport } from '../schema.ts';
import type { Executions } from './executions.ts';

export function reportHunt(file: string, executions: Executions, result: HuntResult): HuntReport {
  const [found, ...others] = result.errors;
  const model = result.how === 'sc' ? SC.name : result.model;
  return {
    file,
    model: result.model,
    verdict: result.verdict.kind === 'violation' ? 'violation' : 'inconclusive',
    how: result.how,
    runs: result.runs,
    predicted: result.predicted,
    possible: result.cycles.length,
    confirmed: result.cycles.filter((c) => c.confirmed > 0).length,
    harmful: result.cycles.filter((c) => c.harmful > 0).length,
    executions: result.executions,
    ended: result.ended,
    rounds: result.rounds,
    predictionSeconds: Math.round(result.predictionSeconds * 1000) / 1000,
    seconds: Math.round(result.seconds * 1000) / 1000,
    bounds: result.bounds,
    ...(result.boundedBy.length === 0 ? {} : { boundedBy: result.boundedBy }),
    cycles: result.cycles.map((cycle) => reportHuntCycle(cycle, (f) => executions.error(file, result.model, f))),
    ...(found === undefined ? {} : executions.failure(file, model, found)),
    ...(others.length === 0 ? {} : { otherErrors: others.map((other) => executions.error(file, model, other)) }),
  };
}

function reportHuntCycle(cycle: CycleResult, errorOf: (found: FoundError) => ErrorReport): HuntCycleReport {
  const { trials, executions, confirmed, harmful, failedTrials, schedule, events, names = [], error } = cycle;
  return {
    places: cycle.places.map(({ access, func, location }, i) => ({
      access,
      function: func,
      ...(location === undefined ? {} : { file: location.file, line: location.line, column: location.column }),
      ...variableOf(location, names[i]),
    })),
    owner: cycle.owner,
    verdict: harmful > 0 ? 'harmful' : confirmed > 0 ? 'benign so far' : 'not confirmed',
    trials,
    executions,
    confirmed,
    harmful,
    failedTrials,
    probability: trials === 0 ? 0 : Math.round((1000 * confirmed) / trials) / 1000,
    ...(schedule === undefined ? {} : { schedule }),
    ...(events === undefined ? {} : { events }),
    ...(error === undefined ? {} : { error: errorOf(error) }),
  };
}

/** As the execution names it; for a cycle that no execution has, as the program does. */
function variableOf(location: Location | undefined, name: string | undefined): { readonly variable?: string } {
  const variable = location?.variable === undefined ? undefined : (name ?? location.variable);
  return variable === undefined ? {} : { variable };
}
