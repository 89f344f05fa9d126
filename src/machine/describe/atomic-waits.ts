/**
 * C++ waits for atomic objects, and their notifications, in words. lib/atomic-wait.c implements them by steps that no
 * program mentions, and records per thread which object its wait or notification is about.
 */
import { printLocation } from '../../program/location.ts';
import { asCode } from '../../util/code-text.ts';
import { accessOf, COMMITS, effectsOf, READS, WRITTEN_HIGH, WRITTEN_LOW } from '../events/effects.ts';
import * as ev from '../events/event.ts';
import type { Machine } from '../machine.ts';
import { toBigint } from '../run/evaluate.ts';
import { Objects } from '../run/objects.ts';
import { printInteger, threadTitle } from './describe.ts';
import { Naming } from './naming.ts';

/** As in include/fencepost/atomic-wait.h. */
const RECORD = '__fencepost_atomic_operation';
const KINDS = ['wait', 'notify_one', 'notify_all'] as const;

export interface AtomicOperation {
  readonly kind: (typeof KINDS)[number];
  /** The address of the atomic object. */
  readonly object: number;
  /** For a wait: how many of the object's bytes hold the value. */
  readonly bytes: number;
  /** The user knows the value as a number. */
  readonly isNumber: boolean;
}

/** The wait or notification of an atomic object that the thread is in. */
export function atomicOperation(machine: Machine, thread: number): AtomicOperation | undefined {
  const { program, layout } = machine;
  const index = program.globals.findIndex(({ name, threadLocal }) => name === RECORD && threadLocal === true);
  if (index < 0) return undefined;
  const at = layout.threadLocals + thread * layout.threadLocalBytes + layout.globals[index]!;
  const object = machine.read32(at);
  const kind = KINDS[machine.read32(at + 4) - 1];
  if (object === 0 || kind === undefined) return undefined;
  return { object, kind, bytes: machine.read32(at + 8), isNumber: machine.read32(at + 12) !== 0 };
}

/** A thread that sleeps until it is notified. */
export class AtomicWait {
  private readonly machine: Machine;
  private readonly objects: Objects;
  readonly object: number;
  private readonly bytes: number;
  private readonly isNumber: boolean;
  /** The address to which notifications of the object are written. */
  private readonly notices: number;
  /** The event by which the thread found the old value, or -1. */
  private readonly read: number;
  readonly name: string;

  constructor(machine: Machine, thread: number, notices: number, { object, bytes, isNumber }: AtomicOperation) {
    this.machine = machine;
    this.objects = new Objects(machine.state, machine.layout);
    this.object = object;
    this.bytes = bytes;
    this.isNumber = isNumber;
    this.notices = notices;
    const { events } = machine;
    this.read = this.last((e) => events.get(e, ev.E_THREAD) === thread && this.isRead(e));
    this.name = asCode(new Naming(machine).title(object, this.read < 0 ? -1 : events.get(this.read, ev.E_SITE)));
  }

  /** ``for a notification that `ready` has changed from 0``. */
  get text(): string {
    const old = this.read < 0 ? undefined : this.value(this.read, ev.E_READ_LOW, ev.E_READ_HIGH);
    return `for a notification that ${this.name} has changed${old === undefined ? '' : ` from ${old}`}`;
  }

  /** Where the object changed, and why that did not wake this thread. Advice begins with `to prevent it`. */
  get notes(): readonly string[] {
    const { name } = this;
    const change = this.last((e) => this.isChange(e));
    if (change < 0) return [`no thread changes ${name}`];
    const now = this.value(change, ...writtenBy(this.machine, change));
    const changed = `${name} ${now === undefined ? 'changed' : `became ${now}`}${this.place(change)}`;
    const notices = this.all((e) => this.isInMemory(e, this.notices));
    const last = notices.at(-1);
    if (last === undefined || last < change) {
      const before = last === undefined ? '' : `; the notification${this.place(last)} came before that`;
      return [
        `${changed}, and no thread notified it after that${before}`,
        `to prevent it, notify ${name} after the change${this.place(change)}`,
      ];
    }
    const taken = notices.flatMap((e) => {
      const taker = e < change ? undefined : takerOf(this.machine, e);
      return taker === undefined ? [] : [`\`notify_one\`${this.place(e)} woke thread ${taker} instead`];
    });
    if (taken.length === 0) return [changed];
    return [[changed, ...taken].join('; '), `to prevent it, use \`notify_all\`${this.place(last)}`];
  }

