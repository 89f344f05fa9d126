/**
 * Logs: reading returns what was recorded, and monitoring a log gives the same result as monitoring the execution,
 * whatever is discarded.
 */
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import { explore } from '../../src/explore/explore.ts';
import * as ev from '../../src/machine/events/event.ts';
import { BinaryReader, BinaryWriter } from '../../src/monitor/log/binary.ts';
import { JsonLinesReader } from '../../src/monitor/log/jsonl.ts';
import { JsonLinesWriter } from '../../src/monitor/log/jsonl-writer.ts';
import { emptyEvent, LogError, type LogListener } from '../../src/monitor/log/record.ts';
import { record } from '../../src/monitor/log/recorder.ts';
import { StreamMonitor } from '../../src/monitor/log/stream.ts';
import { type MonitorName, Monitors } from '../../src/monitor/monitors.ts';
import { ORDERS } from '../../src/program/types.ts';
import { Prng } from '../../src/util/prng.ts';
import { everything, forAllSketches } from '../support/for-all.ts';
import { ALL_MONITORS, machineFor } from '../support/monitoring.ts';
import { writeRandomLog } from '../support/random-log.ts';
import { buildProgram } from '../support/sketch.ts';
import { floor } from '../support/tier.ts';

const FORMS = {
  'the compact form': { Writer: BinaryWriter, Reader: BinaryReader },
  'lines of JSON': { Writer: JsonLinesWriter, Reader: JsonLinesReader },
} as const;

type Form = (typeof FORMS)[keyof typeof FORMS];

function written({ Writer }: Form, fill: (log: LogListener) => void): Uint8Array {
  const pieces: Uint8Array[] = [];
  const writer = new Writer((piece) => pieces.push(piece.slice()));
  fill(writer);
  writer.end();
  return Buffer.concat(pieces);
}

/** In pieces of all lengths, as from files and pipes. */
function read({ Reader }: Form, bytes: Uint8Array, listener: LogListener, seed = 1): void {
  const prng = new Prng(seed);
  const reader = new Reader(listener);
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + prng.below(100);
    reader.push(bytes.subarray(at, at + length));
    at += length;
  }
  reader.end();
}

describe.each(Object.entries(FORMS))('%s', (_, form) => {
  it('reads back what was written', () => {
    const entries: unknown[] = [];
    const listener = (to: unknown[]): LogListener => ({
      event: (event) => void to.push({ ...event, site: 0, flags: event.flags & 1 }),
      site: () => {},
      name: (address, text) => void to.push([address, text]),
    });
    const fill = (log: LogListener): void => {
      log.name(0x1000, 'Straße');
      writeRandomLog(1, { threads: 3, locations: 5, events: 2000, racy: 300 }, log);
    };
    fill(listener(entries));
    const again: unknown[] = [];
    read(form, written(form, fill), listener(again));
    // Both forms mark a failed atomic operation; only one marks operations that always write.
    const normal = (list: unknown[]): unknown[] =>
      list.map((e) => (typeof e === 'object' && e !== null && 'flags' in e ? { ...e, flags: 'rmw' } : e));
    expect(normal(again)).toEqual(normal(entries));
  });

  it('gives the violations of the execution that was recorded', () => {
    let violations = 0;
    forAllSketches({ ...everything, threads: 3, totalOps: 7 }, 50, (sketch) => {
      const machine = machineFor(buildProgram(sketch), 'sc');
      explore(machine, new MachineDpor(machine, 'optimal'), {
        keepGoing: true,
        onExecution: () => {
          const found: string[] = [];
          const monitors = new Monitors(machine.events, ALL_MONITORS, (name) => () => found.push(name));
          for (let e = 0; e < machine.events.length; e++) monitors.observe(e);
          const stream = new StreamMonitor(ALL_MONITORS);
          read(
            form,
            written(form, (log) => record(machine, log)),
            stream,
            machine.events.length,
          );
          expect(stream.violations.flatMap(({ monitor, count }) => Array(count).fill(monitor)).sort()).toEqual(
            found.sort(),
          );
          violations += found.length;
        },
      });
    });
    expect(violations).toBeGreaterThan(floor(3));
  });

  it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['is empty', () => new Uint8Array(0)],
    ['ends too early', (bytes) => bytes.subarray(0, bytes.length - 7)],
    ['is something else', () => new TextEncoder().encode('int main(void) { return 0; }\n'.repeat(9))],
    ['is of another version', (bytes) => Uint8Array.from(bytes, (b) => (b === 1 || b === 0x31 ? b + 1 : b))],
  ])('is refused if it %s', (_what, damage) => {
    const bytes = written(form, (log) => writeRandomLog(1, { threads: 2, locations: 2, events: 50, racy: 0 }, log));
    const stream = new StreamMonitor(['causal-tso']);
    expect(() => read(form, damage(bytes), stream)).toThrow(LogError);
  });
});

