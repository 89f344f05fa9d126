/** Threads that wait forever, in words: what each one waits for, which thread holds that, and where it was taken. */

import { printLocation } from '../../program/location.ts';
import { asCode } from '../../util/code-text.ts';
import type { ProgramError } from '../code/error.ts';
import { effectsOf, isUpdate, TAKES_MUTEX } from '../events/effects.ts';
import * as ev from '../events/event.ts';
import type { Machine } from '../machine.ts';
import { restOf } from '../rest.ts';
import { Objects } from '../run/objects.ts';
import {
  ALIVE_KEPT,
  H_ATOMIC,
  O_SITE,
  O_STATUS,
  RUNNABLE,
  SPINNING,
  T_STATUS,
  T_WAIT,
  WAITING,
} from '../state/layout.ts';
import { AtomicWait, atomicOperation } from './atomic-waits.ts';
import { variableName } from './describe.ts';
import { blockedBy } from './stopped.ts';

export function describeDeadlock(machine: Machine): ProgramError {
  return describeWaits(machine, 'deadlock');
}

/** Whether the process may end and all live threads wait in loops that nothing ends: it ends while they wait. */
export function endsWaiting(machine: Machine): boolean {
  const { assumed, unrolled, unmodelled } = blockedBy(machine);
  return machine.mayEnd && assumed + unrolled + unmodelled === 0 && restOf(machine) === 'for ever';
}

export function describeEndlessWait(machine: Machine): ProgramError {
  return describeWaits(machine, 'liveness');
}

/** A thread that cannot continue: why, and at which instruction. */
interface Wait {
  readonly thread: number;
  /** ``for the lock `m`, held by thread 0.2``. */
  readonly text: string;
  /** -1 if unknown. */
  readonly site: number;
  /** The mutex, condition or other object that it waits for, if there is one. */
  readonly address?: number;
  /** The thread that holds that, or that it waits for. */
  readonly holder?: number;
  /** For a loop: the event that it repeats, usually a read. */
  readonly read?: number;
}

/** The waiting threads, when no step is enabled. */
export function findWaits(machine: Machine): readonly Wait[] {
  const waits: Wait[] = [];
  for (let thread = 0; thread < machine.processes.threadCount; thread++) {
    const status = machine.threads.get(thread, T_STATUS);
    if (status === SPINNING) {
      const last = lastEvent(machine, thread);
      const site = last < 0 ? -1 : machine.events.get(last, ev.E_SITE);
      waits.push({ thread, text: 'in a loop that never ends', site, ...(last < 0 ? {} : { read: last }) });
    } else if (status === RUNNABLE || status === WAITING) {
      const site = machine.upcoming.nextSite(thread);
      const address = awaitedBy(machine, thread, status);
      const holder = holderFor(machine, thread, status);
      waits.push({
        thread,
        text: waitsFor(machine, thread, status),
        site,
        ...(address < 0 ? {} : { address }),
        ...(holder < 0 ? {} : { holder }),
      });
    }
  }
  return waits;
}

function describeWaits(machine: Machine, kind: 'deadlock' | 'liveness'): ProgramError {
  const notes: string[] = [];
  const waits = findWaits(machine);
  const advice = new Set<string>();
  for (const { thread, site } of waits) {
    const place = placeOf(machine, site);
    if (place !== undefined) notes.push(`thread ${machine.processes.threadName(thread)} waits at ${place}`);
    for (const note of atomicWait(machine, thread)?.notes ?? []) {
      if (note.startsWith('to prevent it')) advice.add(note);
      else if (!notes.includes(note)) notes.push(note);
    }
    const isSpinning = machine.threads.get(thread, T_STATUS) === SPINNING;
    const mutex = isSpinning ? -1 : machine.upcoming.wantedMutex(thread);
    const holder = mutex < 0 ? -1 : machine.operations.syncs.holder(mutex);
    const since = holder < 0 ? undefined : placeOf(machine, lockedAt(machine, mutex, holder));
    if (since !== undefined) {
      notes.push(
        `thread ${machine.processes.threadName(holder)} has held the lock ${asCode(variableName(machine, mutex))} since ${since}`,
      );
    }
  }
  const inSection = machine.state.words[H_ATOMIC]! - 1;
  if (inSection >= 0 && machine.mainHasReturned && !machine.description.isAxiomatic) {
    const name = machine.processes.threadName(inSection);
    notes.push(`main may not have returned yet: no other thread runs while thread ${name} is in its atomic section`);
  }
  notes.push(...advice);
  const message = waits.map(({ thread, text }) => `thread ${machine.processes.threadName(thread)} waits ${text}`);
  return { kind, message: message.join('; '), ...(notes.length > 0 ? { notes } : {}) };
}