  private all(is: (event: number) => boolean): readonly number[] {
    return Array.from({ length: this.machine.events.length }, (_, e) => e).filter(is);
  }

  private last(is: (event: number) => boolean): number {
    let e = this.machine.events.length - 1;
    while (e >= 0 && !is(e)) e--;
    return e;
  }

  private isRead(event: number): boolean {
    const { events } = this.machine;
    const reads = (accessOf(events.words, event * ev.EVENT_WORDS) & READS) !== 0;
    return reads && events.get(event, ev.E_ADDRESS) === this.object;
  }

  private isInMemory(event: number, address: number): boolean {
    return isInMemory(this.machine, event, address);
  }

  /** Whether the event gave the object another value than the one that the thread waits to see replaced. */
  private isChange(event: number): boolean {
    if (!this.isInMemory(event, this.object)) return false;
    const { machine } = this;
    const isRmw = machine.events.get(event, ev.E_KIND) === ev.RMW_EVENT;
    const written = this.bits(event, ...writtenBy(machine, event));
    if (isRmw && written === this.bits(event, ev.E_READ_LOW, ev.E_READ_HIGH)) return false;
    return this.read < 0 || written !== this.bits(this.read, ev.E_READ_LOW, ev.E_READ_HIGH);
  }

  /** The bits of these fields that belong to the value. */
  private bits(event: number, low: number, high: number): bigint {
    const { events } = this.machine;
    return BigInt.asUintN(8 * this.bytes, toBigint(events.get(event, low), events.get(event, high)));
  }

  /** `undefined` for what may be an address, which only a story can name, and for what is not a number. */
  private value(event: number, low: number, high: number): string | undefined {
    const { events } = this.machine;
    const size = events.get(event, ev.E_SIZE);
    const [lowBits, highBits] = [events.get(event, low), events.get(event, high)];
    const isAddress = size === 8 && highBits === 0 && this.objects.find(lowBits) > 0;
    return !this.isNumber || isAddress ? undefined : printInteger(size, lowBits, highBits);
  }

  private place(event: number): string {
    const { code, events } = this.machine;
    const location = code.sites[events.get(event, ev.E_SITE)]?.instruction.location;
    return location === undefined ? '' : ` at ${printLocation(location)}`;
  }
}

/** Whether the event is a write to this address that has reached memory. */
function isInMemory({ events }: Machine, event: number, address: number): boolean {
  if (events.get(event, ev.E_ADDRESS) !== address) return false;
  return (events.get(event, ev.E_FLAGS) & ev.WROTE_MEMORY) !== 0 || (effectsOf(events, event) & COMMITS) !== 0;
}

/** The fields with the value that the event wrote. */
function writtenBy({ events }: Machine, event: number): readonly [low: number, high: number] {
  const kind = events.get(event, ev.E_KIND);
  return [WRITTEN_LOW[kind]!, WRITTEN_HIGH[kind]!];
}

/** The thread that took a `notify_one`: the notice is the negated address of a word that this thread then writes. */
export function takerOf(machine: Machine, notice: number): string | undefined {
  const { events } = machine;
  const [low] = writtenBy(machine, notice);
  const value = events.get(notice, low);
  for (let e = notice + 1; value < 0 && e < events.length; e++)
    if (isInMemory(machine, e, -value)) return threadTitle(machine, events.get(e, ev.E_THREAD));
  return undefined;
}
