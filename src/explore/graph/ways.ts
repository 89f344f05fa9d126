/**
 * The ways that the search has not taken yet, and backtracking to them: [TRUST] Alg. 1, VisitCOs and revisits. A write
 * may go to several places in mo and revisit several reads, a read has several sources, a choice several outcomes.
 */
import { IntVector } from '../../util/int-vector.ts';
import type { Consistency } from './consistency.ts';
import * as g from './fields.ts';
import {
  CHOICE_FRAME,
  F_KIND,
  F_LENGTH,
  F_LOG,
  F_NEXT,
  F_READ,
  F_SAVED,
  F_WAYS,
  Frames,
  NO_WAY,
  READ_FRAME,
  REVISIT_FRAME,
  WRITE_FRAME,
} from './frames.ts';
import type { Graph } from './graph.ts';
import type { Log } from './log.ts';
import { firstWay, type Prescribed } from './path.ts';
import { restrict } from './restrict.ts';
import { restoreGraph, saveGraph } from './saved-graph.ts';

export class Ways {
  readonly frames: Frames = new Frames();
  private readonly graph: Graph;
  private readonly log: Log;
  private readonly consistency: Consistency;
  /** By number of the thread in the graph. */
  private readonly slots: readonly number[];
  private readonly made = new Int32Array(g.FIELDS);
  private kept = new Uint8Array(64);
  private readonly moved = new IntVector();
  /** The ways to take at the first frames, and how many of these frames have been met. */
  private prescribed: readonly Prescribed[] = [];
  private met = 0;
  /** Whether the way of the top frame is prescribed. */
  private isPrescribed = false;

  constructor(graph: Graph, log: Log, consistency: Consistency, slots: readonly number[]) {
    this.slots = slots;
    this.graph = graph;
    this.log = log;
    this.consistency = consistency;
  }

  /** Starts again, with these ways prescribed. */
  begin(prescribed: readonly Prescribed[]): void {
    this.frames.clear();
    this.prescribed = prescribed;
    this.met = 0;
  }

  /** Whether prescribed ways have yet to be taken. */
  get isReplaying(): boolean {
    return this.met < this.prescribed.length;
  }

  /** Called once all ways of the top frame are known. If one of them is prescribed, it comes next. */
  settle(): void {
    const { frames } = this;
    this.isPrescribed = this.isReplaying && this.stays;
    if (!this.isPrescribed) return;
    if (frames.count !== this.met + 1) throw new Error('a search over graphs has left its path');
    const { way, keepsRest, ...expected } = this.prescribed[this.met++]!;
    const kind = frames.get(F_KIND);
    const slot = this.slots[frames.words[frames.event + g.THREAD]!];
    if (kind !== expected.kind || slot !== expected.slot) throw new Error('a search over graphs has left its path');
    const first = firstWay(kind);
    const at = frames.get(F_WAYS) + way - first;
    if (!(way >= 0 && at < frames.ways.length)) throw new Error(`a search over graphs has no way ${way} here`);
    if (kind === CHOICE_FRAME) this.graph.set(frames.get(F_READ), g.CHOICE, way);
    frames.set(F_NEXT, at + first);
    if (!keepsRest) frames.ways.length = at + 1;
  }

  /**
   * Whether the top frame will still exist when the execution ends: that of an event with only one way is popped at
   * once.
   */
  private get stays(): boolean {
    const { frames } = this;
    const kind = frames.get(F_KIND);
    if (kind === CHOICE_FRAME || kind === REVISIT_FRAME) return true;
    const count = frames.ways.length - frames.get(F_WAYS);
    return count > 1 || (count === 1 && frames.ways.get(frames.get(F_WAYS)) < -1);
  }

  /** Takes the first way of the top frame, which is popped unless it has others; false if this ends the execution. */
  takeFirst(): boolean {
    const { frames, graph } = this;
    const count = frames.ways.length - frames.get(F_WAYS);
    if (count === 0) {
      frames.pop();
      return false;
    }
    const way = frames.ways.get(frames.get(F_NEXT));
    // A revisit backtracks: this execution ends.
    if (way < -1) return false;
    frames.nextWay();
    const isRead = frames.get(F_KIND) === READ_FRAME;
    if (isRead) frames.words[frames.event + g.SOURCE] = way;
    graph.push(frames.words, frames.event, isRead ? g.NONE : way);
    if (count === 1 && !this.isPrescribed) frames.pop();
    return true;
  }

  /** The first way of the top frame; `NO_WAY` if it has none. */
  get first(): number {
    const { frames } = this;
    const at = frames.get(F_NEXT);
    return at < frames.ways.length ? frames.ways.get(at) : NO_WAY;
  }

  /** Whether backtracking makes the write of the top frame revisit a read. */
  get isRevisitNext(): boolean {
    const { frames } = this;
    if (frames.isEmpty || frames.get(F_KIND) !== WRITE_FRAME) return false;
    const next = frames.get(F_NEXT);
    return next < frames.ways.length && frames.ways.get(next) < -1;
  }

