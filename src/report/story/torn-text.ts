/** Lost updates, in words. */
import { asCode } from '../../util/code-text.ts';
import { listText } from '../../util/list-text.ts';
import type { EventReport, TraceReport } from '../trace-schema.ts';
import { heldAt } from './held-locks.ts';
import { relevanceOf, type Torn } from './relevance.ts';
import { userPlace } from './row.ts';

/** Lost writes that are named one by one. */
const MAX_NAMED = 6;

/** Each update of a place that the failure is about, which writes of other threads interrupted. */
export function tornText(trace: TraceReport): readonly string[] {
  const { events } = trace;
  const isOfFiles = new Set(events.flatMap(({ file }) => (file === undefined ? [] : [file]))).size > 1;
  const called = (e: number): string => calledText(events[e]!, isOfFiles);
  return relevanceOf(trace).torn.map((torn) => {
    const { read, lost, write } = torn;
    const { thread, location, read: old } = events[read]!;
    const reading = called(read) === called(write) ? '' : called(read);
    const other = lost.at(-1)!;
    const step = `step ${other + 1}${called(other)}`;
    const between =
      lost.length === 1
        ? `thread ${events[other]!.thread} wrote ${events[other]!.wrote} (${step}), which is lost`
        : `${severalText(lost.map((e) => events[e]!))} (the last in ${step}); these are lost`;
    return `thread ${thread} read ${asCode(location!)} as ${old} (step ${read + 1}${reading}) and later wrote ${events[write]!.wrote} (step ${write + 1}${called(write)}); in between, ${between}.${lockText(events, torn)}`;
  });
}

/** A mutex that one side holds and the other does not: the missing lock, most likely. */
function lockText(events: readonly EventReport[], { read, lost, write }: Torn): string {
  const threadAt = (e: number): string => `thread ${events[e]!.thread}`;
  const [before, after] = [heldAt(events, read), heldAt(events, write)];
  const own = [...before].filter(([lock]) => after.has(lock));
  const others = lost.map((e) => [e, heldAt(events, e)] as const);
  for (const [lock, name] of own) {
    const without = others.find(([, held]) => !held.has(lock));
    if (without !== undefined) return noLockText(threadAt(without[0]), name, `${threadAt(read)} does`);
  }
  const [, first] = others[0]!;
  const common = [...first].find(([lock]) => !before.has(lock) && others.every(([, held]) => held.has(lock)));
  if (common === undefined) return '';
  return noLockText(threadAt(read), common[1], lost.length === 1 ? `${threadAt(lost[0]!)} does` : 'the others do');
}

function noLockText(thread: string, lock: string, unlike: string): string {
  return ` T${thread.slice(1)} does not hold the lock ${asCode(lock)} there; ${unlike}.`;
}

/** `threads 0.4 and 0.5 wrote 3 and 4`. */
function severalText(writes: readonly EventReport[]): string {
  const threads = [...new Set(writes.map(({ thread }) => thread))];
  const who = `thread${threads.length === 1 ? '' : 's'} ${listText(threads)}`;
  if (writes.length > MAX_NAMED)
    return `${threads.length > MAX_NAMED ? 'other threads' : who} wrote ${writes.length} times`;
  return `${who} wrote ${listText(writes.map(({ wrote }) => String(wrote)))}`;
}

/** `, in `add` called in line 15`; nothing for an access in the function that its thread runs. */
function calledText(event: EventReport, withFile: boolean): string {
  const [own, caller] = userPlace(event).stack;
  if (own === undefined || caller?.line === undefined) return '';
  const where = withFile ? `${caller.file!.split('/').at(-1)}:${caller.line}` : `line ${caller.line}`;
  return `, in ${asCode(own.function)} called in ${where}`;
}
