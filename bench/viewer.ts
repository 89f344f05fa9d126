/**
 * How long the page of an execution of 5,000 events takes to draw its first picture, and to draw a step, in a real
 * browser.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
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
/** Steps per measurement of processor time, and the number of measurements. */
const BATCH = 5;
const BATCHES = 40;
const MOST_MILLISECONDS = 16;
const MOST_TO_THE_FIRST_PICTURE = 1000;

export const viewer: Suite = {
  name: 'viewer',
  about: `${EVENTS} events in Chromium (npm run build first): a step, drawn, takes the page at most ${MOST_MILLISECONDS} ms of processor time, the first picture ${MOST_TO_THE_FIRST_PICTURE} ms`,
  alone: 'it opens pages',
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

/** A batch of steps, each drawn. */
const drawn = (key: string): string => `(async () => {
  for (let i = 0; i < ${BATCH}; i++) {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }));
    await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
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
    const { page } = await open(browser, 'about:blank');
    const time = await processorTime(page);
    const start = await time();
    await page.goto(pathToFileURL(file).href + VIEWS[name]);
    const first = (await page.evaluate(FIRST_PICTURE)) as number;
    const load = (await time()) - start;
    const { steps, jumps } = (await page.evaluate(SCRIPT)) as Readonly<Record<'steps' | 'jumps', readonly number[]>>;
    const batches: number[] = [];
    for (let i = 0; i < BATCHES; i++) {
      const before = await time();
      await page.evaluate(drawn(i % 2 === 0 ? 'k' : 'j'));
      batches.push(((await time()) - before) / BATCH);
    }
    const step = Math.min(...batches);
    const round = (ms: number): number => Math.round(ms * 10) / 10;
    return {
      counts: { events: longTrace(EVENTS).events.length },
      rates: { 'steps/s': Math.round(1000 / step), 'first pictures/s': round(1000 / load) },
      texts: {
        'first picture, CPU ms': String(Math.round(load)),
        'on the clock': String(Math.round(first)),
        'step drawn, CPU ms': String(round(step)),
        'laid out, on the clock': String(round(steps[steps.length >> 1]!)),
        'to an end': String(round(jumps[jumps.length >> 1]!)),
      },
    };
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

/** Processor time of the page's own thread, in milliseconds: independent of other work on the machine. */
async function processorTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find((metric) => metric.name === 'TaskDuration')!.value;
  };
}

function verify(cases: readonly Case[]): readonly string[] {
  return cases.flatMap(({ name, rates }) => {
    const [step, first] = [1000 / rates['steps/s']!, 1000 / rates['first pictures/s']!];
    return [
      ...(step > MOST_MILLISECONDS ? [`${name}: a step takes ${Math.round(step)} ms`] : []),
      ...(first > MOST_TO_THE_FIRST_PICTURE ? [`${name}: the first picture takes ${Math.round(first)} ms`] : []),
    ];
  });
}
