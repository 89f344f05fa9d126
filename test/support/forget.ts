/**
 * After every test file of a worker that runs several: lets go of what only that file needed.
 *
 * The memory of machines is large, and most of it is never written; V8 collects it late, and what is used again is filled with
 * zeroes first. A worker of gigabytes starts other programs slowly: to fork it takes 20 ms per gigabyte, for the child as well.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach } from 'vitest';
import { forgetPrograms } from './c.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** In bytes: a worker that has just begun has less than the first. */
const SMALL = 400_000_000;
const LARGE = 1_000_000_000;

const memory = (): number => process.memoryUsage.rss();
let left = 0;

afterEach(() => {
  // Not again if little could be collected the last time.
  if (memory() < Math.max(LARGE, 2 * left)) return;
  collectGarbage();
  left = memory();
});

afterAll(() => {
  forgetPrograms();
  if (memory() > SMALL) collectGarbage();
});
