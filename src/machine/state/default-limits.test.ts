import { expect, it } from 'vitest';
import { AROUND_OBJECT } from '../../program/call-depth.ts';
import { GRANULE, OBJECT_HEADER } from './layout.ts';

it('has room for what the machine puts around an object', () => {
  expect(AROUND_OBJECT).toBe(OBJECT_HEADER + GRANULE);
});
