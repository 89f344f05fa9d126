/**
 * The rows for waits on C++ atomic objects and for notifications of them: reads of the object, and one row per
 * notification. The other steps that the library takes for these are left out.
 */
import { type AtomicOperation, atomicOperation, takerOf } from '../../machine/describe/atomic-waits.ts';
import { eventName } from '../../machine/describe/names.ts';
import type { Naming } from '../../machine/describe/naming.ts';
import { BYTES, CREATES, effectsOf, isUpdate, WRITES } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import type { EventReport } from '../trace-schema.ts';

/**
 * What to do with the row: keep it, leave it out, show it as a notification, or as a notification that reaches memory.
 */
type Told = 'step' | 'aside' | 'notification' | 'update';

type Row = { -readonly [K in keyof EventReport]: EventReport[K] };

export class AtomicSteps {
  private readonly machine: Machine;
  private readonly naming: Naming;
  /** The operation of the last step that was part of one: `notify_one ready`. */
  private told = '';
  /** By thread: the operation it is in before its next step. */
  private readonly operations = new Map<number, AtomicOperation | undefined>();
  private readonly notifications: { readonly event: number; readonly row: Row }[] = [];
  /** Names of the notifications' events; their updates have the same names. */
  private readonly names = new Set<string>();

  constructor(machine: Machine, naming: Naming) {
    this.machine = machine;
    this.naming = naming;
    machine.program.roots.forEach((_, slot) => {
      this.note(slot);
    });
  }

  private note(thread: number): void {
    this.operations.set(thread, atomicOperation(this.machine, thread));
  }

  /** Call once for each event, right after the machine has produced it and before anything else describes it. */
  observe(event: number): Told {
    const { events } = this.machine;
    const field = (f: number): number => events.get(event, f);
    const name = eventName(this.machine, event);
    if (isUpdate(events, event)) return this.names.has(name) ? 'update' : 'step';
    const thread = field(ev.E_THREAD);
    const operation = this.operations.get(thread);
    this.note(thread);
    if ((effectsOf(events, event) & CREATES) !== 0) this.note(field(ev.E_OTHER));
    if (operation === undefined) return 'step';
    const isOfObject = field(ev.E_ADDRESS) === operation.object;
    if (operation.kind === 'wait' && isOfObject) return 'step';
    const object = this.naming.place(operation.object, field(ev.E_SITE));
    this.told = `${operation.kind} ${object}`;
    if (operation.kind === 'wait') return 'aside';
    if (isOfObject || (effectsOf(events, event) & (BYTES | WRITES)) !== (BYTES | WRITES)) return 'aside';
    this.naming.alias(field(ev.E_ADDRESS), `notification of ${object}`);
    this.names.add(name);
    return 'notification';
  }

  /** Rewrites the row of the event that was observed last. */
  tell(event: number, told: Told, row: Row): void {
    if (told === 'step') return;
    for (const field of ['read', 'overwrote', 'memory', 'order', 'barriers'] as const) delete row[field];
    if (told === 'aside') {
      for (const field of ['wrote', 'location', 'address', 'buffered'] as const) delete row[field];
      row.aside = true;
      row.kind = 'internal';
      row.effect = `part of ${this.told}`;
      return;
    }
    row.wrote = 'sent';
    if (told === 'update') row.effect = `${row.location} reaches memory`;
    else {
      row.kind = 'notify';
      row.effect = this.told;
      this.notifications.push({ event, row });
    }
  }

  /** At the end of the execution: adds which thread each `notify_one` woke. */
  finish(): void {
    for (const { event, row } of this.notifications) {
      const taker = takerOf(this.machine, event);
      if (taker !== undefined) row.effect += `, wakes thread ${taker}`;
    }
  }
}
