/** Formats for programs: JSON, SARIF and JUnit against their schemas, annotations and TAP against their escaping rules. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseLitmus } from '../../src/frontend/litmus/litmus.ts';
import { TARGETS } from '../../src/frontend/llvm/clang/targets.ts';
import { modelsWith } from '../../src/models/index.ts';
import { STRATEGIES } from '../../src/options/search.ts';
import { LitmusRun } from '../../src/pipelines/litmus.ts';
import { type CheckCommandReport, type Report, SCHEMA } from '../../src/report/schema.ts';
import { reportLitmus } from '../../src/report/story/litmus-report.ts';
import { printGithub } from '../../src/report/writers/github.ts';
import { printJunit } from '../../src/report/writers/junit.ts';
import { printSarif } from '../../src/report/writers/sarif.ts';
import { printTap } from '../../src/report/writers/tap.ts';
import { ensureBuilt, Folder, fencepost, REPOSITORY } from '../support/fencepost.ts';
import { checkFile, commandReport } from '../support/reports.ts';
import { validateJunit, validateReport, validateSarif } from '../support/schemas.ts';
import { parseTap } from '../support/tap.ts';
import { parseXml } from '../support/xml.ts';

function litmusReport(file: string): Report {
  const test = parseLitmus(readFileSync(join(REPOSITORY, file), 'utf8'), file);
  const results = (['sc', 'tso', 'pso', 'pslo'] as const).map((model) => {
    const run = new LitmusRun(test, model);
    while (!run.advance(1000));
    return reportLitmus(run.result, 0.1, { traces: true });
  });
  return { schema: SCHEMA, command: 'litmus', results, problems: [] };
}

/** What a command writes with `--json`. */
async function reportOf(...args: readonly string[]): Promise<Report> {
  await ensureBuilt();
  return JSON.parse((await fencepost([...args, '--json'])).stdout);
}

/** The report on the log of an SC execution of the program. */
async function monitored(file: string): Promise<Report> {
  await ensureBuilt();
  const folder = new Folder();
  const log = join(folder.path, 'run.log');
  await fencepost(['robust', file, '--record', log]);
  const report = await reportOf('monitor', log);
  folder.remove();
  return report;
}

const everything: readonly (readonly [string, () => Promise<Report>])[] = [
  ['an assertion', async () => commandReport(await checkFile('examples/store-buffering.c', ['sc', 'tso', 'pso']))],
  ['a deadlock, as under SC', async () => commandReport(await checkFile('examples/lock-order.c', ['sc', 'tso']))],
  ['liveness', async () => commandReport(await checkFile('programs/patterns/wait-queue.c', ['tso']))],
  ['memory', async () => commandReport(await checkFile('programs/structures/hazard-pointers.c', ['pso']))],
  ['a race', async () => commandReport(await checkFile('examples/store-buffering.c', ['sc'], { races: true }))],
  ['not robust', async () => commandReport(await checkFile('test/golden/benign.c', ['tso'], { robust: true }))],
  [
    'several errors',
    async () =>
      commandReport(await checkFile('examples/store-buffering.c', ['sc', 'tso'], { keepGoing: true, races: true })),
  ],
  ['a bound', async () => commandReport(await checkFile('examples/peterson.c', ['sc'], { maxExecutions: 1 }))],
  ['a suite', () => reportOf('check', '--suite', 'examples/suite.tsv', '--model', 'sc,pso', '--max-executions', '2')],
  ['a litmus test', async () => litmusReport('litmus/SB/SB.litmus')],
  [
    'violations of robustness',
    () =>
      reportOf(
        'robust',
        'examples/store-buffering.c',
        '--monitor',
        'tso,causal-tso,causal-pso',
        '--strategy',
        'exhaustive',
      ),
  ],
  ['a robust program', () => reportOf('robust', 'examples/ticket-lock.c')],
  ['robust, failing under SC', () => reportOf('robust', 'examples/lock-order.c')],
  ['a hunt', () => reportOf('hunt', 'examples/store-buffering.c', '--no-out', '--runs', '10')],
  ['a hunt without errors', () => reportOf('hunt', 'test/golden/benign.c', '--no-out', '--runs', '10')],
  ['a hunt, failing under SC', () => reportOf('hunt', 'examples/lock-order.c', '--no-out')],
  ['missing fences', () => reportOf('fix', 'examples/store-buffering.c')],
  ['a program without a fix', () => reportOf('fix', 'examples/lock-order.c')],
  ['a stopped fix', () => reportOf('fix', 'examples/store-buffering.c', '--max-executions', '1')],
  ['violations in a log', () => monitored('examples/store-buffering.c')],
  ['a log without violations', () => monitored('examples/ticket-lock.c')],
  [
    'problems, and names that are hard to write',
    async () => {
      const report = commandReport(await checkFile('examples/store-buffering.c', ['tso']));
      const [result] = report.results;
      const file = 'a <b>&"c"\n%,:\u0001\ud800 d.c';
      const error = { ...result!.error!, message: `${file}\r\n]]>`, file };
      const problems = [
        { file, message: 'no such file' },
        { file: 'x.c', message: 'bad', line: 3, column: 4 },
      ];
      return { ...report, results: [{ ...result!, file, error }], problems } as CheckCommandReport;
    },
  ],
];

