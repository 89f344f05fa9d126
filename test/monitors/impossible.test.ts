/** Impossible logs are refused, with the number of the event; logs of real programs are not. */
import { describe, expect, it } from 'vitest';
import { BinaryReader, BinaryWriter } from '../../src/monitor/log/binary.ts';
import { JsonLinesReader } from '../../src/monitor/log/jsonl.ts';
import type { LogListener } from '../../src/monitor/log/record.ts';
import { StreamMonitor } from '../../src/monitor/log/stream.ts';

function readLines(lines: readonly string[], listener: LogListener): void {
  const reader = new JsonLinesReader(listener);
  // `1 lock m` is short for `{"op": "lock", "thread": 1, "at": "m"}`; names get addresses, for the compact form.
  const names = ['m', 'n', 'c', 'd', 'x'].map((name, i) => `{"name": "${name}", "at": ${4096 * (i + 1)}}`);
  const events = lines.map((line) => {
    const [thread, op, at, ...rest] = line.split(' ');
    const fields = {
      thread: Number(thread),
      op,
      ...(at === undefined ? {} : isOther(op!) ? { other: Number(at) } : { at }),
    };
    return JSON.stringify({ ...fields, ...JSON.parse(rest.join(' ') || '{}') });
  });
  reader.push(new TextEncoder().encode([...names, ...events].join('\n')));
  reader.end();
}

function isOther(op: string): boolean {
  return op === 'spawn' || op === 'join';
}

/** In both forms. */
function read(lines: readonly string[]): readonly StreamMonitor[] {
  const streams = [new StreamMonitor(['causal-tso', 'causal-pso']), new StreamMonitor(['causal-tso', 'causal-pso'])];
  const pieces: Uint8Array[] = [];
  const writer = new BinaryWriter((piece) => pieces.push(piece.slice()));
  readLines(lines, writer);
  writer.end();
  let message: string | undefined;
  try {
    readLines(lines, streams[0]!);
  } catch (error) {
    message = (error as Error).message;
  }
  const reader = new BinaryReader(streams[1]!);
  for (const piece of pieces) {
    if (message === undefined) reader.push(piece);
    else if (piece.length > 16) expect(() => reader.push(piece)).toThrow(message);
    else reader.push(piece);
  }
  if (message !== undefined) throw new Error(message);
  reader.end();
  return streams;
}

const WAIT = '{"mutex": "m"}';

