/** The model of the viewer, without a browser. */
import { describe, expect, it } from 'vitest';
import { edgesAt, edgesOf, hasAllArrows, pathOf } from '../../src/viewer/model/edges.ts';
import {
  DEFAULT_FILTERS,
  EDGE_KINDS,
  type Filters,
  parseFilters,
  printFilters,
  toggleChronological,
  toggleKind,
} from '../../src/viewer/model/filters.ts';
import { curveOf, graphOf, hasGraph } from '../../src/viewer/model/graph.ts';
import { highlight } from '../../src/viewer/model/highlight.ts';
import { shorten } from '../../src/viewer/model/labels.ts';
import { layOut, ROW, rowsInView } from '../../src/viewer/model/layout.ts';
import { LineValues } from '../../src/viewer/model/line-values.ts';
import { pageOf } from '../../src/viewer/model/page.ts';
import { emptyRoute, parseRoute, printRoute } from '../../src/viewer/model/route.ts';
import { foldText, rowOfEvent, rowsOf } from '../../src/viewer/model/rows.ts';
import { nextFound, search } from '../../src/viewer/model/search.ts';
import { jumpFrom, jumpOfKey, move, moveOfKey, nextAtLine, placeOf, stopsOf } from '../../src/viewer/model/stepping.ts';
import { Timeline } from '../../src/viewer/model/timeline.ts';
import { windowOf } from '../../src/viewer/model/window.ts';
import { longTrace, SB } from './traces.ts';

const EVERYTHING: Filters = {
  ...DEFAULT_FILTERS,
  kinds: new Set(EDGE_KINDS.map((k) => k.kind)),
  cycle: true,
  asides: true,
};
const withAsides = { ...SB, events: SB.events.map((e, i) => (i < 2 ? { ...e, aside: true as const } : e)) };

describe('layout', () => {
  const diagram = layOut(SB, DEFAULT_FILTERS);

  it('gives a lane to each thread, and to each buffer that is used', () => {
    expect(diagram.lanes.map((l) => `${l.kind} ${l.thread}`)).toEqual([
      'thread P0',
      'buffer P0',
      'thread P1',
      'buffer P1',
    ]);
    diagram.lanes.slice(1).forEach((lane, i) => {
      expect(lane.x).toBe(diagram.lanes[i]!.x + diagram.lanes[i]!.width);
    });
    expect(layOut({ ...SB, events: SB.events.filter((e) => e.kind === 'load') }, DEFAULT_FILTERS).lanes).toHaveLength(
      2,
    );
  });

  it('has room for the names of threads, also where it is narrow', () => {
    const threads = ['0', '0.1', '0.10'].map((thread) => ({ thread, function: 'worker' }));
    for (const room of [1000, 300]) {
      const { lanes } = layOut({ ...SB, threads, events: [], ends: [] }, DEFAULT_FILTERS, room);
      expect(lanes.map((l) => l.title)).toEqual(
        room === 300 ? ['0', '0.1', '0.10'] : ['thread 0', 'thread 0.1', 'thread 0.10'],
      );
      for (const { title, subtitle, width } of lanes) {
        expect(width).toBeGreaterThan(`${title} ${subtitle}`.length * 6);
      }
    }
  });

  it('puts every event into a row of its own, in its lane', () => {
    expect(diagram.marks.map((m) => m.y)).toEqual(diagram.marks.map((_, i) => i * ROW + ROW / 2));
    for (const mark of diagram.marks) {
      const { thread, kind } = SB.events[mark.event]!;
      const lane = diagram.lanes.find(
        (l) => l.thread === thread && l.kind === (kind === 'update' ? 'buffer' : 'thread'),
      )!;
      expect(mark.x).toBeGreaterThan(lane.x);
      expect(mark.x).toBeLessThan(lane.x + lane.width);
    }
  });

  it('draws a buffered store from its row to that of its update, or to the end', () => {
    expect(diagram.bars.map((b) => [b.event, b.update, b.firstRow, b.lastRow])).toEqual([
      [0, 5, 0, 5],
      [1, 3, 1, 3],
    ]);
    const cut = layOut({ ...SB, events: SB.events.slice(0, 3) }, DEFAULT_FILTERS);
    expect(cut.bars.map((b) => [b.update, b.to])).toEqual([
      [undefined, cut.height],
      [undefined, cut.height],
    ]);
  });

  it('puts stores buffered at the same time side by side', () => {
    const two = SB.events.slice(0, 2).map((e) => ({ ...e, thread: 'P0' }));
    const [a, b] = layOut({ ...SB, events: two }, DEFAULT_FILTERS).bars;
    expect(a!.x).not.toBe(b!.x);
  });

  it('omits asides unless requested, with the bars of their stores', () => {
    const few = layOut(withAsides, DEFAULT_FILTERS);
    expect(few.marks.map((m) => m.event)).toEqual([2, 3, 4, 5]);
    expect(few.bars).toEqual([]);
    expect(layOut(withAsides, EVERYTHING).marks).toHaveLength(6);
  });

  it('has room for two threads and their buffers on a narrow screen', () => {
    const compact = layOut(SB, DEFAULT_FILTERS, 340);
    expect(compact.width).toBeLessThanOrEqual(340);
    expect(compact.marks.map((m) => m.row)).toEqual(diagram.marks.map((m) => m.row));
  });

  it('says which rows are in view, and nothing outside the diagram', () => {
    expect(rowsInView(0, 300, 1000).first).toBe(0);
    const { first, last } = rowsInView(500 * ROW, 10 * ROW, 1000);
    expect(first).toBeLessThanOrEqual(490);
    expect(last).toBeGreaterThanOrEqual(520);
    expect(last - first).toBeLessThan(100);
    expect(rowsInView(990 * ROW, 10 * ROW, 1000).last).toBe(1000);
  });
});

