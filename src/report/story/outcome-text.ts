/**
 * Says in a sentence how an execution ends: from what its threads read to the failure. The last part of an explanation.
 */
import { asCode } from '../../util/code-text.ts';
import { listText } from '../../util/list-text.ts';
import type { ErrorReport } from '../schema.ts';
import type { EndReport, EventReport, TraceReport } from '../trace-schema.ts';
import { userPlace } from './user-place.ts';

/** Empty if the rows and the error say it all. */
export function outcomeText(trace: TraceReport, { kind }: Pick<ErrorReport, 'kind'>): readonly string[] {
  switch (kind) {
    case 'assertion':
      return trace.ends.length === 1 ? assertionText(trace, trace.ends[0]!) : [];
    case 'liveness':
      return waitingText(trace);
    case 'memory':
      return freedText(trace);
    case 'deadlock':
    case 'misuse':
    case 'race':
    case 'uninitialised':
      return [];
  }
}

/** The values that the assertion mentions and which thread wrote them, unless the explanation says so already. */
function assertionText(trace: TraceReport, end: EndReport): readonly string[] {
  const { thread, values = [], file, line } = end;
  const { events, cycle = [] } = trace;
  if (values.length === 0 || line === undefined) return [];
  const own = events.filter((event) => event.thread === thread && event.kind !== 'update');
  const last = own.slice(own.findLastIndex((event) => event.file !== file || event.line !== line) + 1);
  const named = new Set(cycle.flatMap(({ from, to }) => [from.event, to.event]));
  const facts = values.map(({ name, value }) => {
    const read = last.findLast((event) => event.location === name && event.read === value);
    const isTold = read !== undefined && named.has(read.event);
    const shown = isAddress(value) ? asCode(value) : value;
    return {
      isTold,
      text: `${asCode(name)} is ${shown}${read === undefined || isTold ? '' : writerText(trace, read)}`,
    };
  });
  if (facts.every(({ isTold }) => isTold)) return [];
  return [`In the end the assertion${lineText(trace, end)} fails: ${listText(facts.map(({ text }) => text))}.`];
}

function isAddress(value: string | number): value is string {
  return typeof value === 'string' && value.startsWith('&');
}

/** ` (written by thread 0.1, line 18)`. */
function writerText(trace: TraceReport, { from, thread }: EventReport): string {
  const write = trace.events.find(({ event, kind }) => event === from && kind !== 'update');
  if (write === undefined) return '';
  const where = lineText(trace, write).slice(2, -1);
  return ` (written by thread ${write.thread}${write.thread === thread ? ' itself' : ''}${where === '' ? '' : `, ${where}`})`;
}

/** Threads that wait in loops; that others wait for these to end is obvious. */
function waitingText(trace: TraceReport): readonly string[] {
  const stuck = trace.ends.filter(({ what }) => / stays /.test(what));
  if (stuck.length === 0) return [];
  const facts = stuck.map(
    (end) =>
      `thread ${end.thread}${lineText(trace, end)} ${end.what.replace('waits forever in a loop that never ends', 'stays in its loop')}`,
  );
  return [`In the end ${listText(facts)}.`];
}

/** An access to a block after it was freed. */
function freedText(trace: TraceReport): readonly string[] {
  const last = trace.events.at(-1);
  const block = /#\d+/.exec(last?.location ?? '')?.[0];
  if (last === undefined || block === undefined) return [];
  const free = trace.events.find(({ kind, location }) => kind === 'free' && location === block);
  if (free === undefined || free === last) return [];
  const who = free.thread === last.thread ? 'it' : `thread ${free.thread}`;
  return [
    `In the end thread ${last.thread} ${last.kind === 'free' ? 'frees' : 'uses'} ${asCode(last.location!)}${lineText(trace, last)}, which ${who} has freed${lineText(trace, free)}.`,
  ];
}

/** ` (line 12)`; with the file, if there are several. */
function lineText({ events }: TraceReport, event: EventReport | EndReport): string {
  const { file, line } = 'event' in event ? userPlace(event) : event;
  if (line === undefined) return '';
  const isOfFiles = new Set(events.flatMap((e) => e.file ?? [])).size > 1;
  return ` (${isOfFiles ? `${file?.split('/').at(-1)}:` : 'line '}${line})`;
}
