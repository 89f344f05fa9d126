/** Lost updates, in words. */
import { expect, it } from 'vitest';
import { tornText } from '../../src/report/story/torn-text.ts';
import type { CallReport, EventReport, TraceReport } from '../../src/report/trace-schema.ts';

/** Threads that read and write one place; `stack` is of every access. */
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
    'thread 1 read `x` as 0 (step 1) and later wrote 1 (step 8); in between, threads 2 and 3 wrote 1, 2 and 3 (the last in step 7); these are lost.',
  ]);
});

it('does not call lost what others had overwritten before, unread', () => {
  expect(tornText(traceOf(['1 r0', '2 w7', '3 w5', '1 w1', '0 r1']))).toEqual([
    'thread 1 read `x` as 0 (step 1) and later wrote 1 (step 4); in between, thread 3 wrote 5 (step 3), which is lost.',
  ]);
});

it('nor what was there before the update began', () => {
  expect(tornText(traceOf([...update('2', 0), '1 r1', ...update('2', 1), '1 w2', '0 r2']))).toEqual([
    'thread 1 read `x` as 1 (step 3) and later wrote 2 (step 6); in between, thread 2 wrote 2 (step 5), which is lost.',
  ]);
});

it('counts many', () => {
  const others = Array.from({ length: 8 }, (_, i) => update('2', i)).flat();
  expect(tornText(traceOf(['1 r0', ...others, '1 w1', '0 r1']))[0]).toContain(
    'in between, thread 2 wrote 8 times (the last in step 17); these are lost.',
  );
});

it('says where the function with the access is called', () => {
  const stack = [
    { function: 'get', file: 'a.c', line: 1, wrapper: true as const },
    { function: 'add', file: 'a.c', line: 5 },
    { function: 'run', file: 'a.c', line: 9 },
  ];
  expect(tornText(traceOf(['1 r0', '2 w7', '1 w1', '0 r1'], stack))).toEqual([
    'thread 1 read `x` as 0 (step 1) and later wrote 1 (step 3, in `add` called in line 9); in between, thread 2 wrote 7 (step 2, in `add` called in line 9), which is lost.',
  ]);
});
