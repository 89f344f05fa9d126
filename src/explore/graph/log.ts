/**
 * The schedule that belongs to the graph: its operations in an order that respects po and rf, each with the step that
 * makes the machine do what the graph says. The order in which events were added may differ.
 */
import { processOf, type Step, stepOf } from '../../machine/state/process.ts';
import { IntVector } from '../../util/int-vector.ts';
import {
  CHOICE,
  DONE,
  FIELDS,
  KIND,
  LOCATION,
  LOG,
  NEWER,
  NONE,
  OLDER,
  PART,
  PENDING,
  PREVIOUS,
  READ,
  SOURCE,
  STATUS,
  WRITE,
} from './fields.ts';
import type { Graph } from './graph.ts';

export class Log {
  readonly steps: IntVector = new IntVector();
  /** Per step: the last event of its operation. */
  readonly events: IntVector = new IntVector();
  private readonly graph: Graph;

  constructor(graph: Graph) {
    this.graph = graph;
  }

  get length(): number {
    return this.steps.length;
  }

  /** Appends the operation whose last event is given. Returns its step. */
  append(slot: number, event: number): Step {
    const { graph } = this;
    const step = stepOf(slot, this.choice(event, this.steps.length));
    for (let e = event; ; e = graph.get(e, PREVIOUS)) {
      graph.set(e, LOG, this.steps.length);
      graph.setStatus(e, DONE);
      if (graph.get(e, PART) === 0) break;
    }
    this.steps.push(step);
    this.events.push(event);
    return step;
  }

  /** The choice that makes the machine do what the graph says, after the operations before place `place`. */
  private choice(event: number, place: number): number {
    const { graph } = this;
    const { words } = graph;
    const base = event * FIELDS;
    const kind = words[base + KIND];
    const location = words[base + LOCATION]!;
    if ((kind !== READ && kind !== WRITE) || isObject(location)) return words[base + CHOICE]!;
    const of = kind === READ ? words[base + SOURCE]! : graph.isUpdate(event) ? graph.sourceOf(event) : event;
    let newer = of >= 0 ? words[of * FIELDS + NEWER]! : oldest(graph, location);
    let count = 0;
    for (; newer !== NONE; newer = words[newer * FIELDS + NEWER]!) {
      if (newer !== event && words[newer * FIELDS + STATUS] === DONE && words[newer * FIELDS + LOG]! < place) count++;
    }
    return count;
  }

  clear(): void {
    this.steps.clear();
    this.events.clear();
  }

  /** Keeps the first `length` steps. The other operations of the graph become pending. */
  truncate(length: number): void {
    const { graph } = this;
    this.steps.length = length;
    this.events.length = length;
    for (let e = 0; e < graph.length; e++) {
      if (graph.get(e, LOG) < length) continue;
      graph.set(e, LOG, NONE);
      graph.setStatus(e, PENDING);
    }
  }

  /**
   * After `graph.restrict`, which moved events as `moved` says: keeps the operations all of whose events are left,
   * without the read whose source changes. The others become pending.
   */
  restrict(moved: Int32Array, read: number): void {
    const { graph, steps, events } = this;
    const length = steps.length;
    for (let e = 0; e < graph.length; e++) {
      graph.set(e, LOG, NONE);
      if (graph.get(e, STATUS) === DONE) graph.setStatus(e, PENDING);
    }
    steps.length = 0;
    events.length = 0;
    for (let place = 0; place < length; place++) {
      const event = moved[events.get(place)]!;
      if (event === NONE || event === read || this.readsPending(event)) continue;
      this.append(processOf(steps.get(place)), event);
    }
  }

  /** Whether the operation, given by its last event so far, reads from one that has not run. */
  readsPending(event: number): boolean {
    const { graph } = this;
    for (let e = event; ; e = graph.get(e, PREVIOUS)) {
      const source = graph.get(e, KIND) === READ ? graph.get(e, SOURCE) : NONE;
      if (source >= 0 && graph.get(source, STATUS) !== DONE) return true;
      if (graph.get(e, PART) === 0) return false;
    }
  }

  save(to: IntVector): void {
    to.push(this.length);
    to.append(this.steps.words, 0, this.length);
    to.append(this.events.words, 0, this.length);
  }

  /** Reads what `save` has written. The graph itself knows which of its operations are done. */
  restore(from: Int32Array, at: number): void {
    const length = from[at]!;
    this.clear();
    this.steps.append(from, at + 1, at + 1 + length);
    this.events.append(from, at + 1 + length, at + 1 + 2 * length);
  }
}

/** Odd locations are objects that threads synchronise on, whose operations follow each other. */
export function isObject(location: number): boolean {
  return (location & 1) === 1;
}

function oldest(graph: Graph, location: number): number {
  let write = graph.newest[location]!;
  while (write !== NONE && graph.rank(write) > 0) write = graph.get(write, OLDER);
  return write;
}
