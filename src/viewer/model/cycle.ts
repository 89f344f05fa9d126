/** The events that the explanation of an execution names: those of its cycle, or of its race. */
import { racingEvents } from '../../report/story/race-text.ts';
import type { TraceReport } from '../../report/trace-schema.ts';

/** As indices. Updates are not included; their stores are. */
export function eventsOnCycle(trace: TraceReport): ReadonlySet<number> {
  const { events, cycle = [] } = trace;
  const racing = racingEvents(trace);
  if (racing.length > 0) return new Set(racing);
  const names = new Set(cycle.map((edge) => edge.from.event));
  return new Set(events.flatMap((e, i) => (e.kind !== 'update' && names.has(e.event) ? [i] : [])));
}
