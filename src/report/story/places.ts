/** The value in memory of each location that an execution accesses, over time; buffered stores do not count. */

import type { Naming } from '../../machine/describe/naming.ts';
import { accessesValue, OVERWRITTEN_HIGH, OVERWRITTEN_LOW } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import type { PlaceReport, PlaceValue } from '../trace-schema.ts';

interface Place {
  readonly address: number;
  readonly size: number;
  /** The site of an access; preferably of one that knows that the place holds a pointer. */
  site: number;
  readonly location: string;
  /** The unique name of the place. */
  readonly name: string;
  readonly values: { after: number; value: PlaceValue['value']; low: number; high: number }[];
}

type Value = Omit<Place['values'][number], 'after'>;

export class Places {
  private readonly machine: Machine;
  private readonly naming: Naming;
  private readonly places = new Map<string, Place>();
  /** By aligned group of eight bytes: the places with bytes in it, and which of its bytes small writes have written. */
  private readonly near = new Map<number, Place[]>();
  private readonly written = new Map<number, number>();
  /** Large writes: the ends of objects. */
  private readonly large: number[] = [];

  constructor(machine: Machine, naming: Naming) {
    this.machine = machine;
    this.naming = naming;
  }

  /**
   * Call once for each event, in order, right after the machine has produced it. `address` is the name of its place.
   */
  observe(event: number, location: string | undefined, address: string | undefined): void {
    const { events } = this.machine;
    const isAccess = accessesValue(events, event);
    if (isAccess && location !== undefined && address !== undefined) this.add(event, location, address);
    if ((events.get(event, ev.E_FLAGS) & ev.WROTE_MEMORY) !== 0) this.noteWrite(event);
  }

  private add(event: number, location: string, name: string): void {
    const { events } = this.machine;
    const [address, size] = [events.get(event, ev.E_ADDRESS), events.get(event, ev.E_SIZE)];
    const key = `${address}+${size}`;
    const site = events.get(event, ev.E_SITE);
    const known = this.places.get(key);
    if (known !== undefined) {
      if (!this.knowsPointer(known.site) && this.knowsPointer(site)) known.site = site;
      return;
    }
    const place: Place = { address, size, site, location, name, values: [] };
    this.places.set(key, place);
    for (const [eight] of eightsOf(address, size)) {
      const near = this.near.get(eight);
      if (near === undefined) this.near.set(eight, [place]);
      else near.push(place);
    }
    // If nothing wrote there before, the place had this value from the start; otherwise its initial value is unknown.
    const after = this.isUntouched(address, size) ? 0 : event;
    place.values.push({ after, ...this.before(event, place) });
  }

  private knowsPointer(site: number): boolean {
    return this.machine.code.sites[site]?.instruction.location?.pointee !== undefined;
  }

  private isUntouched(address: number, size: number): boolean {
    if (this.large.some((e) => this.overlaps(e, address, size))) return false;
    for (const [eight, bytes] of eightsOf(address, size)) {
      if (((this.written.get(eight) ?? 0) & bytes) !== 0) return false;
    }
    return true;
  }

  private overlaps(e: number, address: number, size: number): boolean {
    const { events } = this.machine;
    if ((events.get(e, ev.E_FLAGS) & ev.WROTE_MEMORY) === 0) return false;
    const start = events.get(e, ev.E_ADDRESS);
    return start < address + size && address < start + events.get(e, ev.E_SIZE);
  }

  /** The value in memory just before the event, which must be the newest and access the place. */
  private before(event: number, { site, size, address }: Place): Value {
    const { events } = this.machine;
    if ((events.get(event, ev.E_FLAGS) & ev.WROTE_MEMORY) === 0) return this.inMemory(address, size, site);
    const kind = events.get(event, ev.E_KIND);
    const [low, high] = [events.get(event, OVERWRITTEN_LOW[kind]!), events.get(event, OVERWRITTEN_HIGH[kind]!)];
    return { value: this.naming.value(site, size, low, high), low, high };
  }

  private inMemory(address: number, size: number, site: number): Value {
    const { state } = this.machine;
    state.read(address, size);
    const { low, high } = state;
    return { value: this.naming.value(site, size, low, high), low, high };
  }

  /** Accesses of several sizes may share bytes, so a write can change other places too. */
  private noteWrite(event: number): void {
    const { events } = this.machine;
    const [start, length] = [events.get(event, ev.E_ADDRESS), events.get(event, ev.E_SIZE)];
    let candidates: Iterable<Place> = this.places.values();
    if (length > LARGEST_SMALL) {
      this.large.push(event);
    } else {
      const near = new Set<Place>();
      for (const [eight, bytes] of eightsOf(start, length)) {
        this.written.set(eight, (this.written.get(eight) ?? 0) | bytes);
        for (const place of this.near.get(eight) ?? []) near.add(place);
      }
      candidates = near;
    }
    for (const { address, size, site, values } of candidates) {
      if (!this.overlaps(event, address, size)) continue;
      const now = this.inMemory(address, size, site);
      if (now.value !== values.at(-1)!.value) values.push({ after: event + 1, ...now });
    }
  }

  get report(): readonly PlaceReport[] {
    const places = [...this.places.values()].sort((a, b) => a.address - b.address || a.size - b.size);
    return places.map(({ location, name, size, site, values }) => ({
      location,
      address: name,
      bytes: size,
      // A pointer that the first access took for a number gets its name here.
      values: values.map(({ after, value, low, high }) => ({
        after,
        value: typeof value === 'number' ? this.naming.value(site, size, low, high) : value,
      })),
    }));
  }
}

/** Writes up to this many bytes are noted byte by byte. */
const LARGEST_SMALL = 64;

/** The aligned groups of eight bytes that a range overlaps, each with a bit set for every byte of the range. */
function* eightsOf(address: number, size: number): Generator<readonly [eight: number, bytes: number]> {
  for (let at = address; at < address + size; ) {
    const next = Math.min(address + size, (at | 7) + 1);
    yield [at >> 3, ((1 << (next - at)) - 1) << (at & 7)];
    at = next;
  }
}
