/**
 * What the pages for [MON] and [SOBER] say about the cells that are not reproduced, from the results of `open-cells`.
 */
import {
  BAKERY_TEXTS,
  BORDERLINE_BOUNDS,
  BORDERLINE_MONITORS,
  bakeryCase,
  borderlineCase,
  LOADS_ONLY,
  loadsCase,
} from '../open-cells.ts';
import { BOUNDS, CHOICES, type Varied } from '../pairs.ts';
import type { Results } from '../results.ts';
import { caseOf, grouped, markdownTable } from './page.ts';

const coded = (words: readonly string[]): string =>
  words.length === 0 ? '-' : words.map((word) => `\`${word}\``).join(' ');

/** `paper`: interleavings by bound. */
export function bakeryTexts(results: Results, paper: readonly string[]): string {
  const rows = BAKERY_TEXTS.map((defines) => [
    coded(defines),
    ...BOUNDS.map((k) => grouped(caseOf(results, bakeryCase(defines, k)).counts['interleavings']!)),
  ]);
  return markdownTable(['bakery with', ...BOUNDS.map((k) => `up to ${k}`)], [['paper', ...paper], ...rows]);
}

/** `paper`: distinct violations by program and bound. */
export function loadsOnly(results: Results, paper: (program: Varied, preemptions: number) => string): string {
  const programs = [...new Set(LOADS_ONLY.map(([program]) => program))];
  const rows = programs.flatMap((program) => [
    [`${program}: paper`, ...BOUNDS.flatMap((k) => [paper(program, k), ...CHOICES.slice(1).map(() => '')])],
    ...LOADS_ONLY.filter(([other]) => other === program).map(([, words]) => [
      `${program} ${coded(words)}`,
      ...BOUNDS.flatMap((k) => {
        const { counts } = caseOf(results, loadsCase(program, words, k));
        return CHOICES.map((choice) => `${counts[`tso ${choice}`]}, ${counts[`pso ${choice}`]}`);
      }),
    ]),
  ]);
  const header = BOUNDS.flatMap((k) => CHOICES.map((choice, i) => (i === 0 ? `up to ${k}: ${choice}` : choice)));
  return markdownTable(['only loads, with', ...header], rows);
}

/** `paper`: borderline interleavings by bound. */
export function borderlineByMonitor(results: Results, paper: (preemptions: number) => string): string {
  const rows = BORDERLINE_BOUNDS.map((k) => {
    const { counts } = caseOf(results, borderlineCase(k));
    const perMonitor = BORDERLINE_MONITORS.map((name, i) => grouped(counts[i === 0 ? 'borderline' : name]!));
    return [String(k), grouped(counts['interleavings']!), paper(k), ...perMonitor];
  });
  return markdownTable(['preemptions', 'total', 'paper: borderline', ...BORDERLINE_MONITORS], rows);
}
