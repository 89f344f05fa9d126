/**
 * `sober` and `sober-fixed` drop what no later event can find (`overwritten.ts`). This changes no alarm, whatever the
 * sizes of the accesses; and the amount kept does not grow with the log.
 */
import { describe, expect, it } from 'vitest';
import * as ev from '../../src/machine/events/event.ts';
import { emptyEvent, type LogEvent, NOBODY, WROTE } from '../../src/monitor/log/record.ts';
import { StreamMonitor } from '../../src/monitor/log/stream.ts';
import type { MonitorName } from '../../src/monitor/monitors.ts';
import { ORDERS } from '../../src/program/types.ts';
import { Prng } from '../../src/util/prng.ts';
import { writeRandomLog } from '../support/random-log.ts';
import { floor, SEED, samples } from '../support/tier.ts';

const BOTH = ['sober', 'sober-fixed'] as const;
const SEQ_CST = ORDERS.indexOf('seq_cst');
const NEVER = 1 << 30;

type Fields = Partial<LogEvent>;

/** Feeds events, each with its own place. */
function feed(stream: StreamMonitor, events: Iterable<Fields>): void {
  const entry = emptyEvent();
  let site = 0;
  for (const fields of events) {
    site++;
    stream.event(Object.assign(entry, emptyEvent(), { order: 0, flags: WROTE, other: NOBODY, site, ...fields }));
  }
}

function alarms(names: readonly MonitorName[], least: number, events: readonly Fields[]): readonly string[] {
  const stream = new StreamMonitor(names, least);
  feed(stream, events);
  return stream.violations.map((v) => `${v.monitor} ${v.eventNumber} ${v.writeNumber} ${v.count}`).sort();
}

interface Shape {
  readonly sizes: readonly number[];
  /** Bytes. */
  readonly memory: number;
  readonly events: number;
}

const access = (operation: number, thread: number, address: number, size: number): Fields => ({
  operation,
  thread,
  address: 0x1000 + address,
  size,
});

/** Some threads are created, some just appear, early or late; some end. */
function randomRun(prng: Prng, { sizes, memory, events }: Shape): readonly Fields[] {
  const run: Fields[] = [];
  let threads = 2 + prng.below(3);
  const live = Array.from({ length: threads }, (_, n) => n);
  while (run.length < events) {
    const thread = live[prng.below(live.length)]!;
    const size = sizes[prng.below(sizes.length)]!;
    const address = prng.below(memory / sizes[0]!) * sizes[0]!;
    const kind = prng.below(32);
    if (kind < 12) run.push(access(ev.STORE_EVENT, thread, address, size));
    else if (kind < 25) run.push(access(ev.LOAD_EVENT, thread, address, size));
    else if (kind < 26) run.push(access(ev.RMW_EVENT, thread, address, size));
    else if (kind < 27) run.push({ operation: ev.FENCE_EVENT, thread, order: SEQ_CST });
    else if (kind < 28) run.push(access(ev.FREE_EVENT, thread, address, size));
    else if (kind < 29) run.push(access(ev.ALLOC_EVENT, thread, address, size));
    else if (kind < 30) run.push({ operation: ev.BROADCAST_EVENT, thread, address: 0x100 });
    else if (prng.below(3) === 0 && threads < 8) {
      live.push(threads);
      if (prng.below(2) === 0) run.push({ operation: ev.SPAWN_EVENT, thread, other: threads });
      threads++;
    } else if (live.length > 2 && thread !== live[0]) {
      live.splice(live.indexOf(thread), 1);
      run.push({ operation: ev.JOIN_EVENT, thread: live[0]!, other: thread });
    }
  }
  return run;
}

describe('forgetting as early as possible changes no alarm', () => {
  it.each<[string, Shape, number]>([
    ['of accesses of one size', { sizes: [4], memory: 12, events: 60 }, 150],
    ['of accesses of all sizes', { sizes: [1, 2, 4, 8], memory: 16, events: 60 }, 300],
    ['of small and wide accesses', { sizes: [4, 4, 4, 64], memory: 64, events: 150 }, 60],
  ])('%s', (_, shape, count) => {
    let found = 0;
    for (let i = 0; i < samples(count); i++) {
      const run = randomRun(new Prng(SEED, i), shape);
      for (const name of BOTH) {
        const expected = alarms([name], NEVER, run);
        found += expected.length;
        for (const least of [1, 7]) expect(alarms([name], least, run), `run ${i}`).toEqual(expected);
      }
      if (i % 10 === 0) {
        const all = [...BOTH, 'causal-pso', 'tso'] as const;
        expect(alarms(all, 3, run), `run ${i}`).toEqual(alarms(all, NEVER, run));
      }
    }
    expect(found).toBeGreaterThan(floor(samples(count) / 4));
  });
});

