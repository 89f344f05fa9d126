/** Lost updates, in words. */
import { asCode } from '../../util/code-text.ts';
import { listText } from '../../util/list-text.ts';
import type { EventReport, TraceReport } from '../trace-schema.ts';
import { givesBack, heldAt } from './held-locks.ts';
import { relevanceOf, type Torn } from './relevance.ts';
import { userPlace } from './user-place.ts';

/** More lost writes than this are counted, not named. */
const MAX_NAMED = 6;

/** For each place that the failure is about: its torn updates. */
export function tornText(trace: TraceReport): readonly string[] {
  const { events } = trace;
  const called = (e: number): string => calledText(trace, e);
  return relevanceOf(trace).torn.map((torn) => {
    const { read, lost, write } = torn;
    const { thread, location, read: old } = events[read]!;
    const reading = called(read) === called(write) ? '' : called(read);
    const other = lost.at(-1)!;
    const step = `step ${other + 1}${called(other)}`;
    const between =
      lost.length === 1
        ? `thread ${events[other]!.thread} wrote ${events[other]!.wrote} (${step}), which is lost`
        : `${severalText(lost.map((e) => events[e]!))}, which are lost (the last one: ${step})`;
    return `thread ${thread} read ${asCode(location!)} as ${old} (step ${read + 1}${reading}) and later wrote ${events[write]!.wrote} (step ${write + 1}${called(write)}). In between, ${between}.${lockText(events, torn)}`;
  });
}

/** How to keep other threads out of such an update. */
export function tornAdvice(trace: TraceReport): readonly string[] {
  const { events } = trace;
  const advice = relevanceOf(trace).torn.flatMap((torn) => {
    const { read, lost, write } = torn;
    const missing = missingLock(events, torn);
    if (missing !== undefined) {
      const { thread, name, where } = missing;
      return [`To prevent it, let thread ${thread} hold ${asCode(name)}, too, around ${whereText(trace, where)}.`];
    }
    // Code with atomic accesses may have other means.
    const isPlain = [read, write, ...lost].every((e) => events[e]!.order === undefined);
    return isPlain ? [NO_LOCK] : [];
  });
  return [...new Set(advice)];
}

const NO_LOCK =
  'To prevent it, let each thread hold the same mutex from its read to its write, or make the update an atomic read-modify-write.';

interface MissingLock {
  readonly thread: string;
  readonly name: string;
  /** Says which side does hold it there. */
  readonly unlike: string;
  /** The steps at which the thread should hold it. */
  readonly where: readonly number[];
}

/** A mutex that one side holds throughout and the other does not: most likely the missing lock. */
function missingLock(events: readonly EventReport[], { read, lost, write }: Torn): MissingLock | undefined {
  const { thread } = events[read]!;
  const [before, after] = [heldAt(events, read), heldAt(events, write)];
  const isKept = (lock: string): boolean =>
    after.has(lock) && !events.slice(read, write).some((e) => e.thread === thread && givesBack(e, lock));
  const own = [...before].filter(([lock]) => isKept(lock));
  const others = lost.map((e) => [e, heldAt(events, e)] as const);
  for (const [lock, name] of own) {
    const without = others.find(([, held]) => !held.has(lock))?.[0];
    if (without !== undefined)
      return { thread: events[without]!.thread, name, unlike: `thread ${thread} does`, where: [without] };
  }
  const [, first] = others[0]!;
  const common = [...first].find(([lock]) => !before.has(lock) && others.every(([, held]) => held.has(lock)));
  if (common === undefined) return undefined;
  const unlike = lost.length === 1 ? `thread ${events[lost[0]!]!.thread} does` : 'the others do';
  return { thread, name: common[1], unlike, where: [read, write] };
}

function lockText(events: readonly EventReport[], torn: Torn): string {
  const missing = missingLock(events, torn);
  if (missing === undefined) return '';
  const { thread, name, unlike } = missing;
  return ` Thread ${thread} does not hold the lock ${asCode(name)} there; ${unlike}.`;
}

/** `the call of `add` in line 20`; `line 7`; `lines 7 to 9`. */
function whereText(trace: TraceReport, steps: readonly number[]): string {
  const calls = new Set(steps.map((e) => calledText(trace, e)));
  const [call] = calls;
  const named = /^, in (`.*`) called in (.*)$/s.exec(call ?? '');
  if (calls.size === 1 && named !== null) return `the call of ${named[1]} in ${named[2]}`;
  const lines = [...new Set(steps.map((e) => userPlace(trace.events[e]!)).map((p) => placeText(trace, p)))];
  return lines.length === 1 ? lines[0]! : `all from ${lines[0]} to ${lines[1]}`;
}

/** `threads 0.4 and 0.5 wrote 3 and 4`. */
function severalText(writes: readonly EventReport[]): string {
  const threads = [...new Set(writes.map(({ thread }) => thread))];
  const who = `thread${threads.length === 1 ? '' : 's'} ${listText(threads)}`;
  if (writes.length > MAX_NAMED)
    return `${threads.length > MAX_NAMED ? 'other threads' : who} wrote ${writes.length} times`;
  return `${who} wrote ${listText(writes.map(({ wrote }) => String(wrote)))}`;
}

/** `, in `add` called in line 15`; empty for an access in the thread's start function. */
function calledText(trace: TraceReport, e: number): string {
  const [own, caller] = userPlace(trace.events[e]!).stack;
  if (own === undefined || caller?.line === undefined) return '';
  return `, in ${asCode(own.function)} called in ${placeText(trace, caller)}`;
}

/** `line 15`; with the file if there are several. */
function placeText({ events }: TraceReport, { file, line }: Pick<EventReport, 'file' | 'line'>): string {
  const isOfFiles = new Set(events.flatMap((event) => event.file ?? [])).size > 1;
  return isOfFiles ? `${file?.split('/').at(-1)}:${line}` : `line ${line}`;
}
