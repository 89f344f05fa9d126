/** A page for every kind of result, in a real browser: its contents and its accessibility. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
// For the cache of the tests.
import '../support/c.ts';
import { ensureBuilt, Folder, fencepost, REPOSITORY } from '../support/fencepost.ts';
import { DEEP } from '../support/tier.ts';
import { faintText, nameless, overflowing, smallTargets } from './audit.ts';
import { hasChromium, launch, open, type Tab } from './chromium.ts';

const folder = new Folder();
const HOSTILE = '<img src=x onerror=alert(1)>.c';
let browser: Browser;
let tab: Tab | undefined;

const EXAMPLES = join(REPOSITORY, 'examples');
const example = (name: string): string => join(EXAMPLES, name);

/** Reads freed memory. */
const FREED = `#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  free(p);
  return *p;
}
`;

/** Harmless store buffering. */
const HARMLESS = `#include <pthread.h>
volatile int x, y;
static void *first(void *p) { x = 1; (void)y; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  y = 1;
  (void)x;
  pthread_join(t, 0);
}
`;

/** Publishes with release and acquire, then store buffering. */
const PUBLISHED = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int data, ready, x, y;
static void *first(void *p) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&data, 2, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, memory_order_release);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  int a = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&data, 3 + a, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  if (atomic_load_explicit(&ready, memory_order_acquire)) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    assert(b || atomic_load_explicit(&data, memory_order_relaxed) != 3);
  }
  pthread_join(t, 0);
}
`;

/** Has one fence too many. */
const NEEDLESS = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
volatile int x, y;
int a, b;
static void *first(void *p) {
  x = 1;
  atomic_thread_fence(memory_order_seq_cst);
  atomic_thread_fence(memory_order_seq_cst);
  a = y;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  y = 1;
  atomic_thread_fence(memory_order_seq_cst);
  b = x;
  pthread_join(t, 0);
  assert(a || b);
}
`;

/** Waits for something that never happens. */
const ENDLESS_WAIT = `#include <stdatomic.h>
atomic_int go;
int main(void) {
  while (!atomic_load(&go)) {}
}
`;

/** By name of the page: the command that writes it, and its exit code. */
const KINDS: Readonly<Record<string, readonly [exit: number, ...args: readonly string[]]>> = {
  tso: [1, 'check', example('store-buffering.c'), '--no-out'],
  pso: [1, 'check', example('message-passing.c'), '--no-out'],
  rc11: [1, 'check', 'published.c', '--no-out', '--model', 'rc11'],
  deadlock: [1, 'check', example('lock-order.c'), '--no-out'],
  memory: [1, 'check', 'freed.c', '--no-out'],
  liveness: [1, 'check', 'wait.c', '--no-out', '--model', 'sc'],
  verified: [0, 'check', example('message-passing.c'), '-D', 'RELEASE'],
  inconclusive: [
    4,
    'check',
    example('peterson.c'),
    '-D',
    'FENCED',
    '-D',
    'RELEASE',
    '--model',
    'sc,tso,pso',
    '--max-executions',
    '1',
  ],
  litmus: [0, 'litmus', join(REPOSITORY, 'litmus/SB/SB.litmus')],
  robust: [1, 'robust', 'harmless.c'],
  harmful: [1, 'robust', example('store-buffering.c')],
  'robust-verified': [0, 'robust', example('store-buffering.c'), '-D', 'FENCED'],
  fix: [0, 'fix', example('store-buffering.c')],
  'fix-unneeded': [0, 'fix', example('store-buffering.c'), '-D', 'FENCED', '--model', 'tso'],
  minimise: [0, 'fix', 'needless.c', '--minimise', '--model', 'tso'],
  hunt: [1, 'hunt', example('store-buffering.c')],
  'hunted-in-vain': [4, 'hunt', example('store-buffering.c'), '-D', 'FENCED'],
  monitor: [1, 'monitor', 'run.log'],
  hostile: [1, 'check', HOSTILE, '--no-out', '--model', 'sc'],
};