describe('edges', () => {
  it('are those that are requested', () => {
    const diagram = layOut(SB, EVERYTHING);
    const kinds = (filters: Filters) => edgesOf(SB, diagram, filters).map((e) => `${e.kind}${e.isOnCycle ? '!' : ''}`);
    const none: Filters = { ...EVERYTHING, kinds: new Set(), cycle: false };
    expect(kinds(none)).toEqual([]);
    expect(kinds(toggleKind(none, 'conflict'))).toEqual(['conflict', 'conflict']);
    expect(kinds(toggleKind(none, 'program order'))).toEqual(['program order', 'program order']);
    expect(kinds({ ...none, cycle: true })).toEqual(['program order!', 'conflict!', 'program order!', 'conflict!']);
    // Once, not twice, if both have it.
    expect(kinds(EVERYTHING)).toEqual(['program order!', 'conflict!', 'program order!', 'conflict!']);
  });

  it('are those of the chronological trace instead, on request and if there is one', () => {
    const chronological = [
      { from: 0, to: 2, relation: 'program order' },
      { from: 1, to: 3, relation: 'store to update' },
      { from: 2, to: 3, relation: 'conflict' },
      { from: 3, to: 5, relation: 'update order' },
    ];
    const filters = toggleChronological(DEFAULT_FILTERS);
    const diagram = layOut(SB, EVERYTHING);
    const shown = edgesOf({ ...SB, chronological }, diagram, filters);
    expect(shown.map(({ from, to, kind }) => `${from.event} ${kind} ${to.event}`)).toEqual([
      '0 program order 2',
      '1 store–update 3',
      '2 conflict 3',
      '3 store order 5',
    ]);
    expect(shown.some(({ isOnCycle }) => isOnCycle)).toBe(false);
    expect(edgesOf({ ...SB, chronological }, diagram, toggleKind(filters, 'conflict'))).toHaveLength(3);
    const plain = edgesOf(SB, diagram, EVERYTHING);
    expect(edgesOf({ ...SB, chronological }, diagram, EVERYTHING)).toEqual(plain);
    expect(edgesOf(SB, diagram, { ...EVERYTHING, chronological: true })).toEqual(plain);
    expect(toggleChronological(filters).chronological).toBe(false);
  });

  it('close the cycle: each begins where the one before ends', () => {
    const cycle = edgesOf(SB, layOut(SB, EVERYTHING), EVERYTHING).filter((e) => e.isOnCycle);
    cycle.forEach((edge, i) => {
      expect(edge.from).toBe(cycle.at(i - 1)!.to);
    });
    for (const edge of cycle) expect(pathOf(edge)).toMatch(/^M[-\d.]+ [-\d.]+[CV][-\d. ]+$/);
  });

  it('have both ends among the rows', () => {
    for (const { from, to } of edgesOf(withAsides, layOut(withAsides, DEFAULT_FILTERS), DEFAULT_FILTERS)) {
      expect([from.event, to.event].every((e) => e >= 2)).toBe(true);
    }
  });
});

