/** Finds events by what a reader sees of them. */
import { textOf } from '../../report/story/cells.ts';
import type { TraceReport } from '../../report/trace-schema.ts';
import type { Filters } from './filters.ts';
import { isShown } from './rows.ts';
import { labelOf } from './timeline.ts';

/** Indices of the shown events that match every word, in what they do, their thread, function, line or source text. */
export function search(trace: TraceReport, filters: Filters, query: string): readonly number[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  return trace.events.flatMap((event, e) => {
    if (!isShown(event, filters)) return [];
    const { thread, function: name = '', line, text = '', kind } = event;
    const about = [labelOf(event), textOf(event), `thread ${thread}`, name, `line ${line}`, text, kind];
    const searched = about.join('\n').toLowerCase();
    return words.every((word) => searched.includes(word)) ? [e] : [];
  });
}

/** The step of the next or previous match, wrapping around. */
export function nextFound(found: readonly number[], step: number, isBack: boolean): number | undefined {
  const steps = found.map((e) => e + 1);
  if (isBack) return steps.findLast((s) => s < step) ?? steps.at(-1);
  return steps.find((s) => s > step) ?? steps[0];
}
