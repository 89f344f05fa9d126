/** Builds the report of a litmus test from its result. */
import type { StateValue } from '../../frontend/litmus/condition.ts';
import type { LitmusResult } from '../../pipelines/litmus.ts';
import type { LitmusReport } from '../schema.ts';
import type { JsonValue } from '../trace-schema.ts';
import { Executions } from './executions.ts';

export function reportLitmus(result: LitmusResult, seconds: number, options: { traces: boolean }): LitmusReport {
  const { test, model, verdict, states } = result;
  const names = test.observed.map((o) => o.label);
  const executions = new Executions(test.program);
  return {
    file: test.file,
    test: test.name,
    model,
    verdict: verdict.kind,
    states: states.map((s) => Object.fromEntries(s.values.map((v, i) => [names[i]!, jsonValue(v)]))),
    condition: reportCondition(result),
    executions: result.executions,
    blocked: result.blocked,
    robust: result.robust,
    seconds: Math.round(seconds * 1000) / 1000,
    bounds: result.bounds,
    ...(result.boundedBy.length === 0 ? {} : { boundedBy: result.boundedBy }),
    ...(verdict.kind === 'inconclusive' ? { visitedStates: result.visitedStates } : {}),
    ...(options.traces ? { traces: states.map((s) => executions.trace(model, s.schedule)) } : {}),
  };
}

function reportCondition({ test: { condition }, holds = null, states }: LitmusResult): LitmusReport['condition'] {
  if (condition === undefined) return null;
  const text = condition.text.replace(/\s+/g, ' ');
  return { kind: condition.quantifier, holds, text, satisfied: states.map((s) => s.satisfies === true) };
}

function jsonValue(value: StateValue): JsonValue {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
