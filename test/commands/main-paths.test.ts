/** The main path of every command, as its help shows it first: what the quick tier must not leave out. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureBuilt, Folder, fencepost, REPOSITORY, Running } from '../support/fencepost.ts';

const EXAMPLE = join(REPOSITORY, 'examples/store-buffering.c');

let folder: Folder;
beforeAll(async () => {
  await ensureBuilt();
  folder = new Folder();
});
afterAll(() => folder.remove());

const run = (...args: readonly string[]) => fencepost(args, { cwd: folder.path });

/** Commands without such a path are named with the reason. */
const PATHS: Readonly<Record<string, () => Promise<void>>> = {
  check: async () => {
    const { exit, stdout } = await run('check', EXAMPLE);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/under sc: verified[\s\S]*under tso: violation[\s\S]*\n {2}assertion: /);
  },
  replay: async () => {
    await run('check', EXAMPLE);
    const [saved] = readdirSync(join(folder.path, 'fencepost-out'));
    const { exit, stdout } = await run('replay', `fencepost-out/${saved}`);
    expect([exit, stdout]).toEqual([1, expect.stringContaining('assertion: ')]);
  },
  fix: async () => {
    const { exit, stdout } = await run('fix', EXAMPLE);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^\+.*atomic_thread_fence\(memory_order_seq_cst\)/m);
  },
  robust: async () => {
    const { exit, stdout } = await run('robust', EXAMPLE);
    expect([exit, stdout]).toEqual([1, expect.stringContaining('under tso: not robust')]);
  },
  hunt: async () => {
    const { exit, stdout } = await run('hunt', EXAMPLE);
    expect([exit, stdout]).toEqual([1, expect.stringContaining('assertion: ')]);
  },
  litmus: async () => {
    const { exit, stdout } = await run('litmus', join(REPOSITORY, 'litmus/SB/SB.litmus'));
    expect([exit, stdout]).toEqual([0, expect.stringContaining('0:EAX=0')]);
  },
  monitor: async () => {
    const { exit, stdout } = await run('monitor', join(REPOSITORY, 'docs/examples/store-buffering.jsonl'));
    expect([exit, stdout]).toEqual([1, expect.stringContaining('violation')]);
  },
  record: async () => {
    // Without a compiler only the refusal can be seen; test/commands/record needs one.
    const { error } = spawnSync('clang', ['--version']);
    const compiler = error === undefined ? 'clang' : 'no-such-compiler';
    const { exit, stdout, stderr } = await run('record', '--print', '--', compiler, '-g', 'queue.c', '-o', 'queue');
    if (error === undefined) expect([exit, stdout]).toEqual([0, expect.stringContaining('-fsanitize=thread')]);
    else expect([exit, stderr]).toEqual([2, 'fencepost: no-such-compiler: no such compiler\n']);
  },
  init: async () => {
    expect((await run('init', 'new')).exit).toBe(0);
    expect((await run('check', 'new/fencepost/driver.c', '--model', 'sc')).exit).toBe(0);
  },
  serve: async () => {
    const server = new Running(['serve', folder.path, '--port', '0']);
    await expect.poll(() => server.stdout).toContain('(Ctrl-C ends it)');
    const page = new URL(/http:\S+/.exec(server.stdout)![0]);
    const shown = await fetch(page);
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<div id="app">')]);
    server.child.kill('SIGINT');
    await server.end();
  },
  help: async () => {
    const { exit, stdout } = await run('help', 'tso');
    expect([exit, stdout]).toEqual([0, expect.stringContaining('x86')]);
  },
};
const NEED_REDIS = ['worker', 'cluster'];

it.each(Object.entries(PATHS))('%s does what it is for', async (_, path) => path());

it('has a path for every command', async () => {
  const { stdout } = await fencepost(['--help']);
  const commands = [.../Commands:\n([\s\S]*?)\n\n/.exec(stdout)![1]!.matchAll(/^ {2}(\w+) /gm)].map(
    ([, name]) => name!,
  );
  expect([...Object.keys(PATHS), ...NEED_REDIS].sort()).toEqual(commands.sort());
});
