/** With many threads, clocks are trees; monitors must find the same as with few. */
import { describe, expect, it } from 'vitest';
import * as ev from '../../src/machine/events/event.ts';
import { emptyEvent, type LogListener, NOBODY, SUCCEEDED, WROTE } from '../../src/monitor/log/record.ts';
import { StreamMonitor } from '../../src/monitor/log/stream.ts';
import type { LoggedViolation } from '../../src/monitor/log/violation.ts';
import { ALL_MONITORS } from '../support/monitoring.ts';
import { writeRandomLog } from '../support/random-log.ts';

/** Number of earlier threads, which touch nothing that others use. */
const OTHERS = 100;
const FIRST = 1000;

/**
 * Forwards events to `log` with renumbered threads, after those of the other threads, some of which act again now and
 * then.
 */
function crowded(log: LogListener): LogListener {
  let count = 0;
  const other = (thread: number): void =>
    log.event({ ...emptyEvent(), operation: ev.LOAD_EVENT, thread, address: 0x9000_0000 + thread * 8, size: 4 });
  for (let n = 0; n < OTHERS; n++) other(n);
  const renamed = (thread: number): number => (thread === NOBODY ? NOBODY : FIRST + thread);
  return {
    site: (site, text) => log.site(site, text),
    name: (address, text) => log.name(address, text),
    event(event) {
      log.event({ ...event, thread: renamed(event.thread), other: renamed(event.other) });
      if (++count % 50 === 0) other(count % OTHERS);
    },
  };
}

describe('many threads', () => {
  it.each([1, 2, 3, 4])('change nothing (log %d)', (seed) => {
    const options = {
      threads: 5,
      locations: 12,
      events: 2000,
      racy: 600,
      ...(seed > 2 ? { short: 'new' as const } : {}),
    };
    for (const least of [60, 1 << 20]) {
      const [few, many] = [new StreamMonitor(ALL_MONITORS, least), new StreamMonitor(ALL_MONITORS, least)];
      writeRandomLog(seed, options, few);
      writeRandomLog(seed, options, crowded(many));
      const seen = ({ violations }: StreamMonitor, first: number): unknown =>
        violations.map(({ monitor, thread, writer, event, write, count }: LoggedViolation) => [
          ...[monitor, thread - first, writer - first, event, write, count],
        ]);
      expect(few.violations.length).toBeGreaterThan(4);
      expect(seen(many, FIRST)).toEqual(seen(few, 0));
      expect(many.largestNumberOfThreads).toBeGreaterThan(OTHERS);
    }
  });

  it('may all be alive', () => {
    const stream = new StreamMonitor(['causal-tso', 'causal-pso']);
    const emit = (operation: number, thread: number, fields: object): void =>
      stream.event({ ...emptyEvent(), operation, thread, flags: WROTE | SUCCEEDED, ...fields });
    const count = 4500;
    for (let n = 1; n <= count; n++) emit(ev.SPAWN_EVENT, 0, { other: n });
    for (let n = 1; n <= count; n++) {
      emit(ev.LOCK_EVENT, n, { address: 64 });
      emit(ev.STORE_EVENT, n, { address: 128, size: 4 });
      emit(ev.UNLOCK_EVENT, n, { address: 64 });
      emit(ev.STORE_EVENT, n, { address: 0x1000 + 8 * n, size: 4 });
      emit(ev.LOAD_EVENT, n, { address: 0x1000 + 8 * (n - 1), size: 4 });
    }
    for (let n = 1; n <= count; n++) emit(ev.JOIN_EVENT, 0, { other: n });
    // Each loads what the one before stored after its unlock, with a store of its own buffered: no cycle.
    expect(stream.violations).toHaveLength(0);
    expect(stream.largestNumberOfThreads).toBe(count + 1);
  });
});
