import { expect, it } from 'vitest';
import type { EventReport, TraceReport } from '../trace-schema.ts';
import { weakLinkText } from './race-text.ts';

const base = { effect: '', buffers: '' };

function race(written: string, read: string): string {
  const events: readonly EventReport[] = [
    { ...base, event: '0.1#1', thread: '0.1', kind: 'store', location: 'data', wrote: 1, races: '0.2#2' },
    { ...base, event: '0.1#2', thread: '0.1', kind: 'store', location: 'ready', wrote: 1, order: written },
    { ...base, event: '0.2#1', thread: '0.2', kind: 'load', location: 'ready', read: 1, order: read, from: '0.1#2' },
    { ...base, event: '0.2#2', thread: '0.2', kind: 'load', location: 'data', read: 1, races: '0.1#1' },
  ];
  return weakLinkText({ events } as unknown as TraceReport);
}

const STORY = 'Thread 0.1 then wrote `ready` (step 2) and thread 0.2 read that (step 3), but';

it('names the order that is too weak', () => {
  expect(race('relaxed', 'acquire')).toBe(`${STORY} the write is relaxed, so that orders nothing: make it a release.`);
  expect(race('release', 'relaxed')).toBe(`${STORY} the read is relaxed, so that orders nothing: make it an acquire.`);
  expect(race('relaxed', 'relaxed')).toBe(
    `${STORY} the write is relaxed and the read is relaxed, so that orders nothing: make the write a release and the read an acquire.`,
  );
  expect(race('release', 'acquire')).toBe('');
});
