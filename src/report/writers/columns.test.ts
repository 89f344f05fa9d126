/** The table of an execution: its width, its length, and what it folds. */
import { describe, expect, it } from 'vitest';
import { PLAIN } from '../style.ts';
import type { EventReport, TraceReport } from '../trace-schema.ts';
import { printStory, wrap } from './columns.ts';

function load(thread: string, line: number, read: number, more: Partial<EventReport> = {}): EventReport {
  const base = { event: `${thread}#1`, thread, kind: 'load', effect: '', file: 'a.c', line, text: `r${line} = x;` };
  return { ...base, location: 'x', address: 'x', read, buffers: '', ...more };
}

function traceOf(events: readonly EventReport[]): TraceReport {
  const names = [...new Set(events.map((e) => e.thread))];
  const threads = names.map((thread) => ({ thread, function: `run${thread}` }));
  return { schedule: '', threads, events, ends: [], blocks: [], output: '' };
}

const print = (events: readonly EventReport[], width = 80): readonly string[] =>
  printStory(traceOf(events), { width, style: PLAIN });

describe('wrap', () => {
  it.each([
    ['short', 10, ['short']],
    ['one two three', 8, ['one two', '  three']],
    ['atomic_store(&x, 1)', 14, ['atomic_store(', '  &x, 1)']],
    ['abcdefghijklmnop', 6, ['abcdef', '  ghij', '  klmn', '  op']],
    ['  indented text', 10, ['  indented', '  text']],
    ['→→→→→→', 4, ['→→→→', '  →→']],
    ['if (a_long_name(x))', 15, ['if', '  (a_long_name(', '  x))']],
    ['of a/path/that/is/longer/than/a/line.c', 16, ['of a/path/that/', '  is/longer/', '  than/a/line.c']],
    ['', 5, []],
  ])('breaks %j at %i columns', (text, width, lines) => {
    expect(wrap(text, width, '  ')).toEqual(lines);
  });

  it('never makes a line that is too long, and loses nothing but spaces', () => {
    const text = 'while (!atomic_compare_exchange_weak_explicit(&top, &old, node, PUSH, memory_order_relaxed));';
    for (let width = 4; width < 100; width++) {
      const lines = wrap(text, width, '  ');
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }
  });
});

