/**
 * Collects garbage where V8 would do so late: the memory of machines is large, and most of it is never written. What was freed is given back
 * when the next collection begins, so there are two. A collection that is asked for also drops optimised code: the engine is then cold again, which takes some four seconds.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What was in use after the last collection, in bytes. */
let kept = 0;

/** Collects garbage if the process takes more memory, in bytes, and twice what it could not do without the last time. */
export function collectGarbage(most: number): void {
  if (process.memoryUsage.rss() <= Math.max(most, 2 * kept)) return;
  collect();
  collect();
  kept = process.memoryUsage.rss();
}
