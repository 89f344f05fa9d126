/** How long the page of an execution of 5,000 events takes to its first picture, and to a step, in a real browser. */
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
  'all arrows': '#/page?show=psocuytx&arrows=all',
  table: '#/page?view=table',
};
const EVENTS = 5000;
const STEPS = 120;
const MOST_MILLISECONDS = 16;
const MOST_TO_THE_FIRST_PICTURE = 1000;
/** Every row of the table is in the document. */
const UNLIMITED = new Set(['table']);

export const viewer: Suite = {
  name: 'viewer',
  about: `${EVENTS} events in Chromium (npm run build first): a step, drawn, takes at most ${MOST_MILLISECONDS} ms, the first picture ${MOST_TO_THE_FIRST_PICTURE} ms`,
  cases: Object.keys(VIEWS),
  measure,
  verify,
};

/** When the first picture was painted; a page may have loaded before that. */
const FIRST_PICTURE = `(async () => {
  for (;;) {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    if (paint !== undefined) return paint.startTime;
    await new Promise(requestAnimationFrame);
  }
})()`;

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
    const first = (await page.evaluate(FIRST_PICTURE)) as number;
    const { steps, jumps } = (await page.evaluate(SCRIPT)) as Readonly<Record<'steps' | 'jumps', readonly number[]>>;
    const median = steps[steps.length >> 1]!;
    const round = (ms: number): number => Math.round(ms * 10) / 10;
    return {
      counts: { events: longTrace(EVENTS).events.length },
      rates: { 'steps/s': Math.round(1000 / median), 'first pictures/s': round(1000 / first) },
      texts: {
        'first picture, ms': String(Math.round(first)),
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
  return cases.flatMap(({ name, rates }) => {
    const [step, first] = [1000 / rates['steps/s']!, 1000 / rates['first pictures/s']!];
    if (UNLIMITED.has(name)) return [];
    return [
      ...(step > MOST_MILLISECONDS ? [`${name}: a step takes ${Math.round(step)} ms`] : []),
      ...(first > MOST_TO_THE_FIRST_PICTURE ? [`${name}: the first picture takes ${Math.round(first)} ms`] : []),
    ];
  });
}
