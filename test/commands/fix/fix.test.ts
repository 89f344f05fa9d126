/** `fencepost fix` from outside: what it prints and writes, and its exit codes. Runs the built command. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceFiles } from '../../../src/cli/shared/replace-files.ts';
import type { FixCommandReport } from '../../../src/report/schema.ts';
// For the cache of the tests.
import '../../support/c.ts';
import { BINARY, ensureBuilt, Folder, fencepost } from '../../support/fencepost.ts';
import { validateReport } from '../../support/schemas.ts';

const SB = `#include <assert.h>
#include <pthread.h>
volatile int x, y;
int a, b;
static void *first(void *p) {
  x = 1;
  a = y;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  y = 1;
  b = x;
  pthread_join(t, 0);
  assert(a || b);
}
`;

const folder = new Folder();
const inFolder = { cwd: folder.path };

beforeAll(async () => {
  await ensureBuilt();
  folder.write('sb.c', SB);
  folder.write('other.c', SB);
  folder.write('one.c', SB.replace('x = 1;\n  a = y;', 'a = (x = 1, y);'));
  folder.write(
    'fences.c',
    'int main(void) {\n  __atomic_thread_fence(__ATOMIC_ACQUIRE);\n  __sync_synchronize();\n}\n',
  );
  folder.write('sc.c', '#include <assert.h>\nint main(void) { assert(0); }\n');
  folder.write('costs.json', '{ "full-fence": 5 }');
  folder.write('wrong.json', '{ "fence": 5 }');
});
afterAll(() => folder.remove());

describe('fix', () => {
  it('writes what it has proved, keeps the mode, and has nothing to do then', async () => {
    const path = join(folder.path, 'sb.c');
    chmodSync(path, 0o640);
    const { exit, stdout } = await fencepost(['fix', 'sb.c', '--model', 'tso', '--write', '--json'], inFolder);
    expect(exit).toBe(0);
    const report = JSON.parse(stdout) as FixCommandReport;
    expect(report).toMatchObject({
      schema: 'fencepost/1',
      command: 'fix',
      results: [{ outcome: 'fixed', verdict: 'verified', cost: 16, written: true, bounds: [] }],
    });
    expect(report.results[0]!.changes).toHaveLength(2);
    expect(readFileSync(path, 'utf8').match(/__atomic_thread_fence\(__ATOMIC_SEQ_CST\);/g)).toHaveLength(2);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder.path).filter((name) => name.includes('fencepost'))).toEqual([]);
    const again = await fencepost(['fix', 'sb.c', '--model', 'tso'], inFolder);
    expect(again).toMatchObject({ exit: 0, stdout: 'sb.c is safe under tso: no change needed\n' });
  });

  it('writes nothing that is valid only up to a bound', async () => {
    const args = ['fix', 'other.c', '--model', 'tso', '--goal', 'robust', '--max-executions', '1', '--write'];
    const { exit, stdout, stderr } = await fencepost(args, inFolder);
    expect(exit).toBe(4);
    expect(stdout).toContain('valid only up to a bound (executions: 1)');
    expect(stderr).toContain('nothing was written');
    expect(readFileSync(join(folder.path, 'other.c'), 'utf8')).toBe(SB);
  });

  it('says up to which bound nothing is needed', async () => {
    const args = ['fix', 'sb.c', '--model', 'tso', '--max-executions', '1'];
    const { exit, stdout } = await fencepost(args, inFolder);
    expect({ exit, stdout }).toEqual({
      exit: 4,
      stdout:
        'sb.c: inconclusive: no violation of "safe under tso" up to a bound (executions: 1), ' +
        'so no change is known to be needed\n',
    });
    const report = JSON.parse((await fencepost([...args, '--json'], inFolder)).stdout) as FixCommandReport;
    expect(report.results).toMatchObject([{ outcome: 'unneeded', verdict: 'inconclusive', bounds: ['executions: 1'] }]);
  });

  it('marks a fix with the bound that a loop was cut at', async () => {
    const text = SB.replace('  x = 1;', '  for (int i = 0; i < 9; i++) spin = i;\n  x = 1;').replace(
      'int a, b;',
      'int a, b, spin;',
    );
    folder.write('loop.c', text);
    const { exit, stdout } = await fencepost(
      ['fix', 'loop.c', '--model', 'tso', '--unroll', '3', '--goal', 'safe'],
      inFolder,
    );
    expect(exit).toBe(4);
    expect(stdout).toMatch(/^loop\.c(?:: inconclusive| becomes safe).*up to a bound \(.*unroll.*\)/);
  });

  it('prints the patch in the bytes of the file, wherever that is', () => {
    const text = Buffer.from(SB.replace('x = 1;', 'x = 1; // gr\u00fcn'), 'latin1');
    folder.write('src dir/latin 1.c', text);
    folder.write('build/.keep', '');
    const cwd = join(folder.path, 'build');
    const { stdout } = spawnSync(process.execPath, [BINARY, 'fix', '../src dir/latin 1.c', '-m', 'tso'], { cwd });
    expect(stdout.toString()).toContain("The patch's paths are relative to ..: patch -p1 -d ..\n");
    expect(spawnSync('patch', ['-p1', '-d', '..'], { cwd, input: stdout }).status).toBe(0);
    const patched = readFileSync(join(folder.path, 'src dir/latin 1.c'));
    expect(patched.includes(Buffer.from('gr\u00fcn', 'latin1'))).toBe(true);
    expect(patched.toString('latin1').match(/__atomic_thread_fence/g)).toHaveLength(2);
  });

  it('says why nothing helps, and what would', async () => {
    const { exit, stdout } = await fencepost(['fix', 'one.c', '--model', 'tso'], inFolder);
    expect(exit).toBe(1);
    expect(stdout).toContain(
      '  store `x = 1`, volatile (one.c:6:10) must reach memory before load `y → 0`, volatile (one.c:6:15),\n' +
        '  but nothing fits between them: both are in one statement.\n' +
        '  To fix it, split it into two statements; then run fix again.\n',
    );
  });

  it.each([
    ['other.c', []],
    ['one.c', []],
    ['fences.c', ['--minimise']],
  ])('writes JSON as published: %s %j', async (file, args) => {
    const report = JSON.parse(
      (await fencepost(['fix', file, '-m', 'tso', '--json', ...args], inFolder)).stdout,
    ) as FixCommandReport;
    expect(validateReport(report)).toEqual([]);
  });

  it('says that a fix cannot be expressed, if names mean something else', async () => {
    folder.write('names.c', `#define __atomic_thread_fence(order) ((void)0)\n${SB}`);
    const { exit, stdout, stderr } = await fencepost(['fix', 'names.c', '--model', 'tso', '--json'], inFolder);
    expect(exit).toBe(3);
    expect(stderr).toContain(
      'names.c:8:1: a fix was found, but cannot be expressed in the source: __atomic_thread_fence(',
    );
    const report = JSON.parse(stdout) as FixCommandReport;
    expect(report).toMatchObject({
      results: [],
      problems: [{ line: 8, message: expect.stringContaining('a fix was') }],
    });
    validateReport(report);
    folder.write('lines.c', `${SB}_Static_assert(__LINE__ == 18, "");\n`);
    const refused = await fencepost(['fix', 'lines.c', '--model', 'tso'], inFolder);
    expect(refused).toMatchObject({ exit: 3, stdout: '' });
    expect(refused.stderr).toContain('does not compile there');
  });

  it('says which fences --minimise leaves alone', async () => {
    const { exit, stdout } = await fencepost(['fix', 'fences.c', '--minimise', '--model', 'tso,pso'], inFolder);
    expect(exit).toBe(0);
    expect(stdout).toContain('the full fence at fences.c:3:3  __sync_synchronize(); is not needed\n');
    expect(stdout).toContain('not changed: the acquire fence at fences.c:2:3: it orders only loads');
  });

  it('changes several files of one program', async () => {
    const thread = SB.slice(SB.indexOf('static'), SB.indexOf('int main'));
    folder.write('first.c', `extern volatile int x, y;\nextern int a;\n${thread.replace('static ', '')}`);
    folder.write('main.c', SB.replace(thread, 'void *first(void *);\n'));
    const args = ['fix', 'main.c', 'first.c', '--model', 'tso'];
    const { exit, stdout } = await fencepost([...args, '--write'], inFolder);
    expect(exit).toBe(0);
    expect(stdout).toContain('main.c first.c becomes safe under tso with 2 changes (cost 16)\n');
    expect(stdout).toMatch(/^--- a\/first\.c$[\s\S]*^--- a\/main\.c$/m);
    expect(await fencepost(args, inFolder)).toMatchObject({
      exit: 0,
      stdout: 'main.c first.c is safe under tso: no change needed\n',
    });
  });

  it('takes costs from a file', async () => {
    const { stdout } = await fencepost(['fix', 'other.c', '--model', 'tso', '--cost', 'costs.json'], inFolder);
    expect(stdout).toContain('with 2 changes (cost 10)');
  });

  it('shows the error of SC, and exits with 1', async () => {
    const { exit, stdout } = await fencepost(['fix', 'sc.c'], inFolder);
    expect(exit).toBe(1);
    expect(stdout).toContain('sc.c already fails under sc, which no fence can fix');
  });

  it.each([
    [
      ['other.c', '--cost', 'wrong.json'],
      'wrong.json: unknown cost "fence"; expected one of full-fence, store-fence, acquire-fence, release',
    ],
    [['other.c', '--cost', 'none.json'], 'none.json: no such file'],
    [['other.c', '--cost', 'other.c'], 'other.c: cannot be read as JSON'],
    [['other.ll'], 'other.ll: fix only accepts sources in C and C++ (.c, .cpp, .cc, .cxx, .C)'],
    [
      ['other.c', '--model', 'sc'],
      'sc does not support fix: its stores are never delayed, so no fence makes a difference; expected one of tso, pso',
    ],
    [['none.c'], 'none.c'],
  ])('%j is wrong usage', async (args, message) => {
    const { exit, stderr, stdout } = await fencepost(['fix', ...args], inFolder);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('changing files', () => {
  it('changes none if one has changed since', () => {
    const [first, second] = ['1.c', '2.c'].map((name) => join(folder.path, folder.write(name, 'a')));
    const changes = [
      { file: first!, before: 'a', after: 'b' },
      { file: second!, before: 'x', after: 'b' },
    ];
    expect(replaceFiles(changes)).toContain('2.c: it has changed since');
    expect(readFileSync(first!, 'utf8')).toBe('a');
    expect(replaceFiles(changes.slice(0, 1))).toBeUndefined();
    expect(readFileSync(first!, 'utf8')).toBe('b');
  });

  it('leaves no files behind if it cannot write', () => {
    const first = join(folder.path, folder.write('3.c', 'a'));
    const changes = [
      { file: first, before: 'a', after: 'b' },
      {
        file: first,
        before: 'a',
        get after(): string {
          throw new Error('disk full');
        },
      },
    ];
    expect(replaceFiles(changes)).toBe('cannot write: disk full');
    expect(readFileSync(first, 'utf8')).toBe('a');
    expect(readdirSync(folder.path).filter((name) => name.includes('.fencepost-'))).toEqual([]);
  });

  it('restores what it has changed if it cannot continue', () => {
    const [first, second, third] = ['6.c', '7.c', '8.c'].map((name) => join(folder.path, folder.write(name, 'a')));
    let looks = 0;
    const changes = [
      { file: first!, before: 'a', after: 'b' },
      { file: second!, before: 'a', after: 'b' },
      {
        file: third!,
        get before(): string {
          // Right after the last check of the second file, makes renaming to it impossible.
          if (++looks === 2) {
            rmSync(second!);
            mkdirSync(second!);
          }
          return 'a';
        },
        after: 'b',
      },
    ];
    expect(replaceFiles(changes)).toContain('cannot write: ');
    expect([first!, third!].map((file) => readFileSync(file, 'utf8'))).toEqual(['a', 'a']);
    expect(readdirSync(folder.path).filter((name) => name.includes('.fencepost-'))).toEqual([]);
  });

  it('changes none if one changes while it writes', () => {
    const [first, second] = ['4.c', '5.c'].map((name) => join(folder.path, folder.write(name, 'a')));
    const changes = [
      { file: first!, before: 'a', after: 'b' },
      {
        file: second!,
        before: 'a',
        get after(): string {
          writeFileSync(first!, 'saved by somebody');
          return 'b';
        },
      },
    ];
    expect(replaceFiles(changes)).toContain('4.c: it has changed since');
    expect(readFileSync(first!, 'utf8')).toBe('saved by somebody');
    expect(readFileSync(second!, 'utf8')).toBe('a');
  });

  it('says which file is missing', () => {
    expect(replaceFiles([{ file: join(folder.path, 'gone.c'), before: '', after: '' }])).toContain('no such file');
  });
});
