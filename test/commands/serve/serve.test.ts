/** `fencepost serve`: the server by itself, and the explorer in a real browser. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CHECK, type CheckChoices } from '../../../src/options/check.ts';
import { defaultsOf } from '../../../src/options/option.ts';
import type { CheckCommandReport } from '../../../src/report/schema.ts';
import type { CheckStatus, ExploreState, Listing } from '../../../src/report/serve-api.ts';
import { ensureBuilt, Folder, fencepost, REPOSITORY, Running } from '../../support/fencepost.ts';
import { faintText, nameless, overflowing, smallTargets } from '../../viewer/audit.ts';
import { hasChromium, launch, open, type Tab, until } from '../../viewer/chromium.ts';

const folder = new Folder();
const outside = new Folder();
const HOSTILE = '<img src=x onerror=alert(1)>.litmus';
let server: Running;
let home = '';
let browser: Browser | undefined;
const tabs: Tab[] = [];

async function startServer(): Promise<{ server: Running; home: string }> {
  const started = new Running(['serve', folder.path, '--port', '0']);
  while (!started.stdout.includes('(Ctrl-C ends it)')) {
    if (started.child.exitCode !== null) throw new Error(started.stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { server: started, home: /http:\S+/.exec(started.stdout)![0] };
}

/** The header with the token. */
const tokenOf = (address: string) => ({ 'x-fencepost-token': new URL(address).searchParams.get('token')! });

beforeAll(async () => {
  await ensureBuilt();
  for (const name of ['store-buffering.c', 'lock-order.c'])
    cpSync(join(REPOSITORY, 'examples', name), join(folder.path, name));
  cpSync(join(REPOSITORY, 'litmus/SB/SB.litmus'), join(folder.path, 'SB.litmus'));
  cpSync(join(REPOSITORY, 'litmus/SB/SB.litmus'), join(folder.path, HOSTILE));
  folder.write('broken.c', 'int main(void) { return <b>x</b>; }\n');
  folder.write('endless.c', ENDLESS);
  folder.write('lib/helper.c', 'int helper(void) { return 1; }\n');
  outside.write('secret.c', 'int secret;\n');
  symlinkSync(join(outside.path, 'secret.c'), join(folder.path, 'link.c'));
  mkdirSync(join(folder.path, 'bad-run'));
  writeFileSync(join(folder.path, 'bad-run/result.json'), '{"schema":"fencepost/1","results":');
  expect((await fencepost(['check', 'lock-order.c'], { cwd: folder.path })).exit).toBe(1);
  ({ server, home } = await startServer());
  if (hasChromium) browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  server?.child.kill('SIGTERM');
  await server?.end();
  folder.remove();
  outside.remove();
});

afterEach(async () => {
  const complaints = tabs.flatMap((tab) => tab.complaints);
  for (const tab of tabs.splice(0)) await tab.page.context().close();
  // The browser logs every refused request.
  expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
});

