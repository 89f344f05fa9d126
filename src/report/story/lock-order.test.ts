import { expect, it } from 'vitest';
import type { EndReport, EventReport, TraceReport } from '../trace-schema.ts';
import { lockOrderText } from './lock-order.ts';

function lock(thread: string, name: string, line: number): EventReport {
  const place = { file: 'a.c', line, location: name, address: name };
  return { event: `${thread}#1`, thread, kind: 'lock', effect: `lock ${name}`, buffers: '', ...place };
}

function waits(thread: string, waitsFor: string, waitsForThread: string, line: number): EndReport {
  return { thread, what: 'waits forever', file: 'a.c', line, waitsFor, waitsForThread };
}

function text(events: readonly EventReport[], ends: readonly EndReport[]): readonly string[] {
  return lockOrderText({ events, ends } as unknown as TraceReport);
}

it('two threads are told which lock to take first, and who does not', () => {
  const taken = [lock('0.1', 'a', 3), lock('0.2', 'b', 7)];
  expect(text(taken, [waits('0.1', 'b', '0.2', 4), waits('0.2', 'a', '0.1', 8)])).toEqual([
    'To prevent it, take `a` before `b` in both threads: thread 0.1 does (lines 3 and 4), thread 0.2 takes `b` first (lines 7 and 8).',
  ]);
});

it('calls of one function that locks are told by the lines of the calls', () => {
  const inside = (line: number) => [
    { function: 'take', file: 'a.c', line: 3 },
    { function: 'eat', file: 'a.c', line },
  ];
  const taken = [
    { ...lock('0.1', 'a', 3), stack: inside(8) },
    { ...lock('0.2', 'b', 3), stack: inside(8) },
    { ...lock('0.3', 'c', 3), stack: inside(8) },
  ];
  const ends = [waits('0.1', 'b', '0.2', 3), waits('0.2', 'c', '0.3', 3), waits('0.3', 'a', '0.1', 3)];
  expect(
    text(
      taken,
      ends.map((end) => ({ ...end, stack: inside(9) })),
    ),
  ).toEqual([
    'To prevent it, take the locks in one order in all threads: thread 0.3 takes `c` before `a` (lines 8 and 9), against the order of the others.',
  ]);
});

it('says nothing about threads that wait for other things, or for a lock of their own', () => {
  const join = { thread: '0', what: 'waits forever', waitsForThread: '0.1' };
  expect(text([lock('0', 'a', 3)], [join, waits('0.1', 'a', '0', 4)])).toEqual([]);
  expect(text([lock('0', 'a', 3)], [waits('0', 'a', '0', 4)])).toEqual([]);
});
