/** `fencepost fix` from the outside: what it prints, what it writes, and with which exit code. Runs the built command. */
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceFiles } from '../../src/cli/replace-files.ts';
import type { FixCommandReport } from '../../src/report/schema.ts';
// For the tests' own cache.
import '../support/c.ts';
import { ensureBuilt, Folder, fencepost } from './fencepost.ts';

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
  folder.write('sc.c', '#include <assert.h>\nint main(void) { assert(0); }\n');
  folder.write('costs.json', '{ "full-fence": 5 }');
  folder.write('wrong.json', '{ "fence": 5 }');
});
afterAll(() => folder.remove());

describe('fix', () => {
  it('writes what it has proved, keeps the mode, and has nothing to do then', () => {
    const path = join(folder.path, 'sb.c');
    chmodSync(path, 0o640);
    const { exit, stdout } = fencepost(['fix', 'sb.c', '--model', 'tso', '--write', '--json'], inFolder);
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
    const again = fencepost(['fix', 'sb.c', '--model', 'tso'], inFolder);
    expect(again).toMatchObject({ exit: 0, stdout: 'sb.c is safe under tso: no change needed\n' });
  });

  it('writes nothing that is valid only up to a bound', () => {
    const args = ['fix', 'other.c', '--model', 'tso', '--goal', 'robust', '--max-executions', '1', '--write'];
    const { exit, stdout, stderr } = fencepost(args, inFolder);
    expect(exit).toBe(4);
    expect(stdout).toContain('valid only up to a bound (executions: 1)');
    expect(stderr).toContain('nothing was written');
    expect(readFileSync(join(folder.path, 'other.c'), 'utf8')).toBe(SB);
  });

  it('takes costs from a file', () => {
    const { stdout } = fencepost(['fix', 'other.c', '--model', 'tso', '--cost', 'costs.json'], inFolder);
    expect(stdout).toContain('with 2 changes (cost 10)');
  });

  it('shows the error of SC, and exits with 1', () => {
    const { exit, stdout } = fencepost(['fix', 'sc.c'], inFolder);
    expect(exit).toBe(1);
    expect(stdout).toContain('sc.c is wrong under sc already: no fence mends that');
  });

  it.each([
    [['other.c', '--cost', 'wrong.json'], 'wrong.json: "fence" is no cost; there are full-fence, store-fence, release'],
    [['other.c', '--cost', 'none.json'], 'none.json: cannot be read as JSON'],
    [['other.ll'], 'other.ll: fix changes C sources, whose names end in .c'],
    [['other.c', '--model', 'sc'], '"sc" is none; there are tso, pso'],
    [['none.c'], 'none.c'],
  ])('%j is wrong usage', (args, message) => {
    const { exit, stderr, stdout } = fencepost(['fix', ...args], inFolder);
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
    expect(replaceFiles(changes)).toContain('2.c was not changed, nor any other file: it has changed since');
    expect(readFileSync(first!, 'utf8')).toBe('a');
    expect(replaceFiles(changes.slice(0, 1))).toBeUndefined();
    expect(readFileSync(first!, 'utf8')).toBe('b');
  });

  it('says which file is not there', () => {
    expect(replaceFiles([{ file: join(folder.path, 'gone.c'), before: '', after: '' }])).toContain('no such file');
  });
});
