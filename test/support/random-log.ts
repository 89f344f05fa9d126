/** Long logs of imaginary programs: threads that lock, store, load, fence and exchange at random. */
import * as ev from '../../src/machine/events/event.ts';
import { emptyEvent, type LogEvent, type LogListener, NOBODY, WROTE } from '../../src/monitor/log/record.ts';
import { ORDERS } from '../../src/program/types.ts';
import { Prng } from '../../src/util/prng.ts';

export interface LogOptions {
  readonly threads: number;
  readonly locations: number;
  readonly events: number;
  /** Out of 1,000 accesses, how many are outside the mutex that guards their location. */
  readonly racy: number;
  /** Sometimes thread 0 joins another thread and replaces it with one of the same or a new number. */
  readonly short?: 'same' | 'new';
}

const LOAD_ORDERS = (['plain', 'volatile', 'relaxed', 'acquire', 'seq_cst'] as const).map((o) => ORDERS.indexOf(o));
const STORE_ORDERS = (['plain', 'volatile', 'relaxed', 'release', 'seq_cst'] as const).map((o) => ORDERS.indexOf(o));
const MUTEX_BASE = 0x1000_0000;

export function writeRandomLog(seed: number, options: LogOptions, log: LogListener): void {
  const { threads, locations, events, racy, short } = options;
  const prng = new Prng(seed);
  const entry: LogEvent = emptyEvent();
  const numbers = Array.from({ length: threads }, (_, thread) => thread);
  let next = threads;
  let count = 0;
  const emit = (operation: number, thread: number, address: number, size: number, order = 0, flags = WROTE): void => {
    Object.assign(entry, {
      operation,
      thread: numbers[thread]!,
      address,
      size,
      order,
      flags,
      other: NOBODY,
      site: 1 + (operation & 7),
    });
    log.event(entry);
    count++;
  };
  for (let site = 1; site <= 8; site++) log.site(site, `file.c:${site}`);
  const emitOther = (operation: number, other: number): void => {
    log.event(Object.assign(entry, emptyEvent(), { operation, other }));
    count++;
  };
  for (let child = 1; child < threads; child++) emitOther(ev.SPAWN_EVENT, child);
  while (count < events) {
    if (short !== undefined && threads > 1 && prng.below(200) === 0) {
      const child = 1 + prng.below(threads - 1);
      emitOther(ev.JOIN_EVENT, numbers[child]!);
      if (short === 'new') numbers[child] = next++;
      emitOther(ev.SPAWN_EVENT, numbers[child]!);
    }
    const thread = prng.below(threads);
    const place = prng.below(locations);
    const address = 0x1000 + place * 8;
    const isRacy = prng.below(1000) < racy;
    if (!isRacy) emit(ev.LOCK_EVENT, thread, MUTEX_BASE + (place & 15) * 64, 0);
    for (let n = 1 + prng.below(4); n > 0; n--) {
      const size = prng.below(64) === 0 ? 1 : 4;
      const kind = prng.below(16);
      const order = prng.below(5);
      if (kind < 9) emit(ev.LOAD_EVENT, thread, address, size, LOAD_ORDERS[order]);
      else if (kind < 14) emit(ev.STORE_EVENT, thread, address, size, STORE_ORDERS[order]);
      else if (kind < 15)
        emit(ev.RMW_EVENT, thread, address, 4, prng.below(ORDERS.length), prng.below(2) === 0 ? WROTE : 0);
      else emit(ev.FENCE_EVENT, thread, 0, 0, 3 + prng.below(4));
    }
    if (!isRacy) emit(ev.UNLOCK_EVENT, thread, MUTEX_BASE + (place & 15) * 64, 0);
  }
}
