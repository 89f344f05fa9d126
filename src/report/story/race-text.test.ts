import { describe, expect, it } from 'vitest';
import type { ErrorReport } from '../schema.ts';
import type { EventReport, TraceReport } from '../trace-schema.ts';
import { raceText } from './race-text.ts';

const base = { effect: '', buffers: '' };
const ERROR: ErrorReport = {
  kind: 'race',
  message: '`data` is written in thread 0.1 at a.c:1:1 and, unordered with it, read',
  thread: '0.2',
  schedule: '0',
};

type Event = readonly [event: string, kind: string, location: string, order?: string, from?: string];

/** The events in order; the first and the last race. */
function told(list: readonly Event[], notes?: readonly string[]): string {
  const names = [list[0]![0], list.at(-1)![0]];
  const events = list.map(([event, kind, location, order, from], i): EventReport => {
    const thread = event.split('#')[0]!;
    const races = i === 0 ? { races: names[1]! } : i === list.length - 1 ? { races: names[0]! } : {};
    const values = {
      ...(kind === 'load' || kind === 'rmw' ? { read: 1 } : {}),
      ...(kind === 'store' || kind === 'rmw' ? { wrote: 1 } : {}),
    };
    const orders = { ...(order === undefined ? {} : { order }), ...(from === undefined ? {} : { from }) };
    return { ...base, event, thread, kind, location, address: location, ...values, ...orders, ...races };
  });
  const error = notes === undefined ? ERROR : { ...ERROR, notes };
  return raceText(error, { events, edges: [] } as unknown as TraceReport).join('\n');
}

const passed = (written: string, read: string): readonly Event[] => [
  ['0.1#1', 'store', 'data'],
  ['0.1#2', 'store', 'ready', written],
  ['0.2#1', 'load', 'ready', read, '0.1#2'],
  ['0.2#2', 'load', 'data'],
];

const STORY =
  'thread 0.1 wrote `data` (step 1), then wrote `ready` (step 2). Thread 0.2 read that (step 3), then read `data` (step 4).';
const SO = 'so step 1 does not happen before step 4.';

describe('the orders that are too weak', () => {
  it.each([
    [
      'relaxed',
      'acquire',
      'the write of `ready` (step 2, relaxed) is not a release',
      'the write of `ready` (step 2) a release',
    ],
    [
      'release',
      'relaxed',
      'the read of `ready` (step 3, relaxed) is not an acquire',
      'the read of `ready` (step 3) an acquire',
    ],
    [
      'acquire',
      'relaxed',
      'the write of `ready` (step 2, acquire) is not a release, and the read of `ready` (step 3, relaxed) is not an acquire',
      'the write of `ready` (step 2) a release and the read of `ready` (step 3) an acquire',
    ],
  ])('are named for a write that is %s and a read that is %s', (written, read, but, make) => {
    const text = told(passed(written, read));
    expect(text.startsWith(`${STORY} But ${but}: ${SO} Two accesses`)).toBe(true);
    expect(text.endsWith(`\nTo order them, make ${make}. Or hold the same mutex around both.`)).toBe(true);
  });

  it('are not named if there are none, and advice is left to a note', () => {
    expect(told(passed('release', 'acquire'))).not.toMatch(/But|nothing passes/);
    const text = told(passed('relaxed', 'acquire'), ['to order them, make …']);
    expect(text).toContain('But the write');
    expect(text).not.toMatch(/To order them|mutex/);
  });

  it('are not those that a fence makes up for', () => {
    const [data, write, read, last] = passed('relaxed', 'relaxed') as readonly [Event, Event, Event, Event];
    const text = told([data, ['0.1#9', 'fence', '', 'release'], write, read, last]);
    expect(text).toContain('But the read of `ready` (step 4, relaxed) is not an acquire: so');
    const behind = told([data, write, read, ['0.2#9', 'fence', '', 'acquire'], last]);
    expect(behind).toContain('But the write of `ready` (step 2, relaxed) is not a release: so');
  });
});

it('goes through other threads, and through read-modify-writes, which pass on what they read', () => {
  const text = told([
    ['0.1#1', 'store', 'data'],
    ['0.1#2', 'store', 'f', 'release'],
    ['0.3#1', 'load', 'f', 'relaxed', '0.1#2'],
    ['0.3#2', 'store', 'g', 'release'],
    ['0.2#1', 'load', 'g', 'acquire', '0.3#2'],
    ['0.2#2', 'load', 'data'],
  ]);
  expect(text).toContain(
    'thread 0.1 wrote `data` (step 1), then wrote `f` (step 2). Thread 0.3 read that (step 3), then wrote `g` (step 4). Thread 0.2 read that (step 5), then read `data` (step 6). But the read of `f` (step 3, relaxed) is not an acquire: so step 1',
  );
  const chained = told([
    ['0.1#1', 'store', 'data'],
    ['0.1#2', 'store', 'f', 'relaxed'],
    ['0.3#1', 'rmw', 'f', 'relaxed', '0.1#2'],
    ['0.2#1', 'load', 'f', 'acquire', '0.3#1'],
    ['0.2#2', 'load', 'data'],
  ]);
  expect(chained).toContain(
    'Thread 0.3 read that and changed it (step 3). Thread 0.2 read that (step 4), then read `data` (step 5). But the write of `f` (step 2, relaxed) is not a release: so step 1',
  );
});

it('knows release sequences of one thread', () => {
  const [data, , read, last] = passed('relaxed', 'relaxed') as readonly [Event, Event, Event, Event];
  const text = told([data, ['0.1#9', 'store', 'ready', 'release'], ['0.1#2', 'store', 'ready', 'relaxed'], read, last]);
  expect(text).toContain('But the read of `ready` (step 4, relaxed) is not an acquire: so');
});

it('says if nothing passes', () => {
  const text = told([
    ['0.1#1', 'store', 'data'],
    ['0.2#2', 'load', 'data'],
  ]);
  expect(text).toMatch(
    /^thread 0\.1 wrote `data` \(step 1\), thread 0\.2 read `data` \(step 2\)\. Between the two, nothing passes/,
  );
  expect(text).toMatch(/\nMake the accesses atomic, or hold the same mutex around both\.$/);
});
