/** Moving through an execution. A step is the number of events that have happened, so 0 is the start. */
import type { TraceReport } from '../../report/trace-schema.ts';
import { eventsOnCycle } from './cycle.ts';
import type { Filters } from './filters.ts';
import { isShown, type Row } from './rows.ts';

export type Move = 'first' | 'previous' | 'next' | 'last';
/** Which events a jump goes to (`jumpFrom`). */
export type Jump = 'cycle' | 'switch' | 'thread' | 'access';

/**
 * The steps that have a row, ascending from 0; for a folded row, the step after all its events. The last event always
 * has one.
 */
export function stopsOf(rows: readonly Row[]): readonly number[] {
  return [0, ...rows.map(({ last }) => last + 1)];
}

/** The index of the last stop that is not after `step`. */
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

/**
 * The wanted step if it has a row or is part of a folded one, otherwise the last stop before it; by default the end.
 */
export function nearestStep(
  { events }: TraceReport,
  filters: Filters,
  stops: readonly number[],
  wanted: number | undefined,
): number {
  const step = wanted ?? events.length;
  const event = events[step - 1];
  return event !== undefined && isShown(event, filters) ? step : stops[placeOf(stops, step)]!;
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

/** What a key does. Vertical arrows count only if the diagram has the focus, since elsewhere they scroll. */
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

const JUMPS: Readonly<Record<string, Jump>> = { c: 'cycle', s: 'switch', t: 'thread', v: 'access' };

/** Shift reverses the direction. */
export function jumpOfKey(key: string): { readonly jump: Jump; readonly isBack: boolean } | undefined {
  const jump = JUMPS[key.toLowerCase()];
  return jump === undefined ? undefined : { jump, isBack: key !== key.toLowerCase() };
}

/**
 * The step of the next or previous event that is on the cycle, switches threads, is of this thread, or accesses this
 * variable. The same step if there is none.
 */
export function jumpFrom(trace: TraceReport, filters: Filters, step: number, jump: Jump, isBack: boolean): number {
  const { events } = trace;
  const here = events[step - 1];
  const cycle = jump === 'cycle' ? eventsOnCycle(trace) : undefined;
  const isWanted = (e: number): boolean => {
    const event = events[e]!;
    if (!isShown(event, filters)) return false;
    switch (jump) {
      case 'cycle':
        return cycle!.has(e);
      case 'switch':
        return event.thread !== previousThread(trace, filters, e);
      case 'thread':
        return here === undefined || event.thread === here.thread;
      case 'access':
        return here?.address !== undefined && event.address === here.address;
    }
  };
  if (isBack) {
    for (let e = step - 2; e >= 0; e--) if (isWanted(e)) return e + 1;
  } else {
    for (let e = step; e < events.length; e++) if (isWanted(e)) return e + 1;
  }
  return step;
}

function previousThread({ events }: TraceReport, filters: Filters, e: number): string | undefined {
  for (let i = e - 1; i >= 0; i--) if (isShown(events[i]!, filters)) return events[i]!.thread;
  return undefined;
}

/** The next event on a line after `step`, wrapping around; `undefined` if the line has none. */
export function nextAtLine({ events }: TraceReport, file: string, line: number, step: number): number | undefined {
  const at = events.flatMap((e, i) => (e.file === file && e.line === line && e.kind !== 'update' ? [i + 1] : []));
  return at.find((s) => s > step) ?? at[0];
}
