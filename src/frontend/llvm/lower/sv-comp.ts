/**
 * The conventions of SV-COMP for functions that its programs define themselves: the name says what a function is for, and
 * its body need not.
 */
import type { LinkedFunction } from './link.ts';

/**
 * `void assume_abort_if_not(int cond) { if (!cond) abort(); }`: whoever calls `abort` there has failed an assumption, and
 * the execution counts for nothing. Everything else in the function means what it says.
 */
export function abortsByAssumption({ func, isLibrary }: LinkedFunction): boolean {
  if (isLibrary || func.name !== 'assume_abort_if_not' || func.result.kind !== 'void') return false;
  return func.parameters.length === 1 && func.parameters[0]!.type.kind === 'int';
}

/** `void reach_error() { }`: to call it is the error, also if it returns. */
export function returnsFromError({ func, isLibrary }: LinkedFunction): boolean {
  const takesNothing = func.parameters.length === 0 && func.result.kind === 'void';
  return !isLibrary && func.name === 'reach_error' && takesNothing;
}
