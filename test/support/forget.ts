/**
 * After every test file of a worker that runs several: lets go of what only that file needed.
 *
 * The memory of machines is large, and most of it is never written; V8 collects it late. A collection that is asked for also
 * drops optimised code: the engine is then cold again, which takes some four seconds of the next file. So it is done only if the worker has become very large.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll } from 'vitest';
import { forgetPrograms } from './c.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** In bytes. */
const LARGE = 4_000_000_000;

afterAll(() => {
  forgetPrograms();
  if (process.memoryUsage.rss() > LARGE) collectGarbage();
});
