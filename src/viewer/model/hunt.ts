/** The cycles of `hunt`, in words. */
import { messageText } from '../../program/error-text.ts';
import { CYCLE_VERDICTS } from '../../report/harm-text.ts';
import type { HuntCycleReport } from '../../report/schema.ts';
import { plural } from '../../report/text.ts';

/** Each place, and how it precedes the next: `41 store flag[me] → 43 load flag[1 - me] ⇢ …` */
export function cycleText({ places }: HuntCycleReport): string {
  const [first] = places;
  const parts = places.map(({ access, file, line, variable = '' }, i) => {
    const where = line === undefined ? '' : file === first?.file ? `line ${line} ` : `${file}:${line} `;
    return `${where}${access} ${variable}`.trim() + (i % 2 === 0 ? ' →' : ' ⇢');
  });
  return parts.join(' ');
}

export function cycleDetail({ verdict, confirmed, trials, harmful, error }: HuntCycleReport): string {
  const failed =
    harmful === 0
      ? ''
      : `, ${plural(harmful, 'execution')} failed${error === undefined ? '' : `: ${messageText(error)}`}`;
  return `${CYCLE_VERDICTS[verdict]} · in ${confirmed} of ${trials} trials${failed}`;
}
