/** The value in memory of each location that an execution accesses, over time; stores in buffers do not count. */
import { accessesValue, OVERWRITTEN_HIGH, OVERWRITTEN_LOW } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import type { PlaceReport, PlaceValue } from '../trace-schema.ts';
import type { Naming } from './naming.ts';

interface Place {
  readonly address: number;
  readonly size: number;
  readonly site: number;
  readonly location: string;
  /** The unique name of the place. */
  readonly name: string;
  readonly values: PlaceValue[];
}

export class Places {
  private readonly machine: Machine;
  private readonly naming: Naming;
  private readonly places = new Map<string, Place>();

  constructor(machine: Machine, naming: Naming) {
    this.machine = machine;
    this.naming = naming;
  }

  /** Call once for each event, in order, when the machine has just produced it. `address` is the name of its place. */
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
    if (this.places.has(key)) return;
    const site = events.get(event, ev.E_SITE);
    const place: Place = { address, size, site, location, name, values: [] };
    this.places.set(key, place);
    // Nothing wrote there before, so the place had this value from the start; otherwise its initial value is unknown.
    const after = this.isUntouched(event, address, size) ? 0 : event;
    place.values.push({ after, value: this.before(event, place) });
  }

  private isUntouched(event: number, address: number, size: number): boolean {
    for (let e = 0; e < event; e++) if (this.overlaps(e, address, size)) return false;
    return true;
  }

  private overlaps(e: number, address: number, size: number): boolean {
    const { events } = this.machine;
    if ((events.get(e, ev.E_FLAGS) & ev.WROTE_MEMORY) === 0) return false;
    const start = events.get(e, ev.E_ADDRESS);
    return start < address + size && address < start + events.get(e, ev.E_SIZE);
  }

  /** The value in memory just before the event, which is the newest and accesses the place. */
  private before(event: number, { site, size, address }: Place): PlaceValue['value'] {
    const { events } = this.machine;
    if ((events.get(event, ev.E_FLAGS) & ev.WROTE_MEMORY) === 0) return this.inMemory(address, size, site);
    const kind = events.get(event, ev.E_KIND);
    const [low, high] = [events.get(event, OVERWRITTEN_LOW[kind]!), events.get(event, OVERWRITTEN_HIGH[kind]!)];
    return this.naming.value(site, size, low, high);
  }

  private inMemory(address: number, size: number, site: number): PlaceValue['value'] {
    const { state } = this.machine;
    state.read(address, size);
    return this.naming.value(site, size, state.low, state.high);
  }

  /** Accesses of several sizes may share bytes, so a write can change more places than its own. */
  private noteWrite(event: number): void {
    for (const { address, size, site, values } of this.places.values()) {
      if (!this.overlaps(event, address, size)) continue;
      const value = this.inMemory(address, size, site);
      if (value !== values.at(-1)!.value) values.push({ after: event + 1, value });
    }
  }

  get report(): readonly PlaceReport[] {
    const places = [...this.places.values()].sort((a, b) => a.address - b.address || a.size - b.size);
    return places.map(({ location, name, size, values }) => ({ location, address: name, bytes: size, values }));
  }
}
