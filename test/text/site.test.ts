/** The documentation site: every page is there, every link leads somewhere, and it works as files, without a server. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSite } from '../../site/build.ts';
import { hasChromium, launch } from '../viewer/chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'fencepost-site-'));
let pages: readonly string[];
beforeAll(() => {
  pages = buildSite(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const textOf = (page: string): string => readFileSync(join(folder, page), 'utf8');

it('has every page of docs/, and the examples that they link to', () => {
  const names = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  expect(pages).toEqual(expect.arrayContaining(names.map((name) => name.replace(/\.md$/, '.html'))));
  expect(pages).toEqual(expect.arrayContaining(['index.html', 'changelog.html', 'files/examples/spsc-ring.c.html']));
});

it('has no link that leads nowhere', () => {
  const anchors = new Map(pages.map((page) => [page, new Set(textOf(page).match(/(?<= id=")[^"]*/g))]));
  const dead: string[] = [];
  for (const page of pages) {
    for (const [, address] of textOf(page).matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(?:https?|mailto|data):/.test(address!)) continue;
      const [path = '', anchor] = address!.split('#');
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      const isThere = existsSync(join(folder, target)) && (anchor === undefined || anchors.get(target)?.has(anchor));
      if (isThere !== true) dead.push(`${page}: ${address}`);
    }
  }
  expect(dead).toEqual([]);
});

it('does not break options after their hyphens', () => {
  expect(textOf('check.html')).toContain('<code class="short">--no-cache</code>');
});

it('links decisions that a text names, and shows sources that it does not have as text', () => {
  expect(textOf('check.html')).toMatch(/<a href="decisions\/0024-[^"]*">decision 24<\/a>/);
  expect(textOf('papers.html')).toContain('<span class="file">dpor.ts</span>');
});

describe.skipIf(!hasChromium)('in a browser, from files', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  it.for([
    [1280, 'light', 'rgb(250, 249, 246)'],
    [390, 'dark', 'rgb(21, 20, 18)'],
  ] as const)('searches, fits and has its colours: %i, %s', async ([width, colorScheme, paper]) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(pathToFileURL(join(folder, 'decisions/0036-docs-site.html')).href);
    const colour = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await colour()).toBe(paper);
    await page.keyboard.press('/');
    // Words count more than parts of words: every page is about Fencepost.
    await page.keyboard.type('fence');
    await page.locator('#found a').nth(3).waitFor();
    const titles = await page.locator('#found strong').allInnerTexts();
    expect(titles.slice(0, 4).filter((title) => !/\bfences\b/i.test(title))).toEqual([]);
    // Excerpts end with a whole word, and show that the text continues.
    const excerpts = (await page.locator('#found a').allInnerTexts()).map((text) => text.split('\n').at(-1)!);
    expect(excerpts.filter((text) => text.length > 140 && !text.endsWith(' …'))).toEqual([]);
    await page.locator('#search').fill('');
    await page.keyboard.type('load buffering arm');
    await page.locator('#found a').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const box = await page.locator('#found').boundingBox();
    expect(box!.x).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/arm\.html/);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.click('#theme');
    expect(await colour()).not.toBe(paper);
    await page.reload();
    expect(await colour()).not.toBe(paper);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
