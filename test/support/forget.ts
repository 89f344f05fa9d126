/**
 * After every test file of a worker that runs several: releases what only that file needed.
 *
 * Only if the worker has become very large: afterwards the next file starts with a cold engine (garbage.ts).
 */
import { afterAll } from 'vitest';
import { forgetPrograms } from './c.ts';
import { collectGarbage } from './garbage.ts';

/** In bytes. */
const LARGE = 4_000_000_000;

afterAll(() => {
  forgetPrograms();
  collectGarbage(LARGE);
});
