/**
 * The oracle for RC11: every graph of a sketch, by brute force, and the axioms of Lahav et al. (PLDI 2017) as relations
 * between events, with the release sequences of C++20. It shares only the sketch with the search.
 *
 *   rs   = [W]; (rf; rmw)*
 *   sw   = [≥rel]; ([F]; po)?; [W≥rlx]; rs; rf; [R≥rlx]; (po; [F])?; [≥acq]
 *   hb   = (po ∪ sw)+          eco = (rf ∪ mo ∪ rb)+          rb = rf⁻¹; mo
 *   scb  = po ∪ po≠loc; hb; po≠loc ∪ hb∩loc ∪ mo ∪ rb
 *   psc  = ([sc] ∪ [Fsc]; hb?); scb; ([sc] ∪ hb?; [Fsc])  ∪  [Fsc]; (hb ∪ hb; eco; hb); [Fsc]
 *   consistent: hb; eco? irreflexive · an RMW directly follows in mo what it read · psc and po ∪ rf acyclic
 *
 * The beginning and the end of an atomic section are read-modify-writes, acquire and release, of a special location: a
 * section begins only after all others that have begun have ended.
 *
 * A read-modify-write is one event. Graphs grow by one event at a time, in every order; a graph seen before is not
 * extended again. Consistency of a graph implies that of its parts, so an inconsistent one is dropped.
 */
import { type Access, type Fence, locationName, locationsOf, type Op, type Sections, type Sketch } from './sketch.ts';

interface Event {
  readonly thread: number;
  /** Number of the access in its thread; a fence has the number of the access before it, plus a half. */
  readonly id: string;
  readonly kind: 'load' | 'store' | 'rmw' | 'fence';
  readonly location: number;
  readonly order: string;
  readonly value: number;
  /** The event read from, -1 = initial, undefined if it reads nothing. */
  readonly source: number | undefined;
}

type Step = Op | { readonly op: 'begin' | 'end' };

interface Graph {
  readonly events: readonly Event[];
  /** Per location, the writes in modification order. */
  readonly mo: readonly (readonly number[])[];
  /** Per thread: the remaining steps, the last value read, and the number of accesses done. */
  readonly threads: readonly { readonly rest: readonly Step[]; readonly last: number; readonly done: number }[];
}

export interface Rc11Executions {
  /** One per consistent full graph. */
  readonly keys: ReadonlySet<string>;
  /** Whether a consistent graph has a race. */
  readonly races: boolean;
  /** There were more graphs than `limit`. */
  readonly isCut: boolean;
}

const isAcquire = (o: string): boolean => o === 'acquire' || o === 'acq_rel' || o === 'seq_cst';
const isRelease = (o: string): boolean => o === 'release' || o === 'acq_rel' || o === 'seq_cst';
const reads = (e: Event): boolean => e.source !== undefined;
const writes = (e: Event): boolean => e.kind === 'store' || (e.kind === 'rmw' && !e.id.endsWith('!'));

export function rc11Executions(sketch: Sketch, limit = 20_000, sections: Sections = []): Rc11Executions {
  const seen = new Set<string>();
  const keys = new Set<string>();
  let races = false;
  const stack: Graph[] = [
    {
      events: [],
      // The last one belongs to the sections.
      mo: [...locationsOf(sketch), ''].map(() => []),
      threads: sketch.map((ops, thread) => ({ rest: withSection(ops, sections[thread]), last: 0, done: 0 })),
    },
  ];
  while (stack.length > 0) {
    const graph = stack.pop()!;
    const key = keyOf(graph) + fencesOf(graph);
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > limit) return { keys, races, isCut: true };
    const relations = consistent(graph);
    if (relations === undefined) continue;
    if (hasRace(graph, relations)) races = true;
    let isFull = true;
    graph.threads.forEach((_, thread) => {
      const next = extensions(graph, thread);
      if (next.length > 0) isFull = false;
      stack.push(...next);
    });
    if (isFull) keys.add(keyOf(graph));
  }
  return { keys, races, isCut: false };
}

function withSection(ops: readonly Op[], section: Sections[number]): readonly Step[] {
  if (section === undefined) return ops;
  const [from, to] = section;
  return [...ops.slice(0, from), { op: 'begin' }, ...ops.slice(from, to), { op: 'end' }, ...ops.slice(to)];
}

