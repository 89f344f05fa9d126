import { expect, it } from 'vitest';
import type { Estimate } from '../explore/estimate.ts';
import { DivisionTime } from './division-time.ts';
import type { Forecast } from './forecast.ts';

/** A search with 1,000 executions per second and this forecast of their total. */
function timeOf(
  after: number,
  total: number | undefined,
): { readonly isDueAt: (seconds: number) => boolean; readonly time: DivisionTime } {
  const rough: Estimate | undefined =
    total === undefined ? undefined : { executions: total, low: total / 2, high: 2 * total };
  const time = new DivisionTime({ after }, { rough } as Forecast);
  return { time, isDueAt: (seconds) => time.isDue(seconds, 1000 * seconds) };
}

it('a search that will take long is divided after a while', () => {
  const { isDueAt, time } = timeOf(2, 100_000);
  expect([1, 1.9, 2.1].map(isDueAt)).toEqual([false, false, true]);
  expect(time.isDueAnew(2.1)).toBe(true);
});

it('a search that ends soon is not divided, unless the forecast was wrong', () => {
  const { isDueAt } = timeOf(2, 5000);
  expect([1, 2, 3, 3.9, 4.1, 4.9].map(isDueAt)).toEqual([false, false, false, false, false, false]);
  expect(isDueAt(9)).toBe(true);
});

it('more must be left for one that begins anew, and it is asked again later', () => {
  const { isDueAt, time } = timeOf(2, 10_000);
  expect(isDueAt(2)).toBe(true);
  expect(time.isDueAnew(2)).toBe(false);
  expect([3, 3.9].map(isDueAt)).toEqual([false, false]);
});

it('a search without a forecast is divided after a while', () => {
  expect([1, 2].map(timeOf(2, undefined).isDueAt)).toEqual([false, true]);
});

it('a search may be divided at once, or never', () => {
  expect(timeOf(0, 10).isDueAt(0)).toBe(true);
  expect(timeOf(Number.POSITIVE_INFINITY, undefined).isDueAt(1e9)).toBe(false);
});