/** Many threads that all write to one place: too many executions to wait for. */
const PUBLISH = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef ORDERED
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_relaxed
#define LOAD memory_order_relaxed
#endif
atomic_int data, ready;
void *publish(void *arg) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, STORE);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, publish, 0);
  int seen = atomic_load_explicit(&ready, LOAD);
  assert(!seen || atomic_load_explicit(&data, memory_order_relaxed));
  pthread_join(thread, 0);
}
`;
const HALVES = `#include <pthread.h>
#include <stdatomic.h>
union { _Atomic unsigned whole; _Atomic unsigned short half[2]; } word;
void *other(void *arg) {
  atomic_store_explicit(&word.half[0], 1, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  unsigned seen = atomic_load_explicit(&word.whole, memory_order_relaxed);
  pthread_join(thread, 0);
  return seen > 1;
}
`;
const ENDLESS = `#include <pthread.h>
int x;
static void *run(void *p) { for (int i = 0; i < 6; i++) x = (int)(long)p + i; return 0; }
int main(void) {
  pthread_t t[5];
  for (long i = 0; i < 5; i++) pthread_create(&t[i], 0, run, (void *)(i * 10));
  for (int i = 0; i < 5; i++) pthread_join(t[i], 0);
  return 0;
}
`;

interface Answer {
  readonly status: number;
  readonly body: string;
}

function ask(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', body } = options;
    const headers = { ...tokenOf(home), ...options.headers };
    const { port } = new URL(home);
    const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function post<T>(path: string, value: unknown): Promise<T> {
  const { body } = await ask(path, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(value) });
  return JSON.parse(body);
}

const JSON_TYPE = { 'content-type': 'application/json' };
const explore = (file: string, model = 'tso', schedule = '') =>
  post<ExploreState & { message?: string }>('/api/explore', { file, model, defines: [], schedule });

/** After the check has finished. */
async function finished(id: number): Promise<CheckStatus> {
  const { body } = await ask(`/api/checks/${id}/events`);
  return JSON.parse(
    body
      .trim()
      .split('\n\n')
      .at(-1)!
      .replace(/^data: /, ''),
  );
}

describe('the server', () => {
  it('listens on loopback only', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter((a) => !a.internal && a.family === 'IPv4');
    for (const { address } of others) {
      await expect(fetch(`http://${address}:${new URL(home).port}/`)).rejects.toThrow();
    }
    expect((await ask('/')).status).toBe(200);
  });

  it('refuses other hosts and origins', async () => {
    const port = new URL(home).port;
    const status = async (headers: Record<string, string>) => (await ask('/api/list', { headers })).status;
    expect(await status({ host: `localhost:${port}` })).toBe(200);
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ host: `evil.example:${port}` })).toBe(403);
    expect(await status({ origin: 'http://evil.example' })).toBe(403);
    expect(await status({ origin: 'null' })).toBe(403);
    expect(await status({ origin: `http://127.0.0.1:${port}` })).toBe(200);
    expect(await status({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toBe(403);
  });

  it('refuses every request without its token', async () => {
    const { token } = Object.fromEntries(new URL(home).searchParams) as { token: string };
    const status = async (path: string, given: string, method = 'GET') =>
      (await ask(path, { method, headers: { ...JSON_TYPE, 'x-fencepost-token': given } })).status;
    expect(token).toMatch(/^[\w-]{32}$/);
    const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const wrong of ['', other, `${token}x`, token.slice(0, -1), 'undefined', 'null']) {
      expect(await status('/', wrong)).toBe(403);
      expect(await status(`/?token=${wrong}`, wrong)).toBe(403);
    }
    for (const path of ['/api/list', '/api/run?path=x', '/api/checks', '/api/checks/1/events', '/favicon.ico'])
      expect(await status(path, other)).toBe(403);
    for (const path of ['/api/explore', '/api/checks', '/api/checks/1/stop'])
      expect(await status(path, other, 'POST')).toBe(403);
    const bare = await fetch(new URL('/', home));
    expect([bare.status, await bare.text()]).toEqual([403, expect.stringContaining('that fencepost serve printed')]);
    // Where no header can be sent, the token is in the address.
    expect((await fetch(home)).status).toBe(200);
    expect((await fetch(new URL(`/api/list?token=${token}`, home))).status).toBe(200);
    expect((await fetch(new URL('/api/list', home), { headers: { cookie: `token=${token}` } })).status).toBe(403);
  });

  it('has another token at each start', async () => {
    const other = await startServer();
    expect(tokenOf(other.home)).not.toEqual(tokenOf(home));
    expect((await fetch(new URL('/api/list', other.home), { headers: tokenOf(home) })).status).toBe(403);
    other.server.child.kill('SIGTERM');
    await other.server.end();
  });

  it('refuses schedules that are too long, however they are written, and keeps running', async () => {
    const long = await explore('SB.litmus', 'tso', '0*9999999 '.repeat(60));
    expect(long.message).toBe('with "0*9999999" the schedule has more than 20000 steps');
    expect((await explore('SB.litmus', 'tso', '0*20000 1')).message).toBe(
      'with "1" the schedule has more than 20000 steps',
    );
    expect((await explore('SB.litmus', 'tso', '0 '.repeat(20_001))).message).toContain('has more than 20000 steps');
    expect((await explore('SB.litmus')).choices.length).toBe(2);
    expect((await ask('//')).status).toBe(400);
  });

  it('explores programs as they are now, with their headers', async () => {
    const start = async () => (await explore('shared.c', 'sc')).trace.events.length;
    folder.write('shared.h', '#define X 1\n');
    folder.write('shared.c', '#include "shared.h"\nint x = X;\nint main(void) { return x; }\n');
    await start();
    folder.write('shared.h', '#error changed\n');
    expect((await explore('shared.c', 'sc')).message).toContain('changed');
    folder.write('shared.h', '#define X 1\n');
    expect(await start()).toBe(0);
  });

  it('passes no options, and no file of options, to clang', async () => {
    folder.write('@evil.c', 'int main(void) { return 0; }\n');
    folder.write('evil.c', 'x -DINJECTED=1\n');
    expect((await explore('@evil.c')).message).toContain('@evil.c: clang would read arguments from a file');
    const { message } = await post<{ message?: string }>('/api/explore', {
      ...{ file: 'store-buffering.c', model: 'sc', schedule: '' },
      defines: ['@evil.c'],
    });
    expect(message).toContain('-D @evil.c: expected NAME or NAME=VALUE');
  });

  it('refuses bodies that are too large, not JSON, or not valid requests', async () => {
    const status = async (body: string, headers: Record<string, string> = JSON_TYPE) =>
      (await ask('/api/explore', { method: 'POST', headers, body })).status;
    expect(await status(JSON.stringify({ file: 'x'.repeat(300_000) }))).toBe(413);
    expect(await status('{}', { 'content-type': 'text/plain' })).toBe(415);
    expect(await status('{')).toBe(400);
    expect(await status('[]')).toBe(400);
    expect(await status('{"file":1}')).toBe(400);
    expect((await ask('/api/nothing')).status).toBe(404);
    expect((await ask('/api/checks/99/events')).status).toBe(404);
  });

  it('takes a client that goes away for no error', async () => {
    const head = [
      'POST /api/explore HTTP/1.1',
      `host: ${new URL(home).host}`,
      'content-type: application/json',
      ...Object.entries(tokenOf(home)).map(([name, value]) => `${name}: ${value}`),
      'content-length: 1000',
    ];
    await new Promise<void>((resolve) => {
      const client = connect(Number(new URL(home).port), '127.0.0.1', () => {
        client.write(`${head.join('\r\n')}\r\n\r\n{"file":`, () => {
          client.destroy();
          resolve();
        });
      });
    });
    // Answered after it has noticed.
    for (let n = 0; n < 5; n++) await explore('endless.c');
    expect(server.stderr).not.toContain('internal error');
  });

  it('lists programs in C and C++, and checks under every default model', async () => {
    folder.write('plus.cpp', 'int main() { return 0; }\n');
    const { programs } = JSON.parse((await ask('/api/list')).body) as Listing;
    expect(programs).toContain('plus.cpp');
    const { id } = await post<CheckStatus>('/api/checks', { file: 'store-buffering.c', models: [], defines: [] });
    const { report } = await finished(id);
    expect(report!.results.map(({ model }) => model)).toEqual(defaultsOf<CheckChoices>(CHECK).models);
    rmSync(join(folder.path, 'plus.cpp'));
  });

  it('refuses files outside its folder, even through links', async () => {
    for (const file of ['../secret.c', join(outside.path, 'secret.c'), 'link.c', '/etc/passwd', 'no.c', 'a\0b', '']) {
      expect((await explore(file)).message).toContain('no such file in the served folder');
      const { status } = await ask('/api/checks', {
        method: 'POST',
        headers: JSON_TYPE,
        body: JSON.stringify({ file, models: ['sc'], defines: [] }),
      });
      expect(status).toBe(404);
    }
    expect((await ask(`/api/run?path=${encodeURIComponent('../..')}`)).status).toBe(404);
    expect((await ask('/api/run?path=bad-run')).status).toBe(422);
    const { body } = await ask('/api/list');
    const { runs } = JSON.parse(body) as Listing;
    expect(runs.map(({ title }) => title)).toContain('lock-order.c');
    expect(runs.filter(({ path }) => path.includes('bad-run'))).toEqual([]);
  });

  it('writes sources that are edited, if nobody else has changed them, and nothing else', async () => {
    const write = (path: string, before: string, text: string) =>
      post<{ message?: string }>('/api/source', { path, before, text });
    folder.write('edited.c', 'int main(void) { return 0; }\n');
    const { text } = JSON.parse((await ask('/api/source?path=edited.c')).body);
    expect(await write('edited.c', text, '// new\n')).toEqual({ text: '// new\n' });
    expect((await write('edited.c', text, '// newer\n')).message).toContain('has changed on disk');
    expect(readFileSync(join(folder.path, 'edited.c'), 'utf8')).toBe('// new\n');
    for (const path of ['link.c', '../secret.c', 'new.c', 'bad-run/result.json', join(outside.path, 'secret.c')]) {
      expect((await write(path, 'int secret;\n', '')).message).toContain('no such source');
      expect((await ask(`/api/source?path=${encodeURIComponent(path)}`)).status).toBe(404);
    }
    expect(readFileSync(join(outside.path, 'secret.c'), 'utf8')).toBe('int secret;\n');
    expect(existsSync(join(folder.path, 'new.c'))).toBe(false);
  });

  it('explores under RC11: only consistent steps, stale reads and races included', async () => {
    folder.write('publish.c', PUBLISH);
    folder.write('halves.c', HALVES);
    const start = await explore('publish.c', 'rc11');
    expect(start.models).toContain('rc11');
    // Thread 0.1 has published; thread 0 reads the flag.
    const published = await explore('publish.c', 'rc11', '0 0.1*2 0');
    const reads = published.choices.filter(({ thread }) => thread === '0');
    expect(reads.map(({ step }) => step)).toEqual(['0', '0:1']);
    expect(reads[1]!.effect).toContain('data → 0 (stale)');
    const failed = await explore('publish.c', 'rc11', '0 0.1*2 0 0:1');
    expect([failed.outcome, failed.error]).toEqual(['error', expect.stringContaining('assertion')]);
    // With a release and an acquire, the stale read is not offered, and refused where a schedule has it.
    const ordered = (schedule: string) =>
      post<ExploreState & { message?: string }>('/api/explore', {
        file: 'publish.c',
        model: 'rc11',
        defines: ['ORDERED'],
        schedule,
      });
    const { choices } = await ordered('0 0.1*2 0');
    expect(choices.filter(({ thread }) => thread === '0').map(({ step }) => step)).toEqual(['0']);
    expect((await ordered('0 0.1*2 0 0:1')).message).toContain('rc11 does not allow');
    const halves = await explore('halves.c', 'rc11', '0 0.1 0');
    expect(halves.message).toContain('rc11 does not cover accesses of different sizes that nothing orders');
    expect((await explore('SB.litmus')).models).not.toContain('rc11');
    for (const file of ['publish.c', 'halves.c']) rmSync(join(folder.path, file));
  });

  it('explores: possible steps, their effects, and impossible steps', async () => {
    const start = await explore('SB.litmus');
    expect(start.choices.map((c) => c.step)).toEqual(['0', '1']);
    const after = await explore('SB.litmus', 'tso', '0');
    expect(after.choices.map((c) => [c.step, c.isCommit])).toEqual(
      expect.arrayContaining([
        ['0', false],
        ['0/', true],
        ['1', false],
      ]),
    );
    expect((await explore('SB.litmus', 'sc', '0')).choices.map((c) => c.step)).toEqual(['0', '1']);
    expect((await explore('SB.litmus', 'tso', '1/')).message).toContain('not enabled');
    expect((await explore('SB.litmus', 'tso', '7')).message).toContain('"7" is not a step of this program');
    expect((await explore('SB.litmus', 'power')).message).toContain('memory model "power" is not supported here');
    expect((await explore('broken.c')).message).toContain('error');
    const over = await explore('SB.litmus', 'tso', '0 1 0 1/ 1 0/');
    expect([over.outcome, over.choices.length, over.trace.sequential]).toEqual(['complete', 0, false]);
  });

  it('gives the verdicts and schedules of the command line', async () => {
    const args = ['--json', '--model', 'sc,tso,pso'];
    const direct = JSON.parse(
      (await fencepost(['check', 'store-buffering.c', '--no-out', ...args], { cwd: folder.path })).stdout,
    );
    const { id } = await post<CheckStatus>('/api/checks', {
      file: 'store-buffering.c',
      models: ['sc', 'tso', 'pso'],
      defines: [],
    });
    const { report, exit } = await finished(id);
    const digest = (results: readonly { model: string; verdict?: string; error?: { schedule: string } }[]) =>
      results.map(({ model, verdict, error }) => [model, verdict, error?.schedule]);
    expect(digest(report!.results)).toEqual(digest(direct.results));
    expect(exit).toBe(1);
    // The schedule leads the explorer to the error.
    const [, , schedule] = digest(report!.results)[1]!;
    expect(await explore('store-buffering.c', 'tso', schedule)).toMatchObject({ outcome: 'error' });
  });

  it('runs several checks at once, up to a limit, and can stop each', async () => {
    const start = () =>
      post<CheckStatus & { message?: string }>('/api/checks', { file: 'endless.c', models: ['tso'], defines: [] });
    const started = [await start(), await start(), await start(), await start()];
    expect((await start()).message).toContain('4 checks are running already');
    for (const { id } of started) await post(`/api/checks/${id}/stop`, {});
    for (const { id } of started) expect((await finished(id)).state).not.toBe('running');
  });
});