/** A result's verdict; in a suite, whether it is as expected. */
function verdictOf(result: Report['results'][number]): string {
  if (!('outcome' in result) || !('expected' in result)) return result.verdict;
  return { 'as expected': 'verified', unexpected: 'violation', inconclusive: 'inconclusive' }[result.outcome];
}

describe.each(everything)('%s', (_, makeOnce) => {
  let made: Promise<Report> | undefined;
  const make = (): Promise<Report> => {
    made ??= makeOnce();
    return made;
  };

  it('is JSON as published, with nothing that is not described', async () => {
    expect(validateReport(JSON.parse(JSON.stringify(await make())))).toEqual([]);
  });

  it('gives every error with a schedule an id', async () => {
    JSON.stringify(await make(), (key, value) => {
      if (key === 'error' && value.schedule !== undefined) expect(value.id).toMatch(/^[0-9a-f]{12}$/);
      return value;
    });
  });

  it('is valid SARIF', async () => {
    const report = await make();
    const log = JSON.parse(printSarif(report));
    expect(validateSarif(log)).toEqual([]);
    const { results, tool } = log.runs[0];
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
  });

  it('is valid JUnit, and the counts are right', async () => {
    const report = await make();
    const xml = printJunit(report);
    expect(await validateJunit(xml)).toEqual([]);
    const root = parseXml(xml);
    const cases = root.children.flatMap((suite) => suite.children);
    const count = (name: string): number => cases.filter((c) => c.children.some((x) => x.name === name)).length;
    expect(root.attributes).toMatchObject({
      tests: String(report.results.length + report.problems.length),
      failures: String(report.results.filter((r) => verdictOf(r) === 'violation').length),
      errors: String(report.problems.length),
    });
    expect(count('failure')).toBe(Number(root.attributes['failures']));
    expect(count('skipped')).toBe(report.results.filter((r) => verdictOf(r) === 'inconclusive').length);
  });

  it('is one annotation per line', async () => {
    const lines = printGithub(await make())
      .split('\n')
      .slice(0, -1);
    for (const line of lines)
      expect(line).toMatch(/^::(error|warning|notice) file=[^,:]*(,line=\d+)?(,col=\d+)?,title=[^,:]*::[^\r\n]*$/);
  });

  it('is valid TAP: a test per verdict and problem', async () => {
    const report = await make();
    const tests = parseTap(printTap(report));
    const count = (verdict: string): number => report.results.filter((r) => verdictOf(r) === verdict).length;
    expect(tests).toHaveLength(report.results.length + report.problems.length);
    expect(tests.filter(({ isOk }) => !isOk)).toHaveLength(count('violation') + report.problems.length);
    expect(tests.filter(({ skip }) => skip !== undefined)).toHaveLength(count('inconclusive'));
    for (const { isOk, skip, findings } of tests) {
      expect(findings.some(({ level }) => level === 'error')).toBe(!isOk);
      if (skip !== undefined) expect(isOk).toBe(true);
    }
  });
});

