/** Exit codes, and which one wins when several files and models differ. */
import type { Verdict } from '../../pipelines/result.ts';
import { unreachable } from '../../util/unreachable.ts';

export const EXIT_VERIFIED = 0;
export const EXIT_VIOLATION = 1;
export const EXIT_USAGE = 2;
export const EXIT_NOT_UNDERSTOOD = 3;
export const EXIT_INCONCLUSIVE = 4;
export const EXIT_OUR_FAULT = 70;

/** Worst first. */
const SEVERITY: readonly number[] = [
  EXIT_OUR_FAULT,
  EXIT_USAGE,
  EXIT_NOT_UNDERSTOOD,
  EXIT_VIOLATION,
  EXIT_INCONCLUSIVE,
  EXIT_VERIFIED,
];

export function worstExit(codes: readonly number[]): number {
  return SEVERITY.find((code) => codes.includes(code)) ?? EXIT_VERIFIED;
}

export function exitOf(verdict: Verdict): number {
  switch (verdict.kind) {
    case 'violation':
      return EXIT_VIOLATION;
    case 'verified':
      return EXIT_VERIFIED;
    case 'inconclusive':
      return EXIT_INCONCLUSIVE;
    default:
      return unreachable(verdict);
  }
}
