/**
 * The parts of a log that show its violations, from the store that can come late to the event that can come early. They
 * are kept when the log is read a second time, up to a limit.
 */
import { BUFFERED, EFFECTS } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import { MemoryLimit } from '../../util/memory-limit.ts';
import type { LogEvent, LogListener, NumberedEvent } from './record.ts';
import type { LoggedViolation, Witness } from './violation.ts';
import { witnessOf } from './witness.ts';

/** The most events between the two of a violation, and the most events kept for all violations together. */
const MAX_APART = 20_000;
const MAX_KEPT = 200_000;

const TOO_FAR = `the two events are more than ${MAX_APART} events apart`;
const TOO_MANY = 'there are too many violations';
/** A monitor was wrong, or did not know all that synchronises the threads. */
const NOT_FOUND = 'none was found, so this alarm may be false';

/** Receives the log a second time, up to the last violation. */
export class Excerpts implements LogListener {
  /** Events read so far. */
  count = 0;
  private readonly violations: readonly LoggedViolation[];
  private readonly reasons = new Map<LoggedViolation, string>();
  private readonly kept = new Map<number, LogEvent>();
  /** Disjoint and ascending. */
  private readonly parts: { readonly from: number; to: number }[] = [];
  private part = 0;
  /** The events at which excerpts begin; and what was in progress at each: atomic sections and waits. */
  private readonly starts: ReadonlySet<number>;
  private readonly before = new Map<number, readonly NumberedEvent[]>();
  private section: NumberedEvent[] | undefined;
  private readonly waits = new Map<number, NumberedEvent>();

  constructor(violations: readonly LoggedViolation[]) {
    this.violations = violations;
    let room = MAX_KEPT;
    const wanted = violations.filter((violation) => {
      const apart = violation.eventNumber - violation.writeNumber;
      if (apart > MAX_APART) this.reasons.set(violation, TOO_FAR);
      else if (apart > room) this.reasons.set(violation, TOO_MANY);
      else room -= apart;
      return !this.reasons.has(violation);
    });
    this.starts = new Set(wanted.map(({ writeNumber }) => writeNumber));
    const ranges = wanted
      .map(({ writeNumber: from, eventNumber: to }) => ({ from, to }))
      .sort((a, b) => a.from - b.from);
    for (const { from, to } of ranges) {
      const last = this.parts.at(-1);
      if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
      else this.parts.push({ from, to });
    }
  }

  /** Whether the rest of the log is not needed. */
  get isComplete(): boolean {
    return this.part === this.parts.length;
  }

  event(entry: LogEvent): void {
    this.count++;
    if (this.starts.has(this.count)) {
      const goingOn = [...this.waits.values(), ...(this.section ?? [])];
      this.before.set(
        this.count,
        goingOn.sort((a, b) => a.number - b.number),
      );
    }
    const part = this.parts[this.part];
    if (part !== undefined && this.count >= part.from) {
      this.kept.set(this.count, { ...entry });
      if (this.count === part.to) this.part++;
    }
    this.note(entry);
  }

  private note(entry: LogEvent): void {
    const { operation, thread } = entry;
    if (operation === ev.BEGIN_ATOMIC_EVENT) this.section = [];
    this.section?.push({ number: this.count, entry: { ...entry } });
    // A section that is too long is not worth the memory.
    if (operation === ev.END_ATOMIC_EVENT || (this.section?.length ?? 0) > MAX_APART) this.section = undefined;
    if (operation === ev.WAIT_EVENT) this.waits.set(thread, { number: this.count, entry: { ...entry } });
    else if (operation === ev.LOCK_EVENT) this.waits.delete(thread);
  }

  site(): void {}

  name(): void {}

  /** The violations, each with its witness or the reason why there is none. */
  get witnessed(): readonly LoggedViolation[] {
    return this.violations.map((violation) => ({
      ...violation,
      witness: this.reasons.get(violation) ?? this.witness(violation),
    }));
  }

  private witness({ eventNumber, writeNumber, model }: LoggedViolation): Witness | string {
    const before = this.before.get(writeNumber) ?? [];
    const excerpt = [...before];
    for (let number = writeNumber; number <= eventNumber; number++) {
      excerpt.push({ number, entry: this.kept.get(number)! });
    }
    try {
      return witnessOf(excerpt, before.length, model) ?? reusedMemory(excerpt) ?? NOT_FOUND;
    } catch (error) {
      if (error instanceof MemoryLimit) return 'out of memory';
      throw error;
    }
  }
}

/**
 * Finds an allocation of bytes that were stored to or freed before. The allocation takes effect at once, as the last
 * write to its bytes. The writes that it hides may still be in a buffer, and the monitors do not see that they must
 * reach memory before others use the bytes.
 */
function reusedMemory(excerpt: readonly NumberedEvent[]): string | undefined {
  for (const { number, entry } of excerpt) {
    if (entry.operation !== ev.ALLOC_EVENT) continue;
    const earlier = excerpt.find(
      ({ number: n, entry: { operation, address, size } }) =>
        n < number &&
        (EFFECTS[operation]! & BUFFERED) !== 0 &&
        address < entry.address + entry.size &&
        entry.address < address + size,
    );
    if (earlier === undefined) continue;
    return `event ${number} allocates memory that event ${earlier.number} wrote or freed, so this alarm may be false`;
  }
  return undefined;
}
