/**
 * [MON] Sect. 6: its monitors take time in O(N * P) for N events of P threads, SOBER's take O(N * P * P). Here: the
 * time per event over P, for logs of the same length.
 */
import { StreamMonitor } from '../src/monitor/log/stream.ts';
import type { MonitorName } from '../src/monitor/monitors.ts';
import { writeRandomLog } from '../test/support/random-log.ts';
import { cpuSeconds } from './search.ts';
import type { Suite } from './suite.ts';

export const THREADS: readonly number[] = [2, 4, 8, 16, 32, 64];
export const MONITORS_BY_THREADS: readonly MonitorName[] = [
  'tso',
  'pso',
  'causal-tso',
  'causal-pso',
  'sober',
  'sober-fixed',
];

const EVENTS = 200_000;
const PASSES = 3;

export const threads: Suite = {
  name: 'threads',
  about: 'time per event of each monitor over the number of threads',
  alone: 'it reads logs',
  cases: THREADS.map((count) => `${count} threads`),
  measure: async (name) => {
    const count = Number.parseInt(name, 10);
    const rates = Object.fromEntries(
      MONITORS_BY_THREADS.map((monitor) => [`${monitor} events/s`, rateOf(monitor, count)]),
    );
    return { counts: { events: EVENTS }, rates };
  },
};

function rateOf(monitor: MonitorName, count: number): number {
  let best = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    const stream = new StreamMonitor([monitor]);
    const start = cpuSeconds();
    writeRandomLog(1, { threads: count, locations: 1000, events: EVENTS, racy: 5 }, stream);
    best = Math.max(best, EVENTS / (cpuSeconds() - start));
  }
  return Math.round(best);
}
