import { afterEach, expect, it, vi } from 'vitest';
import { Slice } from './slice.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Executions of so many milliseconds each until the slice is over, and how often the clock was read meanwhile. */
function run(milliseconds: number): { executions: number; looks: number } {
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
  const slice = new Slice();
  slice.begin();
  let executions = 1;
  for (time += milliseconds; !slice.isOver(); time += milliseconds) executions++;
  return { executions, looks: clock.mock.calls.length };
}

it('ends after one execution that takes longer than a slice', () => {
  expect(run(5000).executions).toBe(1);
});

it('ends soon after its time, whatever executions take', () => {
  for (const milliseconds of [0.001, 0.03, 0.7, 2, 30]) {
    const { executions } = run(milliseconds);
    expect(executions * milliseconds).toBeGreaterThan(999);
    expect(executions * milliseconds).toBeLessThan(1035);
  }
});

it('reads the clock rarely where executions are short', () => {
  expect(run(0.001).looks).toBeLessThan(1_000_000 / 20);
});

it('hears soon of executions that have become slow', () => {
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  const slice = new Slice();
  slice.begin();
  for (let i = 0; i < 20_000; i++) {
    time += 0.001;
    expect(slice.isOver()).toBe(false);
  }
  let slow = 0;
  do {
    time += 1000;
    slow++;
  } while (!slice.isOver());
  expect(slow).toBeLessThan(100);
});