/** ``thread 0.1 waits on `c` with the mutex `m` at a.c:3:5``, for a thread in a condition wait. */
export function describeConditionWait(machine: Machine, thread: number): string {
  const { upcoming, processes } = machine;
  const condition = variableName(machine, machine.threads.get(thread, T_WAIT));
  const mutex = variableName(machine, upcoming.relockedMutex(thread));
  const place = placeOf(machine, upcoming.nextSite(thread));
  const where = place === undefined ? '' : ` at ${place}`;
  return `thread ${processes.threadName(thread)} waits on ${asCode(condition)} with the mutex ${asCode(mutex)}${where}`;
}

/** The thread's last event; for a thread that waits in a loop, the read that it repeats. */
function lastEvent({ events }: Machine, thread: number): number {
  for (let e = events.length - 1; e >= 0; e--) {
    const isOwn = events.get(e, ev.E_THREAD) === thread && !isUpdate(events, e);
    if (isOwn) return e;
  }
  return -1;
}

function awaitedBy(machine: Machine, thread: number, status: number): number {
  const { threads, upcoming } = machine;
  if (status === WAITING) return threads.get(thread, T_WAIT);
  const mutex = upcoming.wantedMutex(thread);
  return mutex >= 0 ? mutex : (atomicWait(machine, thread)?.object ?? upcoming.awaitedAddress(thread));
}

function holderFor({ operations, upcoming }: Machine, thread: number, status: number): number {
  if (status === WAITING) return -1;
  const mutex = upcoming.wantedMutex(thread);
  return mutex >= 0 ? operations.syncs.holder(mutex) : upcoming.joinedThread(thread);
}

function waitsFor(machine: Machine, thread: number, status: number): string {
  const { operations, upcoming, processes } = machine;
  if (status === WAITING) return wakingOf(machine, machine.threads.get(thread, T_WAIT));
  const mutex = upcoming.wantedMutex(thread);
  if (mutex >= 0) {
    const holder = operations.syncs.holder(mutex);
    const held = holder < 0 ? '' : `, held by thread ${processes.threadName(holder)}`;
    return `for the lock ${asCode(variableName(machine, mutex))}${held}`;
  }
  const atomic = atomicWait(machine, thread);
  if (atomic !== undefined) return atomic.text;
  const awaited = upcoming.awaitedAddress(thread);
  if (awaited >= 0) return `for ${asCode(variableName(machine, awaited))}`;
  const inSection = machine.state.words[H_ATOMIC]! - 1;
  const isHeldBack = !machine.description.isAxiomatic || upcoming.beginsSection(thread);
  if (inSection >= 0 && inSection !== thread && isHeldBack)
    return `for thread ${processes.threadName(inSection)} to end its atomic section`;
  const joined = upcoming.joinedThread(thread);
  return joined < 0 ? 'for its stores to reach memory' : `for thread ${processes.threadName(joined)} to end`;
}

/** Memory that our library keeps on its own account belongs to a pipe or an event counter (lib/pipe.c). */
function wakingOf(machine: Machine, address: number): string {
  const objects = new Objects(machine.state, machine.layout);
  const object = objects.find(address);
  const isKept = object > 0 && objects.header(object, O_STATUS) === ALIVE_KEPT;
  const owner = isKept ? machine.read32(object) : 0;
  const isOwned = owner > 0 && owner !== object && objects.find(owner) > 0;
  const made = isKept && !isOwned ? placeOf(machine, objects.header(object, O_SITE)) : undefined;
  if (made !== undefined) return `for a change of the pipe or event counter made at ${made}`;
  return `to be woken on ${asCode(variableName(machine, address))}`;
}

/** The wait of a thread that sleeps until an atomic object is notified. */
function atomicWait(machine: Machine, thread: number): AtomicWait | undefined {
  if (machine.threads.get(thread, T_STATUS) !== RUNNABLE) return undefined;
  const awaited = machine.upcoming.awaitedAddress(thread);
  const operation = awaited < 0 ? undefined : atomicOperation(machine, thread);
  return operation?.kind === 'wait' ? new AtomicWait(machine, thread, awaited, operation) : undefined;
}

function placeOf(machine: Machine, site: number): string | undefined {
  const location = site < 0 ? undefined : machine.code.sites[site]?.instruction.location;
  return location === undefined ? undefined : printLocation(location);
}

/** Where the thread took the mutex that it holds now. */
function lockedAt({ events }: Machine, mutex: number, holder: number): number {
  for (let e = events.length - 1; e >= 0; e--) {
    const isLock = (effectsOf(events, e) & TAKES_MUTEX) !== 0;
    if (isLock && events.get(e, ev.E_ADDRESS) === mutex && events.get(e, ev.E_THREAD) === holder) {
      return events.get(e, ev.E_SITE);
    }
  }
  return -1;
}