describe('an impossible log is refused', () => {
  it.each<[string, readonly string[], string]>([
    [
      'a mutex held twice',
      ['1 lock m', '2 lock m'],
      'event 2 is impossible: thread 2 locks m, which thread 1 has held since event 1',
    ],
    ['a trylock that gets what is held', ['1 lock m', '2 trylock m'], 'event 2 is impossible: thread 2 locks m'],
    ['a recursive mutex that is still held', ['1 lock m', '1 lock m', '1 unlock m', '2 lock m'], 'event 4'],
    [
      'an unlock too much',
      ['1 lock m', '1 unlock m', '1 unlock m'],
      'event 3 is impossible: thread 1 unlocks m, which it does not hold',
    ],
    ['an unlock without a lock', ['1 unlock m'], 'event 1 is impossible: thread 1 unlocks m, which it does not hold'],
    [
      'an unlock by another',
      ['1 lock m', '2 unlock m'],
      'event 2 is impossible: thread 2 unlocks m, which thread 1 has held',
    ],
    [
      'a joined thread that goes on',
      ['0 spawn 1', '0 join 1', '1 load x'],
      'event 3 is impossible: thread 1 continues, but event 2 joined it',
    ],
    [
      'a thread joined twice',
      ['0 spawn 1', '0 join 1', '0 join 1'],
      'event 3 is impossible: thread 0 joins thread 1, which event 2 has joined',
    ],
    [
      'a thread that runs before its creation',
      ['1 load x', '0 spawn 1'],
      'event 2 is impossible: thread 0 creates thread 1, which already exists',
    ],
    [
      'a thread created twice',
      ['0 spawn 1', '2 spawn 1'],
      'event 2 is impossible: thread 2 creates thread 1, which already exists',
    ],
    [
      'a wait without the mutex',
      [`1 wait c ${WAIT}`],
      'event 1 is impossible: thread 1 waits and releases m, which it does not hold',
    ],
    [
      'a waiting thread that goes on',
      ['1 lock m', `1 wait c ${WAIT}`, '1 load x'],
      'event 3 is impossible: thread 1 continues, but since event 2 it has been waiting',
    ],
    [
      'a woken thread that goes on without the mutex',
      ['1 lock m', `1 wait c ${WAIT}`, '2 broadcast c', '1 load x'],
      'event 4 is impossible: thread 1 continues, but since event 2 it has not reacquired m',
    ],
    [
      'a wait that ends while another has the mutex',
      ['1 lock m', `1 wait c ${WAIT}`, '2 lock m', '2 broadcast c', '1 lock m'],
      'event 5 is impossible: thread 1 locks m',
    ],
    ['a wait that ends with another mutex', ['1 lock m', `1 wait c ${WAIT}`, '2 broadcast c', '1 lock n'], 'event 4'],
    [
      'a waiting thread that is joined',
      ['1 lock m', `1 wait c ${WAIT}`, '0 join 1'],
      'event 3 is impossible: thread 0 joins thread 1, which has waited',
    ],
    [
      'a wake without a wait',
      ['1 wake c'],
      'event 1 is impossible: thread 1 stops waiting on c, where it does not wait',
    ],
    [
      'a signal that wakes who does not wait',
      ['1 signal c {"other": 2}'],
      'event 1 is impossible: thread 1 wakes thread 2, which does not wait on c',
    ],
    ['a signal that wakes who waits elsewhere', ['2 lock m', `2 wait c ${WAIT}`, '1 signal d {"other": 2}'], 'event 3'],
    [
      'a signal that wakes one twice',
      ['2 lock m', `2 wait c ${WAIT}`, '1 signal c {"other": 2}', '1 signal c {"other": 2}'],
      'event 4',
    ],
    [
      'an atomic section inside of another',
      ['1 begin-atomic', '1 begin-atomic'],
      'event 2 is impossible: thread 1 begins an atomic section inside another',
    ],
    [
      'an atomic section that ends without beginning',
      ['1 end-atomic'],
      'event 1 is impossible: thread 1 ends an atomic section',
    ],
    [
      'somebody else in an atomic section',
      ['1 begin-atomic', '2 load x'],
      'event 2 is impossible: thread 2 runs inside the atomic section of thread 1',
    ],
  ])('%s', (_name, lines, message) => {
    expect(() => read(lines)).toThrow(message);
    // All but the last event are fine.
    for (const stream of read(lines.slice(0, -1))) expect(stream.count).toBe(lines.length - 1);
  });
});

describe('a possible log is not refused', () => {
  it.each<[string, readonly string[]]>([
    ['threads that nobody was seen to create', ['1 store x', '2 load x', '1 join 2']],
    [
      'a recursive mutex',
      ['1 lock m', '1 lock m', '1 trylock m', '1 unlock m', '1 unlock m', '1 unlock m', '2 lock m'],
    ],
    [
      'a trylock that fails, even of what is free by now',
      ['1 trylock m {"succeeded": false}', '2 lock m', '1 trylock m {"succeeded": false}'],
    ],
    [
      'a wait that gives the mutex up',
      ['1 lock m', `1 wait c ${WAIT}`, '2 lock m', '2 signal c {"other": 1}', '2 unlock m', '1 lock m', '1 unlock m'],
    ],
    [
      'a wait with a recursive mutex',
      [
        '1 lock m',
        '1 lock m',
        `1 wait c ${WAIT}`,
        '2 lock m',
        '2 unlock m',
        '1 lock m',
        '1 unlock m',
        '1 unlock m',
        '2 lock m',
      ],
    ],
    ['a thread that wakes up for no reason', ['1 lock m', `1 wait c ${WAIT}`, '1 lock m', '1 load x']],
    ['a timed wait', ['1 lock m', `1 wait c ${WAIT}`, '1 wake c {"succeeded": false}', '1 lock m', '1 unlock m']],
    [
      'a timed wait that a signal ends',
      ['1 lock m', `1 wait c ${WAIT}`, '2 signal c {"other": 1}', '1 wake c', '1 lock m'],
    ],
    ['a thread that ends with a mutex', ['0 spawn 1', '1 lock m', '0 join 1', '0 lock m']],
    ['a number that is used again', ['0 spawn 1', '1 load x', '0 join 1', '0 spawn 1', '1 load x', '0 join 1']],
    ['a mutex that is destroyed and made anew', ['1 lock m', '1 destroy m', '2 lock m']],
    ['a mutex that is initialised in place of one that was held', ['1 lock m', '1 init m', '2 lock m']],
    ['a mutex in memory that is freed and used again', ['1 lock m', '1 free m {"size": 64}', '2 lock m', '2 unlock m']],
  ])('%s', (_name, lines) => {
    for (const stream of read(lines)) expect(stream.count).toBe(lines.length);
  });
});
