/**
 * The playground in a real browser: its answers before clang is loaded and with it, which are those of the command
 * line.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveFolder } from '../../src/playground/build/serve.ts';
import { ensureBuilt, fencepost, REPOSITORY } from '../support/fencepost.ts';
import { DEEP } from '../support/tier.ts';
import { faintText, nameless, smallTargets } from './audit.ts';
import { hasChromium, launch, open, type Tab } from './chromium.ts';

const EXAMPLE = 'examples/store-buffering.c';
const source = readFileSync(join(REPOSITORY, EXAMPLE), 'utf8');

/** Lines such as `… under tso: violation (3 executions explored)`, without the path. */
function verdicts(text: string): readonly string[] {
  return [...text.matchAll(/^\S+ (under \w+: .*)$/gm)].map(([, line]) => line!);
}

async function answered(page: Page): Promise<void> {
  await page.locator('.bar .verdict').waitFor();
}

async function textOf(page: Page): Promise<string> {
  await answered(page);
  const tab = page.getByRole('radio', { name: 'text' });
  if ((await tab.count()) > 0) await tab.check({ force: true });
  return page.locator('pre.text').innerText();
}

// Building the site takes some twenty seconds. The deep tier goes on where the tests of the push tier end.
describe.skipIf(!hasChromium)('the playground', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-playground-'));
  let site: Served;
  let browser: Browser;
  let tab: Tab;

  const run = async (): Promise<void> => {
    await tab.page.getByRole('button', { name: 'Run' }).click();
    await answered(tab.page);
  };
  const edit = (text: string): Promise<void> => tab.page.getByRole('textbox', { name: 'The program' }).fill(text);
  const loadedClang = (): number => site.requests.filter((path) => path.startsWith('/clang')).length;

  beforeAll(async () => {
    await ensureBuilt();
    const script = ['--import', './bench/typescript.mjs', 'src/playground/build/main.ts', '--quick', '--out', folder];
    const { status, stderr } = spawnSync(process.execPath, script, { cwd: REPOSITORY, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    site = await serveFolder(folder, 0);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('answers litmus tests with nothing but the engine and the viewer', async () => {
    tab = await open(browser, `${site.url}#litmus/SB/SB.litmus`);
    const frame = tab.page.frameLocator('iframe');
    await frame.getByRole('heading', { name: '0:EAX=0 1:EAX=0' }).waitFor();
    const shown = (await textOf(tab.page)).trim().split('\n').slice(2);
    const expected = await fencepost(['litmus', 'litmus/SB/SB.litmus'], { cwd: REPOSITORY });
    expect(shown).toEqual(expected.stdout.trim().split('\n').slice(1));
    expect(site.requests.filter((path) => path.endsWith('.gz')).map((path) => path.split('-')[0])).toEqual(['/viewer']);
    expect(tab.complaints).toEqual([]);
    await tab.page.context().close();
  });

  it.runIf(DEEP)('monitors a recording, which can be pasted', async () => {
    const recording = 'docs/examples/store-buffering.jsonl';
    tab = await open(browser, `${site.url}#${recording}`);
    const shown = (await textOf(tab.page)).trim().split('\n').slice(2);
    const expected = await fencepost(['monitor', recording], { cwd: REPOSITORY });
    expect(shown).toEqual(expected.stdout.trim().split('\n').slice(1));
    await edit('{"log": "fencepost/1"}\n{"op": "nonsense"}\n');
    await run();
    expect(await textOf(tab.page)).toContain('store-buffering.jsonl: line 2 has an unknown "op"');
    expect(loadedClang()).toBe(0);
    expect(tab.complaints).toEqual([]);
    await tab.page.context().close();
  });

  it.runIf(DEEP)('shows the line of the step on a narrow screen, where it is below the program', async () => {
    tab = await open(browser, `${site.url}#${EXAMPLE}`, { viewport: { width: 390, height: 844 } });
    await answered(tab.page);
    const lines = tab.page.frameLocator('iframe').locator('.lines');
    await lines.locator('.line.now').waitFor();
    await lines.scrollIntoViewIfNeeded();
    const distance = (): Promise<number> =>
      lines.evaluate((pane) => {
        const [line, box] = [pane.querySelector('.line.now')!, pane].map((e) => e.getBoundingClientRect());
        return Math.max(box!.top - line!.top, line!.bottom - box!.bottom);
      });
    await expect.poll(distance, { timeout: 60_000 }).toBeLessThanOrEqual(0);
    await tab.page.context().close();
  });

  it('answers examples before clang is loaded, as the command line does', async () => {
    tab = await open(browser, `${site.url}#${EXAMPLE}`);
    await tab.page
      .frameLocator('iframe')
      .getByRole('heading', { name: /^assertion: saw_other/ })
      .waitFor();
    const { page } = tab;
    expect(await nameless(page)).toEqual([]);
    expect(await faintText(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    const expected = verdicts((await fencepost(['check', EXAMPLE, '--no-out'], { cwd: REPOSITORY })).stdout);
    expect(expected).toHaveLength(4);
    expect(verdicts(await textOf(page))).toEqual(expected);
    await page.getByRole('button', { name: 'Replay' }).click();
    expect(await textOf(page)).toContain('under tso: violation');
    expect(loadedClang()).toBe(0);
  });

  it.runIf(DEEP)('stops a long search, which is then inconclusive', async () => {
    const options = tab.page.getByLabel('More options');
    await options.fill('--strategy random --max-executions 999999999 --model sc');
    await tab.page.getByRole('button', { name: 'Run' }).click();
    await tab.page.getByText(/under sc: [\d,]+ executions/).waitFor();
    await tab.page.getByRole('button', { name: 'Stop' }).click();
    const text = await textOf(tab.page);
    expect(text).toMatch(/under sc: inconclusive/);
    expect(text).toMatch(/interrupted/);
    await options.fill('-j 4');
    await run();
    expect(await textOf(tab.page)).toContain('fencepost: -j does not work in the playground: one thread searches here');
    await options.fill('');
  });

  it.runIf(DEEP)("shows the compiler's errors, with their lines", async () => {
    await edit(source.replace('int main', 'itn main'));
    await run();
    const line = source.split('\n').findIndex((text) => text.startsWith('int main')) + 1;
    const text = await textOf(tab.page);
    expect(text).toContain(`store-buffering.c:${line}:1: error: unknown type name 'itn'`);
    expect(text).toContain('fencepost: clang rejects store-buffering.c');
    expect(await tab.page.locator('.numbers .wrong').allInnerTexts()).toEqual([String(line)]);
    expect(loadedClang()).toBe(1);
  });

  it.runIf(DEEP)('compiles what is typed; its address brings it back', async () => {
    const { page } = tab;
    await edit(source.replaceAll('FENCED', 'STRONG'));
    await page.getByLabel('More options').fill('-D STRONG');
    await page.getByRole('checkbox', { name: 'PSLO', exact: true }).check({ force: true });
    await run();
    expect(verdicts(await textOf(page)).map((line) => /^under \w+: \w+/.exec(line)?.[0])).toEqual(
      ['sc', 'tso', 'pso', 'pslo', 'rc11'].map((model) => `under ${model}: verified`),
    );
    await expect.poll(() => page.url()).toContain('#code=');
    await expect.poll(() => tab.page.url().length).toBeGreaterThan(site.url.length + 300);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await expect.poll(() => other.getByRole('textbox', { name: 'The program' }).inputValue()).toContain('ifdef STRONG');
    expect(await other.getByLabel('More options').inputValue()).toBe('-D STRONG');
    expect(await other.getByRole('checkbox', { name: 'PSLO', exact: true }).isChecked()).toBe(true);
    expect(tab.complaints).toEqual([]);
    // From the cache, from now on.
    expect(loadedClang()).toBe(1);
  });

  it.runIf(DEEP)('has several files; errors in a header lead there, and the address has them all', async () => {
    const { page } = tab;
    const show = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
    await page.getByLabel('More options').fill('');
    await page.getByRole('button', { name: '+ file' }).click();
    await page.getByLabel('Name of this file').fill('config.h');
    await page.getByLabel('Name of this file').press('Enter');
    await edit('#define STRONG\nitn typo;\n');
    await show('store-buffering.c');
    await edit(`#include "config.h"\n${source.replaceAll('FENCED', 'STRONG')}`);
    await run();
    await textOf(page);
    await page.locator('button.place', { hasText: 'config.h:2:1' }).click();
    expect(await page.locator('.numbers .wrong').allInnerTexts()).toEqual(['2']);
    await edit('#define STRONG\n');
    await run();
    const models = ['sc', 'tso', 'pso', 'pslo', 'rc11'];
    expect(verdicts(await textOf(page)).map((line) => /^under \w+: \w+/.exec(line)?.[0])).toEqual(
      models.map((model) => `under ${model}: verified`),
    );
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: /^Cop/ }).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'config.h', exact: true }).click();
    expect(await other.getByRole('textbox', { name: 'The program' }).inputValue()).toBe('#define STRONG\n');
    await other.close();
  });

  it.runIf(DEEP)('applies a patch', async () => {
    const { page } = tab;
    await page.getByRole('button', { name: 'Remove config.h' }).click();
    await edit(source);
    await page.getByRole('combobox', { name: 'Command' }).selectOption('fix');
    await run();
    await page.getByText('fixed and proved').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    const text = (): Promise<string> => page.getByRole('textbox', { name: 'The program' }).inputValue();
    await expect.poll(text, { timeout: 60_000 }).toContain('atomic_thread_fence(memory_order_seq_cst);\n');
    expect(tab.complaints).toEqual([]);
  });
});
