/** Events, values and store buffers in words, for printing. Nothing here is used while a program runs. */
import { LIFETIME_KINDS } from '../../program/ir.ts';
import type { Location } from '../../program/location.ts';
import { titleOf } from '../../program/title.ts';
import { ORDERS } from '../../program/types.ts';
import { unreachable } from '../../util/unreachable.ts';
import { FRAME_CALLER, FRAME_RETURN, FRAME_SITE, SITE } from '../code/opcodes.ts';
import { EVENT_NAMES } from '../events/effects.ts';
import * as ev from '../events/event.ts';
import type { Machine } from '../machine.ts';
import type { Pending } from '../memory/memory.ts';
import { toBigint } from '../run/evaluate.ts';
import { Objects } from '../run/objects.ts';
import { ALIVE_KEPT, O_SITE, O_STATUS, T_FRAME, T_PC } from '../state/layout.ts';
import { choiceOf } from '../state/process.ts';
import { eventName, locationName } from './names.ts';

export interface EventDescription {
  /** `0.1#3`; an update has the name of its store. */
  readonly name: string;
  readonly thread: string;
  /** load, store, update, rmw, … */
  readonly kind: string;
  /** What it did, in a few words: `x = 1 (buffered)`, `y → 0`. */
  readonly effect: string;
  readonly source?: Location;
}

/** The program's name for a thread: the root's name in a litmus test, else its number path. */
export function threadTitle(machine: Machine, slot: number): string {
  const { roots } = machine.program;
  const root = roots[slot]?.name;
  return root === undefined || root === 'main' ? machine.processes.threadName(slot) : root;
}

/** The function that a thread was started with, judging by its calls: the outermost one outside our library. */
export function startFunction(machine: Machine, slot: number): string | undefined {
  const { code, program, threads, state } = machine;
  const root = program.roots[slot];
  if (root !== undefined) return titleOf(program.functions[root.function]!);
  if (!threads.exists(slot)) return undefined;
  let name: string | undefined;
  let site = code.words[threads.get(slot, T_PC) + SITE]!;
  for (let frame = threads.get(slot, T_FRAME); frame !== 0; frame = state.words[frame + FRAME_CALLER]!) {
    const func = program.functions[code.sites[site]?.func ?? -1];
    if (func !== undefined && func.isLibrary !== true) name = titleOf(func);
    // The frame below the first one is the creator's.
    if (state.words[frame + FRAME_RETURN]! < 0) break;
    site = state.words[frame + FRAME_SITE]!;
  }
  return name;
}

/**
 * Where a thread is in each of its active functions, innermost first, up to the one it was started with; at most
 * `limit` places.
 */
export function callsOf(machine: Machine, slot: number, limit: number): readonly number[] {
  const { code, threads, state } = machine;
  if (!threads.exists(slot)) return [];
  const sites = [code.words[threads.get(slot, T_PC) + SITE]!];
  for (let frame = threads.get(slot, T_FRAME); frame !== 0; frame = state.words[frame + FRAME_CALLER]!) {
    // The frame below the first one is the creator's.
    if (state.words[frame + FRAME_RETURN]! < 0 || sites.length === limit) break;
    sites.push(state.words[frame + FRAME_SITE]!);
  }
  return sites;
}

/** What places and values are called. */
export interface EventNames {
  place(address: number, site: number): string;
  /** A value that the instruction at `site` reads or writes. */
  value(site: number, size: number, low: number, high: number): string | number;
}

/** As the instruction names them, and addresses as numbers. */
function plainNames(machine: Machine): EventNames {
  return {
    place: (address, site) => placeName(machine, address, site),
    value: (_, size, low, high) => printInteger(size, low, high),
  };
}

export function describeEvent(
  machine: Machine,
  event: number,
  names: EventNames = plainNames(machine),
): EventDescription {
  const { events } = machine;
  const source = machine.code.sites[events.get(event, ev.E_SITE)]!.instruction.location;
  return {
    name: eventName(machine, event),
    thread: threadTitle(machine, events.get(event, ev.E_THREAD)),
    kind: EVENT_NAMES[events.get(event, ev.E_KIND)]!,
    effect: describeEffect(machine, event, names),
    ...(source === undefined ? {} : { source }),
  };
}

