/** A real Chromium for tests of the viewer. Without one they are skipped, with a message; in CI they fail. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** The headless shell takes less than half the time of the full browser. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const found = [process.env['FENCEPOST_CHROMIUM'], ...PATHS].find((path) => path !== undefined && existsSync(path));

export const hasChromium: boolean = found !== undefined || process.env['CI'] === 'true';
if (!hasChromium)
  process.stderr.write('No Chromium found: the tests in a browser are skipped. See FENCEPOST_CHROMIUM.\n');

export function launch(): Promise<Browser> {
  if (found === undefined)
    throw new Error(`no Chromium: looked for ${PATHS.join(', ')}; apt-get install chromium-headless-shell`);
  return chromium.launch({
    executablePath: found,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A tab, and everything it must not have: errors, and requests to other origins. */
export interface Tab {
  readonly page: Page;
  readonly complaints: string[];
}

export async function open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const home = new URL(url);
  page.on('request', (request) => {
    const to = new URL(request.url());
    const isOwn =
      home.protocol === 'file:' ? to.href.split('#')[0] === home.href.split('#')[0] : to.origin === home.origin;
    if (!isOwn && to.protocol !== 'data:') complaints.push(`requested ${request.url()}`);
  });
  // Only what never arrives is a failure; arriving late, on a busy machine, is not.
  page.setDefaultTimeout(120_000);
  await page.goto(url);
  return { page, complaints };
}

/** Polls; the page's policy forbids evaluating text in it, even for a test. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 6000; i++) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited in vain for ${isTrue}`);
}
