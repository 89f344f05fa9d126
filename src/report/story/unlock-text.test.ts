/** Explanations of why a thread may not unlock a mutex. */
import { expect, it } from 'vitest';
import type { EventReport, TraceReport } from '../trace-schema.ts';
import { unlockText } from './unlock-text.ts';

const NOT_HELD = { message: 'unlock of a mutex that the thread does not hold' };

function traceOf(
  steps: readonly (readonly [thread: string, kind: string, more?: Partial<EventReport>])[],
): TraceReport {
  const events = steps.map(([thread, kind, more = {}], i) => ({
    event: `${thread}#${i}`,
    thread,
    kind,
    effect: `${kind} m`,
    location: 'm',
    address: 'm',
    file: 'a.c',
    line: i + 10,
    buffers: '',
    ...more,
  }));
  return { schedule: '', threads: [], events, ends: [], blocks: [], output: '' };
}

const FAILED = { effect: 'trylock m (held)', other: '0' };

it.each<readonly [string, TraceReport, string]>([
  [
    'after a trylock that failed',
    traceOf([
      ['0', 'lock'],
      ['0.1', 'trylock', FAILED],
      ['0.1', 'unlock'],
    ]),
    "Why: thread 0.1's trylock of `m` failed (line 11): thread 0 held the mutex. Thread 0.1 unlocks it all the same (line 12).\n" +
      'To prevent it, unlock the mutex only if the trylock succeeded, that is, returned 0.',
  ],
  [
    'of a mutex that it has never locked',
    traceOf([
      ['0', 'lock'],
      ['0.1', 'unlock'],
    ]),
    'Why: thread 0.1 has not locked `m`, and unlocks it (line 11).\nTo prevent it, unlock a mutex only in the thread that has locked it.',
  ],
  [
    'for the second time',
    traceOf([
      ['0', 'trylock'],
      ['0', 'unlock'],
      ['0', 'unlock'],
    ]),
    'Why: thread 0 has unlocked `m` already (line 11), and unlocks it again (line 12).',
  ],
  // Cases in which the events do not say why.
  [
    'that locked it',
    traceOf([
      ['0', 'lock'],
      ['0', 'unlock'],
    ]),
    '',
  ],
])('explains an unlock %s', (_, trace, text) => {
  expect(unlockText(trace, NOT_HELD).join('\n')).toBe(text);
  expect(unlockText(trace, { message: 'a mutex is destroyed while it is locked' })).toEqual([]);
});
