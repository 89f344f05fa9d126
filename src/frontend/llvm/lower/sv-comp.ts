/**
 * SV-COMP's conventions for functions that its programs define themselves: the name says what a function is for, even
 * if its body does not.
 */
import type { LinkedFunction } from './link.ts';

/**
 * `void assume_abort_if_not(int cond) { if (!cond) abort(); }`: calling `abort` there is a failed assumption, and the
 * execution is discarded. Everything else in the function has its usual meaning.
 */
export function abortsByAssumption({ func, isLibrary }: LinkedFunction): boolean {
  if (isLibrary || func.name !== 'assume_abort_if_not' || func.result.kind !== 'void') return false;
  return func.parameters.length === 1 && func.parameters[0]!.type.kind === 'int';
}

/** `void reach_error() { }`: calling it is the error, even if it returns. */
export function returnsFromError({ func, isLibrary }: LinkedFunction): boolean {
  const takesNothing = func.parameters.length === 0 && func.result.kind === 'void';
  return !isLibrary && func.name === 'reach_error' && takesNothing;
}
