/**
 * The cells of [MON] Tables 1 and 2 and of [SOBER] Fig. 4(a) that no version of the programs reproduces exactly: how
 * far the numbers vary with choices that the papers leave open, and which choice comes closest.
 */
import { fileURLToPath } from 'node:url';
import type { MonitorName } from '../src/monitor/monitors.ts';
import { countInterleavings } from './interleavings.ts';
import { BOUNDS, countPairs, type Varied } from './pairs.ts';
import type { Measurement, Suite } from './suite.ts';

const BAKERY = fileURLToPath(new URL('programs/bakery.c', import.meta.url));

/**
 * With a fair scheduler and visible starts: those that have the paper's number with one preemption, then the smallest
 * and the largest.
 */
export const BAKERY_TEXTS: readonly (readonly string[])[] = [
  ['MAX=2', 'COMPARE=1', 'INSIDE=2'],
  ['MAX=3', 'COMPARE=1', 'INSIDE=1'],
  ['OTHER', 'MAX=0', 'COMPARE=0', 'INSIDE=0'],
  ['MAX=3', 'COMPARE=1', 'INSIDE=3'],
];

export function bakeryCase(defines: readonly string[], preemptions: number): string {
  return ['bakery', ...defines, preemptions].join(' ');
}

/** Variants in which only loads count as the event at which a monitor signals. */
export const LOADS_ONLY: readonly (readonly [program: Varied, words: readonly string[]])[] = [
  ['dekker', ['EMPTY']],
  ['dekker', []],
  ['snark', ['AT_ONCE']],
];

export function loadsCase(program: Varied, words: readonly string[], preemptions: number): string {
  return [program, ...words, 'loads', preemptions].join(' ');
}

/** The first one is the paper's. */
export const BORDERLINE_MONITORS: readonly MonitorName[] = [
  'sober',
  'sober-fixed',
  'tso',
  'causal-tso',
  'pso',
  'causal-pso',
];
export const BORDERLINE_BOUNDS = [3, 4, 5] as const;

export function borderlineCase(preemptions: number): string {
  return `sober/dekker ${preemptions}`;
}

const CASES = new Map<string, () => Promise<Measurement>>([
  ...BAKERY_TEXTS.flatMap((defines) =>
    BOUNDS.map(
      (k) => [bakeryCase(defines, k), () => countInterleavings(BAKERY, ['START', ...defines], k, 'fair')] as const,
    ),
  ),
  ...LOADS_ONLY.flatMap(([program, words]) =>
    BOUNDS.map((k) => [loadsCase(program, words, k), () => countPairs(`mon/${program}.c`, words, k, ['ld'])] as const),
  ),
  ...BORDERLINE_BOUNDS.map(
    (k) =>
      [
        borderlineCase(k),
        () => countInterleavings('sober/dekker.c', ['START', 'EMPTY', 'BACK'], k, 'fair', BORDERLINE_MONITORS),
      ] as const,
  ),
]);

export const openCells: Suite = {
  name: 'open-cells',
  about: 'numbers of MON and SOBER that no version has exactly, with choices that the papers leave open',
  alone: 'it counts interleavings as a paper does',
  cases: [...CASES.keys()],
  measure: (name) => CASES.get(name)!(),
};