function describeEffect(machine: Machine, event: number, names: EventNames): string {
  const field = (f: number): number => machine.events.get(event, f);
  const has = (flag: number): boolean => (field(ev.E_FLAGS) & flag) !== 0;
  const value = (low: number, high: number): string =>
    String(names.value(field(ev.E_SITE), field(ev.E_SIZE), field(low), field(high)));
  const place = (): string => names.place(field(ev.E_ADDRESS), field(ev.E_SITE));
  const other = (): string => threadTitle(machine, field(ev.E_OTHER));
  const order = ORDERS[field(ev.E_ORDER)]!;
  const ordered = order === 'plain' ? '' : `, ${order}`;
  const kind = field(ev.E_KIND) as ev.EventKind;
  switch (kind) {
    case ev.LOAD_EVENT: {
      const stale = choiceOf(field(ev.E_STEP)) > 0 ? ' (stale)' : '';
      return `${place()} → ${value(ev.E_READ_LOW, ev.E_READ_HIGH)}${has(ev.FORWARDED) ? ' (from its own buffer)' : stale}${ordered}`;
    }
    case ev.STORE_EVENT:
      return `${place()} = ${value(ev.E_STORED_LOW, ev.E_STORED_HIGH)}${has(ev.WROTE_MEMORY) ? '' : ' (buffered)'}${ordered}`;
    case ev.UPDATE_EVENT:
      return `${place()} = ${value(ev.E_STORED_LOW, ev.E_STORED_HIGH)} reaches memory`;
    case ev.RMW_EVENT: {
      const read = `${place()} → ${value(ev.E_READ_LOW, ev.E_READ_HIGH)}`;
      return has(ev.WROTE_MEMORY) ? `${read}, = ${value(ev.E_NEW_LOW, ev.E_NEW_HIGH)}${ordered}` : `${read}${ordered}`;
    }
    case ev.FENCE_EVENT:
      return `fence${ordered}`;
    case ev.CHOOSE_EVENT:
      return `choose → ${field(ev.E_CHOICE)}`;
    case ev.SPAWN_EVENT:
      return `create thread ${other()}`;
    case ev.JOIN_EVENT:
      return field(ev.E_OTHER) < 0 ? 'join' : `join thread ${other()}`;
    case ev.TRYLOCK_EVENT:
      return `trylock ${place()}${has(ev.SUCCEEDED) ? '' : ' (held)'}`;
    case ev.WAIT_EVENT:
      return `wait on ${place()}, unlock ${variableName(machine, field(ev.E_MUTEX))}`;
    case ev.SIGNAL_EVENT:
      return `signal ${place()}${has(ev.SUCCEEDED) ? `, wakes ${other()}` : ', no waiter'}`;
    case ev.WAKE_EVENT:
      return has(ev.SUCCEEDED) ? `woken on ${place()}` : `stops waiting on ${place()}`;
    case ev.FREE_EVENT: {
      const { instruction } = machine.code.sites[field(ev.E_SITE)]!;
      const isStack = instruction.op === 'free' && instruction.what === 'stack';
      return isStack ? `${place()} goes out of scope` : `free ${place()}`;
    }
    case ev.LIFETIME_EVENT:
      return `${place()} is ${LIFETIME_KINDS[field(ev.E_LIFETIME)]}`;
    case ev.EXIT_EVENT:
      return `exit(${field(ev.E_STATUS)})`;
    case ev.BEGIN_ATOMIC_EVENT:
    case ev.END_ATOMIC_EVENT:
    case ev.ALLOC_EVENT:
      return EVENT_NAMES[kind]!;
    case ev.LOCK_EVENT:
    case ev.UNLOCK_EVENT:
    case ev.BROADCAST_EVENT:
    case ev.DESTROY_EVENT:
    case ev.INIT_EVENT:
      return `${EVENT_NAMES[kind]} ${place()}`;
    default:
      return unreachable(kind);
  }
}

