/** The contents of memory and buffers after each step of an execution, and what each step did, in words. */
import { stackText, textOf } from '../../report/story/cells.ts';
import type { CallReport, EventReport, JsonValue, PlaceReport, TraceReport } from '../../report/trace-schema.ts';
import { withoutCode } from '../../util/code-text.ts';

export interface PlaceNow {
  readonly place: PlaceReport;
  /** `undefined` if the execution does not determine it. */
  readonly value: JsonValue | undefined;
  /** Changed by the last step. */
  readonly changed: boolean;
  /** Accesses to it are invisible to other threads. */
  readonly isPrivate: boolean;
}

interface WaitingNow {
  readonly event: string;
  readonly location: string;
  /** Absent if the store is the end of an object. */
  readonly value: JsonValue | undefined;
  readonly isNew: boolean;
}

export interface BufferNow {
  readonly thread: string;
  /** Oldest first. */
  readonly stores: readonly WaitingNow[];
}

export interface LockNow {
  readonly location: string;
  readonly holder: string | undefined;
}

export interface Snapshot {
  readonly places: readonly PlaceNow[];
  readonly buffers: readonly BufferNow[];
  readonly locks: readonly LockNow[];
  readonly printed: string;
}

export class Timeline {
  readonly trace: TraceReport;
  /** Addresses with an access that is visible to other threads. */
  private readonly shared = new Set<string>();
  private readonly buffered: readonly string[];

  constructor(trace: TraceReport) {
    this.trace = trace;
    for (const { aside, address } of trace.events)
      if (aside !== true && address !== undefined) this.shared.add(address);
    this.buffered = [...new Set(trace.events.filter((e) => e.buffered === true).map((e) => e.thread))].sort();
  }

  /** The state after `step` events. */
  at(step: number): Snapshot {
    const { trace } = this;
    const places = (trace.places ?? []).map((place): PlaceNow => {
      const now = place.values.findLast((v) => v.after <= step);
      return {
        place,
        value: now?.value,
        changed: step > 0 && now?.after === step,
        isPrivate: !this.shared.has(place.address),
      };
    });
    return { places, buffers: this.buffersAt(step), locks: this.locksAt(step), printed: this.printedAt(step) };
  }

  private buffersAt(step: number): readonly BufferNow[] {
    const waiting = new Map<string, Map<string, WaitingNow>>(this.buffered.map((thread) => [thread, new Map()]));
    for (let e = 0; e < step; e++) {
      const { kind, event, thread, buffered, location = '?', wrote } = this.trace.events[e]!;
      if (kind === 'update') waiting.get(thread)?.delete(event);
      else if (buffered === true)
        waiting.get(thread)!.set(event, { event, location, value: wrote, isNew: e === step - 1 });
    }
    return [...waiting].map(([thread, stores]) => ({ thread, stores: [...stores.values()] }));
  }

  /** Every mutex of the execution, with the thread that holds it. */
  private locksAt(step: number): readonly LockNow[] {
    const locks = new Map<string, { location: string; holder: string | undefined }>();
    this.trace.events.forEach(({ kind, thread, location = '?', address, effect, unlocks }, e) => {
      const isLock = kind === 'lock' || (kind === 'trylock' && !effect.endsWith('(held)'));
      const mutex = kind === 'wait' ? unlocks : isLock || kind === 'unlock' ? address : undefined;
      if (mutex === undefined) return;
      const lock = locks.get(mutex) ?? { location, holder: undefined };
      if (e < step) lock.holder = isLock ? thread : undefined;
      locks.set(mutex, lock);
    });
    return [...locks.values()];
  }

  private printedAt(step: number): string {
    let text = '';
    for (let e = 0; e < step; e++) text += this.trace.events[e]!.printed ?? '';
    return text;
  }

  /** Describes the step in a sentence, also for screen readers. */
  describe(step: number): string {
    const { events, ends } = this.trace;
    if (step === 0) return events.length === 0 ? 'Nothing has happened.' : 'At the start: nothing has happened yet.';
    const event = events[step - 1]!;
    const what = event.kind === 'update' ? `the buffer of thread ${event.thread}` : `thread ${event.thread}`;
    const calls = event.stack === undefined ? '' : `, in ${stackText(event.stack)}`;
    const where = event.line === undefined ? '' : `, line ${event.line}`;
    const last = step === events.length ? endText(ends) : '';
    return `Step ${step} of ${events.length}: ${what}${where}: ${textOf(event)}${calls}.${last}`;
  }
}

/** More threads than this are counted, not named. */
const TOLD_ENDS = 3;

function endText(ends: TraceReport['ends']): string {
  if (ends.length > TOLD_ENDS) return ` At the end ${ends.length} threads wait forever.`;
  return ends.map((end) => ` Thread ${end.thread}: ${withoutCode(end.what)}.`).join('');
}

/** The effect of a step in as few characters as possible. */
export function labelOf(event: EventReport): string {
  const { kind, location, read, wrote } = event;
  switch (kind) {
    case 'load':
      return read === undefined ? `read ${location}` : `${location} → ${read}`;
    case 'store':
      return `${location} = ${wrote}`;
    case 'update':
      return wrote === undefined ? `end of ${location}` : `${location} = ${wrote}`;
    case 'rmw':
      if (read === undefined) return `access ${location}`;
      return wrote === undefined ? `${location} → ${read}, unchanged` : `${location}: ${read} → ${wrote}`;
    default:
      return textOf(event);
  }
}

/** The calls that an event's thread is in, innermost first. */
export function callsAt(event: EventReport | undefined): readonly CallReport[] {
  if (event === undefined) return [];
  const { stack, function: name, file, line } = event;
  if (stack !== undefined) return stack;
  if (name === undefined) return [];
  return [{ function: name, ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) }];
}