/** `0.1<init,1.0<0.0;x:0.0,1.1;y:`, as `executionKey` in axiomatic.ts, plus the order of the sections. */
function keyOf({ events, mo }: Graph): string {
  const name = (e: number): string => (e < 0 ? 'init' : events[e]!.id.replace('!', ''));
  const all = events
    .map((e, i) => ({ e, i }))
    .filter(({ e }) => reads(e))
    .map(({ e, i }) => `${name(i)}<${name(e.source!)}`)
    .sort();
  return `${all.join(',')};${mo.map((list, x) => `${locationName(x)}:${list.map(name).join(',')}`).join(';')}`;
}

/** The threads' progress, apart from reads and writes. */
function fencesOf({ threads }: Graph): string {
  return threads.map(({ rest, last, done }) => `${done} ${last} ${JSON.stringify(rest)}`).join();
}

function extensions(graph: Graph, thread: number): Graph[] {
  const { rest, last, done } = graph.threads[thread]!;
  const [op, ...after] = rest;
  if (op === undefined) return [];
  const withThread = (state: Graph['threads'][number]) => graph.threads.map((t, i) => (i === thread ? state : t));
  if (op.op === 'ifLast') {
    return [
      { ...graph, threads: withThread({ rest: [...(last === op.value ? op.then : op.else), ...after], last, done }) },
    ];
  }
  if (op.op === 'fence') {
    const event = fenceEvent(op, thread, done);
    return [{ ...graph, events: [...graph.events, event], threads: withThread({ rest: after, last, done }) }];
  }
  const isSection = !('location' in op);
  const ways = isSection
    ? sectionEvents(graph, op.op === 'begin', thread, done)
    : accesses(graph, op, thread, last, done);
  return ways.map(({ event, place }) => ({
    events: [...graph.events, event],
    mo: graph.mo.map((list, x) =>
      x === event.location && place >= 0 ? [...list.slice(0, place), graph.events.length, ...list.slice(place)] : list,
    ),
    threads: withThread({
      rest: after,
      last: reads(event) && !isSection ? readValue(graph, event) : last,
      done: done + 1,
    }),
  }));
}

/**
 * A section's beginning reads from the end of another section, or the initial value; its end reads from its own
 * beginning.
 */
function sectionEvents(graph: Graph, begins: boolean, thread: number, done: number) {
  const location = graph.mo.length - 1;
  const list = graph.mo[location]!;
  const order = begins ? 'acquire' : 'release';
  return [-1, ...list].flatMap((source, place) => {
    const before = graph.events[source];
    const fits = begins ? (before?.value ?? 0) === 0 : before?.value === 1 && before.thread === thread;
    if (!fits) return [];
    const event: Event = {
      ...{ thread, id: `${thread}.${done}`, kind: 'rmw', location, order, value: begins ? 1 : 0, source },
    };
    return [{ event, place }];
  });
}

function fenceEvent({ order }: Fence, thread: number, done: number): Event {
  return { thread, id: `${thread}.${done - 0.5}`, kind: 'fence', location: -1, order, value: 0, source: undefined };
}

function readValue(graph: Graph, event: Event): number {
  return event.source! < 0 ? 0 : graph.events[event.source!]!.value;
}

function accesses(graph: Graph, op: Access, thread: number, last: number, done: number) {
  const id = `${thread}.${done}`;
  const { location } = op;
  const list = graph.mo[location]!;
  const value = (v: number | 'last'): number => (v === 'last' ? last : v);
  const found: { event: Event; place: number }[] = [];
  if (op.op === 'store') {
    for (let place = 0; place <= list.length; place++) {
      const event: Event = {
        thread,
        id,
        kind: 'store',
        location,
        order: op.order,
        value: value(op.value),
        source: undefined,
      };
      found.push({ event, place });
    }
    return found;
  }
  for (const source of [-1, ...list]) {
    const old = source < 0 ? 0 : graph.events[source]!.value;
    if (op.op === 'load') {
      found.push({ event: { thread, id, kind: 'load', location, order: op.order, value: 0, source }, place: -1 });
    } else if (op.op === 'cas' && old !== value(op.expected)) {
      const event: Event = { thread, id: `${id}!`, kind: 'rmw', location, order: op.failureOrder, value: 0, source };
      found.push({ event, place: -1 });
    } else {
      const now =
        op.op === 'cas' ? value(op.desired) : op.operator === 'add' ? (old + value(op.value)) | 0 : value(op.value);
      const event: Event = { thread, id, kind: 'rmw', location, order: op.order, value: now, source };
      for (let place = 0; place <= list.length; place++) found.push({ event, place });
    }
  }
  return found;
}

interface Relations {
  readonly hb: boolean[][];
}

