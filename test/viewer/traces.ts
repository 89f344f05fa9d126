/** Executions for tests of the viewer, handwritten or generated. */
import type { EventReport, TraceReport } from '../../src/report/trace-schema.ts';

/** Two threads that store and load in turn, `count` events in total; each store waits for a while. */
export function longTrace(count: number): TraceReport {
  const events: EventReport[] = [];
  const edges: { from: number; to: number; relation: string }[] = [];
  const values = [{ after: 0, value: 0 }];
  for (let k = 0; events.length + 3 <= count; k++) {
    const thread = `0.${1 + (k % 2)}`;
    const event = `${thread}#${k + 1}`;
    const place = { location: 'x', address: 'x', file: 'long.c', line: 3 + (k % 5), column: 1 };
    const from = events.length;
    events.push({
      event,
      thread,
      kind: 'store',
      effect: `x = ${k}`,
      ...place,
      wrote: k,
      buffered: true,
      memory: k,
      buffers: '',
    });
    events.push({
      event: `${event}l`,
      thread,
      kind: 'load',
      effect: 'x',
      ...place,
      read: k,
      forwarded: true,
      buffers: '',
    });
    events.push({ event, thread, kind: 'update', effect: `x = ${k} reaches memory`, ...place, wrote: k, buffers: '' });
    values.push({ after: events.length, value: k });
    edges.push({ from, to: from + 1, relation: 'source' });
    if (from >= 3) edges.push({ from: from - 3, to: from, relation: 'store order' });
    if (from >= 3) edges.push({ from: from - 2, to: from, relation: 'conflict' });
  }
  return {
    schedule: '',
    threads: ['0', '0.1', '0.2'].map((thread) => ({ thread })),
    events,
    ends: [{ thread: '0.1', what: 'the assertion fails: x', file: 'long.c', line: 4 }],
    edges,
    places: [{ location: 'x', address: 'x', bytes: 4, values }],
    blocks: [],
    output: '',
  };
}

/** Store buffering under TSO, as the machine reports it. */
export const SB: TraceReport = {
  schedule: '0 1 0 1/ 1 0/',
  threads: [
    { thread: 'P0', function: 'P0' },
    { thread: 'P1', function: 'P1' },
  ],
  events: [
    {
      event: '0#1',
      thread: 'P0',
      kind: 'store',
      effect: 'x = 1 (buffered)',
      file: 'SB',
      line: 5,
      location: 'x',
      address: 'x',
      wrote: 1,
      buffered: true,
      memory: 0,
      buffers: 'P0: x=1',
    },
    {
      event: '1#1',
      thread: 'P1',
      kind: 'store',
      effect: 'y = 1 (buffered)',
      file: 'SB',
      line: 5,
      location: 'y',
      address: 'y',
      wrote: 1,
      buffered: true,
      memory: 0,
      buffers: 'P0: x=1 · P1: y=1',
    },
    {
      event: '0#2',
      thread: 'P0',
      kind: 'load',
      effect: 'y → 0',
      file: 'SB',
      line: 6,
      location: 'y',
      address: 'y',
      read: 0,
      stale: [{ event: '1#1', thread: 'P1', value: 1 }],
      buffers: 'P0: x=1 · P1: y=1',
    },
    {
      event: '1#1',
      thread: 'P1',
      kind: 'update',
      effect: 'y = 1 reaches memory',
      file: 'SB',
      line: 5,
      location: 'y',
      address: 'y',
      wrote: 1,
      overwrote: 0,
      buffers: 'P0: x=1',
    },
    {
      event: '1#2',
      thread: 'P1',
      kind: 'load',
      effect: 'x → 0',
      file: 'SB',
      line: 6,
      location: 'x',
      address: 'x',
      read: 0,
      buffers: 'P0: x=1',
    },
    {
      event: '0#1',
      thread: 'P0',
      kind: 'update',
      effect: 'x = 1 reaches memory',
      file: 'SB',
      line: 5,
      location: 'x',
      address: 'x',
      wrote: 1,
      overwrote: 0,
      buffers: '',
    },
  ],
  ends: [],
  sequential: false,
  cycle: [
    {
      from: { event: '0#1', thread: 'P0', effect: '' },
      relation: 'program order',
      to: { event: '0#2', thread: 'P0', effect: '' },
    },
    {
      from: { event: '0#2', thread: 'P0', effect: '' },
      relation: 'conflict',
      to: { event: '1#1', thread: 'P1', effect: '' },
    },
    {
      from: { event: '1#1', thread: 'P1', effect: '' },
      relation: 'program order',
      to: { event: '1#2', thread: 'P1', effect: '' },
    },
    {
      from: { event: '1#2', thread: 'P1', effect: '' },
      relation: 'conflict',
      to: { event: '0#1', thread: 'P0', effect: '' },
    },
  ],
  explanation: ['thread P0 read y as 0 before its own x = 1 reached memory.'],
  edges: [
    { from: 2, to: 1, relation: 'conflict' },
    { from: 4, to: 0, relation: 'conflict' },
  ],
  places: [
    {
      location: 'x',
      address: 'x',
      bytes: 4,
      values: [
        { after: 0, value: 0 },
        { after: 6, value: 1 },
      ],
    },
    {
      location: 'y',
      address: 'y',
      bytes: 4,
      values: [
        { after: 0, value: 0 },
        { after: 4, value: 1 },
      ],
    },
  ],
  blocks: [],
  output: '',
};