describe('a table', () => {
  it('has a column per thread, and the source once for events of one line', () => {
    const lines = print([load('0', 3, 0), load('0', 3, 1), load('0.1', 4, 1)]);
    expect(lines[0]).toMatch(/^ {4}thread 0: run0 +thread 0\.1: run0\.1$/);
    expect(lines.filter((line) => line.includes('3: r3 = x;'))).toHaveLength(1);
    const columns = [lines[0]!.indexOf('thread 0.1'), lines.find((l) => l.includes('4: r4'))!.indexOf('4: r4')];
    expect(columns[0]).toBe(columns[1]);
  });

  it.each([60, 80, 100, 200])('fits into %i columns, however many threads there are', (width) => {
    for (let threads = 1; threads <= 12; threads++) {
      const long = 'x'.repeat(150);
      const events = Array.from({ length: threads }, (_, i) =>
        load(`0.${i + 1}`, i + 1, i, { text: `f(${long}, ${long})` }),
      );
      for (const line of print(events, width)) expect([...line].length).toBeLessThanOrEqual(width);
    }
  });

  it('has one column if there are too many threads, and names each where it continues', () => {
    const events = Array.from({ length: 12 }, (_, i) => load(`0.${i + 1}`, i + 1, i));
    const lines = print(events, 80);
    for (const { thread, line } of events) {
      const at = lines.findIndex((text) => text.includes(`┄┄ thread ${thread}: run${thread} ┄`));
      expect(lines[at + 1]).toContain(`${line}: r${line} = x;`);
    }
  });

  it('shows repeated iterations once', () => {
    const waiting = [load('0', 3, 0), load('0', 4, 7)];
    const lines = print([load('0', 2, 5), ...waiting, ...waiting, ...waiting, load('0', 5, 1)]);
    expect(lines.filter((line) => line.includes('reads x: 0 (3 rounds)'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('reads x: 7 (3 rounds)'))).toHaveLength(1);
    expect(lines.filter((line) => /reads x: [017]/.test(line))).toHaveLength(3);
  });

  /** A long execution of three threads; the explanation names events 500 and 900. */
  function long(): TraceReport {
    const place = (i: number): string => (i % 7 === 0 ? 'y' : 'x');
    const events = Array.from({ length: 1000 }, (_, i) =>
      load(`0.${1 + Math.floor(i / 400)}`, ((i * 7919) % 97) + 1, i * i, {
        event: `e${i}`,
        location: place(i),
        address: place(i),
      }),
    );
    const [from, to] = [events[500]!, events[900]!];
    const edge = (a: EventReport, b: EventReport) => ({ from: a, relation: 'conflict', to: b });
    return { ...traceOf(events), cycle: [edge(from, to), edge(to, from)] };
  }

  it('tells a long execution in few rows, and never leaves out what the explanation names', () => {
    const lines = printStory(long(), { width: 80, style: PLAIN });
    expect(lines.length).toBeLessThan(40);
    for (const number of [501, 901]) expect(lines.some((line) => line.startsWith(` ${number}● `))).toBe(true);
    expect(lines.filter((line) => line.includes('●'))).toHaveLength(2);
    // The last step is shown too.
    expect(lines.some((line) => /^1000 .*reads x: 998001$/.test(line))).toBe(true);
  });

  it('says whose steps were left out, and how many', () => {
    const { threads, ...rest } = long();
    const ended = threads.map((thread) => (thread.thread === '0.1' ? { ...thread, ended: true as const } : thread));
    const text = printStory({ ...rest, threads: ended }, { width: 120, style: PLAIN }).join('\n');
    expect(text).toContain(
      'thread 0.1 (run0.1) runs from start to end, 400 steps; thread 0.2 (run0.2): 100 steps, lines 1 to 97',
    );
    expect(text).toContain(
      'thread 0.2 (run0.2): 299 steps, lines 1 to 97; thread 0.3 (run0.3): 100 steps, lines 1 to 97',
    );
    // Threads that have not ended might go on after the failure.
    expect(text).not.toMatch(/0\.[23] \(run0\.[23]\) runs/);
  });

  it('shows every row if asked to', () => {
    const lines = printStory(long(), { width: 80, style: PLAIN, isFull: true });
    for (let i = 1; i <= 1000; i++) expect(lines.some((line) => line.startsWith(String(i).padStart(4)))).toBe(true);
  });

  it('folds loops, with the numbers that rise', () => {
    const loop = Array.from({ length: 39 }, (_, i) =>
      load('0', 3, 0, { kind: 'store', wrote: i, location: `data[${i}]`, address: `data[${i}]` }),
    );
    const text = print([...loop, load('0.1', 9, 5)]).join('\n');
    expect(text).toContain('data[0 … 38] = 0 … 38 (39 times)');
  });

  it('shows all values of a few iterations that do not rise, and hides none of many', () => {
    const values = (read: readonly number[]): string =>
      print([...read.map((value) => load('0', 3, value)), load('0', 9, 0)]).join('\n');
    expect(values([1, 5, 2, 9])).toContain('reads x: 1, 5, 2, 9 (4 times)');
    expect(values([1, 5, 2])).toContain('reads x: 5\n');
    expect(values([3, 1, 4, 1, 5, 9])).toContain('reads x: 3, 1, …, 9 (6 times)');
    expect(values([0, 2, 4, 6])).toContain('reads x: 0, 2 … 6 (4 times)');
  });

  it('omits asides, and shows a store that reaches memory at once as one event', () => {
    const store = load('0', 7, 0, { kind: 'store', buffered: true, wrote: 1, memory: 0, event: '0#1' });
    const commit = load('0', 7, 0, { kind: 'update', wrote: 1, overwrote: 0, event: '0#1' });
    const hidden = load('0', 9, 5, { aside: true });
    const other = load('0.1', 8, 0);
    const atOnce = print([store, commit, hidden, other]).join('\n');
    expect(atOnce).toContain('x = 1\n');
    expect(atOnce).not.toMatch(/waits|reaches|9: |waiting/);
    const late = print([store, hidden, other, commit]).join('\n');
    expect(late).toContain('x = 1 goes into the buffer');
    expect(late).toContain('┄┄ not in memory yet: x = 1 of thread 0 (memory holds 0) ┄');
    expect(late).toContain('x = 1 reaches memory');
  });

  it('does not list buffered stores whose value is already in memory', () => {
    const store = load('0', 7, 0, { kind: 'store', buffered: true, wrote: 1, memory: 1, event: '0#1' });
    expect(print([store, load('0.1', 8, 1)]).join('\n')).not.toContain('waiting');
  });

  it('makes control characters of the source harmless', () => {
    expect(print([load('0', 1, 0, { text: 'a\u001b[31mb' })]).join('\n')).toContain('a\\x1b[31mb');
  });
});
