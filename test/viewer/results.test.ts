/** The viewer's views of fixes, logs, proofs and violations of robustness, without a browser. */
import { describe, expect, it } from 'vitest';
import type { AnyReport, AnyResult } from '../../src/report/page-data.ts';
import type { CheckInput, FixReport, MonitorReport, ViolationReport } from '../../src/report/schema.ts';
import { quotedFiles } from '../../src/report/writers/html.ts';
import { pageOfReport } from '../../src/report/writers/pages.ts';
import { diffsOf } from '../../src/viewer/model/diff.ts';
import { fixesOf } from '../../src/viewer/model/fix.ts';
import { logTable } from '../../src/viewer/model/log.ts';
import { pageOf } from '../../src/viewer/model/page.ts';
import { proofsOf, restsOn, warningsOf } from '../../src/viewer/model/proof.ts';
import { SB } from './traces.ts';

const INPUT: CheckInput = {
  files: ['a.c'],
  entry: 'main',
  arguments: [],
  defines: ['N=2'],
  undefines: [],
  includePaths: [],
  includes: [],
  uninitialised: true,
  strategy: 'optimal',
  seed: 1,
  clang: 'clang 16',
  sources: [
    { file: 'a.c', sha256: '' },
    { file: 'a.h', sha256: '' },
  ],
};

describe('a diff beside its source', () => {
  const source = Array.from({ length: 12 }, (_, i) => `line ${i + 1};`).join('\n');
  const patch = [
    '--- a/tmp/a.c',
    '+++ b/tmp/a.c',
    '@@ -2,4 +2,5 @@',
    ' line 2;',
    '+--- a fence;',
    ' line 3;',
    '-line 4;',
    '+strong 4;',
    ' line 5;',
    '@@ -11,2 +12,1 @@',
    ' line 11;',
    '-line 12;',
    '\\ No newline at end of file',
    '',
  ].join('\n');

  it('has every line of the source, with removed and added lines', () => {
    const [diff, ...others] = diffsOf(patch, { '/tmp/a.c': source });
    expect(others).toEqual([]);
    expect(diff!.file).toBe('/tmp/a.c');
    const shown = diff!.rows.map(({ kind, oldNumber, newNumber }) => `${kind} ${oldNumber ?? ''}:${newNumber ?? ''}`);
    expect(shown.slice(0, 6)).toEqual(['same 1:1', 'same 2:2', 'added :3', 'same 3:4', 'changed 4:5', 'same 5:6']);
    expect(shown.slice(-2)).toEqual(['same 11:12', 'removed 12:']);
    expect(diff!.rows.map((r) => r.before).filter((t) => t !== undefined)).toEqual(source.split('\n'));
    expect(diff!.rows[2]).toMatchObject({ after: '--- a fence;', isNear: true });
    expect(diff!.rows[4]).toMatchObject({ before: 'line 4;', after: 'strong 4;' });
    expect(diff!.rows.filter((r) => !r.isNear).map((r) => r.oldNumber)).toEqual([1, 6, 7, 8, 9, 10]);
  });

  it('leaves gaps where there is no source', () => {
    const [diff] = diffsOf(patch, {});
    expect(diff!.file).toBe('tmp/a.c');
    expect(diff!.rows.filter((r) => r.kind === 'gap')).toHaveLength(2);
    expect(diffsOf('', {})).toEqual([]);
  });

  it.each([
    ['b/main/a.c', '/home/me/main/a.c'],
    ['b/my file.c\t', 'my file.c'],
    ['"b/stra\\303\\237e \\"1\\".c"', './straße "1".c'],
  ])('finds the source of %s', (name, file) => {
    const patch = `--- a\n+++ ${name}\n@@ -1,1 +1,2 @@\n one\n+two\n`;
    const [diff] = diffsOf(patch, { 'other.c': 'x\n', [file]: 'one\nlast\n' });
    expect(diff!.file).toBe(file);
    expect(diff!.rows.map((row) => row.after)).toEqual(['one', 'two', 'last']);
  });
});