describe('TAP', () => {
  it('has the findings, and the execution as comments', async () => {
    const report = commandReport(await checkFile('examples/store-buffering.c', ['sc', 'tso']));
    const [sc, tso] = parseTap(printTap(report));
    expect(sc).toMatchObject({ isOk: true, description: 'examples/store-buffering.c under sc', findings: [] });
    expect(tso).toMatchObject({ isOk: false, findings: [{ kind: 'assertion', line: 46, column: 3 }] });
    expect(tso!.findings[0]!['schedule']).toBe(report.results[1]!.error!.schedule);
    expect(tso!.comments.join('\n')).toMatch(/thread 0\.1: first[\s\S]*the assertion fails[\s\S]*Why \(marked/);
  });

  it('escapes what would be a directive or another line', () => {
    const problems = [{ file: 'a # TODO b\\\nok 1 \ud800', message: '"a": \n  ...\u2028\u0085' }];
    const text = printTap({ schema: SCHEMA, command: 'litmus', results: [], problems });
    expect(text).toContain('\nnot ok 1 - a \\# TODO b\\\\\\\\x0aok 1 \ufffd\n');
    expect(text).toContain('\n  message: "\\"a\\": \\n  ...\\u2028\\u0085"\n');
    expect(parseTap(text)).toMatchObject([{ isOk: false, findings: [{ file: 'a # TODO b\\\nok 1 \ufffd' }] }]);
  });

  it('says so if there is nothing to test', () => {
    const text = printTap({ schema: SCHEMA, command: 'litmus', results: [], problems: [] });
    expect(text).toBe('TAP version 13\n1..0 # SKIP nothing was checked\n');
    expect(parseTap(text)).toEqual([]);
  });
});

describe('findings are at the lines to blame', () => {
  const linesOf = async (report: Promise<Report>): Promise<readonly string[]> => {
    const { results } = JSON.parse(printSarif(await report)).runs[0];
    return results.map(
      (r: { ruleId: string; level: string; locations: { physicalLocation: { region?: { startLine: number } } }[] }) =>
        `${r.ruleId} ${r.level} ${r.locations[0]!.physicalLocation.region?.startLine}`,
    );
  };

  it('of accesses that can be reordered', async () => {
    expect(await linesOf(reportOf('robust', 'examples/store-buffering.c', '--model', 'tso'))).toEqual([
      'robustness error 36',
      'robustness error 28',
    ]);
  });

  it('of accesses that can be reordered in a log', async () => {
    const lines = await linesOf(monitored('examples/store-buffering.c'));
    expect(new Set(lines)).toEqual(new Set(['robustness error 36']));
  });

  it('of fences that are missing', async () => {
    expect(await linesOf(reportOf('fix', 'examples/store-buffering.c', '--model', 'tso'))).toEqual([
      'fence warning 28',
      'fence warning 36',
    ]);
  });

  it('of an error that a hunt finds', async () => {
    expect(await linesOf(reportOf('hunt', 'examples/store-buffering.c', '--no-out', '--model', 'tso'))).toEqual([
      'assertion error 46',
    ]);
  });
});

describe('a failing execution in SARIF', () => {
  it('is at the line of the error, and a flow per thread with the order of the events', async () => {
    const report = commandReport(await checkFile('examples/store-buffering.c', ['tso']));
    const [result] = JSON.parse(printSarif(report)).runs[0].results;
    expect(result.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'examples/store-buffering.c' },
      region: { startLine: 46, startColumn: 3 },
    });
    // Code is marked in Markdown only.
    expect(result.message.text).toContain('thread 0.1 read flag[1] as 0');
    expect(result.message.markdown).toContain('thread 0.1 read `flag[1]` as 0');
    const flows = result.codeFlows[0].threadFlows;
    expect(flows.map((f: { id: string }) => f.id)).toEqual(['0', '0.1', '0.2']);
    const orders = flows.flatMap((f: { locations: { executionOrder: number }[] }) =>
      f.locations.map((l) => l.executionOrder),
    );
    expect(orders.sort((a: number, b: number) => a - b)).toEqual(orders.map((_: number, i: number) => i + 1));
  });
});

