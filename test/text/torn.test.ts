/** Lost updates, in words. */
import { describe, expect, it } from 'vitest';
import { tornAdvice, tornText } from '../../src/report/story/torn-text.ts';
import type { CallReport, EventReport, TraceReport } from '../../src/report/trace-schema.ts';

/** Threads that read and write one place; every access has this `stack`. */
function traceOf(steps: readonly string[], stack?: readonly CallReport[]): TraceReport {
  let newest: string | undefined;
  const events = steps.map((step, i): EventReport => {
    const [, thread, does, value] = /^(\S+) ([rw])(\d+)$/.exec(step)!;
    const event = `${thread}#${i}`;
    const common = {
      event,
      thread: thread!,
      effect: '',
      location: 'x',
      address: 'x',
      file: 'a.c',
      line: i,
      buffers: '',
    };
    const from = newest === undefined ? {} : { from: newest };
    const calls = stack === undefined ? {} : { stack };
    if (does === 'r') return { ...common, ...calls, kind: 'load', read: Number(value), ...from };
    newest = event;
    return { ...common, ...calls, kind: 'store', wrote: Number(value), overwrote: 0 };
  });
  const thread = events.at(-1)!.thread;
  return {
    schedule: '',
    threads: [],
    events,
    blocks: [],
    ends: [{ thread, what: 'the assertion fails' }],
    output: '',
  };
}

const update = (thread: string, old: number): readonly string[] => [`${thread} r${old}`, `${thread} w${old + 1}`];

it('names every update that is lost', () => {
  const steps = ['1 r0', ...update('2', 0), ...update('3', 1), ...update('3', 2), '1 w1', '0 r1'];
  expect(tornText(traceOf(steps))).toEqual([
    'thread 1 read `x` as 0 (step 1) and later wrote 1 (step 8). In between, threads 2 and 3 wrote 1, 2 and 3, which are lost (the last one: step 7).',
  ]);
});

it('does not call lost what others had overwritten before, unread', () => {
  expect(tornText(traceOf(['1 r0', '2 w7', '3 w5', '1 w1', '0 r1']))).toEqual([
    'thread 1 read `x` as 0 (step 1) and later wrote 1 (step 4). In between, thread 3 wrote 5 (step 3), which is lost.',
  ]);
});

it('does not call lost what was there before the update began', () => {
  expect(tornText(traceOf([...update('2', 0), '1 r1', ...update('2', 1), '1 w2', '0 r2']))).toEqual([
    'thread 1 read `x` as 1 (step 3) and later wrote 2 (step 6). In between, thread 2 wrote 2 (step 5), which is lost.',
  ]);
});

it('counts many updates that are lost', () => {
  const others = Array.from({ length: 8 }, (_, i) => update('2', i)).flat();
  expect(tornText(traceOf(['1 r0', ...others, '1 w1', '0 r1']))[0]).toContain(
    'In between, thread 2 wrote 8 times, which are lost (the last one: step 17).',
  );
});

it('says where the function with the access is called', () => {
  const stack = [
    { function: 'get', file: 'a.c', line: 1, wrapper: true as const },
    { function: 'add', file: 'a.c', line: 5 },
    { function: 'run', file: 'a.c', line: 9 },
  ];
  expect(tornText(traceOf(['1 r0', '2 w7', '1 w1', '0 r1'], stack))).toEqual([
    'thread 1 read `x` as 0 (step 1) and later wrote 1 (step 3, in `add` called in line 9). In between, thread 2 wrote 7 (step 2, in `add` called in line 9), which is lost.',
  ]);
});

/** A step on the mutex `m`. */
function withLocks(steps: readonly string[]): TraceReport {
  const accesses = traceOf(steps.filter((step) => / [rw]\d/.test(step)));
  let next = 0;
  const events = steps.map((step, i): EventReport => {
    const [thread, kind] = step.split(' ') as [string, string];
    if (/^[rw]\d/.test(kind)) return accesses.events[next++]!;
    const place = { location: 'm', address: 'm', file: 'a.c', line: 100 + i };
    return { event: `${thread}#m${i}`, thread, kind, effect: `${kind} m`, ...place, buffers: '' };
  });
  return { ...accesses, events };
}

describe('advice', () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    [
      'lets the one that comes in between take the lock',
      ['1 lock', '1 r0', '2 w7', '1 w1', '1 unlock', '0 r1'],
      ['To prevent it, let thread 2 hold `m`, too, around line 1.'],
    ],
    [
      'lets the one that is interrupted take the lock',
      ['1 r0', '2 lock', '2 w7', '2 unlock', '1 w1', '0 r1'],
      ['To prevent it, let thread 1 hold `m`, too, around all from line 0 to line 2.'],
    ],
    [
      'does not blame the other one if the lock was given back in between',
      ['1 lock', '1 r0', '1 unlock', '2 w7', '1 lock', '1 w1', '1 unlock', '0 r1'],
      [expect.stringMatching(/^To prevent it, let each thread hold the same mutex/)],
    ],
    [
      'is a mutex if nobody has one',
      ['1 r0', '2 w7', '1 w1', '0 r1'],
      [expect.stringMatching(/^To prevent it, let each thread hold the same mutex from its read to its write/)],
    ],
    ['is not given if nothing is lost', ['1 r0', '1 w1', '2 r1', '2 w2', '0 r2'], []],
  ])('%s', (_, steps, advice) => {
    expect(tornAdvice(withLocks(steps))).toEqual(advice);
  });

  it('is not given to who uses atomic accesses', () => {
    const { events, ...rest } = withLocks(['1 r0', '2 w7', '1 w1', '0 r1']);
    const atomic = events.map((event) => ({ ...event, order: 'relaxed' }));
    expect(tornText({ ...rest, events: atomic })).toHaveLength(1);
    expect(tornAdvice({ ...rest, events: atomic })).toEqual([]);
  });
});