beforeAll(async () => {
  await ensureBuilt();
  if (!hasChromium) return;
  browser = await launch();
  folder.write('freed.c', FREED);
  folder.write('harmless.c', HARMLESS);
  folder.write('wait.c', ENDLESS_WAIT);
  folder.write('published.c', PUBLISHED);
  folder.write('needless.c', NEEDLESS);
  folder.write(HOSTILE, '#include <assert.h>\nint main(void) { assert(!"</script><script>alert(2)</script>"); }\n');
  await fencepost(['robust', example('store-buffering.c'), '--record', 'run.log'], { cwd: folder.path });
  for (const [name, [exit, ...args]] of Object.entries(KINDS)) {
    const run = await fencepost([...args, '--html', `${name}.html`], { cwd: folder.path });
    expect([name, run.exit, run.stderr]).toEqual([name, exit, expect.not.stringContaining('internal error')]);
  }
});

afterAll(async () => {
  await browser?.close();
  folder.remove();
});

afterEach(async () => {
  const complaints = tab?.complaints;
  await tab?.page.context().close();
  tab = undefined;
  expect(complaints ?? []).toEqual([]);
});

async function show(name: string, options: BrowserContextOptions = {}): Promise<Page> {
  tab = await open(browser, pathToFileURL(join(folder.path, `${name}.html`)).href, options);
  return tab.page;
}

describe.runIf(hasChromium)('a page is accessible', () => {
  // In the push tier, one for each kind of page: a diagram, a graph, a proof, a matrix, a patch, a log.
  const looks = ['tso', 'rc11', 'verified', 'litmus', 'fix', 'monitor'];
  it.each(Object.keys(KINDS).filter((name) => DEEP || looks.includes(name)))('that of %s', async (name) => {
    expect(statSync(join(folder.path, `${name}.html`)).size).toBeLessThan(1_000_000);
    const page = await show(name, { offline: true });
    await expect.poll(() => page.locator('h1').count()).toBe(1);
    await expect.poll(() => nameless(page)).toEqual([]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => faintText(page)).toEqual([]);
    }
    await expect.poll(() => overflowing(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => overflowing(page)).toEqual([]);
    await expect.poll(() => smallTargets(page)).toEqual([]);
    const table = page.getByLabel('table', { exact: true });
    if ((await table.count()) === 0) return;
    await page.keyboard.press('Home');
    await expect.poll(() => faintText(page)).toEqual([]);
    await table.check();
    expect([await nameless(page), await faintText(page), await overflowing(page)]).toEqual([[], [], []]);
  });
});

