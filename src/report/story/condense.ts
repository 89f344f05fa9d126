/**
 * Shortens the table of a long execution: rows that matter least to its failure become gaps, which say whose steps they
 * were. What the explanation names always stays.
 */
import { plural } from '../text.ts';
import type { EventReport, TraceReport } from '../trace-schema.ts';
import { leftOutText } from './left-out.ts';
import type { Level } from './relevance.ts';
import { foldedRow, type Row } from './row.ts';
import { userPlace } from './user-place.ts';

/** Executions with more rows are condensed to at most this many, unless the rows that must stay are more. */
const MAX_ROWS = 30;

export function condense(trace: TraceReport, rows: readonly Row[], threads: number): readonly Row[] {
  const levels: readonly Level[] = [3, 2, 1, 0];
  const tries = levels.map((level) => withGaps(trace, rows, level));
  const isShort = (tried: readonly Row[]): boolean => tried.length + trace.ends.length <= MAX_ROWS;
  const fits = (tried: readonly Row[]): boolean => threadsOf(trace, tried) <= threads;
  return tries.find((tried) => isShort(tried) && fits(tried)) ?? tries.find(isShort) ?? tries.at(-1)!;
}

/** The number of threads that need a column. */
function threadsOf({ ends }: TraceReport, rows: readonly Row[]): number {
  return new Set([...ends.map(({ thread }) => thread), ...rows.flatMap((row) => (row.isGap ? [] : [row.thread]))]).size;
}

/** Keeps the rows up to this level and replaces the others with gaps. A gap of a single row stays a row. */
function withGaps(trace: TraceReport, rows: readonly Row[], level: Level): readonly Row[] {
  const isShown = (row: Row | undefined): boolean => row !== undefined && row.level <= level;
  const result: Row[] = [];
  for (let i = 0; i < rows.length; ) {
    let end = i;
    while (end < rows.length && !isShown(rows[end])) end++;
    if (end - i > 1) {
      const from = i === 0 ? 0 : rows[i - 1]!.last + 1;
      const to = end === rows.length ? trace.events.length : rows[end]!.first;
      result.push(gapOf(trace, rows[i]!, from, to));
    } else if (end > i) result.push(rows[i]!);
    if (end < rows.length) result.push(rows[end]!);
    i = end + 1;
  }
  return result;
}

function gapOf(trace: TraceReport, { thread }: Row, from: number, to: number): Row {
  const text = gapText(trace, from, to);
  return { ...foldedRow({ first: from, last: to - 1, thread, place: `gap ${from}`, text }), isGap: true };
}

interface Part {
  readonly events: readonly EventReport[];
  readonly threads: string[];
  readonly name: string;
  readonly how: string;
  steps: number;
}

/** Which threads took the steps of a gap, and how far each went. */
function gapText(trace: TraceReport, from: number, to: number): string {
  const { events } = trace;
  const parts: Part[] = [];
  for (const thread of new Set(events.slice(from, to).map((event) => event.thread))) {
    const isOwn = (event: EventReport): boolean => event.thread === thread && event.kind !== 'update';
    const own = events.slice(from, to).filter(isOwn);
    if (own.length === 0) continue;
    const report = trace.threads.find((t) => t.thread === thread);
    const isOver = report?.ended === true && !events.slice(to).some(isOwn);
    const isWhole = isOver && !events.slice(0, from).some(isOwn);
    const how = isWhole ? 'start to end' : isOver ? 'to its end' : '';
    const name = report?.function ?? '';
    const known = parts.find((part) => part.how !== '' && part.how === how && part.name === name);
    if (known === undefined) parts.push({ events: own, threads: [thread], name, how, steps: own.length });
    else {
      known.threads.push(thread);
      known.steps += own.length;
    }
  }
  const [part] = parts;
  if (part === undefined) return `${plural(to - from, 'store')} ${to - from === 1 ? 'reaches' : 'reach'} memory`;
  const isOne = parts.length === 1;
  return parts.map((each) => partText(each) + (each.how === '' ? detailOf(each.events, isOne) : '')).join('; ');
}

/** The lines of these steps, and what they access. */
function detailOf(events: readonly EventReport[], withNames: boolean): string {
  const shown = events.filter(({ aside }) => aside !== true);
  const lines = shown.flatMap((event) => userPlace(event).line ?? []);
  const names = [...new Set(shown.flatMap(({ location }) => location?.replace(/ \(#.*|\[\d+\]$/, '') ?? []))];
  if (lines.length === 0) return '';
  const [first, last] = [Math.min(...lines), Math.max(...lines)];
  const where = first === last ? `line ${first}` : `lines ${first} to ${last}`;
  if (!withNames) return `, ${where}`;
  const more = names.length > MAX_NAMES ? ' and more' : '';
  return `, ${where}${names.length === 0 ? '' : `: ${names.slice(0, MAX_NAMES).join(', ')}${more}`}`;
}

const MAX_NAMES = 4;

function partText({ events, threads, name, how, steps }: Part): string {
  if (how === '' && events.every(({ kind }) => kind === 'spawn' || kind === 'join')) return leftOutText(events);
  const who = `${threads.length === 1 ? 'thread' : 'threads'} ${threads.join(', ')}${name === '' ? '' : ` (${name})`}`;
  const run = threads.length === 1 ? 'runs' : 'run';
  const end = how === 'to its end' && threads.length > 1 ? 'to their ends' : how;
  const way = end === '' ? '' : end === 'start to end' ? ` from ${end}` : ` ${end}`;
  return way === '' ? `${who}: ${plural(steps, 'step')}` : `${who} ${run}${way}, ${plural(steps, 'step')}`;
}
