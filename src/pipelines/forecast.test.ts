/** What a sample of the executions may claim: never less than one. */
import { expect, it } from 'vitest';
import type { TraceCount } from '../explore/dpor/machine/trace-count.ts';
import { Forecast } from './forecast.ts';

const sampled = (traces: number): Forecast =>
  new Forecast(() => ({ isOver: true, estimate: { traces, error: 0.01 } }) as unknown as TraceCount);

it('there is no estimate of a fraction of an execution', () => {
  expect(sampled(7e-35).rough).toBeUndefined();
  expect(sampled(12).rough).toMatchObject({ executions: 12 });
});
