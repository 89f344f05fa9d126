/** Deadlocks of threads that hold locks and wait for each other's: suggests an order to take the locks in. */
import { asCode } from '../../util/code-text.ts';
import type { CallReport, EndReport, EventReport, TraceReport } from '../trace-schema.ts';
import { isLocking } from './held-locks.ts';
import { circleOf } from './waits.ts';

/** A thread that holds a lock and waits for another one. */
interface Link {
  readonly thread: string;
  readonly held: string;
  /** Where it took the first, and where it waits for the other. */
  readonly lines: string;
}

/** One sentence, if the deadlock is a cycle of locks. */
export function lockOrderText(trace: TraceReport): readonly string[] {
  const circle = circleOf(trace.ends);
  const links = circle.flatMap((thread, i) => linkOf(trace, thread, circle.at(i - 1)!));
  const [first, second] = links;
  const last = links.at(-1);
  if (links.length < 2 || links.length < circle.length) return [];
  const isOrdered = new Set(links.map(({ held }) => held)).size === links.length;
  if (!isOrdered || first === undefined || second === undefined || last === undefined) return [];
  const [a, b] = [asCode(first.held), asCode(last.held)];
  return links.length === 2
    ? [
        `To prevent it, take ${a} before ${b} in both threads: thread ${first.thread} does${first.lines}, thread ${second.thread} takes ${b} first${second.lines}.`,
      ]
    : [
        `To prevent it, take the locks in one order in all threads: thread ${last.thread} takes ${b} before ${a}${last.lines}, against the order of the others.`,
      ];
}

/** `before` waits for a lock that `thread` holds. */
function linkOf({ events, ends }: TraceReport, thread: string, before: string): readonly Link[] {
  const end = ends.find((e) => e.thread === thread);
  const wanted = ends.find((e) => e.thread === before)?.waitsFor;
  const taken = events.findLast((e) => e.thread === thread && e.address === wanted && isLocking(e));
  if (end?.waitsFor === undefined || wanted === undefined || taken?.location === undefined) return [];
  return [{ thread, held: taken.location, lines: linesText(taken, end) }];
}

/** ` (lines 15 and 16)`: the lines of the calls, if one function makes both. */
function linesText(taken: EventReport, end: EndReport): string {
  const own = ({ file, line, stack }: EventReport | EndReport): readonly Pick<CallReport, 'file' | 'line'>[] =>
    stack ?? [{ ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) }];
  const [from, to] = [own(taken), own(end)];
  const at = from.findIndex(({ file, line }, i) => file !== to[i]?.file || line !== to[i]?.line);
  const [first, second] = [from[at], to[at]];
  if (first?.line === undefined || second?.line === undefined) return '';
  const isOfOne = first.file === second.file;
  const number = ({ file = '', line }: Pick<CallReport, 'file' | 'line'>): string =>
    isOfOne ? String(line) : `${file.split('/').at(-1)}:${line}`;
  return ` (${isOfOne ? 'lines ' : ''}${number(first)} and ${number(second)})`;
}
