/** The chronological trace of one execution as plain data, and as a drawing for Graphviz. */
import { modelNamed } from '../models/index.ts';
import type { Buffers } from '../models/model.ts';
import type { ChronologicalEdge } from '../trace/chronological.ts';
import type { EventReport, ThreadReport, TraceReport } from './trace-schema.ts';

/** Larger graphs are unreadable, and finding the edges takes quadratic time. */
export const MAX_GRAPH_EVENTS = 5000;

export interface GraphReport {
  readonly schema: 'fencepost/1';
  readonly graph: 'chronological trace';
  readonly file: string;
  readonly model: string;
  readonly schedule: string;
  readonly threads: readonly ThreadReport[];
  readonly events: readonly GraphEvent[];
  /** Happens-before, transitively reduced; `from` and `to` are indices into `events`, from 0. */
  readonly edges: readonly ChronologicalEdge[];
}

/** `process` is the thread, or a store buffer: `0.1/`, or `0.1/x` if there is one per location. */
type GraphEvent = Pick<EventReport, 'event' | 'thread' | 'kind' | 'effect' | 'file' | 'line'> & {
  readonly process: string;
};

const BUFFER_NAMES: Readonly<Record<Buffers, (thread: string, location: string) => string>> = {
  none: () => {
    throw new Error('nothing waits in a buffer');
  },
  thread: (thread) => `${thread}/`,
  location: (thread, location) => `${thread}/${location}`,
};

export function graphReport(
  file: string,
  model: string,
  { schedule, threads, events }: TraceReport,
  edges: readonly ChronologicalEdge[],
): GraphReport {
  const bufferOf = BUFFER_NAMES[modelNamed(model).buffers];
  return {
    ...{ schema: 'fencepost/1', graph: 'chronological trace', file, model, schedule, threads },
    events: events.map(({ event, thread, kind, effect, location = '', file: at, line }) => ({
      ...{ event, thread, process: kind === 'update' ? bufferOf(thread, location) : thread },
      ...{ kind, effect },
      ...(at === undefined ? {} : { file: at }),
      ...(line === undefined ? {} : { line }),
    })),
    edges,
  };
}

/** For edges other than program order. */
const COLOURS: Readonly<Record<string, string>> = {
  'store to update': 'gray50',
  'buffer order': 'gray50',
  'update to fence': 'gray50',
  source: 'darkgreen',
  'update order': 'blue',
  conflict: 'red',
};

/** Input for `dot`: a column per thread and buffer, time from top to bottom. */
export function printDot({ file, model, threads, events, edges }: GraphReport): string {
  const processes = [...new Set(events.map(({ process }) => process))].sort();
  const titleOf = (process: string): string => {
    const [, owner, location] = /^([^/]*)\/(.*)$/s.exec(process) ?? [];
    if (owner !== undefined) return `buffer of thread ${owner}${location === '' ? '' : ` for ${location}`}`;
    const name = threads.find(({ thread }) => thread === process)?.function;
    return `thread ${process}${name === undefined ? '' : `: ${name}`}`;
  };
  const labelOf = ({ event, effect, line }: GraphEvent): string =>
    `${event}${line === undefined ? '' : ` (line ${line})`}\n${effect}`;
  return [
    'digraph trace {',
    `  label=${quoted(`${file} under ${model}: chronological trace`)};`,
    '  node [shape=box, fontname="monospace", fontsize=10];',
    '  edge [fontname="sans-serif", fontsize=9];',
    ...processes.flatMap((process, number) => [
      `  subgraph cluster_${number} {`,
      `    label=${quoted(titleOf(process))};`,
      ...events.flatMap((event, id) =>
        event.process === process ? [`    e${id} [label=${quoted(labelOf(event))}];`] : [],
      ),
      '  }',
    ]),
    ...edges.map(({ from, to, relation }) => `  e${from} -> e${to}${styleOf(relation)};`),
    '}',
    '',
  ].join('\n');
}

function styleOf(relation: string): string {
  if (relation === 'program order') return '';
  const colour = COLOURS[relation];
  return ` [label=${quoted(relation)}${colour === undefined ? '' : `, color=${colour}, fontcolor=${colour}`}]`;
}

/** A string of the dot language, which allows no control characters. */
function quoted(text: string): string {
  const escaped = text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
  return `"${escaped.replace(/\p{Cc}/gu, ' ')}"`;
}