  /** The same as `takeFirst` where the event has already been added in the first way. */
  keepFirst(): void {
    const { frames } = this;
    if (frames.ways.length - frames.get(F_WAYS) === 1 && !this.isPrescribed) frames.pop();
    else frames.nextWay();
  }

  /** Adds to the ways of the top frame the places in mo that its write may take, the last one first. */
  findPlaces(): void {
    const { graph, frames } = this;
    const location = frames.words[frames.event + g.LOCATION]!;
    if ((frames.words[frames.event + g.PART]! & 1) === 1) {
      const read = graph.last[frames.words[frames.event + g.THREAD]!]!;
      const source = graph.get(read, g.SOURCE);
      if (source >= 0) this.tryPlace(graph.get(source, g.NEWER));
      else this.tryPlace(this.oldest(location));
      return;
    }
    this.tryPlace(g.NONE);
    const thread = frames.words[frames.event + g.THREAD]!;
    for (let before = graph.newest[location]!; before !== g.NONE; before = graph.get(before, g.OLDER)) {
      // Nor can it go before a write that happens before it.
      if (this.isBehind(thread, before)) break;
      this.tryPlace(before);
    }
  }

  /** Whether this event happens before the thread's next one. */
  isBehind(thread: number, event: number): boolean {
    const { graph } = this;
    const last = graph.last[thread] === g.NONE ? graph.creator[thread]! : graph.last[thread]!;
    return last !== g.NONE && graph.happensBefore(event, last);
  }

  oldest(location: number): number {
    const { graph } = this;
    let write = graph.newest[location]!;
    while (write !== g.NONE && graph.get(write, g.OLDER) !== g.NONE) write = graph.get(write, g.OLDER);
    return write;
  }

  private tryPlace(before: number): void {
    const { graph, frames, consistency } = this;
    // A write at the end of mo, which nothing reads, is always admitted.
    if (before === g.NONE && frames.get(F_KIND) !== REVISIT_FRAME) {
      frames.ways.push(before);
      return;
    }
    const write = graph.push(frames.words, frames.event, before);
    let admitted = consistency.admits(write);
    if (admitted && frames.get(F_KIND) === REVISIT_FRAME) {
      const read = frames.get(F_READ);
      graph.setSource(read, write);
      admitted = consistency.admits(read);
      graph.setSource(read, g.UNKNOWN);
    }
    graph.pop();
    if (admitted) frames.ways.push(before);
  }

  /** Takes the next remaining way; false if there is none. */
  backtrack(): boolean {
    const { frames, graph, log } = this;
    while (!frames.isEmpty) {
      const way = frames.nextWay();
      const kind = frames.get(F_KIND);
      if (way === NO_WAY) {
        if (kind === REVISIT_FRAME) this.restore();
        frames.pop();
        continue;
      }
      if (kind === REVISIT_FRAME) {
        const read = frames.get(F_READ);
        graph.setSource(read, g.UNKNOWN);
        graph.setStatus(read, g.PENDING);
      }
      graph.truncate(frames.get(F_LENGTH));
      log.truncate(frames.get(F_LOG));
      if (kind === WRITE_FRAME && way < -1) {
        this.revisit(-2 - way);
        continue;
      }
      if (kind === CHOICE_FRAME) graph.set(frames.get(F_READ), g.CHOICE, way);
      else if (kind === READ_FRAME) {
        frames.words[frames.event + g.SOURCE] = way;
        graph.push(frames.words, frames.event);
      } else {
        const write = graph.push(frames.words, frames.event, way);
        if (kind === REVISIT_FRAME) graph.setSource(frames.get(F_READ), write);
      }
      return true;
    }
    return false;
  }

  /**
   * The write of the top frame revisits a read: deletes from the graph what the write does not keep, and pushes a
   * frame.
   */
  private revisit(read: number): void {
    const { frames, graph, log, made } = this;
    for (let field = 0; field < g.FIELDS; field++) made[field] = frames.words[frames.event + field]!;
    const write = graph.push(made, 0);
    if (this.kept.length < graph.length) this.kept = new Uint8Array(2 * graph.length);
    for (let e = 0; e < write; e++) this.kept[e] = e <= read || graph.isInPrefix(e, write) ? 1 : 0;
    graph.pop();
    frames.push(REVISIT_FRAME, 0, 0, made, 0);
    saveGraph(graph, frames.saved);
    log.save(frames.saved);
    restrict(graph, this.kept, this.moved);
    graph.setSource(read, g.UNKNOWN);
    if (graph.get(read, g.STATUS) === g.BLOCKED) graph.setStatus(read, g.PENDING);
    log.restrict(this.moved.words, read);
    frames.set(F_LENGTH, graph.length);
    frames.set(F_LOG, log.length);
    frames.set(F_READ, read);
    this.findPlaces();
    this.settle();
  }

  private restore(): void {
    const { frames, graph, log } = this;
    const { words } = frames.saved;
    log.restore(words, restoreGraph(graph, words, frames.get(F_SAVED)));
  }
}
