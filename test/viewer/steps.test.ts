/** A page with an execution: everything is in view at every step, on the screens of laptops and phones. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import '../support/c.ts';
import { ensureBuilt, Folder, fencepost, REPOSITORY } from '../support/fencepost.ts';
import { DEEP } from '../support/tier.ts';
import { faintText, overflowing } from './audit.ts';
import { hasChromium, launch, open, type Tab } from './chromium.ts';

const folder = new Folder();
let browser: Browser;
let tab: Tab | undefined;

/** Six threads in a ring of store buffering, and main. */
const RING = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag[6], seen[6];
static void *work(void *p) {
  int me = (int)(long)p;
  atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
  int other = atomic_load_explicit(&flag[(me + 1) % 6], memory_order_relaxed);
  atomic_store_explicit(&seen[me], other, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t t[6];
  for (long i = 0; i < 6; i++) pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < 6; i++) pthread_join(t[i], 0);
  assert(seen[0] || seen[1] || seen[2] || seen[3] || seen[4] || seen[5]);
}
`;

const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  szymanski: [join(REPOSITORY, 'programs/mutual-exclusion/szymanski.c'), '--model', 'tso,pso'],
  'chase-lev': [join(REPOSITORY, 'programs/structures/chase-lev-deque.c'), '--model', 'tso,pso'],
  ring: ['ring.c', '--model', 'tso'],
};

beforeAll(async () => {
  await ensureBuilt();
  if (!hasChromium) return;
  browser = await launch();
  folder.write('ring.c', RING);
  for (const [name, args] of Object.entries(PROGRAMS)) {
    const { exit } = await fencepost(['check', ...args, '--no-out', '--html', `${name}.html`], { cwd: folder.path });
    expect([name, exit]).toEqual([name, 1]);
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

async function show(name: string, width: number, height: number): Promise<Page> {
  const url = pathToFileURL(join(folder.path, `${name}.html`)).href;
  tab = await open(browser, url, { viewport: { width, height }, colorScheme: 'light' });
  return tab.page;
}

/**
 * Steps through an execution with a key from a given start, and lists what is hidden at each step: the current row, the
 * current line, a pane, the controls; or that the page itself scrolls.
 */
const hiddenFrom = (start: string, key: string): string => `(async () => {
  const hidden = [];
  const frame = () => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
  const within = (inner, outer) => {
    const [a, b] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()];
    return a.height > 0 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1 && a.left >= b.left - 1 && a.right <= b.right + 1;
  };
  const inWindow = (e) => {
    const { top, bottom, left, right } = e.getBoundingClientRect();
    return bottom - top > 40 && top >= 0 && bottom <= innerHeight + 1 && left >= 0 && right <= innerWidth + 1;
  };
  const count = () => document.querySelector('.controls .count').textContent;
  const look = () => {
    const at = count();
    const { scrollHeight, clientHeight } = document.documentElement;
    if (scrollHeight > clientHeight + 1) hidden.push(at + ': the page scrolls');
    for (const name of ['.diagram', '.lines', '.state']) if (!inWindow(document.querySelector(name))) hidden.push(at + ': ' + name);
    if (!within(document.querySelector('.controls'), document.body)) hidden.push(at + ': controls');
    if (at.startsWith('0 ')) return;
    const box = document.querySelector('.diagram');
    const mark = document.querySelector('.event.now circle, .event.now path, .event.now rect');
    const heads = document.querySelector('.heads').getBoundingClientRect();
    if (mark === null || !within(mark, box) || mark.getBoundingClientRect().top < heads.bottom) hidden.push(at + ': row');
    const line = document.querySelector('.line.now');
    if (line === null || !within(line, document.querySelector('.lines'))) hidden.push(at + ': line');
    for (const changed of document.querySelectorAll('.memory .changed'))
      if (!within(changed, changed.closest('.column'))) hidden.push(at + ': memory');
  };
  let steps = 0;
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '${start}', bubbles: true }));
  await frame();
  for (let last = ''; count() !== last; steps++) {
    look();
    last = count();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }));
    await frame();
  }
  return { hidden, steps };
})()`;

describe.runIf(hasChromium)('nothing is hidden at any step of', () => {
  const SIZES = [
    [1280, 720],
    [1280, 900],
    [390, 844],
  ] as const;
  const all = Object.keys(PROGRAMS).flatMap((name) => SIZES.map((size) => [name, ...size] as const));
  // In the push tier, on the smallest laptop and on a phone.
  it.each(all.filter((_, i) => DEEP || i === 0 || i === all.length - 1))(
    '%s at %d×%d, back in the light and forward in the dark',
    async (name, width, height) => {
      const page = await show(name, width, height);
      await page.waitForSelector('.event.now');
      const paper = (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
      const papers: unknown[] = [];
      for (const [colorScheme, start, key] of [
        ['light', 'End', 'k'],
        ['dark', 'Home', 'j'],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        papers.push(await paper());
        const found = (await page.evaluate(hiddenFrom(start, key))) as { hidden: readonly string[]; steps: number };
        expect(found.hidden).toEqual([]);
        expect(found.steps).toBeGreaterThan(10);
        expect(await faintText(page)).toEqual([]);
        expect(await overflowing(page)).toEqual([]);
      }
      expect(new Set(papers).size).toBe(2);
    },
  );
});

describe.runIf(hasChromium)('keys', () => {
  const step = async (page: Page): Promise<number> =>
    Number(/^(\d+)/.exec((await page.textContent('.controls .count'))!)![1]);

  it('go along the cycle, to switches, along a thread and a variable, and back', async () => {
    const page = await show('ring', 1280, 720);
    await page.keyboard.press('Home');
    for (const key of ['c', 's', 't', 'v']) {
      await page.keyboard.press('Home');
      await expect.poll(() => step(page)).toBe(0);
      const seen: number[] = [];
      // `v` follows the variable of the current step, so a step is selected first.
      if (key === 'v') await page.keyboard.press('c');
      for (let i = 0; i < 2; i++) {
        await page.keyboard.press(key);
        seen.push(await step(page));
      }
      expect(seen[0]).toBeLessThan(seen[1]!);
      await page.keyboard.press(key.toUpperCase());
      await expect.poll(() => step(page)).toBe(seen[0]);
    }
    await page.keyboard.press('Home');
    await page.keyboard.press('c');
    await expect.poll(() => page.locator('.event.now.on-cycle').count()).toBe(1);
  });

  it('are listed by ?, which Escape closes', async () => {
    const page = await show('ring', 1280, 720);
    await page.keyboard.press('?');
    await expect.poll(() => page.getByRole('dialog').textContent()).toContain('next, previous step of the cycle');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Keys' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  });

  it('search events; zoom; hide threads; show arrows on demand', async () => {
    const page = await show('ring', 1280, 720);
    await page.keyboard.press('/');
    await page.keyboard.type('flag[3]');
    await expect.poll(() => page.textContent('.search output')).toMatch(/^\d+$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('.search output')).toMatch(/^1 of \d+$/);
    await expect.poll(() => page.locator('.event.now.found').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('-');
    await expect.poll(() => page.textContent('.zoom')).toContain('85 %');
    const arrows = (): Promise<number> => page.locator('.diagram .edge.source').count();
    await page.keyboard.press('End');
    await expect.poll(arrows).toBe(1);
    await page.keyboard.press('a');
    await expect.poll(arrows).toBeGreaterThan(4);
    const lanes = await page.locator('.head.thread').count();
    await page.getByText('7 threads').click();
    await page.getByLabel('0.3 work').uncheck();
    await expect.poll(() => page.locator('.head.thread').count()).toBe(lanes - 1);
    await page.reload();
    await expect.poll(() => page.locator('.head.thread').count()).toBe(lanes - 1);
    expect(page.url()).toMatch(/zoom=85/);
  });
});

it.runIf(hasChromium)('the source has colours, and values beside the lines', async () => {
  const page = await show('ring', 1280, 720);
  await expect.poll(() => page.locator('.line code .keyword').count()).toBeGreaterThan(5);
  await expect.poll(() => page.locator('.line.now .value').textContent()).toContain('seen[5] → 0');
  await expect.poll(() => page.textContent('.calls')).toBe('main line 16');
  await expect.poll(() => page.getByLabel('What the assertion mentions').textContent()).toContain('seen[5]0');
});