it('the help of every rule is at a heading of the documentation', async () => {
  const { rules } = JSON.parse(printSarif({ schema: SCHEMA, command: 'litmus', results: [], problems: [] })).runs[0]
    .tool.driver;
  for (const { helpUri } of rules as readonly { helpUri: string }[]) {
    const { hash, href } = new URL(helpUri);
    const text = readFileSync(new URL(href.slice(0, href.length - hash.length)), 'utf8');
    const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    if (hash !== '') expect(anchors).toContain(hash.slice(1));
  }
});

it('the fixes in SARIF, all applied, are the patch', async () => {
  const report = await reportOf('fix', 'examples/store-buffering.c', '--model', 'tso');
  const { results } = JSON.parse(printSarif(report)).runs[0];
  interface Replacement {
    readonly deletedRegion: { readonly startLine: number; readonly endLine: number };
    readonly insertedContent: { readonly text: string };
  }
  const changes: { artifactLocation: { uri: string }; replacements: Replacement[] }[] = results.flatMap(
    (result: { fixes: { artifactChanges: unknown[] }[] }) => result.fixes.flatMap((fix) => fix.artifactChanges),
  );
  expect(changes.map(({ artifactLocation }) => artifactLocation.uri)).toEqual(
    Array(2).fill('examples/store-buffering.c'),
  );
  const lines = readFileSync(join(REPOSITORY, 'examples/store-buffering.c'), 'utf8').split(/(?<=\n)/);
  for (const { deletedRegion, insertedContent } of changes.flatMap(({ replacements }) => replacements).reverse()) {
    lines.splice(deletedRegion.startLine - 1, deletedRegion.endLine - deletedRegion.startLine, insertedContent.text);
  }
  const folder = new Folder();
  folder.write('fixed.c', lines.join(''));
  const fixed = await fencepost(['check', 'fixed.c', '--model', 'tso', '--no-out'], { cwd: folder.path });
  expect(fixed.stdout).toMatch(/^fixed\.c under tso: verified/);
  folder.remove();
});

it('warnings are findings, once for all models', async () => {
  const report = commandReport(await checkFile('test/golden/benign.c', ['sc', 'tso', 'pso']));
  const { results } = JSON.parse(printSarif(report)).runs[0];
  expect(results).toMatchObject([{ ruleId: 'race', level: 'warning', relatedLocations: [{}] }]);
  expect(printGithub(report)).toMatch(
    /^::warning file=test\/golden\/benign\.c,line=11,col=12,title=fencepost%3A race::data race/,
  );
});

it('an error has the same id in every run, and errors that differ have different ones', async () => {
  const idOf = async (file: string): Promise<string> =>
    commandReport(await checkFile(file, ['tso'])).results[0]!.error!.id!;
  expect(await idOf('examples/store-buffering.c')).toBe(await idOf('examples/store-buffering.c'));
  expect(await idOf('examples/store-buffering.c')).not.toBe(await idOf('examples/dekker.c'));
});

it('the published schema names the models, strategies and targets that there are', () => {
  const schema = readFileSync(join(REPOSITORY, 'docs/schema/fencepost-1.schema.json'), 'utf8');
  const { $defs } = JSON.parse(schema) as {
    $defs: Record<string, { properties: Record<string, { enum?: readonly string[] }> }>;
  };
  const named = (type: string, field: string) => [...$defs[type]!.properties[field]!.enum!].sort();
  const sorted = (names: readonly string[]): readonly string[] => [...names].sort();
  const needed = { check: 'check', litmus: 'litmus', robust: 'monitors' } as const;
  for (const [command, capability] of Object.entries(needed))
    expect(named(`${command}Result`, 'model'), command).toEqual(sorted(modelsWith(capability)));
  expect(named('checkInput', 'strategy')).toEqual(sorted(STRATEGIES));
  expect(named('checkInput', 'target')).toEqual(sorted(TARGETS));
});

