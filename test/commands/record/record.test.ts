/** `fencepost record` from outside: the command lines that it prints and runs, and what it refuses. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder, fencepost } from '../../support/fencepost.ts';
import { compilersOf } from '../../support/recorded.ts';

const folder = new Folder();
afterAll(() => folder.remove());

const SOURCE = `#include <pthread.h>
static volatile int flag[2], seen[2];
static void *run(void *argument) {
  long me = (long)argument;
  flag[me] = 1;
  seen[me] = flag[1 - me];
  return 0;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, run, (void *)0);
  while (!seen[0] && !flag[0]) ;
  pthread_create(&second, 0, run, (void *)1);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
`;

describe.each(compilersOf('C'))('%s', (_, compiler) => {
  it('compiles a program in two steps, which writes the log that was named', async () => {
    folder.write('flags.c', SOURCE);
    const options = { cwd: folder.path };
    expect(await fencepost(['record', '--', compiler, '-g', '-O1', '-c', 'flags.c'], options)).toMatchObject({
      exit: 0,
      stderr: '',
    });
    const linked = await fencepost(['record', '--out', 'mine.log', '--', compiler, 'flags.o', '-o', 'flags'], options);
    expect(linked).toMatchObject({ exit: 0, stderr: '' });
    const { FENCEPOST_LOG: __, ...env } = process.env;
    const run = spawnSync(join(folder.path, 'flags'), { cwd: folder.path, env, encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([0, 'fencepost: recording to mine.log\n']);
    const { stdout, exit } = await fencepost(['monitor', 'mine.log'], options);
    expect([1, 4]).toContain(exit);
    expect(stdout).toContain('mine.log: ');
  });

  it('prints the line instead', async () => {
    const { stdout, exit } = await fencepost(['record', '--print', '--', compiler, '-std=c11', 'a b.c', '-o', 'x'], {
      cwd: folder.path,
    });
    expect(exit).toBe(0);
    expect(stdout.startsWith(`${compiler} -std=c11 'a b.c' -o x `)).toBe(true);
    expect(existsSync(join(folder.path, 'x'))).toBe(false);
  });

  it("has the compiler's exit code", async () => {
    folder.write('wrong.c', '#error wrong\n');
    // Without the compiler's messages, which are not part of the report.
    expect((await fencepost(['record', '--', compiler, '-w', '-c', 'wrong.c'], { cwd: folder.path })).exit).toBe(1);
  });

  it('refuses programs that are linked statically', async () => {
    const { stderr, exit } = await fencepost(['record', '--', compiler, '-static', 'flags.c'], { cwd: folder.path });
    expect(exit).toBe(2);
    expect(stderr).toContain('-static: a program that records itself must be linked dynamically');
  });
});

it.each([
  [['no-such-compiler', 'x.c'], 'no-such-compiler: no such compiler'],
  [['node', 'x.c'], 'node is neither clang nor gcc'],
])('refuses %s', async (words, message) => {
  const { stderr, exit } = await fencepost(['record', '--', ...words], { cwd: folder.path });
  expect(exit).toBe(2);
  expect(stderr).toContain(message);
});
