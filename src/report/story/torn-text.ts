/** Lost updates, in words. */
import { asCode } from '../../util/code-text.ts';
import type { TraceReport } from '../trace-schema.ts';
import { relevanceOf } from './relevance.ts';

/** Each update of a place that the failure is about, which another thread's write interrupted. */
export function tornText(trace: TraceReport): readonly string[] {
  const { events } = trace;
  return relevanceOf(trace).torn.map(([read, other, write]) => {
    const { thread, location, read: old } = events[read]!;
    const between = `thread ${events[other]!.thread} wrote ${events[other]!.wrote} (step ${other + 1})`;
    return `thread ${thread} read ${asCode(location!)} as ${old} (step ${read + 1}) and later wrote ${events[write]!.wrote} (step ${write + 1}); in between, ${between}, which is lost.`;
  });
}