describe.each(Object.entries(FORMS))('%s', (_, form) => {
  it.each([
    ['a load that releases', { operation: ev.LOAD_EVENT, order: ORDERS.indexOf('release') }],
    ['a store that acquires', { operation: ev.STORE_EVENT, order: ORDERS.indexOf('acquire') }],
    ['a thread that joins itself', { operation: ev.JOIN_EVENT, thread: 1, other: 1 }],
    ['a thread that creates itself', { operation: ev.SPAWN_EVENT, thread: 1, other: 1 }],
  ])('is refused with %s, and says where', (_name, fields) => {
    const bytes = written(form, (log) => log.event({ ...emptyEvent(), address: 8, size: 4, ...fields }));
    expect(() => read(form, bytes, new StreamMonitor(['causal-tso']))).toThrow(/(line 2|byte 16).* is a /);
  });
});

describe('lines of JSON', () => {
  const monitor = (lines: readonly string[], names: readonly MonitorName[] = ALL_MONITORS): StreamMonitor => {
    const stream = new StreamMonitor(names);
    const reader = new JsonLinesReader(stream);
    reader.push(new TextEncoder().encode(lines.join('\n')));
    reader.end();
    return stream;
  };

  it('may name variables instead of giving addresses', () => {
    const { violations, count } = monitor([
      '{"log": "fencepost/1"}',
      '{"op": "store", "thread": 1, "at": "x", "site": "sb.c:1"}',
      '{"op": "load", "thread": 1, "at": "y", "site": "sb.c:2"}',
      '',
      '{"op": "store", "thread": 2, "at": "y", "site": "sb.c:3"}',
      '{"op": "load", "thread": 2, "at": "x", "site": "sb.c:4"}',
    ]);
    expect(count).toBe(4);
    expect(violations.map(({ monitor }) => monitor).sort()).toEqual([...ALL_MONITORS].sort());
    expect(violations[0]).toMatchObject({ thread: 2, writer: 1, event: 'sb.c:4', write: 'sb.c:1', variable: 'x' });
    expect(violations[0]).toMatchObject({ eventNumber: 4, writeNumber: 1, count: 1 });
  });

  it.each([
    ['{"op": "stor", "thread": 1, "at": "x"}', 'line 1 has an unknown "op"'],
    ['{"op": "store", "at": "x"}', 'line 1 needs "thread"'],
    ['{"op": "store", "thread": 1}', 'line 1 needs "at"'],
    ['{"op": "store", "thread": -1, "at": "x"}', 'line 1 needs "thread"'],
    ['{"op": "store", "thread": 1, "at": "x", "order": "strong"}', 'line 1 has an unknown "order"'],
    ['{"op": "store", "thread": 1, "at": 1.5}', 'line 1 needs "at": an address or a name'],
    ['{"op": "store", "thread": 1, "at": "x", "colour": 1}', 'line 1 has the unknown field "colour"'],
    ['{"op": "store", "thread": 1, "at": "0xffffffff80000000"}', 'line 1 has "at" 0xffffffff80000000, but'],
    ['[1]', 'line 1 is not an object'],
    ['{"op"', 'line 1 is not JSON'],
  ])('are refused: %s', (line, message) => {
    expect(() => monitor([line])).toThrow(message);
  });
});

