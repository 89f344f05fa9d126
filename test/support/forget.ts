/**
 * After every test file of a worker that runs several: lets go of what only that file needed.
 *
 * Only if the worker has become very large: the next file begins with a cold engine after that (garbage.ts).
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