describe.runIf(hasChromium)('a page shows', () => {
  it('of a fix: the changes with cost and cycle, the patch beside the source, the proof, what went wrong', async () => {
    const page = await show('fix');
    await expect
      .poll(() => page.textContent('.fix h2'))
      .toMatch(/^Becomes safe under TSO, PSO and RC11 with 2 changes, cost \d+$/);
    await expect
      .poll(() => page.textContent('.comparison'))
      .toMatch(/TSO.*violation.*verified \d+ execution.*PSO.*violation/s);
    await expect.poll(() => page.locator('.changes > li').count()).toBe(2);
    await expect
      .poll(() => page.locator('.changes > li').first().textContent())
      .toMatch(/Full fence before.*cost \d+.*must reach memory/s);
    await expect.poll(() => page.locator('.cut-cycle').first().locator('tr').count()).toBeGreaterThanOrEqual(4);
    const added = page.locator('.diff .added .new code');
    await expect.poll(() => added.allTextContents()).toEqual(Array(2).fill(expect.stringContaining('fence')));
    await expect.poll(() => added.first().isVisible()).toBe(true);
    await expect
      .poll(() => page.locator('.diff .same .old').count())
      .toBe(readFileSync(example('store-buffering.c'), 'utf8').trimEnd().split('\n').length);
    await expect.poll(() => page.textContent('.what h2.wrong')).toBe('assertion: saw_other[0] || saw_other[1]');
    await page.keyboard.press('Home');
    await expect.poll(() => page.textContent('.description')).toContain('nothing has happened');
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.locator('.diff .same .old').first().isVisible()).toBe(false);
  });

  it('of fences that are not needed: which, and which are kept', async () => {
    const page = await show('minimise');
    await expect.poll(() => page.textContent('.fix h2')).toMatch(/^Stays safe under TSO with 2 fences/);
    await expect
      .poll(() => page.locator('.removed li').allTextContents())
      .toEqual([expect.stringMatching(/^The full fence at needless\.c:[89] is not needed\.$/)]);
    await expect.poll(() => page.locator('.changes > li').first().textContent()).toContain('Keep the full fence at');
    await expect.poll(() => page.locator('.diff .pair.removed').count()).toBe(1);
    await expect.poll(() => page.textContent('.comparison')).toMatch(/TSO\s*verified/);
    await expect.poll(() => page.locator('.execution').count()).toBe(0);
  });

  it('of a program that needs no change: the source, and what that depends on', async () => {
    const page = await show('fix-unneeded');
    await expect.poll(() => page.textContent('.fix h2')).toBe('Is safe under TSO: no change needed');
    await expect.poll(() => page.textContent('.argument')).toMatch(/^What it rests on.*without bounds.*-DFENCED/s);
    await expect.poll(() => page.locator('.proof .line').count()).toBeGreaterThan(20);
  });

  it('of files that were changed: the source as it was', async () => {
    folder.write('sb.c', readFileSync(example('store-buffering.c')));
    const { exit } = await fencepost(['fix', 'sb.c', '--model', 'tso', '--write', '--html', 'written.html'], {
      cwd: folder.path,
    });
    expect(exit).toBe(0);
    const page = await show('written');
    await expect.poll(() => page.textContent('.fix .what')).toContain('The files were changed.');
    const before = readFileSync(example('store-buffering.c'), 'utf8').trimEnd().split('\n');
    await expect.poll(() => page.locator('.diff .old:not(.empty) code').allTextContents()).toEqual(before);
    await expect
      .poll(() => page.locator('.diff .new:not(.empty) code').allTextContents())
      .toEqual(readFileSync(join(folder.path, 'sb.c'), 'utf8').trimEnd().split('\n'));
  });

  it('of a log: what could be reordered, where and how often', async () => {
    const page = await show('monitor');
    await expect.poll(() => page.textContent('.log')).toMatch(/Not robust: \d+ distinct violations? in \d+ events/);
    await expect
      .poll(() => page.locator('.log tbody tr').first().textContent())
      .toMatch(/store-buffering\.c:\d+.*thread \d+, event \d+.*store-buffering\.c:\d+.*(TSO|PSO).*time/s);
    await expect.poll(() => page.locator('.diagram').count()).toBe(0);
  });

  it('of harmless violations: the execution with the cycle', async () => {
    const page = await show('robust');
    await expect.poll(() => page.textContent('.verdicts')).toMatch(/TSO\s*violation.*PSO\s*violation/s);
    const list = page.locator('.violations li');
    await expect.poll(() => list.count()).toBeGreaterThanOrEqual(4);
    for (let i = 0; i < (await list.count()); i++) {
      await page.getByText(/^Violation \d+ of/).click();
      await list.nth(i).getByRole('link').click();
      await expect.poll(() => list.nth(i).textContent()).toContain('no failure found by continuing from here');
      await expect.poll(() => page.textContent('.what')).toContain('No failure was found');
      await expect.poll(() => page.locator('.diagram .edge.cycle').count()).toBeGreaterThanOrEqual(4);
    }
  });

  it('of harmful violations: the execution that ends in the error', async () => {
    const page = await show('harmful');
    await expect.poll(() => page.textContent('.violations')).toContain('harmful: assertion');
    await expect.poll(() => page.textContent('.what h2')).toContain('assertion');
  });

  it('of a verified program: the source, the verdict per model, how it was proved and what that depends on', async () => {
    const page = await show('verified');
    await expect
      .poll(() => page.textContent('.verdicts'))
      .toMatch(/SC.*verified.*TSO.*verified.*PSO.*verified.*RC11.*verified/s);
    const lines = readFileSync(example('message-passing.c'), 'utf8').trimEnd().split('\n');
    await expect.poll(() => page.locator('.proof .line code').allTextContents()).toEqual(lines);
    await expect
      .poll(() => page.textContent('.argument'))
      .toMatch(
        /How it was proved.*SC verified.*Every trace was explored.*What it rests on.*without bounds.*-DRELEASE/s,
      );
    await show('robust-verified');
    await expect.poll(() => tab!.page.textContent('.argument')).toContain('SC allows every execution under TSO');
  });

  it('of a search that stopped: that nothing is proved', async () => {
    const page = await show('inconclusive');
    await expect.poll(() => page.textContent('.argument')).toMatch(/What was explored.*not exhaustive/s);
  });

  it('of RC11: the execution as a graph, with its orders', async () => {
    const page = await show('rc11');
    await expect.poll(() => page.locator('.graph .node').count()).toBeGreaterThan(6);
    const names = new Set(
      (await page.locator('.graph .relation text').allTextContents()).flatMap((t) => t.split(', ')),
    );
    for (const name of ['po', 'rf', 'mo', 'hb', 'fr']) expect([...names]).toContain(name);
    // The cycle is po and fr.
    await expect.poll(() => page.locator('.graph .relation.on-cycle').count()).toBe(4);
    await page.keyboard.press('Home');
    await page.keyboard.press('c');
    await expect.poll(() => page.locator('.graph .node.now.on-cycle').count()).toBe(1);
    await page.locator('.graph .node', { hasText: 'ready = 1' }).click();
    await expect.poll(() => page.textContent('.description')).toContain('ready = 1');
    await page.getByLabel('diagram', { exact: true }).check();
    await expect.poll(() => page.locator('.diagram .event.now').count()).toBe(1);
  });

  it('of a hunt: the cycles that it confirmed', async () => {
    const page = await show('hunt');
    await page.getByText(/^Violation \d+ of/).click();
    await expect
      .poll(() => page.textContent('.violations'))
      .toMatch(/confirmed cycle.*line \d+ store.*→.*load.*⇢.*in \d+ of \d+ trials/s);
  });

  it('of a hunt: the error it found, or that nothing is proved', async () => {
    expect(await (await show('hunt')).textContent('.what h2')).toContain('assertion');
    await tab!.page.context().close();
    expect(await (await show('hunted-in-vain')).textContent('.argument')).toContain('not exhaustive');
  });

  it('hostile names and texts as they are', async () => {
    const page = await show('hostile');
    await expect.poll(() => page.textContent('h1')).toBe(HOSTILE);
    await expect.poll(() => page.textContent('.line.now')).toContain('</script><script>alert(2)</script>');
    await expect.poll(() => page.locator('img').count()).toBe(0);
  });

  it('an execution that can be printed, on as many sheets as it takes', async () => {
    for (const name of ['tso', 'fix', 'verified']) {
      const page = await show(name);
      expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
      await page.context().close();
    }
    tab = undefined;
  });
});

