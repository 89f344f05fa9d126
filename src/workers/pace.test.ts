import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

/** What is said after each window of two seconds with so many executions. */
function paces(windows: readonly number[]): readonly boolean[] {
  const pace = new Pace(10);
  let executions = 0;
  return windows.map((more, i) => {
    executions += more;
    return pace.isSlow(12 + 2 * i, executions);
  });
}

test('a third of the best pace, three times in a row, is too slow', () => {
  expect(paces([100, 300, 90, 90, 90])).toEqual([false, false, false, false, true]);
});

test('not if it is faster in between, or has been as slow from the start', () => {
  expect(paces([300, 90, 90, 200, 90, 90])).not.toContain(true);
  expect(paces([90, 90, 90, 100, 90])).not.toContain(true);
});

test('nothing is said of a shorter time', () => {
  const pace = new Pace(0);
  expect([2, 3, 3.5, 3.9].map((seconds, i) => pace.isSlow(seconds, i === 0 ? 1000 : 1001))).not.toContain(true);
});
