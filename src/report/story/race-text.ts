/** A race of two accesses, although one thread had read what the other wrote after its access: why that did not order them. */
import { asCode } from '../../util/code-text.ts';
import { listText } from '../../util/list-text.ts';
import type { EventReport, TraceReport } from '../trace-schema.ts';

const RELEASES: ReadonlySet<string> = new Set(['release', 'acq_rel', 'seq_cst']);
const ACQUIRES: ReadonlySet<string> = new Set(['acquire', 'acq_rel', 'seq_cst']);

/** Empty if nothing passed from the one thread to the other. */
export function weakLinkText({ events }: TraceReport): string {
  const [first, second] = events.flatMap(({ races }, e) => (races === undefined ? [] : [e]));
  if (first === undefined || second === undefined) return '';
  const isAtomic = ({ order }: EventReport): boolean => order !== undefined && order !== 'volatile';
  for (let read = second - 1; read > first; read--) {
    const { thread, from, location, order = '' } = events[read]!;
    if (thread !== events[second]!.thread || from === undefined || !isAtomic(events[read]!)) continue;
    const write = events.findIndex((e, i) => i > first && e.event === from && isAtomic(e));
    const { thread: writer, order: written = '' } = events[write] ?? {};
    if (write < 0 || writer !== events[first]!.thread) continue;
    const weak = [
      ...(RELEASES.has(written) ? [] : [['the write', written, 'a release']]),
      ...(ACQUIRES.has(order) ? [] : [['the read', order, 'an acquire']]),
    ];
    if (weak.length === 0) continue;
    const story = `Thread ${writer} then wrote ${asCode(location!)} (step ${write + 1}) and thread ${thread} read that (step ${read + 1})`;
    const orders = listText(weak.map(([access, now]) => `${access} is ${now}`));
    const advice = listText(weak.map(([access, , better]) => `${weak.length === 1 ? 'it' : access} ${better}`));
    return `${story}, but ${orders}, so that orders nothing: make ${advice}.`;
  }
  return '';
}
