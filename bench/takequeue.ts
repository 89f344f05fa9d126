/**
 * What the counts of [SOBER] Fig. 4(a) for takequeue depend on. The paper does not print that program, so ours is
 * written in several ways (`programs/sober/takequeue.c`), which differ in one point at a time.
 */
import { countInterleavings } from './interleavings.ts';
import type { Suite } from './suite.ts';

const FILE = 'sober/takequeue.c';
const COMMON = ['START', 'SEPARATE'];

/** The closest one to the paper's numbers comes first. */
export const TAKEQUEUES: readonly { readonly defines: readonly string[]; readonly most: number }[] = [
  { defines: ['FILLED', 'LOOK', 'HIDDEN'], most: 5 },
  { defines: [], most: 3 },
  { defines: ['FILLED'], most: 3 },
  { defines: ['LOOK'], most: 3 },
  { defines: ['HIDDEN'], most: 3 },
  { defines: ['FILLED', 'LOOK'], most: 3 },
  { defines: ['FILLED', 'HIDDEN'], most: 3 },
  { defines: ['LOOK', 'HIDDEN'], most: 3 },
  { defines: ['FILLED', 'LOOK', 'KEPT'], most: 3 },
  { defines: ['FILLED', 'LOOK', 'HIDDEN', 'BLIND'], most: 3 },
  { defines: ['LOOK', 'OWNER=PUSH(1) PUSH(2) PUSH(3) TAKE'], most: 3 },
  { defines: ['LOOK', 'OWNER=PUSH(1) PUSH(2) TAKE', 'THIEF=STEAL STEAL STEAL'], most: 3 },
];

export function takequeueCase(defines: readonly string[], preemptions: number): string {
  return [...COMMON, ...defines, preemptions].join(' ');
}

const CASES = new Map(
  TAKEQUEUES.flatMap(({ defines, most }) =>
    Array.from({ length: most + 1 }, (_, k) => [takequeueCase(defines, k), { defines, k }] as const),
  ),
);

export const takequeue: Suite = {
  name: 'takequeue',
  about: 'interleavings of takequeue up to a number of preemptions, written in several ways',
  alone: 'it counts interleavings as a paper does',
  cases: [...CASES.keys()],
  measure: (name) => {
    const { defines, k } = CASES.get(name)!;
    return countInterleavings(FILE, [...COMMON, ...defines], k);
  },
};
