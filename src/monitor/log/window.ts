/** A part of a log, with the immediate predecessors of each event. Nothing is dropped. */
import { accessOf, BYTES, EFFECTS, JOINS, READS, WRITES } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Relation } from '../../trace/shasha-snir.ts';
import { NONE } from '../thread-clocks.ts';
import { StreamMonitor } from './stream.ts';

const NEVER = 0x3fffffff;

/** An immediate predecessor in another thread. */
interface Predecessor {
  readonly event: number;
  readonly relation: Relation;
}

export class Window extends StreamMonitor {
  /** By event: its predecessors in other threads; and the previous event of its own thread, or `NONE`. */
  readonly followed: (readonly Predecessor[])[] = [];
  readonly previous: number[] = [];

  constructor() {
    super([], NEVER, false);
  }

  get log(): ev.EventLog {
    return this.events;
  }

  /** A part of a log may begin anywhere: mutexes are held, threads exist. */
  protected override checkPossible(): void {}

  protected override observe(event: number): void {
    super.observe(event);
    const { past, isFirst, conflicts } = this.monitors.clock;
    const others = [...new Set(conflicts.words.subarray(0, conflicts.length))];
    const follows = others.map(
      (from): Predecessor => ({ event: from, relation: relationOf(this.events, from, event) }),
    );
    const isCreated = isFirst && past !== NONE;
    this.followed.push(isCreated ? [{ event: past, relation: 'create' }, ...follows] : follows);
    this.previous.push(isFirst ? NONE : past);
  }

  /** The events that happen before `event`, and `event` itself, in the order of the log. */
  pastOf(event: number): readonly number[] {
    const seen = new Set([event]);
    for (const e of seen) {
      if (this.previous[e] !== NONE) seen.add(this.previous[e]!);
      for (const { event: from } of this.followed[e]!) seen.add(from);
    }
    return [...seen].sort((a, b) => a - b);
  }
}

/**
 * The relation of two events, the second of which follows the first because they conflict or because it waits for it.
 */
export function relationOf({ words }: ev.EventLog, first: number, second: number): Relation {
  const [from, to] = [first * ev.EVENT_WORDS, second * ev.EVENT_WORDS];
  if ((EFFECTS[words[to + ev.E_KIND]!]! & JOINS) !== 0) return 'join';
  const isAccess = (at: number): boolean => (EFFECTS[words[at + ev.E_KIND]!]! & BYTES) !== 0;
  if (!isAccess(from) || !isAccess(to)) return 'synchronisation';
  if ((accessOf(words, from) & WRITES) === 0) return 'conflict';
  return (accessOf(words, to) & READS) !== 0 ? 'source' : 'store order';
}
