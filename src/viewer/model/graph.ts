/**
 * An execution under an axiomatic model as a graph: threads side by side, each event below all events that precede it
 * by program order, reads-from or happens-before. Unordered events may be at the same height.
 */
import type { TraceReport } from '../../report/trace-schema.ts';
import { eventsOnCycle } from './cycle.ts';
import type { Filters } from './filters.ts';
import { shorten } from './labels.ts';
import { isShown } from './rows.ts';
import { labelOf } from './timeline.ts';

export interface GraphNode {
  readonly event: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly label: string;
  readonly full: string;
  /** The memory order, if the access has one. */
  readonly order: string;
  readonly isOnCycle: boolean;
}

/** `po`, `rf`, `mo`, `fr`, `hb`; several names if they connect the same two events. */
export interface GraphEdge {
  readonly from: GraphNode;
  readonly to: GraphNode;
  readonly names: readonly string[];
  readonly isOnCycle: boolean;
}

interface Graph {
  readonly columns: readonly { readonly title: string; readonly subtitle: string; readonly x: number }[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly width: number;
  readonly height: number;
}

export const NODE_HEIGHT = 34;
const LAYER = 70;
const WIDEST = 190;
const NARROWEST = 96;
const GAP = 64;
const MARGIN = 20;
/** Room for the arrows to the left of the first thread, and their names. */
const LEFT = 40;
const CHARACTER = 7.3;
const NAMES: Readonly<Record<string, string>> = { source: 'rf', 'store order': 'mo', conflict: 'fr' };

/** Whether there is a graph to draw. */
export function hasGraph({ happensBefore }: TraceReport): boolean {
  return happensBefore !== undefined;
}

export function graphOf(trace: TraceReport, filters: Filters, room: number): Graph {
  const { events, edges = [], happensBefore = [], threads } = trace;
  const shown = new Set(events.flatMap((event, e) => (isShown(event, filters) ? [e] : [])));
  const all = [
    ...programOrder(trace, shown),
    ...edges.flatMap(({ from, to, relation }) => {
      const name = NAMES[relation];
      return name === undefined ? [] : [{ from, to, name }];
    }),
    ...happensBefore.map(({ from, to }) => ({ from, to, name: 'hb' })),
  ].filter(({ from, to }) => shown.has(from) && shown.has(to));
  const lanes = threads.filter(({ thread }) => [...shown].some((e) => events[e]!.thread === thread));
  const width = Math.max(
    NARROWEST,
    Math.min(WIDEST, Math.floor((room - LEFT - MARGIN - GAP * (lanes.length - 1)) / Math.max(1, lanes.length))),
  );
  const left = (thread: string): number => LEFT + lanes.findIndex((l) => l.thread === thread) * (width + GAP);
  const layers = layersOf(
    shown,
    all.filter(({ name }) => name !== 'mo' && name !== 'fr'),
  );
  const cycle = eventsOnCycle(trace);
  const nodes = new Map<number, GraphNode>();
  for (const e of shown) {
    const event = events[e]!;
    const full = labelOf(event);
    nodes.set(e, {
      event: e,
      x: left(event.thread),
      y: MARGIN + layers.get(e)! * LAYER,
      width,
      // The event's number is shown in the corner.
      label: shorten(full, Math.floor((width - 16 - CHARACTER * String(e + 1).length) / CHARACTER)),
      full,
      order: event.order ?? '',
      isOnCycle: filters.cycle && cycle.has(e),
    });
  }
  return {
    columns: lanes.map(({ thread, function: name = '' }) => ({
      title: /^\d/.test(thread) ? `thread ${thread}` : thread,
      subtitle: name === thread ? '' : name,
      x: left(thread),
    })),
    nodes: [...nodes.values()],
    edges: edgesOf(trace, filters, all, nodes),
    width: LEFT + MARGIN + lanes.length * (width + GAP) - GAP,
    height: MARGIN * 2 + (Math.max(0, ...layers.values()) + 1) * LAYER,
  };
}

interface Pair {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

function programOrder({ events }: TraceReport, shown: ReadonlySet<number>): readonly Pair[] {
  const last = new Map<string, number>();
  const pairs: Pair[] = [];
  for (const e of shown) {
    const { thread } = events[e]!;
    const from = last.get(thread);
    if (from !== undefined) pairs.push({ from, to: e, name: 'po' });
    last.set(thread, e);
  }
  return pairs;
}

/** Every event comes later in the list than its predecessors, so one pass suffices. */
function layersOf(shown: ReadonlySet<number>, pairs: readonly Pair[]): ReadonlyMap<number, number> {
  const before = new Map<number, number[]>();
  for (const { from, to } of pairs) if (from < to) before.set(to, [...(before.get(to) ?? []), from]);
  const layers = new Map<number, number>();
  for (const e of shown) layers.set(e, Math.max(-1, ...(before.get(e) ?? []).map((b) => layers.get(b) ?? -1)) + 1);
  return layers;
}

/** `fr` follows from the other relations, so it is drawn only on the cycle. */
function edgesOf(
  { events, cycle = [] }: TraceReport,
  filters: Filters,
  pairs: readonly Pair[],
  nodes: ReadonlyMap<number, GraphNode>,
): readonly GraphEdge[] {
  const onCycle = new Set(filters.cycle ? cycle.map(({ from, to }) => `${from.event} ${to.event}`) : []);
  const grouped = new Map<string, { from: GraphNode; to: GraphNode; names: string[]; isOnCycle: boolean }>();
  for (const { from, to, name } of pairs) {
    const isOnCycle = onCycle.has(`${events[from]!.event} ${events[to]!.event}`);
    if (name === 'fr' && !isOnCycle) continue;
    const key = `${from} ${to}`;
    const known = grouped.get(key) ?? { from: nodes.get(from)!, to: nodes.get(to)!, names: [], isOnCycle };
    known.names.push(name);
    grouped.set(key, known);
  }
  return [...grouped.values()];
}

/** The curve of an edge, and the position of its name. */
export function curveOf({ from, to }: GraphEdge): { readonly path: string; readonly x: number; readonly y: number } {
  const middle = (node: GraphNode): number => node.x + node.width / 2;
  if (from.x === to.x) {
    const isNext = Math.abs(to.y - from.y) <= LAYER;
    const [y1, y2] = from.y < to.y ? [from.y + NODE_HEIGHT, to.y - 2] : [from.y, to.y + NODE_HEIGHT + 2];
    if (isNext) return { path: `M${middle(from)} ${y1}V${y2}`, x: middle(from) + 12, y: (y1 + y2) / 2 + 3 };
    const side = from.x - 22;
    const [a, b] = [from.y + NODE_HEIGHT / 2, to.y + NODE_HEIGHT / 2];
    return { path: `M${from.x} ${a}C${side} ${a} ${side} ${b} ${to.x - 2} ${b}`, x: side + 4, y: (a + b) / 2 };
  }
  const isRight = to.x > from.x;
  const [x1, x2] = isRight ? [from.x + from.width, to.x - 2] : [from.x, to.x + to.width + 2];
  const [y1, y2] = [from.y + NODE_HEIGHT / 2, to.y + NODE_HEIGHT / 2];
  const reach = (x2 - x1) * 0.45;
  const at = (a: number, b: number, c: number, d: number): number => 0.343 * a + 0.441 * b + 0.189 * c + 0.027 * d;
  return {
    path: `M${x1} ${y1}C${x1 + reach} ${y1} ${x2 - reach} ${y2} ${x2} ${y2}`,
    // At 0.3 of the curve, nearer to its start: arrows that end at one thread cross in the middle.
    x: at(x1, x1 + reach, x2 - reach, x2),
    y: at(y1, y1, y2, y2) + 4,
  };
}