it.runIf(hasChromium)('screen readers get each step, the roles of elements, and the current place', async () => {
  const page = await show('tso');
  const live = page.locator('[aria-live=polite]');
  await expect.poll(() => live.count()).toBe(1);
  const before = await live.textContent();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => live.textContent()).not.toBe(before);
  await expect
    .poll(() => live.textContent())
    .toMatch(/^Step \d+ of \d+: (thread|the buffer of thread) \S+, line \d+: /);
  await expect
    .poll(() => page.getByRole('slider', { name: 'Step' }).getAttribute('aria-valuetext'))
    .toBe(await live.textContent());
  for (const role of ['banner', 'main', 'search'] as const)
    await expect.poll(() => page.getByRole(role).count()).toBe(1);
  await page.getByText(/^Violation \d+ of/).click();
  await expect.poll(() => page.getByRole('navigation').count()).toBe(1);
  await page.locator('.toolbar summary', { hasText: 'Show' }).click();
  await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
  await expect.poll(() => page.getByRole('checkbox').count()).toBeGreaterThan(3);
  await expect.poll(() => page.getByRole('radio', { name: 'diagram' }).isChecked()).toBe(true);
  const levels = await page.getByRole('heading').evaluateAll((all) => all.map((h) => Number(h.tagName.slice(1))));
  levels.slice(1).forEach((level, i) => {
    expect(level - levels[i]!).toBeLessThanOrEqual(1);
  });
  // The source follows: the line of the step is marked, in view, and announced as the current one.
  for (const key of ['Home', 'j', 'j', 'j', 'End']) {
    await page.keyboard.press(key);
    const now = page.locator('.line.now');
    if ((await now.count()) === 0) continue;
    await expect.poll(() => now.first().getAttribute('aria-current')).toBe('location');
    const [box, pane] = [await now.first().boundingBox(), await page.locator('.lines').boundingBox()];
    expect(box!.y).toBeGreaterThanOrEqual(pane!.y - 1);
    expect(box!.y + box!.height).toBeLessThanOrEqual(pane!.y + pane!.height + 1);
  }
});