describe('a fix', () => {
  const event = (thread: string, effect: string, line: number) => ({ event: `${thread}#1`, thread, effect, line });
  const fix: FixReport = {
    file: 'a.c',
    models: ['tso', 'pso'],
    goal: 'safe',
    outcome: 'fixed',
    verdict: 'verified',
    bounds: [],
    cost: 8,
    changes: [
      {
        kind: 'full-fence',
        place: { file: 'src/a.c', line: 7, column: 3 },
        cost: 8,
        orders: {
          model: 'tso',
          late: event('0.1', 'x = 1 (buffered)', 6),
          early: event('0.1', 'y → 0', 7),
          cycle: [{ event: event('0.1', 'x = 1 (buffered)', 6), relation: 'program order' }],
        },
      },
    ],
    others: [[{ kind: 'seq_cst', place: null, cost: 8 }]],
    hasMore: true,
    patch: '',
    proofs: [{ model: 'tso', verdict: 'verified', executions: 1200 }],
    written: true,
  };
  const report = (change: Partial<FixReport>, results: readonly AnyResult[] = []): AnyReport => ({
    command: 'fix',
    input: INPUT,
    results,
    fixes: [{ ...fix, ...change }],
  });

  it('shows each change, its cost, what it orders and the cycle that it cuts', () => {
    const [shown] = fixesOf(report({}, [{ file: 'a.c', model: 'tso', verdict: 'violation' }]));
    expect(shown).toMatchObject({
      headline: 'Becomes safe under TSO and PSO with 1 change, cost 8',
      isGood: true,
      models: [{ model: 'tso', before: 'violation', after: { verdict: 'verified', note: '1,200 executions' } }],
      others: ['seq_cst order of an unknown location', 'and more of cost 8'],
    });
    expect(shown!.notes[0]).toBe('The files were changed.');
    expect(shown!.changes).toEqual([
      {
        title: 'Full fence before',
        place: 'a.c:7',
        cost: 'cost 8',
        why: '`x = 1` (line 6) must reach memory before `y → 0` (line 7) happens.',
        model: 'tso',
        cycle: [{ thread: '0.1', line: 'line 6', effect: 'x = 1', relation: 'program order' }],
      },
    ]);
  });

  it('needs no change only if the search was exhaustive', () => {
    const [shown] = fixesOf(report({ outcome: 'unneeded', changes: [] }));
    expect(shown).toMatchObject({ headline: 'Is safe under TSO and PSO: no change needed', isGood: true });
    const [robust] = fixesOf(report({ outcome: 'unneeded', changes: [], goal: 'robust', bounds: ['time: 1 s'] }));
    expect(robust).toMatchObject({
      headline: 'No execution beyond SC found within the bounds under TSO and PSO: no change suggested',
      isGood: false,
    });
  });

  it('that holds only up to a bound says so', () => {
    const [shown] = fixesOf(report({ bounds: ['time: 1 s'] }));
    expect(shown).toMatchObject({
      headline: 'Within the bounds: becomes safe under TSO and PSO with 1 change, cost 8',
      isGood: false,
    });
    expect(shown!.notes).toContain('Valid only up to a bound: time: 1 s.');
  });

  it.each([
    ['unneeded', 'No failure found within the bounds under TSO and PSO: no change suggested', false],
    ['sc', 'Already fails under SC, which no fence can fix', false],
    ['impossible', 'Cannot be made safe under TSO and PSO by fences or stronger orders', false],
    ['stopped', 'Stopped before a fix was found: time: 1 s', false],
  ] as const)('says what came of it: %s', (outcome, headline, isGood) => {
    const { proofs: _, ...rest } = fix;
    const [shown] = fixesOf({ command: 'fix', results: [], fixes: [{ ...rest, outcome, bounds: ['time: 1 s'] }] });
    expect(shown).toMatchObject({ headline, isGood, models: [] });
  });

  it('shows fences that are removed, and those that stay', () => {
    const removed = [
      { place: { file: 'a.c', line: 3, column: 1 }, before: 'full-fence', after: 'store-fence' },
    ] as const;
    const [shown] = fixesOf(report({ goal: 'robust', removed }));
    expect(shown!.headline).toBe('Stays robust under TSO and PSO with 1 fence, cost 8');
    expect(shown!.removed).toEqual(['The full fence at a.c:3 can be a store-store fence.']);
    expect(shown!.changes[0]!.title).toBe('Keep the full fence at');
    expect(shown!.models[0]!.after!.verdict).toBe('robust');
  });

  it('includes the sources of the whole program', () => {
    expect(quotedFiles(report({}, [{ file: 'a.c', model: 'tso', trace: SB }]))).toEqual(['a.c', 'SB', 'a.h']);
  });
});

