import { expect, it } from 'vitest';
import { Tally } from '../explore/tally.ts';
import type { PartResult } from '../pipelines/together.ts';
import { Collected } from './collected.ts';

it('findings are those of the newest result, in whatever order results arrive', () => {
  const tally = new Tally();
  tally.counts.complete = 1;
  const part = (isOpen: boolean): PartResult => ({
    tally: tally.save(),
    warnings: [],
    loops: [],
    freedom: { isOpen },
    hasWaited: false,
  });
  const found = new Collected<string>();
  found.add('one', part(true), 2);
  found.add('one', part(false), 1);
  found.add('other', part(false), 1);
  expect(found.results.map(({ freedom }) => freedom?.isOpen)).toEqual([true, false]);
  expect(found.executions).toBe(3);
});
