/** The page that --html writes, in a real browser. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AnyReport } from '../../src/report/page-data.ts';
import { renderPage } from '../../src/report/writers/html.ts';
import { ensureBuilt, Folder, fencepost } from '../support/fencepost.ts';
import { hasChromium, launch, open, type Tab, until } from './chromium.ts';
import { longTrace, SB } from './traces.ts';

const folder = new Folder();
let browser: Browser;
let tab: Tab | undefined;

beforeAll(async () => {
  await ensureBuilt();
  if (!hasChromium) return;
  browser = await launch();
  const made = await fencepost([
    'check',
    'examples/store-buffering.c',
    '--no-out',
    '--html',
    join(folder.path, 'tso.html'),
  ]);
  expect(made.exit).toBe(1);
  expect((await fencepost(['litmus', 'litmus/SB/SB.litmus', '--html', join(folder.path, 'litmus.html')])).exit).toBe(0);
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

async function show(name: string, fragment = ''): Promise<Page> {
  tab = await open(browser, pathToFileURL(join(folder.path, name)).href + fragment);
  return tab.page;
}

function write(name: string, report: AnyReport, sources: Record<string, string> = {}): void {
  writeFileSync(join(folder.path, name), renderPage(name, { report, sources }));
}

const description = (page: Page) => page.textContent('.description');
const step = async (page: Page) => Number(/Step (\d+)/.exec((await description(page)) ?? '')?.[1] ?? 0);

describe.runIf(hasChromium)('a page for a violation', () => {
  it('is small and shows verdicts, error, reason, source and where it goes wrong', async () => {
    expect(statSync(join(folder.path, 'tso.html')).size).toBeLessThan(200_000);
    const page = await show('tso.html');
    await expect
      .poll(() => page.textContent('.verdicts'))
      .toMatch(/SC.*verified.*TSO.*violation.*PSO.*violation.*RC11.*violation/s);
    await expect.poll(() => page.textContent('.what h2')).toBe('assertion: saw_other[0] || saw_other[1]');
    await expect.poll(() => page.textContent('.why')).toContain('before its own flag[0] = 1 (line 26) reached memory');
    await expect.poll(() => page.textContent('.line.now')).toContain('assert(saw_other[0] || saw_other[1]);');
    await expect.poll(() => page.locator('.diagram .edge.cycle').count()).toBeGreaterThanOrEqual(4);
    await expect.poll(() => page.locator('.event.end').textContent()).toContain('the assertion fails');
  });

  it('is stepped through with keys, buttons, slider, rows and lines; everything follows', async () => {
    const page = await show('tso.html');
    await page.keyboard.press('Home');
    await expect.poll(() => description(page)).toContain('nothing has happened');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => step(page)).toBe(3);
    await expect.poll(() => page.textContent('.line.now')).toContain('&flag[0], 1');
    await expect.poll(() => page.locator('.buffer li').allTextContents()).toEqual(['flag[0] = 1']);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(() => step(page)).toBe(5);
    await page.keyboard.press('k');
    await expect.poll(() => step(page)).toBe(4);
    await page.locator('.diagram').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => step(page)).toBe(5);
    await page.keyboard.press('End');
    await expect.poll(() => step(page)).toBe(16);
    await page.getByRole('button', { name: 'Back' }).click();
    await expect.poll(() => step(page)).toBe(15);
    await page.getByRole('slider').fill('1');
    await expect.poll(() => step(page)).toBe(3);
    await page.locator('.event.store .label', { hasText: 'flag[1] = 1' }).click();
    await expect.poll(() => step(page)).toBe(5);
    await page.getByRole('button', { name: 'Go to the next step at line 36' }).click();
    await expect.poll(() => step(page)).toBe(7);
    await expect.poll(() => page.textContent('.memory')).toContain('flag[1]1');
    await expect.poll(() => page.getAttribute('.description', 'aria-live')).toBe('polite');
  });

  it('keeps its state in the address: links, reload, back and forward', async () => {
    const page = await show('tso.html', '#/page?step=8&show=pc');
    await expect.poll(() => step(page)).toBe(8);
    await expect.poll(() => page.locator('.diagram .edge.cycle').count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/step=9/);
    await page.reload();
    await expect.poll(() => step(page)).toBe(9);
    await page.getByText(/^Violation 1 of/).click();
    await page
      .getByRole('link', { name: /assertion/ })
      .nth(1)
      .click();
    expect(page.url()).toContain('execution=2');
    await expect.poll(() => page.textContent('.what .detail')).toContain('PSO');
    await page.goBack();
    expect(page.url()).not.toContain('execution=2');
    await expect.poll(() => step(page)).toBe(9);
    await page.goForward();
    await expect.poll(() => page.textContent('.what .detail')).toContain('PSO');
  });

  it('shows and hides edges and private steps, and the table in place of the diagram', async () => {
    const page = await show('tso.html');
    const count = (selector: string) => page.locator(`.diagram ${selector}`).count();
    await page.locator('.toolbar summary', { hasText: 'Show' }).click();
    for (const [name, selector] of [
      ['program order', '.edge.program-order'],
      ['source', '.edge.source'],
      ['store–update', '.bar'],
      ['cycle', '.edge.cycle'],
    ] as const) {
      await expect.poll(() => count(selector)).toBeGreaterThan(0);
      await page.getByLabel(name, { exact: true }).uncheck();
      await expect.poll(() => count(selector)).toBe(0);
    }
    await page.getByLabel('conflict', { exact: true }).check();
    await expect.poll(() => count('.edge.conflict')).toBe(2);
    const before = await count('.event');
    await page.getByLabel('4 private steps').check();
    await expect.poll(() => count('.event')).toBe(before + 4);
    await page.getByLabel('table', { exact: true }).check();
    await expect.poll(() => page.locator('.events tbody tr').count()).toBe(17);
    await expect
      .poll(() => page.locator('.events [aria-current="step"]').textContent())
      .toContain('reads saw_other[1]: 0');
    await page.reload();
    await expect.poll(() => page.locator('.events tbody tr').count()).toBe(17);
  });

  it('is light or dark by the system, until chosen otherwise; and narrow without sideways scrolling', async () => {
    const url = pathToFileURL(join(folder.path, 'tso.html')).href;
    tab = await open(browser, url, { colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    const { page } = tab;
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const dark = await paper();
    await page.getByRole('button', { name: 'Light colours' }).click();
    await expect.poll(() => paper()).not.toBe(dark);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('has a tab order from top to bottom, with a visible focus', async () => {
    const page = await show('tso.html');
    const order: string[] = [];
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press('Tab');
      order.push(
        (await page.evaluate(
          'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
        )) as string,
      );
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none');
    }
    const places = ['Violation', 'To the start', 'Step', 'Keys', 'Dark colours', 'Diagram'].map((name) =>
      order.findIndex((label) => label.startsWith(name)),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBe(0);
  });

  it('prints all of the execution', async () => {
    write('long.html', { command: 'check', results: [{ file: 'long.c', model: 'tso', trace: longTrace(300) }] });
    const page = await show('long.html');
    const shown = await page.locator('.diagram .event').count();
    await page.emulateMedia({ media: 'print' });
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    await until(async () => (await page.locator('.diagram .event').count()) >= 300);
    expect(shown).toBeLessThan(200);
    await expect.poll(() => page.locator('.controls input').isVisible()).toBe(false);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
  });
});

it.runIf(hasChromium)('the matrix of a litmus test leads to an execution for each outcome', async () => {
  const page = await show('litmus.html');
  await expect.poll(() => page.textContent('.matrix .satisfied')).toContain('0:EAX=0  1:EAX=0');
  await expect.poll(() => page.textContent('.what h2')).toBe('0:EAX=0  1:EAX=0');
  await page.getByRole('link', { name: '0:EAX=1 1:EAX=0 under sc' }).click();
  await expect.poll(() => page.textContent('.what h2')).toBe('0:EAX=1  1:EAX=0');
  await expect.poll(() => page.locator('.diagram .edge.cycle').count()).toBe(0);
  await page.goBack();
  await expect.poll(() => page.textContent('.what h2')).toBe('0:EAX=0  1:EAX=0');
});

it.runIf(hasChromium)('hostile text and names are shown as text', async () => {
  const evil = '</script><script>window.hacked=1</script><!--<script><img src=x onerror="window.hacked=1">';
  const trace = {
    ...SB,
    events: SB.events.map((e) => ({ ...e, file: evil, text: evil, effect: evil, location: evil })),
    explanation: [evil],
  };
  const error = { kind: 'assertion' as const, message: evil, schedule: evil, file: evil, line: 5, notes: [evil] };
  const report = {
    command: evil,
    results: [{ file: evil, model: 'tso', verdict: 'violation' as const, error, trace }],
  };
  write('evil.html', report, { [evil]: `${evil}\n`.repeat(9), __proto__: evil });
  const page = await show('evil.html');
  await expect.poll(() => page.getAttribute('h1', 'title')).toBe(evil);
  await expect.poll(() => page.textContent('.what h2')).toBe(`assertion: ${evil}`);
  await expect.poll(() => page.locator('.line code').first().textContent()).toBe(evil);
  await page.keyboard.press('ArrowLeft');
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  await expect.poll(() => page.locator('img').count()).toBe(0);
  expect(readFileSync(join(folder.path, 'evil.html'), 'utf8')).toMatch(
    /Content-Security-Policy" content="default-src 'none'/,
  );
});

it.runIf(hasChromium)('keys pressed faster than the page is drawn all count', async () => {
  const page = await show('tso.html', '#/page?step=0');
  await page.evaluate(
    `for (let i = 0; i < 5; i++) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))`,
  );
  await page.waitForURL(/step=7/);
  await expect.poll(() => step(page)).toBe(7);
});

/** `npm run bench -- viewer` measures how long a step takes. */
it.runIf(hasChromium)('a step in an execution of 2,000 events draws no more than in a short one', async () => {
  const source = Array.from({ length: 2000 }, (_, i) => `line ${i};`).join('\n');
  write(
    '2000.html',
    { command: 'check', results: [{ file: 'long.c', model: 'tso', trace: longTrace(2000) }] },
    { 'long.c': source },
  );
  const page = await show('2000.html', '#/page?show=psocuytx');
  const changes = async (key: string): Promise<number> => {
    await page.evaluate(`(() => {
      window.changes = 0;
      window.observer?.disconnect();
      window.observer = new MutationObserver((list) => { window.changes += list.length; });
      window.observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    })()`);
    const before = await description(page);
    await page.keyboard.press(key);
    await until(async () => (await description(page)) !== before);
    return (await page.evaluate('new Promise((r) => requestAnimationFrame(() => r(window.changes)))')) as number;
  };
  for (const key of ['k', 'k', 'k', 'j', 'j']) expect(await changes(key)).toBeLessThan(60);
  // To the other end: everything in view is redrawn, and nothing else.
  expect(await changes('Home')).toBeLessThan(3000);
  await expect.poll(() => page.locator('.diagram .event').count()).toBeLessThan(200);
  await expect.poll(() => page.locator('.diagram svg *').count()).toBeLessThan(1500);
});

it('is written by replay too, and for a program that is refused', async () => {
  const read = (name: string) => readFileSync(join(folder.path, name), 'utf8');
  const out = join(folder.path, 'out');
  const { stdout } = await fencepost(['check', 'examples/lock-order.c', '--model', 'sc', '--out', out]);
  const run = /Replay: fencepost replay (\S+)/.exec(stdout)![1]!;
  expect((await fencepost(['replay', run, '--html', join(folder.path, 'replay.html')])).exit).toBe(1);
  expect(read('replay.html')).toContain('"command":"replay","input"');
  expect(read('replay.html')).toContain('"kind":"deadlock"');
  folder.write('broken.c', 'int main(void) { return x; }');
  expect((await fencepost(['check', 'broken.c', '--html', 'broken.html'], { cwd: folder.path })).exit).toBe(3);
  expect(read('broken.html')).toContain('"problems":[{"file":"broken.c"');
});

it('refuses to write where it cannot, and says so', async () => {
  const { exit, stderr } = await fencepost(['litmus', 'litmus/SB/SB.litmus', '--html', '/nowhere/at/all.html']);
  expect(exit).toBe(2);
  expect(stderr).toContain('/nowhere/at/all.html cannot be written: there is no folder /nowhere/at');
});
