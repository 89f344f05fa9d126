/** Traces without the order of operations that commute. */
import * as ev from '../../src/machine/events/event.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { HappensBefore } from '../../src/trace/happens-before.ts';

/** The happens-before relation of the machine's execution, by the names of events. */
export function commutingTrace(machine: Machine): string {
  const order = new HappensBefore(machine, { commuting: true });
  order.catchUp();
  const { events, processes } = machine;
  const names = Array.from({ length: events.length }, (_, e) => {
    const thread = processes.handle(events.get(e, ev.E_THREAD));
    return `${thread}.${events.get(e, ev.E_INDEX)}${events.get(e, ev.E_KIND) === ev.UPDATE_EVENT ? 'u' : ''}`;
  });
  const compareNames = (a: number, b: number): number => (names[a]! < names[b]! ? -1 : 1);
  const byName = Array.from(names.keys()).sort(compareNames);
  const pastOf = (e: number): string => {
    let past = '';
    for (const first of byName) if (order.happensBefore(first, e)) past += ` ${names[first]}`;
    return past;
  };
  /** What the order of events does not determine. */
  const chosen = (e: number): string => {
    const kind = events.get(e, ev.E_KIND);
    if (kind === ev.CHOOSE_EVENT) return ` chose ${events.get(e, ev.E_CHOICE)}`;
    if (kind !== ev.SIGNAL_EVENT || events.get(e, ev.E_OTHER) < 0) return '';
    return ` woke ${processes.handle(events.get(e, ev.E_OTHER))}`;
  };
  return names
    .map((name, e) => `${name}${chosen(e)}:${pastOf(e)}`)
    .sort()
    .join('\n');
}
