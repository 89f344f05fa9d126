/**
 * Phase 1: potential happens-before cycles of an SC execution, [RELAXER] Sect. 4.1, Definitions 2 and 3, Algorithm 1.
 *
 *   paper                          here
 *   e →p e'                        `first` of e's class before `last` of the class of e'
 *   e', e in potential data race   a `Link` from the class of e' in one thread to that of e in another
 *   →hb-chain c                    a path of links through different threads
 *   potential →hb-cycle            a path that comes back to its first thread
 *   l(c)                           `Cycle.labels`: l(e1), l(e1'), l(e2), …; at even indices program order follows
 *   C_i, loop over all chains      not kept: see below
 *
 * A link covers the same two labels at many locations. Whether a path can be realised depends only on the locations of
 * each link where the source is late and the target early; binary search finds the best few, at different locations. So
 * the work grows with the links that fit together, not with the chains of events.
 *
 * Deviations
 *   - cycles are rotated so that the smallest label of a pair comes first, and reported once, whichever threads or
 *     repetitions they come from.
 *   - a thread with one event in the cycle (e = e') is only tried between two reads of the location that it writes, and
 *     the cycle then has at least length 6; elsewhere its neighbours race with each other, and the cycle is decomposed.
 *     Two different events of one thread on one location are decomposed too.
 *   - accesses ordered by creating or joining a thread do not race. Other synchronisation is ignored, as in the paper.
 *   - a model allows a cycle only if it reorders one of its pairs: `Cycle.models` lists those models.
 *   - beyond `maxCycles`, nothing more is reported, and `isCut` says so.
 */
import type { EventLog } from '../../machine/events/event.ts';
import { MODELS, type RelaxedModel } from '../../models/index.ts';
import { type AccessClass, type Accesses, collectAccesses, THREADS } from './accesses.ts';
import { type Label, reorders } from './label.ts';
import { Link } from './link.ts';

export interface Cycle {
  /**
   * In the order e1, e1', e2, e2', …: each odd one precedes the next in program order, each even one races with the
   * next.
   */
  readonly labels: readonly Label[];
  /** Models that reorder at least one of its pairs. */
  readonly models: ReadonlySet<RelaxedModel>;
}

interface PredictOptions {
  /** Maximum number of events in a cycle, at least 4 and even. */
  readonly cycleLength: number;
  readonly maxCycles: number;
  /** Once this answers true, prediction stops. */
  readonly isLate?: () => boolean;
}

/** Links examined between two calls of `isLate`. */
const PATIENCE = 10_000;

export class Predictor {
  private readonly options: PredictOptions;
  private readonly models = MODELS.filter(({ capabilities }) => capabilities.hunt);
  private readonly found = new Map<string, { labels: readonly Label[]; models: Set<RelaxedModel> }>();
  isCut = false;
  private isLate = false;
  private looked = 0;

  constructor(options: PredictOptions) {
    this.options = options;
  }

  /** The cycles so far, in the order found. */
  get cycles(): readonly Cycle[] {
    return [...this.found.values()];
  }

  /** Adds the potential cycles of one execution. */
  addExecution(events: EventLog): void {
    const accesses = collectAccesses(events);
    const links = makeLinks(accesses, this.options.cycleLength / 2);
    /** Per thread: the links that leave it, those with the latest sources first. */
    const leaving: Link[][] = Array.from({ length: THREADS }, () => []);
    for (const link of links) leaving[link.from]!.push(link);
    for (const list of leaving) list.sort((a, b) => b.latest - a.latest);
    for (let thread = 0; thread < THREADS && !this.isCut; thread++) {
      for (const link of leaving[thread]!) if (!this.isLate) this.extend([link], leaving);
    }
  }

  /** Tries all links that can follow the path, and reports those that close it. */
  private extend(path: Link[], leaving: readonly (readonly Link[])[]): void {
    const start = path[0]!;
    const last = path.at(-1)!;
    const threads = path.reduce((sum, { middle }) => sum + (middle === undefined ? 1 : 2), 0);
    for (const link of leaving[last.to]!) {
      if (this.isCut || this.isLate) return;
      if (++this.looked % PATIENCE === 0) this.isLate = this.options.isLate?.() === true;
      if (link.latest <= last.earliest) return;
      const length = 2 * (threads + (link.middle === undefined ? 1 : 2));
      if (length > this.options.cycleLength) continue;
      const closes = link.to === start.from;
      // A cycle starts in its lowest-numbered thread, so that each is found once.
      if (!closes && (link.to < start.from || length === this.options.cycleLength)) continue;
      if (!visitsAnew(path, link, closes)) continue;
      path.push(link);
      if (!closes) this.extend(path, leaving);
      else if (link.earliest < start.latest && isRealised(path)) this.report(path);
      path.pop();
    }
  }

