/**
 * Collects garbage where V8 would do so late: the memory of machines is large, and most of it is never written. Freed
 * memory is returned when the next collection begins, so there are two. A forced collection also drops optimised code:
 * the engine is then cold again, which costs some four seconds.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory in use after the last collection, in bytes. */
let kept = 0;

/**
 * Collects garbage if the process uses more than `most` bytes, and more than twice what was left after the last
 * collection.
 */
export function collectGarbage(most: number): void {
  if (process.memoryUsage.rss() <= Math.max(most, 2 * kept)) return;
  collect();
  collect();
  kept = process.memoryUsage.rss();
}