function consistent(graph: Graph): Relations | undefined {
  const { events, mo } = graph;
  const n = events.length;
  const all = events.map((_, i) => i);
  const relation = (holds: (i: number, j: number) => boolean): boolean[][] =>
    all.map((i) => all.map((j) => holds(i, j)));
  const close = (r: boolean[][]): boolean[][] => {
    for (let k = 0; k < n; k++)
      for (let i = 0; i < n; i++) if (r[i]![k]) for (let j = 0; j < n; j++) if (r[k]![j]) r[i]![j] = true;
    return r;
  };
  const isIrreflexive = (r: boolean[][]): boolean => all.every((i) => !r[i]![i]);
  const place = new Map<number, number>();
  for (const list of mo) for (const [i, w] of list.entries()) place.set(w, i);
  const at = (w: number): number => (w < 0 ? -1 : place.get(w)!);
  // Events of a thread are in program order.
  const po = (i: number, j: number): boolean => events[i]!.thread === events[j]!.thread && i < j;
  const same = (i: number, j: number): boolean =>
    events[i]!.location >= 0 && events[i]!.location === events[j]!.location;
  for (const i of all) {
    const e = events[i]!;
    if (e.kind === 'rmw' && writes(e) && at(e.source!) + 1 !== place.get(i)) return undefined;
  }
  const isAtomic = (e: Event): boolean => e.order !== 'plain';
  /** The events that a release of write `w` starts from: it, or release fences before it. */
  const releasing = (w: number): number[] =>
    !isAtomic(events[w]!)
      ? []
      : all.filter(
          (i) =>
            (i === w && isRelease(events[i]!.order)) ||
            (events[i]!.kind === 'fence' && isRelease(events[i]!.order) && po(i, w)),
        );
  const acquiring = (r: number): number[] =>
    !isAtomic(events[r]!)
      ? []
      : all.filter(
          (i) =>
            (i === r && isAcquire(events[i]!.order)) ||
            (events[i]!.kind === 'fence' && isAcquire(events[i]!.order) && po(r, i)),
        );
  const sw = relation(() => false);
  for (const r of all) {
    if (!reads(events[r]!)) continue;
    for (let w = events[r]!.source!; w >= 0; ) {
      for (const x of releasing(w)) for (const y of acquiring(r)) sw[x]![y] = true;
      if (events[w]!.kind !== 'rmw') break;
      w = events[w]!.source!;
    }
  }
  const hb = close(relation((i, j) => i !== j && (po(i, j) || sw[i]![j]!)));
  if (!isIrreflexive(hb)) return undefined;
  const moBefore = (i: number, j: number): boolean => same(i, j) && place.has(i) && place.has(j) && at(i) < at(j);
  const rb = (i: number, j: number): boolean =>
    i !== j && same(i, j) && reads(events[i]!) && place.has(j) && at(events[i]!.source!) < at(j);
  const eco = close(relation((i, j) => events[j]!.source === i || moBefore(i, j) || rb(i, j)));
  for (const i of all) for (const j of all) if (hb[i]![j] && eco[j]![i]) return undefined;
  if (!isPscAcyclic()) return undefined;
  return { hb };

  function isPscAcyclic(): boolean {
    const sc = all.filter((i) => events[i]!.order === 'seq_cst');
    const isFence = (i: number): boolean => events[i]!.kind === 'fence';
    const scb = relation(
      (i, j) =>
        i !== j &&
        (po(i, j) ||
          (hb[i]![j]! && same(i, j)) ||
          moBefore(i, j) ||
          rb(i, j) ||
          all.some((x) => po(i, x) && !same(i, x) && all.some((y) => hb[x]![y] && po(y, j) && !same(y, j)))),
    );
    const psc = relation((i, j) => {
      if (!sc.includes(i) || !sc.includes(j)) return false;
      const starts = isFence(i) ? all.filter((x) => x === i || hb[i]![x]) : [i];
      const ends = isFence(j) ? all.filter((x) => x === j || hb[x]![j]) : [j];
      if (starts.some((x) => ends.some((y) => scb[x]![y]))) return true;
      if (!isFence(i) || !isFence(j)) return false;
      return hb[i]![j]! || all.some((x) => hb[i]![x] && all.some((y) => eco[x]![y] && hb[y]![j]));
    });
    return isIrreflexive(close(psc));
  }
}

function hasRace({ events }: Graph, { hb }: Relations): boolean {
  return events.some((a, i) =>
    events.some(
      (b, j) =>
        i < j &&
        a.thread !== b.thread &&
        a.location >= 0 &&
        a.location === b.location &&
        (writes(a) || writes(b)) &&
        (a.order === 'plain' || b.order === 'plain') &&
        !hb[i]![j] &&
        !hb[j]![i],
    ),
  );
}