it('the schemas detect errors', async () => {
  const report = commandReport(await checkFile('examples/store-buffering.c', ['tso']));
  const wrong = (change: (r: ReturnType<typeof JSON.parse>) => void): readonly string[] => {
    const copy = JSON.parse(JSON.stringify(report));
    change(copy);
    return validateReport(copy);
  };
  expect(wrong(() => {})).toEqual([]);
  expect(wrong((r) => delete r.results[0].error.schedule)).not.toEqual([]);
  expect(wrong((r) => Object.assign(r.results[0], { verdict: 'maybe' }))).not.toEqual([]);
  expect(wrong((r) => Object.assign(r.results[0], { undescribed: 1 }))).not.toEqual([]);
  expect(wrong((r) => Object.assign(r.results[0].trace.events[0], { line: 0 }))).not.toEqual([]);
  expect(wrong((r) => Object.assign(r, { schema: 'fencepost/2' }))).not.toEqual([]);

  const log = JSON.parse(printSarif(report));
  expect(validateSarif({ ...log, version: '2.0.0' })).not.toEqual([]);
  log.runs[0].results[0].locations[0].physicalLocation.region.startLine = 0;
  expect(validateSarif(log)).not.toEqual([]);

  const xml = printJunit(report);
  expect(await validateJunit(xml.replace('<testsuites ', '<testsuites skipped="1" '))).not.toEqual([]);
  expect(await validateJunit(xml.replace('</testsuites>', ''))).not.toEqual([]);
  expect(() => parseXml('<?xml version="1.0" encoding="UTF-8"?>\n<a b="<">')).toThrow();
});

it('columns are in characters for other tools, in bytes for clang', () => {
  const folder = new Folder();
  const file = join(folder.path, folder.write('utf.c', 'int x;\n/* éé😀 */ assert(x);\n'));
  const problems = [
    { file, message: 'here', line: 2, column: 16 },
    { file, message: 'beyond the line', line: 2, column: 99 },
    { file: 'nowhere.c', message: 'no such file', line: 2, column: 16 },
  ];
  const report: Report = { schema: SCHEMA, command: 'litmus', results: [], problems };
  const [invocation] = JSON.parse(printSarif(report)).runs[0].invocations;
  const columns = invocation.toolExecutionNotifications.map(
    (n: { locations: { physicalLocation: { region: { startColumn: number } } }[] }) =>
      n.locations[0]!.physicalLocation.region.startColumn,
  );
  expect(columns).toEqual([11, 99, 16]);
  expect(printGithub(report).match(/col=\d+/g)).toEqual(['col=11', 'col=99', 'col=16']);
  expect(parseTap(printTap(report)).flatMap(({ findings }) => findings.map(({ column }) => column))).toEqual([
    11, 99, 16,
  ]);
  folder.remove();
});

describe('what has no place', () => {
  it('is shown at the first file of the program, whatever its name', async () => {
    const folder = new Folder();
    folder.write('a space/main file.c', 'void f(void);\nint main(void) { f(); }\n');
    folder.write('f.c', 'void f(void) {}\n');
    const files = ['a space/main file.c', 'f.c'];
    const flags = [
      '--model',
      'sc',
      '--max-executions',
      '1',
      '--strategy',
      'random',
      '--reporter',
      'github',
      '--no-out',
    ];
    const { stdout } = await fencepost(['check', ...files, ...flags], { cwd: folder.path });
    expect(stdout).toMatch(/^::warning file=a space\/main file\.c,title=/m);
    folder.remove();
  });
});