  private report(path: readonly Link[]): void {
    const pairs: { first: Label; second: Label }[] = [];
    const models = new Set<RelaxedModel>();
    for (let i = 0; i < path.length; i++) {
      const [before, link] = [path[(i + path.length - 1) % path.length]!, path[i]!];
      pairs.push({ first: before.target, second: link.source });
      for (const model of this.models) {
        if (reorders(model, before.targetMobility, link.sourceMobility)) models.add(model.name as RelaxedModel);
      }
      if (link.middle !== undefined) pairs.push({ first: link.middle.label, second: link.middle.label });
    }
    const labels = canonical(pairs);
    const key = labels.join();
    const known = this.found.get(key);
    if (known !== undefined) {
      for (const model of models) known.models.add(model);
    } else if (this.found.size >= this.options.maxCycles) {
      this.isCut = true;
    } else {
      this.found.set(key, { labels, models });
    }
  }
}

/** Whether the link leads to threads that the path has not visited, or closes it without visiting one twice. */
function visitsAnew(path: readonly Link[], link: Link, closes: boolean): boolean {
  const middle = link.middle?.thread ?? -1;
  for (const { from, middle: between } of path) {
    if ((!closes && from === link.to) || from === middle) return false;
    if (between !== undefined && (between.thread === link.to || between.thread === middle)) return false;
  }
  return true;
}

/** Whether the links of a closed path have different locations at which each thread can play its part in the path. */
function isRealised(path: readonly Link[]): boolean {
  const [start] = path;
  const cells: number[] = [];
  const follow = (depth: number, earliest: number, end: number): boolean => {
    if (depth === path.length) return earliest < end;
    const link = path[depth]!;
    const later = link.pointsAfter(earliest);
    for (let rank = 0; rank < link.width; rank++) {
      const point = link.best(later, rank);
      if (point < 0) return false;
      if (cells.includes(link.cells[point]!)) continue;
      cells.push(link.cells[point]!);
      const isFound = follow(depth + 1, link.firsts[point]!, end);
      cells.pop();
      if (isFound) return true;
    }
    return false;
  };
  for (let point = 0; point < start!.size; point++) {
    cells[0] = start!.cells[point]!;
    if (follow(1, start!.firsts[point]!, start!.lasts[point]!)) return true;
  }
  return false;
}

/** The rotation with the smallest sequence of labels. */
function canonical(pairs: readonly { readonly first: Label; readonly second: Label }[]): readonly Label[] {
  let best: Label[] | undefined;
  for (let turn = 0; turn < pairs.length; turn++) {
    const labels: Label[] = [];
    for (let i = 0; i < pairs.length; i++) {
      const { first, second } = pairs[(i + turn) % pairs.length]!;
      labels.push(first, second);
    }
    if (best === undefined || isSmaller(labels, best)) best = labels;
  }
  return best!;
}

function isSmaller(a: readonly Label[], b: readonly Label[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]!;
  return false;
}

/** `most`: the largest number of links in a cycle. */
function makeLinks({ cells, created, joined }: Accesses, most: number): readonly Link[] {
  const links = new Map<string, Link>();
  const add = (source: AccessClass, target: AccessClass, middle?: AccessClass): void => {
    const key = `${source.thread},${source.label},${target.thread},${target.label},${middle === undefined ? '' : `${middle.thread},${middle.label}`}`;
    let link = links.get(key);
    if (link === undefined) {
      link = new Link(source, target, middle);
      links.set(key, link);
    }
    link.add(source, target);
  };
  /** Whether `a` may come before `b` as far as the creation and joining of threads is concerned. */
  const canPrecede = (a: AccessClass, b: AccessClass): boolean => {
    if (a.thread === b.thread) return false;
    const birth = created.get(b.thread * THREADS + a.thread);
    const end = joined.get(a.thread * THREADS + b.thread);
    return (birth === undefined || b.last > birth) && (end === undefined || a.first < end);
  };
  for (const classes of cells) {
    for (const source of classes) {
      for (const target of classes) {
        if (!canPrecede(source, target)) continue;
        if (source.changes || target.changes) add(source, target);
        else if (most > 2) {
          for (const middle of classes) {
            if (middle.changes && canPrecede(source, middle) && canPrecede(middle, target)) add(source, target, middle);
          }
        }
      }
    }
  }
  for (const link of links.values()) link.sort(most);
  return [...links.values()];
}
