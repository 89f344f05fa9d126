/** Moving through an execution: a step is a number of events that have happened, 0 at the start. */
import type { TraceReport } from '../../report/trace-schema.ts';
import type { Filters } from './filters.ts';

export type Move = 'first' | 'previous' | 'next' | 'last';

/** The steps that have a row, ascending, from 0 on. The last event always has one. */
export function stopsOf({ events }: TraceReport, { asides }: Filters): readonly number[] {
  const stops = [0];
  events.forEach(({ aside }, e) => {
    if (asides || aside !== true || e === events.length - 1) stops.push(e + 1);
  });
  return stops;
}

/** The index in `stops` of the last one that is not after `step`. */
export function placeOf(stops: readonly number[], step: number): number {
  let low = 0;
  let high = stops.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (stops[middle]! <= step) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function move(stops: readonly number[], step: number, how: Move): number {
  const place = placeOf(stops, step);
  switch (how) {
    case 'first':
      return stops[0]!;
    case 'last':
      return stops.at(-1)!;
    case 'previous':
      return stops[Math.max(0, place - (stops[place] === step ? 1 : 0))]!;
    case 'next':
      return stops[Math.min(stops.length - 1, place + 1)]!;
  }
}

/** What a key does; the vertical arrows only where the diagram has the focus, since they scroll elsewhere. */
export function moveOfKey(key: string, inDiagram: boolean): Move | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'j':
      return 'next';
    case 'ArrowLeft':
    case 'k':
      return 'previous';
    case 'ArrowDown':
      return inDiagram ? 'next' : undefined;
    case 'ArrowUp':
      return inDiagram ? 'previous' : undefined;
    case 'Home':
      return 'first';
    case 'End':
      return 'last';
    default:
      return undefined;
  }
}

/** The next event on a line after `step`, wrapping around; `undefined` if the line has none. */
export function nextAtLine({ events }: TraceReport, file: string, line: number, step: number): number | undefined {
  const at = events.flatMap((e, i) => (e.file === file && e.line === line && e.kind !== 'update' ? [i + 1] : []));
  return at.find((s) => s > step) ?? at[0];
}
