/**
 * What the interleavings in [MON] Tables 1 and 2 depend on. Its tool THRILLE is public: it may switch before every
 * access and at the start of a thread, its scheduler is fair (`fair.ts`), and preemptions are counted as in ours. The
 * programs are not public. So dekker runs with such a scheduler; and for the structures, whose threads hardly wait, two
 * threads that only do a number of loads show how many accesses would give the paper's numbers.
 */
import { fileURLToPath } from 'node:url';
import { countInterleavings } from './interleavings.ts';
import type { Suite } from './suite.ts';

export const THRILLE_BOUNDS = [1, 2] as const;

/**
 * Steps of the two threads, including each one's start: of the pairs with the paper's number for one preemption, the
 * closest for two.
 */
export const ACCESSES: Readonly<Record<string, readonly [first: number, second: number]>> = {
  msn: [34, 18],
  ms2: [29, 30],
  harris: [37, 40],
  lazylist: [30, 35],
  snark: [39, 43],
};
/** dekker, with a fair scheduler. */
export const FAIR_DEKKERS: readonly (readonly string[])[] = [['START'], [], ['EMPTY', 'START'], ['INSIDE', 'START']];

const STRAIGHT = fileURLToPath(new URL('programs/straight.c', import.meta.url));

export function straightCase(program: string, preemptions: number): string {
  return `${program}, straight ${preemptions}`;
}

export function fairDekkerCase(defines: readonly string[], preemptions: number): string {
  return ['dekker', ...defines, 'fair', preemptions].join(' ');
}

const CASES = new Map(
  THRILLE_BOUNDS.flatMap((k) => [
    ...FAIR_DEKKERS.map(
      (defines) => [fairDekkerCase(defines, k), () => countInterleavings('mon/dekker.c', defines, k, 'fair')] as const,
    ),
    ...Object.entries(ACCESSES).map(
      ([program, [first, second]]) =>
        [
          straightCase(program, k),
          () => countInterleavings(STRAIGHT, [`FIRST=${first}`, `SECOND=${second}`], k),
        ] as const,
    ),
  ]),
);

export const thrille: Suite = {
  name: 'thrille',
  about: "interleavings of MON's dekker with a fair scheduler, and of threads that only load",
  alone: 'it counts interleavings as a paper does',
  cases: [...CASES.keys()],
  measure: (name) => CASES.get(name)!(),
};
