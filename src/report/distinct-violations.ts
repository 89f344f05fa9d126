/** Groups the violations in a log that are the same. */
import type { MonitorReport } from './schema.ts';

type Violation = MonitorReport['violations'][number];

/** Groups violations of different monitors that have the same pair of events. */
export function distinct(violations: readonly Violation[]): readonly (readonly Violation[])[] {
  const pairs = new Map<string, Violation[]>();
  for (const violation of violations) {
    const { event, write, thread, writer, variable, eventNumber, writeNumber } = violation;
    // Without places in the source, pairs are told apart by the variable and the threads.
    const access = [thread, writer, ...(variable === undefined ? [eventNumber, writeNumber] : [variable])];
    const key = JSON.stringify(event === undefined || write === undefined ? [event, write, ...access] : [event, write]);
    pairs.set(key, [...(pairs.get(key) ?? []), violation]);
  }
  return [...pairs.values()];
}
