/** The values that each line of a file last read or wrote, shown beside the line. */
import type { TraceReport } from '../../report/trace-schema.ts';
import { labelOf } from './timeline.ts';

/** The most values shown beside one line. */
const MOST = 2;

export class LineValues {
  private readonly trace: TraceReport;
  /** By line: its events, ascending. */
  private readonly byLine = new Map<number, number[]>();

  constructor(trace: TraceReport, file: string) {
    this.trace = trace;
    trace.events.forEach((event, e) => {
      if (event.file !== file || event.line === undefined || event.kind === 'update') return;
      if (event.read === undefined && event.wrote === undefined) return;
      const known = this.byLine.get(event.line);
      if (known === undefined) this.byLine.set(event.line, [e]);
      else known.push(e);
    });
  }

  /**
   * By line: what it did last; in the thread of this step if that was there, otherwise in the thread that was there
   * last.
   */
  at(step: number): ReadonlyMap<number, string> {
    const { events } = this.trace;
    const thread = events[step - 1]?.thread;
    const values = new Map<number, string>();
    for (const [line, all] of this.byLine) {
      const last = lastBefore(all, step);
      if (last < 0) continue;
      let own = last;
      while (own >= 0 && own > last - 64 && events[all[own]!]!.thread !== thread) own--;
      const from = own >= 0 && events[all[own]!]!.thread === thread ? own : last;
      values.set(line, this.textAt(all, from, thread));
    }
    return values;
  }

  /** One statement may make several accesses: shows those in a row, in order. */
  private textAt(all: readonly number[], last: number, current: string | undefined): string {
    const { events } = this.trace;
    const { thread } = events[all[last]!]!;
    const texts: string[] = [];
    let expected = all[last]!;
    for (let i = last; i >= 0 && texts.length < MOST; i--) {
      const e = all[i]!;
      if (e !== expected || events[e]!.thread !== thread) break;
      const text = labelOf(events[e]!);
      if (texts.includes(text)) break;
      texts.unshift(text);
      expected = e - 1;
    }
    return `${thread === current ? '' : `${thread}: `}${texts.join(', ')}`;
  }
}

/** The index of the last entry less than `step`, or −1. */
function lastBefore(all: readonly number[], step: number): number {
  let [low, high] = [-1, all.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (all[middle]! < step) low = middle;
    else high = middle - 1;
  }
  return low;
}
