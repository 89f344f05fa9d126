/** The edges of the diagram: which event precedes which, and the curve that shows it. */
import type { TraceReport } from '../../report/trace-schema.ts';
import { type EdgeKind, type Filters, kindOf } from './filters.ts';
import type { Diagram, Mark } from './layout.ts';
import { rowsOf } from './rows.ts';

export interface Edge {
  readonly from: Mark;
  readonly to: Mark;
  readonly kind: EdgeKind;
  readonly isOnCycle: boolean;
  readonly firstRow: number;
  readonly lastRow: number;
}

/** With more rows or threads, only the arrows of the current step are drawn unless asked otherwise. */
const MANY_ROWS = 60;
const MANY_THREADS = 4;

/** Whether all arrows are drawn, not only those of the current step. */
export function hasAllArrows(trace: TraceReport, filters: Filters): boolean {
  if (filters.arrows !== undefined) return filters.arrows === 'all';
  if (filters.chronological) return true;
  return rowsOf(trace, filters).length <= MANY_ROWS && trace.threads.length - filters.hidden.length <= MANY_THREADS;
}

/** The edges to draw at a step: if not all, the arrows that start or end there, the cycle, and program order. */
export function edgesAt(edges: readonly Edge[], event: number, hasAll: boolean): readonly Edge[] {
  if (hasAll) return edges;
  return edges.filter(
    ({ from, to, kind, isOnCycle }) =>
      isOnCycle || kind === 'program order' || from.event === event || to.event === event,
  );
}

/** All edges between events that both have a row. Edges of the cycle come last, so that they are drawn on top. */
export function edgesOf(trace: TraceReport, diagram: Diagram, filters: Filters): readonly Edge[] {
  const { markOf } = diagram;
  const edges: Edge[] = [];
  const add = (from: Mark | undefined, to: Mark | undefined, kind: EdgeKind, isOnCycle: boolean): void => {
    if (from === undefined || to === undefined || from === to) return;
    const [firstRow, lastRow] = from.row < to.row ? [from.row, to.row] : [to.row, from.row];
    edges.push({ from, to, kind, isOnCycle, firstRow, lastRow });
  };
  if (filters.chronological && trace.chronological !== undefined) {
    for (const { from, to, relation } of trace.chronological) {
      const kind = kindOf(relation);
      if (filters.kinds.has(kind)) add(markOf.get(from), markOf.get(to), kind, false);
    }
    // A chronological trace has no cycles.
    return edges;
  }
  if (filters.kinds.has('program order')) {
    const last = new Map<string, Mark>();
    for (const mark of diagram.marks) {
      const event = trace.events[mark.event];
      const thread = event?.thread ?? trace.ends[mark.event - trace.events.length]!.thread;
      if (event?.kind === 'update' && mark.shape !== 'fold') continue;
      add(last.get(thread), mark, 'program order', false);
      last.set(thread, mark);
    }
  }
  for (const { from, to, relation } of trace.edges ?? []) {
    const kind = kindOf(relation);
    if (filters.kinds.has(kind)) add(markOf.get(from), markOf.get(to), kind, false);
  }
  if (!filters.cycle || trace.cycle === undefined) return edges;
  const byName = new Map(
    trace.events.flatMap((e, i) => (e.kind === 'update' ? [] : [[e.event, markOf.get(i)] as const])),
  );
  const plain = edges.filter(({ from, to, kind }) => !onCycle(trace, from, to, kind));
  edges.length = 0;
  edges.push(...plain);
  for (const { from, relation, to } of trace.cycle)
    add(byName.get(from.event), byName.get(to.event), kindOf(relation), true);
  return edges;
}

function onCycle({ events, cycle = [] }: TraceReport, from: Mark, to: Mark, kind: EdgeKind): boolean {
  const [a, b] = [events[from.event]?.event, events[to.event]?.event];
  return cycle.some((edge) => edge.from.event === a && edge.to.event === b && kindOf(edge.relation) === kind);
}

/** The gap between the end of a line and the middle of a mark. */
const GAP = 7;

export function pathOf({ from, to, kind }: Edge): string {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const down = Math.sign(dy);
  if (dx === 0 && kind === 'program order') return `M${from.x} ${from.y + GAP * down}V${to.y - GAP * down}`;
  if (dx === 0) {
    const bulge = Math.min(14, 6 + Math.abs(dy) / 20);
    return `M${from.x - GAP} ${from.y}C${from.x - GAP - bulge} ${from.y} ${to.x - GAP - bulge} ${to.y} ${to.x - GAP} ${to.y}`;
  }
  // The curve leaves and arrives steeply, so that it crosses as little text as possible, each on the side of the other
  // end.
  const side = Math.sign(dx);
  const [x1, x2] = [from.x + (side * GAP) / 2, to.x - (side * GAP) / 2];
  const [y1, y2] = [from.y + (down * GAP * 3) / 4, to.y - (down * GAP * 3) / 4];
  const reach = Math.min(Math.abs(dy) * 0.45, 90);
  return `M${x1} ${y1}C${x1 + dx * 0.08} ${y1 + down * reach} ${x2 - dx * 0.08} ${y2 - down * reach} ${x2} ${y2}`;
}