describe('threads that end', () => {
  const options = { threads: 4, locations: 6, events: 6000, racy: 500 };
  const monitored = (seed: number, short: 'same' | 'new', names: readonly MonitorName[]): StreamMonitor => {
    const stream = new StreamMonitor(names, 100);
    writeRandomLog(seed, { ...options, short }, stream);
    return stream;
  };

  it.each([1, 2, 3, 4, 5, 6])('leave room for others, whatever their numbers (log %d)', (seed) => {
    for (const name of ['causal-tso', 'causal-pso'] as const) {
      const [same, anew] = [monitored(seed, 'same', [name]), monitored(seed, 'new', [name])];
      const events = ({ violations }: StreamMonitor): unknown =>
        violations.map(({ eventNumber, writeNumber, count }) => [eventNumber, writeNumber, count]);
      expect(same.violations.length).toBeGreaterThan(0);
      expect(events(anew)).toEqual(events(same));
      expect(anew.largestNumberOfThreads).toBe(options.threads);
    }
  });

  it('keep their slot if no thread that creates others knows that they ended', () => {
    const log = (number: number): readonly string[] => [
      '{"op": "spawn", "thread": 0, "other": 1}',
      '{"op": "spawn", "thread": 0, "other": 2}',
      '{"op": "store", "thread": 1, "at": "x", "site": "a"}',
      '{"op": "join", "thread": 0, "other": 1}',
      `{"op": "spawn", "thread": 2, "other": ${number}}`,
      `{"op": "store", "thread": ${number}, "at": "y", "site": "b"}`,
      `{"op": "load", "thread": ${number}, "at": "x", "site": "c"}`,
      '{"op": "load", "thread": 2, "at": "y", "site": "d"}',
    ];
    for (const number of [1, 3]) {
      const stream = new StreamMonitor(['causal-tso', 'causal-pso']);
      const reader = new JsonLinesReader(stream);
      for (const line of log(number)) reader.push(Buffer.from(`${line}\n`));
      reader.end();
      expect([number, stream.largestNumberOfThreads]).toEqual([number, 4]);
    }
  });
});

describe('an access across the boundary between two stretches of addresses', () => {
  const events = (...lines: string[]): number => {
    const stream = new StreamMonitor(['causal-tso', 'causal-pso']);
    const reader = new JsonLinesReader(stream);
    for (const line of lines) reader.push(Buffer.from(`${line}\n`));
    reader.end();
    return stream.violations.length;
  };

  it('does not come in parts', () => {
    expect(
      events(
        '{"op": "store", "thread": 1, "at": "0xffffc", "size": 8}',
        '{"op": "load", "thread": 2, "at": "0x100000"}',
        '{"op": "load", "thread": 2, "at": "0xffffc"}',
      ),
    ).toBe(0);
    expect(
      events(
        '{"op": "free", "thread": 1, "at": "0x80000", "size": 2097152}',
        '{"op": "store", "thread": 2, "at": "0x200000"}',
        '{"op": "store", "thread": 2, "at": "0x90000"}',
      ),
    ).toBe(0);
  });
});

describe('forgetting', () => {
  const options = { threads: 5, locations: 20, events: 20_000, racy: 700 };

  const cases = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((seed) => [
    { seed, names: ['tso', 'pso', 'causal-tso', 'causal-pso'] as const, short: false },
    { seed, names: ['causal-tso'] as const, short: seed > 4 },
    { seed, names: ['causal-pso'] as const, short: seed > 4 },
    { seed, names: ['sober', 'sober-fixed', 'causal-tso'] as const, short: seed > 4 },
  ]);

  it.each(cases)(
    'changes nothing ($names, log $seed, short-lived threads: $short)',
    ({ seed, names, short: isShort }) => {
      const sizes = isShort ? { events: 5000, short: 'same' as const } : {};
      const [short, long] = [new StreamMonitor(names, 50), new StreamMonitor(names, 1 << 30)];
      writeRandomLog(seed, { ...options, ...sizes }, short);
      writeRandomLog(seed, { ...options, ...sizes }, long);
      expect(long.held).toBeGreaterThanOrEqual(sizes.events ?? options.events);
      expect(short.held).toBeLessThan(long.held / 5);
      expect(short.violations.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(isShort ? 1 : 20);
      expect(short.violations).toEqual(long.violations);
    },
  );

  it('keeps no more for a longer log', () => {
    const held = [1, 5].map((times) => {
      const stream = new StreamMonitor(['causal-tso', 'causal-pso'], 1000);
      writeRandomLog(9, { ...options, events: times * 20_000 }, stream);
      return stream.held;
    });
    expect(held[1]).toBeLessThan(2 * Math.max(held[0]!, 1000));
  });
});
