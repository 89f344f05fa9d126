/**
 * What the counts of [SOBER] Fig. 4(a) for bakery depend on: the algorithm written for any number of threads, as in its own
 * paper, and how many iterations a thread waits.
 */
import { countInterleavings } from './interleavings.ts';
import type { Suite } from './suite.ts';

const DEFINES = ['START', 'EMPTY', 'EACH'];
/** `undefined`: it sleeps. */
export const WAITS: readonly (number | undefined)[] = [undefined, 1, 5, 10, 15, 20];
export const WAITING_BOUNDS: readonly number[] = [1, 2];
const MOST = 3;

export function bakeryCase(preemptions: number, iterations?: number): string {
  return `${preemptions}${iterations === undefined ? '' : ` idle ${iterations}`}`;
}

const CASES = new Map(
  Array.from({ length: MOST + 1 }, (_, k) => k).flatMap((k) =>
    (WAITING_BOUNDS.includes(k) ? WAITS : [undefined]).map((n) => [bakeryCase(k, n), [k, n] as const] as const),
  ),
);

export const bakery: Suite = {
  name: 'bakery',
  about:
    'interleavings of bakery for any number of threads up to a number of preemptions, with and without idle iterations',
  cases: [...CASES.keys()],
  measure: (name) => countInterleavings('sober/bakery.c', DEFINES, ...CASES.get(name)!),
};
