/** Builds the report of `check` from its results. */
import { SC } from '../../models/sc.ts';
import type { ModelResult } from '../../pipelines/model-run.ts';
import type { CycleDescription } from '../../pipelines/robustness.ts';
import type { CheckReport, CycleReport } from '../schema.ts';
import type { Executions } from './executions.ts';
import { eventPlace } from './places-in-source.ts';
import { reportRounds } from './rounds.ts';

export interface ReportOptions {
  /** Whether the report is for a page, which shows every execution it can. */
  readonly forPage?: boolean;
}

export function reportCheck(
  file: string,
  executions: Executions,
  result: ModelResult,
  { forPage = false }: ReportOptions = {},
): CheckReport {
  const model = result.how === 'sc' ? SC.name : result.model;
  const [failure, ...others] = result.errors.map((found) => executions.failure(file, model, found));
  const { cycle, beyondSc, robust } = result;
  // With `--robust`, the execution with the cycle is shown unless another one fails.
  const showsCycle = forPage ? failure?.trace === undefined : isAnswer(result) && failure === undefined;
  return {
    file,
    model: result.model,
    verdict: result.verdict.kind,
    how: result.how,
    ...(result.subsetOf === undefined ? {} : { subsetOf: result.subsetOf }),
    ...(result.enumerated === undefined ? {} : { enumerated: result.enumerated }),
    ...(result.unchecked === undefined ? {} : { unchecked: result.unchecked }),
    executions: result.executions,
    blocked: result.blocked,
    ...(result.blocked > 0 ? { blockedBy: result.blockedBy } : {}),
    ...(result.givenUp === undefined ? {} : { givenUp: result.givenUp }),
    ...(result.cutsIdleLoops ? { cutsIdleLoops: true } : {}),
    ...(result.loops.length > 0 ? { loops: result.loops } : {}),
    ...(result.only === undefined ? {} : { only: result.only }),
    ...reportRounds(result.rounds),
    ...(result.coverage === undefined ? {} : { coverage: result.coverage }),
    ...(result.guarantee === undefined ? {} : { guarantee: result.guarantee }),
    robust,
    ...(beyondSc === undefined ? {} : { beyondSc }),
    ...(cycle === undefined
      ? {}
      : {
          cycle: {
            ...reportCycle(cycle),
            ...(showsCycle ? { trace: executions.trace(result.model, cycle.schedule) } : {}),
          },
        }),
    seconds: Math.round(result.seconds * 1000) / 1000,
    bounds: result.bounds,
    ...(result.boundedBy.length === 0 ? {} : { boundedBy: result.boundedBy }),
    warnings: result.warnings,
    ...failure,
    ...(others.length === 0 ? {} : { otherErrors: others.map(({ error, ...rest }) => ({ ...error, ...rest })) }),
  };
}

function isAnswer({ beyondSc, robust, how }: ModelResult): boolean {
  return beyondSc !== undefined && robust !== null && how !== 'robust';
}

export function reportCycle({ schedule, edges }: CycleDescription): CycleReport {
  return {
    schedule,
    edges: edges.map(({ from, relation, to }) => ({ from: eventPlace(from), relation, to: eventPlace(to) })),
  };
}
