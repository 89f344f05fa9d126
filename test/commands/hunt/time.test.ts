/** The time of a hunt, with a clock that only the test moves. */
import { describe, expect, it } from 'vitest';
import { outOfTime, type Stop } from '../../../src/explore/bound.ts';
import type { HuntRun } from '../../../src/pipelines/hunt/hunt.ts';
import { HuntTime } from '../../../src/pipelines/hunt/time.ts';

/** A hunt of which only the number of errors and the reason for stopping matter. */
function huntWith(errors: number) {
  const stops: Stop[] = [];
  const run = { advance: () => stops.length > 0, stop: (why: Stop) => void stops.push(why), wait: () => undefined };
  return { run: { ...run, progress: { errors } } as unknown as HuntRun, stops };
}

describe('the time of a hunt', () => {
  it('leaves a tenth for the errors, if there are any', () => {
    let now = 5000;
    const time = new HuntTime(60, () => now);
    const [without, withOne] = [huntWith(0), huntWith(1)];
    for (now of [5000, 58_999, 59_001, 65_001]) {
      time.watch(without.run).advance(1);
      time.watch(withOne.run).advance(1);
      expect(withOne.stops, `at ${now}`).toEqual(now > 59_000 ? [outOfTime(60)] : []);
    }
    // Its caller stops this one at the end.
    expect(without.stops).toEqual([]);
  });

  it('is divided between the errors', () => {
    let now = 0;
    const begin = new HuntTime(10, () => now).shares(3);
    now = 4000;
    const first = begin();
    now = 5999;
    expect(first()).toBe(false);
    now = 6000;
    expect(first()).toBe(true);
    // The first one finishes early, so the others get more time.
    now = 5000;
    const second = begin();
    now = 7499;
    expect(second()).toBe(false);
    now = 7500;
    expect(second()).toBe(true);
    const third = begin();
    now = 9999;
    expect(third()).toBe(false);
    now = 10_000;
    expect(third()).toBe(true);
    expect(begin()()).toBe(true);
  });

  it('has no end without a limit', () => {
    let now = 0;
    const time = new HuntTime(undefined, () => now);
    const { run, stops } = huntWith(1);
    const isLate = time.shares(1)();
    now = 1e12;
    time.watch(run).advance(1);
    expect([isLate(), stops]).toEqual([false, []]);
  });
});
