/**
 * Programs about which reports once said something false (`programs/words`): their verdicts, and the sentences. Two more
 * rows of the table that they come from are about futexes, and have their own tests: `programs/futexes`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckCommandReport } from '../../src/report/schema.ts';
import { fencepost, REPOSITORY } from '../support/fencepost.ts';

const FOLDER = join(REPOSITORY, 'programs/words');
const MODELS = ['sc', 'tso', 'pso', 'rc11'];
const ROWS = readFileSync(join(FOLDER, 'expected.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((row) => row.split('\t'));

const run = (file: string, ...flags: string[]) => {
  const models = flags.includes('--model') ? [] : ['--model', MODELS.join()];
  return fencepost(['check', file, ...models, ...flags], { cwd: FOLDER });
};

it('the table is whole', () => expect(ROWS).toHaveLength(5));

it.each(ROWS)('%s %s has its verdicts', async (file, flags, ...expected) => {
  const { stdout } = await run(file!, ...flags!.split(' ').filter(Boolean), '--json');
  const { results } = JSON.parse(stdout) as CheckCommandReport;
  expect(results.map(({ verdict }) => verdict)).toEqual(expected.slice(0, MODELS.length));
});

describe('what the command says is true', () => {
  it('an assertion that is checked is not said to be left out, and one that is not, is', async () => {
    expect((await run('ndebug.c', '-D', 'NDEBUG')).stdout).not.toMatch(/NDEBUG|asserts/);
    const left = await run('bitfield-names.c', '-D', 'NDEBUG', '--model', 'sc');
    expect(left.stdout).toContain('NDEBUG is defined, so no `assert` is checked');
    expect(left.stdout.replace(/\s+/g, ' ')).toContain(
      'Not checked: nothing asserts anything: only memory errors, races and deadlocks were looked for.',
    );
  });

  it('a bit-field does not go by the name of its neighbour', async () => {
    const { stdout } = await run('bitfield-names.c');
    expect(stdout).not.toMatch(/s\.b(?: = 8|: 8)/);
  });

  it('a program with one thread is verified, but of threads nothing was checked', async () => {
    const { exit, stdout } = await run('small-mutex.i');
    expect([exit, stdout]).toEqual([0, expect.stringContaining('Not checked: no second thread was ever created.')]);
    expect((await run('section-main-returns.c', '--model', 'sc,tso')).stdout).not.toContain('no second thread');
  });

  it('a loop inside nested calls is a loop, and recursion is recursion', async () => {
    const loops = async (name: string) => (await run(name, '--model', 'sc', '--max-steps', '300')).stdout;
    expect(await loops('nested-loop.c')).toContain('The loop at nested-loop.c:7:');
    expect(await loops('nested-loop.c')).not.toContain('ecursion');
    expect(await loops('recursion.c')).toContain('The recursion at recursion.c:');
  });

  it('memset is no loop of the program', async () => {
    const { stdout } = await run('memset.c', '--model', 'sc', '--max-steps', '300');
    expect(stdout).toContain('stopped (steps per execution: 300)');
    expect(stdout).not.toContain('each iteration');
  });

  it.each([
    ['setup.c', ['--max-steps', '50'], /no thread was created.*smaller driver/],
    ['setup.c', ['--unroll', '5'], /no thread was created.*smaller driver/],
    ['polls.c', ['--unroll', '5'], /polls for what never comes.*smaller driver.*--unroll 10/],
  ])('%s %j: a smaller driver helps, where options cannot', async (file, flags, advice) => {
    const { stdout } = await run(file, '--model', 'sc', ...flags);
    const next = stdout.replace(/\s+/g, ' ').match(/Next: .*?Rests/)![0];
    expect(next).toMatch(advice);
    expect(next).not.toContain('--max-steps');
  });

  it('a stale load misses the store with the other value, of those that wait', async () => {
    const { stdout } = await run('../mon/dekker.c', '--model', 'tso');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/reads flag0: 0 .*stale: flag0/);
    expect(stdout.replace(/\s+/g, ' ')).not.toMatch(/reads flag0: 0 \(stale: flag0 = 0/);
  });

  it('an undefined C++ variable goes by its name in the source', async () => {
    const { output } = await run('undefined.cpp', '--model', 'sc');
    expect(output).toContain('undefined.cpp:5:21: variable "box::other" is not defined');
  });

  it('a thread-local variable that is not defined is named', async () => {
    const { stderr } = await run('thread-local.c', '--model', 'sc');
    expect(stderr).toContain('thread-local.c:3:25: thread-local variable "gone" is not defined');
  });
});