it('a log is a table of what could be reordered, and where', () => {
  const log: MonitorReport = {
    file: 'run.log',
    monitors: ['causal-tso'],
    verdict: 'violation',
    robust: false,
    events: 1234,
    bounds: ['one recorded execution'],
    violations: [
      {
        monitor: 'causal-tso',
        model: 'tso',
        thread: 1,
        writer: 2,
        event: 'a.c:3',
        variable: 'x',
        eventNumber: 5,
        writeNumber: 4,
        count: 2,
      },
    ],
  };
  expect(logTable(log)).toMatchObject({
    headline: 'Not robust: 1 distinct violation in 1,234 events.',
    rows: [
      {
        early: { variable: 'x', place: 'a.c:3', detail: 'thread 1, event 5' },
        late: { place: 'an unknown location', detail: 'thread 2, event 4' },
        count: '2 times',
      },
    ],
  });
  expect(logTable({ ...log, file: '-', verdict: 'inconclusive', violations: [] })).toMatchObject({
    file: 'standard input',
    headline: expect.stringContaining('proves nothing'),
  });
  const [violation] = log.violations;
  const witness = {
    cycle: [
      { number: 5, thread: 1, effect: 'load x', place: 'a.c:3', relation: 'conflict' },
      { number: 4, thread: 2, effect: 'store x', relation: 'source' },
    ],
    execution: [
      { number: 4, thread: 2, effect: 'store x', step: 'buffered' as const },
      { number: 5, thread: 1, effect: 'load x', place: 'a.c:3', step: 'at once' as const },
      { number: 4, thread: 2, effect: 'store x', step: 'reaches memory' as const },
    ],
  };
  const rows = [{ witness }, { noWitness: 'far apart' }].map((field) => ({ ...violation!, ...field }));
  const [shown, missing] = logTable({ ...log, violations: rows }).rows.map((row) => row.witness!);
  expect(shown!.parts.map(({ events }) => events)).toEqual([
    ['event 5, thread 1: a.c:3  load x → conflict', 'event 4, thread 2: store x → source'],
    [
      'event 4, thread 2: store x (buffered)',
      'event 5, thread 1: a.c:3  load x',
      'event 4, thread 2: store x reaches memory',
    ],
  ]);
  expect(missing).toMatchObject({ title: expect.stringContaining('far apart'), parts: [] });
  const page = pageOfReport({ schema: 'fencepost/1', command: 'monitor', results: [log], problems: [] });
  expect(pageOf(page)).toMatchObject({ title: 'run.log', verdicts: [], executions: [] });
  expect(page.logs).toEqual([log]);
});

