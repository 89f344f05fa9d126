/** Which events the cycle of an execution consists of. */
import type { TraceReport } from '../../report/trace-schema.ts';

/** Events on the cycle, by their place; an update is not, its store is. */
export function eventsOnCycle({ events, cycle = [] }: TraceReport): ReadonlySet<number> {
  const names = new Set(cycle.map((edge) => edge.from.event));
  return new Set(events.flatMap((e, i) => (e.kind !== 'update' && names.has(e.event) ? [i] : [])));
}
