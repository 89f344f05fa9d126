/** Describing the steps that have no row, and where a table does so. */
import { expect, it } from 'vitest';
import type { EventReport, TraceReport } from '../trace-schema.ts';
import { cellsOf } from './cells.ts';
import { leftOutText } from './left-out.ts';

let count = 0;
function event(thread: string, kind: string, more: Partial<EventReport> = {}): EventReport {
  return { event: `${thread}#${count++}`, thread, kind, effect: kind, buffers: '', aside: true, ...more };
}
const spawn = (thread: string, other: string): EventReport => event(thread, 'spawn', { other });
const join = (thread: string, other: string): EventReport => event(thread, 'join', { other });
const own = (thread: string): EventReport => event(thread, 'load', { read: 0, location: 'mine', address: 'mine' });
function shown(thread: string, line: number): EventReport {
  const { aside: _, ...row } = event(thread, 'load', { read: 0, location: 'x', address: 'x', file: 'a.c', line });
  return row;
}

it('counts what there is much of, and keeps silent about little', () => {
  expect(leftOutText([spawn('0', '0.1'), spawn('0', '0.2'), own('0')])).toBe('thread 0 creates threads 0.1 and 0.2');
  expect(leftOutText([1, 2, 3, 4, 5].map((i) => join('0', `0.${i}`)))).toBe('thread 0 joins 5 threads');
  expect(leftOutText([own('0.1'), own('0.1'), own('0.1'), own('0.1'), spawn('0', '0.2')])).toBe(
    'thread 0.1 takes 4 steps on its own data; thread 0 creates thread 0.2',
  );
  expect(leftOutText([own('0'), event('0', 'update')])).toBe('');
});

it('is told once, where the thread that took the steps or that they created continues', () => {
  const events = [
    spawn('0', '0.1'),
    shown('0.1', 3),
    spawn('0', '0.2'),
    join('0', '0.1'),
    shown('0.2', 4),
    join('0', '0.2'),
    shown('0', 9),
  ];
  const threads = ['0', '0.1', '0.2'].map((thread) => ({ thread }));
  const trace: TraceReport = { schedule: '', threads, events, ends: [], blocks: [], output: '' };
  expect(cellsOf(trace).map(({ leftOut }) => leftOut)).toEqual([
    'thread 0 creates thread 0.1',
    'thread 0 creates thread 0.2',
    'thread 0 joins threads 0.1 and 0.2',
  ]);
});