describe('without an execution', () => {
  const result = (change: Partial<AnyResult>): AnyReport => ({
    command: 'check',
    input: INPUT,
    results: [{ file: 'a.c', model: 'tso', verdict: 'verified', how: 'explored', executions: 3, ...change }],
  });
  const how = (report: AnyReport) => proofsOf(report)[0]!.how.join(' ');

  it('says how a verdict was reached', () => {
    expect(how(result({}))).toBe('Every trace was explored, each exactly once: 3 executions. None ends in an error.');
    expect(how(result({ how: 'robust' }))).toContain('prove that TSO adds none');
    expect(how(result({ verdict: 'inconclusive', bounds: ['time: 1 s'] }))).toBe(
      'No failure in 3 executions, but the search was not exhaustive. It was stopped by: time: 1 s.',
    );
    expect(how({ ...result({ monitors: ['causal-tso'] }), command: 'robust' })).toMatch(
      /^Every trace of SC was explored.*SC allows every execution under TSO\. Monitors: causal-tso\.$/,
    );
    expect(how(result({ unchecked: ['threads'] }))).toMatch(/Not checked: no second thread was ever created\.$/);
    const blockedBy = { assume: 0, unroll: 0, spin: 2 };
    expect(how(result({ blocked: 2, blockedBy, cutsIdleLoops: true }))).toMatch(
      /2 more executions are blocked: waiting in a loop\. Loop iterations that only wait were omitted\.$/,
    );
  });

  it('says what that depends on, and lists warnings', () => {
    expect(restsOn(result({}))).toEqual([
      'The search: strategy optimal, without bounds.',
      expect.stringContaining('docs/models.md'),
      'The unoptimised code of the program, compiled by clang 16.',
      'This program: from main() without arguments, compiled with -DN=2. Other threads, calls or inputs are other programs.',
    ]);
    expect(restsOn(result({ bounds: ['time: 1 s'] }))[0]).toContain('stopped by a bound (time: 1 s)');
    const { uninitialised: _, ...zero } = INPUT;
    expect(restsOn({ ...result({}), input: zero }).at(-1)).toContain('held zeroes');
    const warnings = [{ kind: 'race' as const, message: 'a race', places: [] }];
    expect(
      warningsOf({ ...result({}), results: [...result({ warnings }).results, ...result({ warnings }).results] }),
    ).toEqual(['a race']);
  });

  it('shows the source', () => {
    expect(quotedFiles(result({}))).toEqual(['a.c', 'a.h']);
    expect(quotedFiles(result({ trace: SB }))).toEqual(['a.c', 'SB']);
  });
});

describe('violations of robustness', () => {
  const place = (line: number) => ({ file: 'src/a.c', line, column: 1 });
  const harmless: ViolationReport = {
    monitor: 'causal-tso',
    event: { ...place(7), variable: 'y' },
    write: place(6),
    cycle: { schedule: '0 1', edges: [] },
    harmful: false,
    trace: SB,
  };
  const error = { kind: 'assertion' as const, message: 'a || b', schedule: '0 0' };
  const harmful: ViolationReport = { ...harmless, event: place(9), harmful: true, error };
  const results: AnyResult[] = [{ file: 'a.c', model: 'tso', verdict: 'violation', violations: [harmless, harmful] }];

  it('each have an execution, with an error or without', () => {
    const { executions, violations, groups } = pageOf({ command: 'robust', results });
    expect(groups.map(({ title, list }) => [title, list.map((v) => v.execution)])).toEqual([
      ['Harmful: 1 violation', [2]],
      ['No failure found: 1 violation', [1]],
    ]);
    expect(violations).toEqual([
      {
        title: 'The access of `y` at a.c:7 can take effect before the store at a.c:6 reaches memory',
        detail: 'no failure found by continuing from here',
        model: 'tso',
        execution: 1,
        schedule: undefined,
        isHarmful: false,
      },
      expect.objectContaining({ detail: 'harmful: assertion: `a || b`', execution: 2 }),
    ]);
    expect(executions.map((e) => [e.isHarmless, e.error?.message])).toEqual([
      [true, undefined],
      [undefined, 'a || b'],
    ]);
  });

  it('are listed by schedule where a report has no executions', () => {
    const bare = [harmless, harmful].map(({ trace: _, ...rest }) => rest);
    const { executions, violations } = pageOf({ command: 'robust', results: [{ ...results[0]!, violations: bare }] });
    expect(executions).toEqual([]);
    expect(violations.map((v) => [v.execution, v.schedule])).toEqual([
      [undefined, '0 1'],
      [undefined, '0 0'],
    ]);
  });

  it('are not looked for in a program that is wrong under SC, whose error is shown once', () => {
    const wrong: AnyResult = { file: 'a.c', model: 'tso', verdict: 'violation', how: 'sc', error, trace: SB };
    const page = pageOf({ command: 'robust', results: [wrong, { ...wrong, model: 'pso' }] });
    expect(page.executions.map((e) => e.model)).toEqual(['sc']);
    expect(page.violations.map((v) => [v.model, v.execution])).toEqual([['sc', 1]]);
  });
});
