/** How long a step takes in the page of an execution of 2,000 events, in a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderPage } from '../src/report/writers/html.ts';
import { launch, open } from '../test/viewer/chromium.ts';
import { longTrace } from '../test/viewer/traces.ts';
import type { Case } from './results.ts';
import type { Measurement, Suite } from './suite.ts';

const VIEWS: Readonly<Record<string, string>> = {
  diagram: '#/page?show=psocuytx',
  table: '#/page?view=table',
};
const EVENTS = 2000;
const STEPS = 120;
const MOST_MILLISECONDS = 50;

export const viewer: Suite = {
  name: 'viewer',
  about: `a step through ${EVENTS} events in Chromium (npm run build first), drawn: at most ${MOST_MILLISECONDS} ms`,
  cases: Object.keys(VIEWS),
  measure,
  verify,
};

/**
 * Presses each key and waits until the page shows the new step and has been laid out: one step, sometimes to an end.
 */
const SCRIPT = `(async () => {
  const steps = [];
  const jumps = [];
  const rest = () => new Promise((r) => { const c = new MessageChannel(); c.port1.onmessage = r; c.port2.postMessage(0); });
  const said = () => document.querySelector('.description').textContent;
  for (let i = 0; i < ${STEPS}; i++) {
    const key = i % 20 === 19 ? (i % 40 === 19 ? 'Home' : 'End') : i % 40 < 20 ? 'k' : 'j';
    const before = said();
    const start = performance.now();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    while (said() === before) await rest();
    document.body.getBoundingClientRect();
    (key.length === 1 ? steps : jumps).push(performance.now() - start);
  }
  const sorted = (list) => list.sort((a, b) => a - b);
  return { steps: sorted(steps), jumps: sorted(jumps) };
})()`;

async function measure(name: string): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-bench-'));
  const browser = await launch();
  try {
    const file = join(folder, 'page.html');
    const report = { command: 'check', results: [{ file: 'long.c', model: 'tso', trace: longTrace(EVENTS) }] };
    const source = Array.from({ length: 2000 }, (_, i) => `line ${i};`).join('\n');
    writeFileSync(file, renderPage('long.c', { report, sources: { 'long.c': source } }));
    const { page } = await open(browser, pathToFileURL(file).href + VIEWS[name]);
    const { steps, jumps } = (await page.evaluate(SCRIPT)) as Readonly<Record<'steps' | 'jumps', readonly number[]>>;
    const median = steps[steps.length >> 1]!;
    const round = (ms: number): number => Math.round(ms * 10) / 10;
    return {
      counts: { events: longTrace(EVENTS).events.length },
      rates: { 'steps/s': Math.round(1000 / median) },
      texts: {
        'median ms': String(round(median)),
        'slowest ms': String(round(steps.at(-1)!)),
        'to an end, ms': String(round(jumps[jumps.length >> 1]!)),
      },
    };
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

function verify(cases: readonly Case[]): readonly string[] {
  return cases
    .filter(({ rates }) => 1000 / rates['steps/s']! > MOST_MILLISECONDS)
    .map(({ name, rates }) => `${name}: ${Math.round(1000 / rates['steps/s']!)} ms`);
}
