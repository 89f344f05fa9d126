/**
 * All errors of a program, with `--keep-going`.
 *
 * An error ends its execution. DPOR derives reorderings from events that happened, so it never sees what the other
 * threads would have done next, and may miss an execution in which one of them fails first. It cannot miss that there
 * is an error at all: up to the first one, no execution ends early. So a program in which DPOR has found errors is then
 * enumerated, which reaches every state and so every error. A program without errors costs nothing more.
 */
import { printBound } from '../explore/bound.ts';
import { FoundErrors } from '../explore/found-errors.ts';
import { modelNamed } from '../models/index.ts';
import type { CheckOptions } from '../options/check.ts';
import type { ModelResult } from './model-run.ts';
import { isDpor } from './strategies.ts';

/** Whether this result of DPOR may lack errors although nothing bounded the search. */
export function hidesErrors({ model, errors, boundedBy, enumerated }: ModelResult, options: CheckOptions): boolean {
  if (!modelNamed(model).capabilities.dpor) return false;
  const isAsked = options.keepGoing && isDpor(options.strategy) && enumerated === undefined;
  return isAsked && errors.length > 0 && boundedBy.length === 0;
}

export function enumerating(options: CheckOptions): CheckOptions {
  return { ...options, strategy: 'enumerate' };
}

/** What both searches found. If a bound cut the second one short, only its errors count. */
export function withAllErrors(first: ModelResult, second: ModelResult): ModelResult {
  const errors = new FoundErrors();
  errors.merge(first.errors);
  errors.merge(second.errors);
  const common = {
    errors: errors.list,
    enumerated: 'all errors',
    seconds: first.seconds + second.seconds,
  } as const;
  if (second.boundedBy.length === 0) return { ...second, ...common };
  const { boundedBy } = second;
  return { ...first, ...common, boundedBy, bounds: boundedBy.map(printBound) };
}