/** A place as users name it: as in the instruction, by the variable it belongs to, or by its number. */
export function placeName(machine: Machine, address: number, site: number): string {
  const { instruction } = machine.code.sites[site]!;
  return instruction.location?.variable ?? variableName(machine, address);
}

/** What an event accesses, as the user wrote it. */
export function accessName(machine: Machine, event: number): string {
  return placeName(machine, machine.events.get(event, ev.E_ADDRESS), machine.events.get(event, ev.E_SITE));
}

/** A place by the variable it belongs to, or by its number. */
export function variableName(machine: Machine, address: number): string {
  return threadLocalName(machine, address) ?? otherName(machine, address);
}

/** `v.next of thread 0.1`, for a thread-local variable. */
function threadLocalName({ layout, program, processes }: Machine, address: number): string | undefined {
  const { threadLocals, threadLocalBytes, limits } = layout;
  const from = address - threadLocals;
  if (from < 0 || from >= threadLocalBytes * limits.threads) return undefined;
  const offset = from % threadLocalBytes;
  const index = program.globals.findIndex(({ threadLocal, size }, i) => {
    const start = layout.globals[i]!;
    return threadLocal === true && start <= offset && offset < start + size;
  });
  if (index < 0) return undefined;
  const { name, parts } = program.globals[index]!;
  const inside = offset - layout.globals[index]!;
  const part = parts?.findLast((p) => p.offset <= inside);
  const rest = inside - (part?.offset ?? 0);
  const thread = processes.threadName(Math.floor(from / threadLocalBytes));
  return `${name}${part?.name ?? ''}${rest === 0 ? '' : `+${rest}`} of thread ${thread}`;
}

function otherName(machine: Machine, address: number): string {
  const objects = new Objects(machine.state, machine.layout);
  const object = objects.find(address);
  if (object <= 0) return locationName(machine, address);
  const index = machine.layout.globals.indexOf(object);
  const instruction = machine.code.sites[objects.header(object, O_SITE)]?.instruction;
  // Memory that our library keeps begins with the address of what it is for, if it is for something.
  const owner = objects.header(object, O_STATUS) === ALIVE_KEPT ? machine.read32(object) : 0;
  if (owner > 0 && owner !== object && objects.find(owner) > 0) return otherName(machine, owner);
  const made = instruction?.location;
  const { name, parts } = machine.program.globals[index] ?? {
    name: made?.variable,
    parts: instruction?.op === 'allocate' ? instruction.parts : undefined,
  };
  const part = parts?.findLast((p) => p.offset <= address - object);
  if (name !== undefined && part !== undefined) {
    const rest = address - object - part.offset;
    return `${name}${part.name}${rest === 0 ? '' : `+${rest}`}`;
  }
  if (index >= 0 || made === undefined) return locationName(machine, address);
  // A heap block has no name.
  const variable = made.variable ?? `block(${made.file.split('/').at(-1)}:${made.line})`;
  return address === object ? variable : `${variable}+${address - object}`;
}

/** A value as a signed integer. */
export function printInteger(size: number, low: number, high: number): string {
  return size === 8 ? String(toBigint(low, high)) : String(low);
}

/** The buffered stores of each thread that has any: `P0: x=1 y=2`. Empty if there are none. */
export function describeBuffers(machine: Machine, names: EventNames = plainNames(machine)): string {
  const parts: string[] = [];
  for (const slot of machine.processes.slotsInNameOrder) {
    const pending = machine.memory.pending(slot);
    if (pending.length > 0) parts.push(`${threadTitle(machine, slot)}: ${printPending(names, pending)}`);
  }
  return parts.join(' · ');
}

function printPending(names: EventNames, pending: readonly Pending[]): string {
  let text = '';
  pending.forEach(({ address, size, low, high, barriers, site, frees }, i) => {
    // A bar between two stores: those right of it stay behind those left of it.
    const gap = i === 0 ? '' : barriers > pending[i - 1]!.barriers ? ' | ' : ' ';
    const place = names.place(address, site);
    text += frees ? `${gap}end of ${place}` : `${gap}${place}=${names.value(site, size, low, high)}`;
  });
  return text;
}