describe('stepping', () => {
  const stops = stopsOf(rowsOf(withAsides, DEFAULT_FILTERS));

  it('stops at the start and after each event that has a row', () => {
    expect(stops).toEqual([0, 3, 4, 5, 6]);
    expect(stopsOf(rowsOf(withAsides, EVERYTHING))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('goes forward, back and to both ends, and no further', () => {
    expect(move(stops, 0, 'next')).toBe(3);
    expect(move(stops, 3, 'previous')).toBe(0);
    expect(move(stops, 0, 'previous')).toBe(0);
    expect(move(stops, 6, 'next')).toBe(6);
    expect(move(stops, 4, 'first')).toBe(0);
    expect(move(stops, 4, 'last')).toBe(6);
    // From a step without a row.
    expect(move(stops, 2, 'next')).toBe(3);
    expect(move(stops, 2, 'previous')).toBe(0);
    expect(stops[placeOf(stops, 99)]).toBe(6);
  });

  it('knows the keys; the vertical ones scroll outside the diagram', () => {
    expect(['ArrowRight', 'j', 'ArrowLeft', 'k', 'Home', 'End', 'x'].map((k) => moveOfKey(k, false))).toEqual([
      'next',
      'next',
      'previous',
      'previous',
      'first',
      'last',
      undefined,
    ]);
    expect(moveOfKey('ArrowDown', false)).toBeUndefined();
    expect(moveOfKey('ArrowDown', true)).toBe('next');
  });

  it('finds the next event of a line, wrapping around', () => {
    expect(nextAtLine(SB, 'SB', 5, 0)).toBe(1);
    expect(nextAtLine(SB, 'SB', 5, 1)).toBe(2);
    expect(nextAtLine(SB, 'SB', 5, 2)).toBe(1);
    expect(nextAtLine(SB, 'SB', 7, 0)).toBeUndefined();
  });
});

describe('timeline', () => {
  const timeline = new Timeline(SB);

  it('has memory and buffers after each step', () => {
    const memory = (step: number) => timeline.at(step).places.map((p) => p.value);
    const waiting = (step: number) =>
      timeline.at(step).buffers.map((b) => b.stores.map((s) => `${s.location}=${s.value}`).join());
    expect([0, 3, 4, 6].map(memory)).toEqual([
      [0, 0],
      [0, 0],
      [0, 1],
      [1, 1],
    ]);
    expect([0, 1, 2, 4, 6].map(waiting)).toEqual([
      ['', ''],
      ['x=1', ''],
      ['x=1', 'y=1'],
      ['x=1', ''],
      ['', ''],
    ]);
    expect(timeline.at(4).places.map((p) => p.changed)).toEqual([false, true]);
  });

  it('knows a value only from where the execution shows it', () => {
    const places = [{ location: 'x', address: 'x', bytes: 2, values: [{ after: 3, value: 7 }] }];
    const late = new Timeline({ ...SB, places });
    expect([2, 3].map((step) => late.at(step).places[0]!.value)).toEqual([undefined, 7]);
  });

  it('knows who holds which lock, also across a wait', () => {
    const event = (kind: string, thread: string, more = {}) => ({
      event: '',
      thread,
      kind,
      effect: kind,
      location: 'm',
      address: 'm',
      buffers: '',
      ...more,
    });
    const events = [
      event('lock', '0'),
      event('wait', '0', { location: 'c', address: 'c', unlocks: 'm' }),
      event('trylock', '0.1'),
      event('trylock', '0', { effect: 'trylock m (held)' }),
      event('unlock', '0.1'),
    ];
    const locks = new Timeline({ ...SB, events });
    expect([0, 1, 2, 3, 4, 5].map((s) => locks.at(s).locks[0]!.holder)).toEqual([
      undefined,
      '0',
      undefined,
      '0.1',
      '0.1',
      undefined,
    ]);
  });

  it('says what happened', () => {
    expect(timeline.describe(0)).toMatch(/nothing has happened/);
    expect(timeline.describe(3)).toBe(
      'Step 3 of 6: thread P0, line 6: reads y: 0 (stale: y = 1 is in the buffer of thread P1).',
    );
    expect(timeline.describe(4)).toContain('the buffer of thread P1');
  });
});

describe('long and wide executions', () => {
  /** One thread writes an array, then store buffering. */
  const long = {
    ...SB,
    events: [
      ...Array.from({ length: 300 }, (_, i) => ({
        event: `0#${i + 10}`,
        thread: 'P0',
        kind: 'store',
        effect: '',
        location: `data[${i}]`,
        address: `data[${i}]`,
        wrote: i,
        buffers: '',
      })),
      ...SB.events,
    ],
  };

  it('fold runs of one thread that have no part in the failure, and open again', () => {
    const rows = rowsOf(long, DEFAULT_FILTERS);
    expect(rows.map((r) => [r.first, r.last, r.count])).toEqual([
      [0, 0, 1],
      [1, 298, 298],
      [299, 299, 1],
      ...SB.events.map((_, i) => [300 + i, 300 + i, 1]),
    ]);
    expect(foldText(long, rows[1]!, DEFAULT_FILTERS)).toBe('298 steps: data[…]');
    expect(stopsOf(rows).slice(0, 4)).toEqual([0, 1, 299, 300]);
    expect([-1, 0, 1, 200, 298, 299, 305].map((e) => rowOfEvent(rows, e))).toEqual([-1, 0, 1, 1, 1, 2, 8]);
    expect(rowsOf(long, { ...DEFAULT_FILTERS, opened: [0] })).toHaveLength(306);
    expect(rowsOf(long, { ...DEFAULT_FILTERS, fold: false })).toHaveLength(306);
    expect(rowsOf(SB, { ...DEFAULT_FILTERS, fold: true })).toHaveLength(6);
    const diagram = layOut(long, DEFAULT_FILTERS);
    expect(diagram.marks[1]).toMatchObject({ shape: 'fold', label: '298 steps: data[…]' });
    // The cycle is still drawn.
    expect(edgesOf(long, diagram, DEFAULT_FILTERS).filter((e) => e.isOnCycle)).toHaveLength(4);
  });

  it('have no lanes and rows of hidden threads', () => {
    const hidden = { ...DEFAULT_FILTERS, hidden: ['P0'] };
    expect(layOut(SB, hidden).lanes.map((l) => l.thread)).toEqual(['P1', 'P1']);
    // The last event stays: it is where the execution ends.
    expect(rowsOf(SB, hidden).map((r) => r.first)).toEqual([1, 3, 4, 5]);
  });

  it('have arrows of the step only, unless asked otherwise', () => {
    const trace = longTrace(300);
    const all = edgesOf(trace, layOut(trace, EVERYTHING), EVERYTHING);
    expect(hasAllArrows(trace, EVERYTHING)).toBe(false);
    expect(hasAllArrows(trace, { ...EVERYTHING, arrows: 'all' })).toBe(true);
    expect(hasAllArrows(SB, EVERYTHING)).toBe(true);
    const few = edgesAt(all, 10, false).filter((e) => e.kind !== 'program order');
    expect(few.length).toBeGreaterThan(0);
    expect(few.every(({ from, to }) => from.event === 10 || to.event === 10)).toBe(true);
    expect(edgesAt(all, 10, true)).toBe(all);
  });

  it('fit into the room that there is', () => {
    const threads = Array.from({ length: 7 }, (_, i) => ({ thread: `0.${i}`, function: 'worker' }));
    const wide = {
      ...SB,
      threads,
      events: SB.events.map((_, i) => ({ ...SB.events[0]!, event: `${i}`, thread: `0.${i}` })),
      ends: [],
    };
    expect(layOut(wide, DEFAULT_FILTERS).width).toBeGreaterThan(780);
    expect(layOut(wide, DEFAULT_FILTERS, 780).width).toBeLessThanOrEqual(780);
  });

  it.each([
    ['flag[0] = 1', 11, 'flag[0] = 1'],
    ['flag[0] = 1', 9, 'flag[0]=1'],
    ['flag[0] = 1', 8, 'fl…[0]=1'],
    ['queue->tail.next → #2', 12, 'queue->t…→#2'],
    ['counter: 41 → 42', 12, 'cou…:41→42'],
    ['full fence', 6, 'full …'],
  ])('labels keep the value: %s in %d', (text, room, expected) => {
    const short = shorten(text, room);
    expect([...short].length).toBeLessThanOrEqual(room);
    if (text.startsWith('counter')) expect(short).toMatch(/:41→42$/);
    else expect(short).toBe(expected);
  });

  it('are searched by what a reader sees', () => {
    expect(search(SB, DEFAULT_FILTERS, 'stale')).toEqual([2]);
    expect(search(SB, DEFAULT_FILTERS, 'line 6')).toEqual([2, 4]);
    expect(search(SB, DEFAULT_FILTERS, 'P0 update')).toEqual([5]);
    expect(search(SB, DEFAULT_FILTERS, '  ')).toEqual([]);
    expect([nextFound([1, 4], 2, false), nextFound([1, 4], 5, false), nextFound([1, 4], 2, true)]).toEqual([5, 2, 5]);
    expect(nextFound([], 2, false)).toBeUndefined();
  });
});

describe('a graph', () => {
  const trace = { ...SB, happensBefore: [{ from: 0, to: 4, relation: 'happens-before' }] };

  it('puts events below what they come after, and names every order', () => {
    const { nodes, edges, columns } = graphOf(trace, DEFAULT_FILTERS, 800);
    expect(hasGraph(trace)).toBe(true);
    expect(hasGraph(SB)).toBe(false);
    expect(columns.map((c) => c.title)).toEqual(['P0', 'P1']);
    const y = (event: number): number => nodes.find((n) => n.event === event)!.y;
    expect(y(0)).toBe(y(1));
    expect(y(4)).toBeGreaterThan(y(0));
    const named = edges.map(({ from, to, names }) => `${from.event} ${names.join()} ${to.event}`);
    expect(named).toContain('0 po 2');
    expect(named).toContain('0 hb 4');
    expect(edges.filter((e) => e.isOnCycle).map((e) => e.names.join())).toEqual(['po', 'po', 'fr', 'fr']);
    for (const edge of edges) expect(curveOf(edge).path).not.toContain('NaN');
  });

  it('does not draw from-read outside the cycle', () => {
    const { edges } = graphOf(trace, { ...DEFAULT_FILTERS, cycle: false }, 800);
    expect(edges.some((e) => e.names.includes('fr'))).toBe(false);
  });
});

describe('jumps', () => {
  const jump = (step: number, key: string): number => {
    const { jump: how, isBack } = jumpOfKey(key)!;
    return jumpFrom(SB, DEFAULT_FILTERS, step, how, isBack);
  };

  it('go to events of the cycle, of another thread, of this thread and this variable', () => {
    expect([jump(0, 'c'), jump(3, 'c'), jump(5, 'C'), jump(5, 'c')]).toEqual([1, 5, 3, 5]);
    expect([jump(1, 's'), jump(3, 's'), jump(4, 'S')]).toEqual([2, 4, 3]);
    expect([jump(1, 't'), jump(3, 't'), jump(6, 'T')]).toEqual([3, 6, 3]);
    expect([jump(1, 'v'), jump(5, 'V'), jump(6, 'v')]).toEqual([5, 1, 6]);
    expect(jumpOfKey('x')).toBeUndefined();
  });
});

describe('the source', () => {
  it('is coloured, across lines, and loses no character', () => {
    const lines = ['#include <a.h> // "x"', 'int a = 0x1F; /* two', 'lines */ char *s = "b\\"c";', 'while (intern) ;'];
    const parts = highlight(lines);
    expect(parts.map((line) => line.map((p) => p.text).join(''))).toEqual(lines);
    const tints = (line: number) => parts[line]!.filter((p) => p.tint !== '').map((p) => `${p.tint} ${p.text}`);
    expect(tints(0)).toEqual(['directive #include', 'comment // "x"']);
    expect(tints(1)).toEqual(['keyword int', 'numeral 0x1F', 'comment /* two']);
    expect(tints(2)).toEqual(['comment lines */', 'keyword char', 'quote "b\\"c"']);
    expect(tints(3)).toEqual(['keyword while']);
  });

  it('has the last values beside its lines', () => {
    const values = new LineValues(SB, 'SB');
    expect([...values.at(0)]).toEqual([]);
    expect([...values.at(1)]).toEqual([[5, 'x = 1']]);
    // Both threads have values on the line: those of this step's thread are shown.
    expect([...values.at(3)]).toEqual([
      [5, 'x = 1'],
      [6, 'y → 0'],
    ]);
    expect(values.at(5).get(6)).toBe('x → 0');
    expect(values.at(4).get(6)).toBe('P0: y → 0');
  });
});

describe('route', () => {
  it('is written and read back', () => {
    const route = {
      ...emptyRoute('explore'),
      file: 'a b/ü&?#.c',
      model: 'tso',
      schedule: '0*2 0.1/x%20',
      defines: ['A=1&2', 'B'],
      step: 0,
      filters: {
        ...toggleKind(DEFAULT_FILTERS, 'conflict'),
        hidden: ['0.1', 'P2'],
        fold: false,
        opened: [3, 70],
        arrows: 'step' as const,
      },
      view: 'table' as const,
      zoom: 70,
    };
    expect(parseRoute(printRoute(route), 'page')).toEqual(route);
    expect(parseRoute(printRoute(emptyRoute('runs')), 'page')).toEqual(emptyRoute('runs'));
  });

  it('ignores what makes no sense', () => {
    expect(parseRoute('#/nowhere?step=-1&execution=x', 'page')).toEqual(emptyRoute('page'));
    expect(parseRoute('', 'runs')).toEqual(emptyRoute('runs'));
  });

  it('has a letter for each filter', () => {
    for (const text of ['-', 'p', 'psocuytxa', 'psocuytxah', 'x', 'h'])
      expect(printFilters(parseFilters(text))).toBe(text);
  });
});

describe('page', () => {
  const result = {
    file: 'a.c',
    model: 'tso',
    verdict: 'violation' as const,
    executions: 3,
    blocked: 0,
    bounds: [],
    robust: null,
  };
  const error = { kind: 'assertion' as const, message: 'x', schedule: '0' };

  it('lists every violation once, with the execution of each', () => {
    const page = pageOf({
      command: 'check',
      results: [
        {
          ...result,
          model: 'sc',
          error,
          trace: SB,
          otherErrors: [
            { ...error, message: 'y', trace: SB },
            { ...error, message: 'z' },
          ],
        },
        { ...result, how: 'sc', error, trace: SB },
      ],
    });
    expect(page.executions).toHaveLength(2);
    expect(page.violations.map((v) => [v.title, v.execution, v.schedule])).toEqual([
      ['assertion: `x`', 1, undefined],
      ['assertion: `y`', 2, undefined],
      ['assertion: `z`', undefined, '0'],
    ]);
    expect(page.verdicts.map((v) => v.note)).toEqual(['3 executions', 'as under SC']);
    // A hunt has no result for SC itself.
    const hunted = pageOf({ command: 'hunt', results: [{ ...result, how: 'sc', error, trace: SB }] });
    expect(hunted.violations.map((v) => [v.title, v.execution])).toEqual([['assertion: `x`', 1]]);
  });

  it('makes a matrix of litmus results, and says where a bound leaves a cell open', () => {
    const condition = { kind: '~exists' as const, holds: false, text: '~exists (x=0)' };
    const page = pageOf({
      command: 'litmus',
      results: [
        {
          ...result,
          model: 'sc',
          verdict: 'verified',
          test: 'T',
          states: [{ x: 1 }],
          traces: [SB],
          condition: { ...condition, holds: true, satisfied: [false] },
        },
        {
          ...result,
          test: 'T',
          states: [{ x: 0 }, { x: 1 }],
          traces: [SB, SB],
          condition: { ...condition, satisfied: [true, false] },
        },
        {
          ...result,
          model: 'pso',
          verdict: 'inconclusive',
          test: 'T',
          states: [],
          traces: [],
          bounds: ['states: 1'],
          condition: { ...condition, holds: null, satisfied: [] },
        },
      ],
    });
    const [matrix] = page.matrices;
    expect(
      matrix!.rows.map((r) => [r.state, r.satisfied, r.cells.map((c) => `${c.allowed} ${c.execution ?? '-'}`)]),
    ).toEqual([
      ['x=0', true, ['no -', 'yes 2', 'unknown -']],
      ['x=1', false, ['yes 1', 'yes 3', 'unknown -']],
    ]);
    expect(matrix!.condition!.answers).toEqual(['yes', 'no', '?']);
    expect(page.violations.map((v) => v.execution)).toEqual([2]);
  });

  it('accepts results with few fields', () => {
    const page = pageOf({
      command: 'fix',
      results: [{ file: 'a.c', model: 'tso' }],
      problems: [{ file: 'b.c', message: 'no' }],
    });
    expect(page.verdicts[0]!.verdict).toBe('unknown');
    expect(page.problems).toHaveLength(1);
    expect(pageOf({ command: 'fix', results: [] }).title).toBe('fix');
  });
});

it('a long execution is laid out completely', () => {
  const trace = longTrace(2000);
  const diagram = layOut(trace, EVERYTHING);
  expect(diagram.marks).toHaveLength(trace.events.length + 1);
  expect(edgesOf(trace, diagram, EVERYTHING).length).toBeGreaterThan(trace.events.length);
});

describe('a long table', () => {
  it('is shown as a whole up to 400 rows', () => {
    expect(windowOf(400, 7)).toEqual({ from: 0, to: 400 });
  });

  it('has the current row with others around it, and moves in strides', () => {
    const froms = new Set<number>();
    for (let current = -1; current < 5000; current++) {
      const { from, to } = windowOf(5000, current);
      expect(to - from).toBe(400);
      expect(from === 0 || current - from >= 100).toBe(true);
      expect(to === 5000 || to - current > 100).toBe(true);
      froms.add(from);
    }
    expect(froms.size).toBeLessThan(30);
  });
});

it.each([
  ['lock forks[0].m', 11, /^lock.*\[0\]\.m$/],
  ['ring.slots[0].payload[7] → 17', 20, /\[7\]→17$/],
])('shortens %s and keeps the index', (text, room, expected) => {
  expect(shorten(text, room)).toMatch(expected);
  expect(shorten(text, room).length).toBeLessThanOrEqual(room);
});
