/**
 * Accesses of many bytes: kept in pieces, they give the same results as word by word, and their cost depends on the
 * number of pieces.
 */
import { describe, expect, it } from 'vitest';
import * as ev from '../../src/machine/events/event.ts';
import { emptyEvent, type LogEvent, type LogListener, WROTE } from '../../src/monitor/log/record.ts';
import { StreamMonitor } from '../../src/monitor/log/stream.ts';
import type { MonitorName } from '../../src/monitor/monitors.ts';
import { Prng } from '../../src/util/prng.ts';
import { ALL_MONITORS } from '../support/monitoring.ts';

/**
 * Accesses of 1 to 8 bytes, and of many, aligned or not, to the same memory, at the end of one stretch and in the next.
 */
function writeWideLog(seed: number, events: number, log: LogListener): void {
  const prng = new Prng(seed);
  const base = 0x10_0000 - 12_000;
  const mutex = 0x5000_0000;
  const entry: LogEvent = emptyEvent();
  const emit = (fields: Partial<LogEvent>): void => log.event(Object.assign(entry, emptyEvent(), fields));
  for (let n = 0; n < events; n++) {
    const thread = prng.below(4);
    const isWide = prng.below(3) === 0;
    const size = isWide ? 2049 + prng.below(8000) : 1 << prng.below(4);
    const address = base + (prng.below(2) === 0 ? 16 * prng.below(4) : prng.below(14_000));
    const isLocked = prng.below(4) === 0;
    if (isLocked) emit({ operation: ev.LOCK_EVENT, thread, address: mutex });
    const operation = [ev.LOAD_EVENT, ev.LOAD_EVENT, ev.STORE_EVENT, ev.STORE_EVENT, ev.FREE_EVENT, ev.RMW_EVENT];
    emit({
      operation: operation[prng.below(isWide ? 5 : 6)]!,
      thread,
      address,
      size,
      flags: prng.below(4) === 0 ? 0 : WROTE,
      site: 1 + prng.below(6),
    });
    if (isLocked) emit({ operation: ev.UNLOCK_EVENT, thread, address: mutex });
  }
}

describe('accesses of many bytes', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('are the same in pieces as word by word (log %d)', (seed) => {
    for (const least of [40, 1 << 20]) {
      const found = [true, false].map((byPieces) => {
        const stream = new StreamMonitor(ALL_MONITORS, least, byPieces);
        writeWideLog(seed, 400, stream);
        return stream.violations;
      });
      expect(found[0]!.length).toBeGreaterThan(10);
      expect(found[0]).toEqual(found[1]);
    }
  });

  const free = (address: number, size: number, thread = 1): LogEvent => ({
    ...emptyEvent(),
    operation: ev.FREE_EVENT,
    thread,
    address,
    size,
    flags: WROTE,
  });
  const causal: readonly MonitorName[] = ['causal-tso', 'causal-pso'];

  it('take memory in proportion to their pieces', () => {
    const stream = new StreamMonitor(causal);
    for (let n = 0; n < 50; n++) stream.event(free(0x1000_0000 + n * 4096, 64 << 20, n % 3));
    // Per stretch of 1 MiB one or two pieces for each place where a free began or ended.
    expect(stream.kept).toBeLessThan(50 * 70 * 3);
  });

  it('are refused beyond the largest supported size, with their number', () => {
    const stream = new StreamMonitor(causal);
    stream.event(free(0x1000, 4));
    expect(() => stream.event(free(0x1000_0000, 0xf000_0000))).toThrow(/^event 2 accesses more memory/);
  });
});

it('a chain of overlapping stores may be of any length', () => {
  const stream = new StreamMonitor(['pso', 'causal-pso'], 1 << 20);
  const emit = (fields: Partial<LogEvent>): void => stream.event({ ...emptyEvent(), flags: WROTE, ...fields });
  const count = 20_000;
  // Each store partly overlaps the one before, so all of them stay after the first.
  for (let n = 0; n < count; n++) emit({ operation: ev.STORE_EVENT, thread: 1, address: 4 * n, size: 8 });
  emit({ operation: ev.STORE_EVENT, thread: 1, address: 0x100_0000, size: 4 });
  emit({ operation: ev.LOAD_EVENT, thread: 2, address: 0x100_0000, size: 4 });
  emit({ operation: ev.LOAD_EVENT, thread: 2, address: 0, size: 4 });
  expect(stream.violations.map(({ monitor }) => monitor)).toEqual(['pso', 'causal-pso']);
});