/** Processes that still run a check of this folder. */
function checksAlive(): readonly string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes('die-with-parent') && line.includes('leftover.c'));
}

it.runIf(existsSync('/proc')).each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  'killed by %s in the middle of a check, it leaves nothing behind',
  async (signal) => {
    folder.write('leftover.c', ENDLESS);
    const other = await startServer();
    await fetch(new URL('/api/checks', other.home), {
      method: 'POST',
      headers: { ...JSON_TYPE, ...tokenOf(other.home) },
      body: JSON.stringify({ file: 'leftover.c', models: ['tso'], defines: [] }),
    });
    while (checksAlive().length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    other.server.child.kill(signal);
    await other.server.end();
    for (let i = 0; i < 400 && checksAlive().length > 0; i++) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(checksAlive()).toEqual([]);
  },
);

it('says what is wrong with a folder or a port', async () => {
  expect(await fencepost(['serve', 'no/such/folder'])).toMatchObject({
    exit: 2,
    stderr: 'fencepost: no/such/folder: no such folder\n',
  });
  const taken = await fencepost(['serve', folder.path, '--port', new URL(home).port]);
  expect([taken.exit, taken.stderr]).toEqual([2, expect.stringContaining('is in use; choose another with --port')]);
  expect((await fencepost(['serve', '--port', '70000'])).exit).toBe(2);
});