describe('what is kept does not grow with the log', () => {
  /** Main creates three threads and waits; `body` is one round of theirs. */
  function* rounds(count: number, body: (round: number) => Iterable<Fields>): Generator<Fields> {
    for (let word = 0; word < 64; word++) yield access(ev.STORE_EVENT, 0, 4 * word, 4);
    for (const other of [1, 2, 3]) yield { operation: ev.SPAWN_EVENT, thread: 0, other };
    for (let round = 0; round < count; round++) yield* body(round);
  }

  const patterns: Readonly<Record<string, (round: number) => Iterable<Fields>>> = {
    *'two threads that only store, and never wait for anything'() {
      yield access(ev.STORE_EVENT, 1, 0, 4);
      yield access(ev.STORE_EVENT, 2, 0, 4);
      yield access(ev.STORE_EVENT, 2, 4, 4);
      yield access(ev.STORE_EVENT, 1, 4, 4);
    },
    *'a thread that reads only its own stores, and one that reads them at times'(round) {
      yield access(ev.STORE_EVENT, 1, 0, 4);
      yield access(ev.LOAD_EVENT, 1, 0, 4);
      yield access(ev.LOAD_EVENT, 1, 32, 4);
      if (round % 5 === 0) yield access(ev.LOAD_EVENT, 2, 0, 4);
      if (round % 7 === 0) yield access(ev.STORE_EVENT, 2, 32, 4);
    },
    *'a buffer that is cleared at once and filled word by word'(round) {
      yield access(ev.STORE_EVENT, 1, 0, 256);
      for (let word = 0; word < 64; word += 1 + (round % 2)) yield access(ev.STORE_EVENT, 1, 4 * word, 4);
      if (round % 3 === 0) for (let word = 0; word < 64; word++) yield access(ev.LOAD_EVENT, 2, 4 * word, 4);
      if (round % 5 === 0) yield access(ev.LOAD_EVENT, 3, 0, 256);
    },
    *'the same, by several threads in turn, with a mutex'(round) {
      const thread = 1 + (round % 3);
      yield { operation: ev.LOCK_EVENT, thread, address: 0x100 };
      yield access(ev.STORE_EVENT, thread, 0, 256);
      for (let word = 0; word < 64; word += 1 + (round % 2)) yield access(ev.STORE_EVENT, thread, 4 * word, 4);
      yield { operation: ev.UNLOCK_EVENT, thread, address: 0x100 };
    },
    *'memory that is freed by another thread and used again'(round) {
      const [one, other] = [1 + (round % 2), 2 - (round % 2)];
      yield access(ev.ALLOC_EVENT, one, 0, 64);
      for (let word = 0; word < 16; word++) yield access(ev.STORE_EVENT, one, 4 * word, 4);
      for (let word = 0; word < 16; word++) yield access(ev.LOAD_EVENT, other, 4 * word, 4);
      yield access(ev.FREE_EVENT, other, 0, 64);
    },
  };

  it.each(Object.entries(patterns))('for %s', (_, body) => {
    const stream = new StreamMonitor(BOTH, 100);
    feed(stream, rounds(1000, body));
    // Four times what is needed, which is less than 64 words and what three threads know of them.
    expect(stream.count).toBeGreaterThan(3000);
    expect(stream.held).toBeLessThan(1200);
  });

  /** Two threads store to overlapping bytes, with different sizes. */
  function* overlapping(): Generator<Fields> {
    yield access(ev.STORE_EVENT, 1, 0, 4);
    yield access(ev.STORE_EVENT, 2, 0, 8);
  }

  it('except where racing stores of different sizes overlap, until their threads wait for them', () => {
    const held = [false, true].map((waits) => {
      const stream = new StreamMonitor(BOTH, 100);
      feed(
        stream,
        rounds(1000, function* (round) {
          yield* overlapping();
          if (waits && round % 20 === 0) {
            for (const thread of [1, 2]) yield { operation: ev.FENCE_EVENT, thread, order: SEQ_CST };
          }
        }),
      );
      return stream.held;
    });
    expect(held[0]).toBeGreaterThan(1000);
    expect(held[1]).toBeLessThan(1000);
  });

  it.each([5, 300, 900])('for threads that race in %d of 1,000 accesses', (racy) => {
    const held = [1, 5].map((times) => {
      const stream = new StreamMonitor(BOTH, 1000);
      writeRandomLog(9, { threads: 5, locations: 20, events: times * 10_000, racy }, stream);
      return stream.held;
    });
    expect(held[1]).toBeLessThan(2 * Math.max(held[0]!, 1000));
  });
});
