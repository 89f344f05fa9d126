/** `fencepost check` and `replay` from outside: run folders, reporters, pipes. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { progressText } from '../../src/cli/progress.ts';
import { terminalOptions } from '../../src/cli/terminal.ts';
import { COLOURED, PLAIN } from '../../src/report/style.ts';
import { BINARY, ensureBuilt, Folder, fencepost, REPOSITORY } from './fencepost.ts';
// Sets the tests' own cache.
import '../support/c.ts';

const folder = new Folder();
const inFolder = { cwd: folder.path };
beforeAll(ensureBuilt);
afterAll(() => folder.remove());

const SB = readFileSync(join(REPOSITORY, 'examples/store-buffering.c'), 'utf8');

describe('a failing run', () => {
  let kept = '';
  it('is kept, and says how to replay it', () => {
    folder.write('sb.c', SB);
    const run = fencepost(['check', 'sb.c'], inFolder);
    expect(run.exit).toBe(1);
    kept = /^Replay: fencepost replay (\S+) \[--step\]$/m.exec(run.stdout)![1]!;
    expect(kept).toMatch(/^fencepost-out\/sb-[0-9a-f]{6}$/);
    expect(readdirSync(join(folder.path, kept)).sort()).toEqual(['report.txt', 'result.json', 'schedule.txt']);
    // No colours and no width of a terminal in a file.
    const report = readFileSync(join(folder.path, kept, 'report.txt'), 'utf8');
    expect(run.stdout).toBe(`${report}Replay: fencepost replay ${kept} [--step]\n`);
    expect(readFileSync(join(folder.path, kept, 'schedule.txt'), 'utf8')).toMatch(
      /^tso assertion: 0.*\npso assertion: 0/,
    );
    const { input } = JSON.parse(readFileSync(join(folder.path, kept, 'result.json'), 'utf8'));
    expect(input.sources).toEqual([{ file: 'sb.c', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  });

  it('is replayed by its folder, by model, as found, and step by step', () => {
    const all = fencepost(['replay', kept], inFolder);
    expect([all.exit, all.stderr]).toEqual([1, '']);
    expect(all.stdout).toContain('under tso: violation');
    expect(all.stdout).toContain('under pso: violation');
    const one = fencepost(['replay', kept, '--model', 'pso', '--original'], inFolder);
    expect([one.exit, one.stderr]).toEqual([1, '']);
    expect(one.stdout).not.toContain('under tso');
    const { results } = JSON.parse(readFileSync(join(folder.path, kept, 'result.json'), 'utf8'));
    expect(one.stdout).toContain(`schedule: ${results[2].error.originalSchedule}\n`);
    const none = fencepost(['replay', kept, '--model', 'sc'], inFolder);
    expect([none.exit, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toContain('nothing to replay under sc, only under tso, pso');
    const step = spawnSync(process.execPath, [BINARY, 'replay', kept, '--model', 'tso', '--step'], {
      ...inFolder,
      input: 'g 8\nw\nq\nn\n',
      encoding: 'utf8',
    });
    expect(step.status).toBe(1);
    expect(step.stdout.split('\n').at(-2)).toBe('thread 0.1: saw_other[0] = 0 (memory has 0)');
  });

  it('is known to be of other sources: harmless changes replay, others are refused', () => {
    folder.write('sb.c', `${SB}\n/* longer */\n`);
    const same = fencepost(['replay', kept, '--model', 'tso'], inFolder);
    expect([same.exit, same.stderr]).toEqual([
      1,
      'fencepost: sb.c has changed since the report; trying all the same\n',
    ]);
    folder.write('sb.c', SB.replace('((void)0)', '__sync_synchronize()'));
    const other = fencepost(['replay', kept, '--model', 'tso'], inFolder);
    expect([other.exit, other.stdout]).toEqual([2, '']);
    expect(other.stderr).toMatch(
      /^fencepost: sb\.c has changed since the report.*\nfencepost: replay under tso gives /,
    );
    folder.write('sb.c', SB);
  });

  it('is known to be of other headers, though they have no code', () => {
    folder.write('value.h', '#define VALUE 1\n');
    folder.write(
      'header.c',
      '#include <assert.h>\n#include "value.h"\nint x;\nint main(void) { x = VALUE; assert(x == 0); }\n',
    );
    const run = fencepost(['check', 'header.c', '--model', 'sc', '--out', 'elsewhere'], inFolder);
    const path = /replay (\S+)/.exec(run.stdout)![1]!;
    expect(path).toMatch(/^elsewhere\/header-/);
    folder.write('value.h', '#define VALUE 2\n');
    const replay = fencepost(['replay', path], inFolder);
    expect(replay.exit).toBe(1);
    expect(replay.stderr).toContain('the compiled program is another one than in the report');
  });

  it('is not kept with --no-out, nor if it does not fail', () => {
    folder.write('fine.c', 'int main(void) { return 0; }\n');
    expect(fencepost(['check', 'fine.c', '--out', 'nothing'], inFolder).exit).toBe(0);
    const run = fencepost(['check', 'sb.c', '--no-out', '--model', 'tso'], inFolder);
    expect(run.stdout).not.toContain('Replay:');
    expect(existsSync(join(folder.path, 'nothing'))).toBe(false);
  });

  it.skipIf(process.getuid?.() === 0)('that cannot be kept is still told', () => {
    folder.write('locked/file', '');
    chmodSync(join(folder.path, 'locked'), 0o500);
    const run = fencepost(['check', 'sb.c', '--model', 'tso', '--out', 'locked/out'], inFolder);
    expect([run.exit, run.stderr]).toEqual([1, expect.stringContaining('cannot keep this run in locked/out')]);
  });

  it('cannot be kept where a file is; it is told all the same', () => {
    const run = fencepost(['check', 'sb.c', '--model', 'tso', '--out', 'sb.c'], inFolder);
    expect([run.exit, run.stderr]).toEqual([1, expect.stringContaining('cannot keep this run in sb.c')]);
    expect(run.stdout).toContain('under tso: violation');
  });
});

describe('reporters', () => {
  it('write one document, and nothing else, also of a program that is not understood', () => {
    folder.write('bad.c', 'int main(void) {');
    for (const flag of ['--json', '--sarif']) {
      const run = fencepost(['check', 'bad.c', flag], inFolder);
      expect(run.exit).toBe(3);
      expect(() => JSON.parse(run.stdout)).not.toThrow();
    }
    const junit = fencepost(['check', 'bad.c', '--reporter', 'junit'], inFolder);
    expect(junit.stdout).toMatch(/^<\?xml[\s\S]*<error /);
  });

  it('are asked for one at a time, by names that exist', () => {
    const two = fencepost(['check', 'sb.c', '--json', '--sarif'], inFolder);
    expect([two.exit, two.stdout, two.stderr]).toEqual([
      2,
      '',
      'fencepost: one reporter at a time, not json and sarif\n',
    ]);
    expect(fencepost(['litmus', 'x', '--reporter', 'html'], inFolder)).toMatchObject({ exit: 2, stdout: '' });
  });

  it('of GitHub annotates after the text', () => {
    const run = fencepost(['check', 'sb.c', '--model', 'tso', '--reporter', 'github', '--no-out'], inFolder);
    expect(run.stdout).toMatch(/^sb\.c under tso: violation[\s\S]*\n::error file=sb\.c,line=46,col=3,title=[^\n]*\n$/);
  });
});

describe('output', () => {
  it('goes into a pipe that closes early without complaint', () => {
    const text = execFileSync(
      'bash',
      ['-c', `"${process.execPath}" "${BINARY}" check sb.c --no-out 2>&1 | head -n 1`],
      {
        ...inFolder,
        encoding: 'utf8',
      },
    );
    expect(text).toBe('sb.c under sc: verified (3 executions)\n');
  });

  it('is coloured on a terminal only, and not with NO_COLOR', () => {
    const terminal = { isTTY: true, columns: 120 };
    expect(terminalOptions(terminal, {})).toEqual({ width: 120, style: COLOURED });
    expect(terminalOptions(terminal, { NO_COLOR: '1' }).style).toBe(PLAIN);
    expect(terminalOptions(terminal, { NO_COLOR: '' }).style).toBe(COLOURED);
    expect(terminalOptions(terminal, { TERM: 'dumb' }).style).toBe(PLAIN);
    expect(terminalOptions({}, {})).toEqual({ width: 100, style: PLAIN });
    expect(terminalOptions({}, { COLUMNS: '40' }).width).toBe(80);
  });
});

it('progress says how much, how fast, how deep, and an estimate if there is one', () => {
  const now = { executions: 12_345, blocked: 12, depth: 48, estimate: undefined };
  expect(progressText(now, 3)).toBe('12,345 executions (4,115/s), 12 blocked, depth 48, 3 s');
  const estimate = { executions: 20_432, low: 15_111, high: 26_222 };
  expect(progressText({ ...now, blocked: 0, estimate }, 3)).toBe(
    '12,345 executions (4,115/s), depth 48, about 20,000 in all (15,000 to 26,000), 3 s',
  );
  expect(progressText({ ...now, estimate: { executions: 10, low: 5, high: 20 } }, 3)).not.toContain('in all');
});