describe.runIf(hasChromium)('in the browser', () => {
  async function show(fragment: string): Promise<Page> {
    const tab = await open(browser!, home + fragment);
    tabs.push(tab);
    return tab.page;
  }
  const url = (file: string, more = '') => `#/explore?file=${encodeURIComponent(file)}&model=tso${more}`;

  it('lists runs and programs; a run is a report with a link of its own', async () => {
    const page = await show('');
    await page.getByRole('link', { name: 'lock-order.c' }).first().click();
    await page.waitForSelector('.what h2');
    await expect.poll(() => page.textContent('.what h2')).toContain('deadlock');
    await expect.poll(() => page.textContent('.state')).toContain('Locks');
    await page.keyboard.press('Home');
    await page.waitForURL(/step=0/);
    await page.reload();
    await page.waitForSelector('.description');
    await expect.poll(() => page.textContent('.description')).toContain('nothing has happened');
    await page.goBack();
    await page.waitForSelector('.programs');
    await expect.poll(() => page.getByRole('link', { name: HOSTILE }).textContent()).toBe(HOSTILE);
    // Not a program: it has no main.
    await expect.poll(() => page.getByRole('link', { name: 'helper.c' }).count()).toBe(0);
  });

  it('takes steps, undoes them, supports the back button, and every state has an address', async () => {
    const page = await show(url('SB.litmus'));
    const take = async (name: RegExp) => {
      const before = page.url();
      await page.getByRole('button', { name }).click();
      await until(async () => page.url() !== before && (await page.locator('.next[aria-busy=false]').count()) === 1);
    };
    const events = () => page.locator('.diagram .event').count();
    await take(/P0 x = 1 \(buffered\)/);
    await take(/P0 y → 0/);
    await take(/P0 buffer x = 1 reaches memory/);
    await expect.poll(() => events()).toBe(3);
    await take(/^Undo$/);
    await expect.poll(() => events()).toBe(2);
    await page.goBack();
    await until(async () => (await events()) === 3);
    await page.reload();
    await page.waitForSelector('.choice');
    await expect.poll(() => events()).toBe(3);
    const copy = await show(new URL(page.url()).hash);
    await copy.waitForSelector('.choice');
    await expect
      .poll(() => copy.locator('.choice').allTextContents())
      .toEqual(await page.locator('.choice').allTextContents());
    await page.keyboard.press('Home');
    await take(/Continue from step 0/);
    await expect.poll(() => events()).toBe(0);
  });

  it('finds all outcomes of a litmus test and jumps to one', async () => {
    const page = await show(url(HOSTILE));
    await page.getByRole('button', { name: 'Find all outcomes' }).click();
    await page.waitForSelector('.found');
    await expect
      .poll(() => page.locator('.found thead th').allTextContents())
      .toEqual(['Final state', 'SC', 'TSO', 'PSO']);
    await expect.poll(() => page.textContent('.found .satisfied')).toMatch(/0:EAX=0 {2}1:EAX=0.*–yesyes/);
    await page.getByRole('link', { name: '0:EAX=0 1:EAX=0 under tso' }).click();
    await page.waitForSelector('.why');
    await expect.poll(() => page.textContent('.what h2')).toContain('The execution has ended');
    await expect.poll(() => page.locator('.diagram .edge.cycle').count()).toBe(4);
    await expect.poll(() => page.textContent('h1')).toBe(HOSTILE);
  });

  it('shows the progress of a check and stops it; two tabs see the same', async () => {
    const page = await show(url('endless.c'));
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await until(async () => /execution/.test((await page.textContent('.progress')) ?? ''));
    const other = await show(url('endless.c'));
    await other.getByRole('button', { name: 'Stop' }).click();
    await page.waitForSelector('.found');
    await expect.poll(() => page.textContent('.found')).toContain('inconclusive');
    await expect.poll(() => page.textContent('.found')).toContain('interrupted');
  });

  it('checks as the command line does: the same verdicts, and the same schedule to the error', async () => {
    const args = ['check', 'store-buffering.c', '--no-out', '--json'];
    const direct: CheckCommandReport = JSON.parse((await fencepost(args, { cwd: folder.path })).stdout);
    const page = await show(url('store-buffering.c'));
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.waitForSelector('.found');
    await expect
      .poll(() => page.locator('.found .verdict').allTextContents())
      .toEqual(direct.results.map((r) => r.verdict));
    const [, tso] = direct.results;
    await page
      .getByRole('link', { name: /^assertion/ })
      .first()
      .click();
    await page.waitForSelector('.what h2.wrong');
    expect(new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('schedule')).toBe(tso!.error!.schedule);
    await expect.poll(() => page.locator('.choice').count()).toBe(0);
    await expect.poll(() => page.textContent('.line.now')).toContain('assert(');
  });

  it.each([
    '',
    url('SB.litmus', '&schedule=0%201'),
    url('store-buffering.c'),
    url('broken.c'),
    url('SB.litmus', '&schedule=1%2F'),
  ])('everybody can read and use %j', async (fragment) => {
    const page = await show(fragment);
    await page.locator('.programs, .choice, .problem').first().waitFor();
    await expect.poll(() => nameless(page)).toEqual([]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => faintText(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect([await overflowing(page), await smallTargets(page)]).toEqual([[], []]);
  });

  it('shows runs of every command', async () => {
    for (const [name, args] of Object.entries({
      fix: ['fix', 'store-buffering.c', '--model', 'tso', '--json'],
      robust: ['robust', 'store-buffering.c', '--model', 'tso', '--json'],
    })) {
      folder.write(join('kept', name, 'result.json'), (await fencepost(args, { cwd: folder.path })).stdout);
    }
    const fix = await show(`#/run?path=${encodeURIComponent('kept/fix')}`);
    await fix.waitForSelector('.diff .added');
    const robust = await show(`#/run?path=${encodeURIComponent('kept/robust')}`);
    await robust.waitForSelector('.violations');
    await expect.poll(() => robust.textContent('.violations')).toContain('schedule');
    const list = await show('');
    await list.waitForSelector('.programs');
    await expect.poll(() => list.textContent('.runs')).toContain('TSO verified');
    // The newest first, each with its command; the filter applies to everything that a row shows.
    await expect
      .poll(() => list.locator('.runs tbody tr').first().textContent())
      .toMatch(/store-buffering\.c(robust|fix)/);
    const rows = await list.locator('.runs tbody tr').count();
    await list.getByLabel('Filter runs and programs').fill('lock-order check');
    await expect.poll(() => list.locator('.runs tbody tr').count()).toBeLessThan(rows);
    await expect.poll(() => list.locator('.runs tbody tr').count()).toBeGreaterThan(0);
  });

  it('edits the source, and checks it again', async () => {
    folder.write('wrong.c', '#include <assert.h>\nint x;\nint main(void) { assert(x == 1); }\n');
    const page = await show('');
    // The program arrives while its source is being edited: the editor stays, with the typed text.
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/explore', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(home + url('wrong.c'));
    await page.getByRole('button', { name: 'Edit' }).click();
    const field = page.getByRole('textbox', { name: 'Source' });
    await expect.poll(() => field.inputValue()).toContain('int x;');
    await field.fill((await field.inputValue()).replace('int x;', 'int x = 1;'));
    release();
    await page.locator('.choice').first().waitFor();
    await field.press('Control+Enter');
    await page.locator('.found .verdict').first().waitFor();
    // Under every default model.
    await expect
      .poll(() => page.locator('.found .verdict').allTextContents())
      .toEqual(defaultsOf<CheckChoices>(CHECK).models.map(() => 'verified'));
    expect(await page.locator('.source').first().textContent()).toContain('int x = 1;');
    expect(readFileSync(join(folder.path, 'wrong.c'), 'utf8')).toContain('int x = 1;');
  });

  it('says what is wrong: a program that does not compile, a step that is not possible', async () => {
    const page = await show(url('broken.c'));
    await page.waitForSelector('.problem');
    await expect.poll(() => page.textContent('.problem')).toContain('broken.c');
    await expect.poll(() => page.textContent('.problem pre')).toMatch(/broken\.c:1:\d+: error:/);
    await expect.poll(() => page.locator('.problem b').count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Check', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Fencepost' }).click();
    await page.waitForSelector('.programs');
    const lost = await show(url('SB.litmus', '&schedule=1%2F'));
    await expect.poll(() => lost.textContent('.problem')).toContain('is not enabled');
    await lost.getByRole('button', { name: 'Back to the start' }).click();
    await lost.waitForSelector('.choice');
  });
});
