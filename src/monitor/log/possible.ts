/**
 * Detects logs that no execution produces, by tracking the state of threads, mutexes and condition variables event by
 * event. A log need not cover a whole program, so a thread may run without having been created; but its events must be
 * consistent (docs/monitor.md). Mutexes may be recursive, and a failed trylock proves nothing: it may have been
 * attempted earlier.
 */
import { CREATES, EFFECTS, FREES, JOINS, OBJECT, SECTION } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import { IntMap } from '../../util/int-map.ts';
import { larger } from '../../util/int-vector.ts';
import { unreachable } from '../../util/unreachable.ts';
import type { Addresses } from './addresses.ts';
import { type LogEvent, type LogOperation, NOBODY, SUCCEEDED } from './record.ts';

/** Operations that can be impossible although their thread runs. */
export const SYNCHRONISES: number = OBJECT | CREATES | JOINS | SECTION | FREES;

// What is known about a thread.
const UNKNOWN = 0;
const RUNS = 1;
const WAITS = 2;
const JOINED = 3;

// What is known about a mutex.
const X_HOLDER = 0; // thread + 1, or 0
const X_DEPTH = 1; // how many times the holder has locked it
const X_SINCE = 2; // number of the event that locked it
const X_HELD_AT = 3; // its index among the held mutexes
const MUTEX_WORDS = 4;

const RECENT = 256;

/** A thread that has released a mutex to wait on a condition variable, and has not locked it again. */
interface Wait {
  readonly condition: number;
  readonly mutex: number;
  readonly depth: number;
  /** The number of its event. */
  readonly since: number;
  isWoken: boolean;
}

export class Possible {
  private readonly addresses: Addresses;
  /** The name of an address in messages. */
  private readonly nameOf: (address: number) => string;
  private readonly states = new Uint8Array(NOBODY + 1);
  private readonly waits = new Map<number, Wait>();
  /** By thread: the number of the event that joined it. */
  private readonly ends = new Map<number, number>();
  /** Mutexes, what is known about each, and its address. */
  private readonly mutexes = new IntMap();
  private words = new Int32Array(MUTEX_WORDS * 64);
  private places = new Float64Array(64);
  /** The held mutexes, in any order. */
  private held = new Int32Array(64);
  private heldCount = 0;
  /** A cache of recently looked-up mutexes, indexed by some bits of their addresses. */
  private readonly recent = new Float64Array(RECENT).fill(-1);
  private readonly recentMutexes = new Int32Array(RECENT);
  /** The thread inside an atomic section, or -1. */
  private inside = -1;

  constructor(addresses: Addresses, nameOf: (address: number) => string) {
    this.addresses = addresses;
    this.nameOf = nameOf;
  }

  /** Whether the thread runs freely, and so may load, store and fence. */
  isRunning(thread: number): boolean {
    return this.states[thread] === RUNS && this.inside < 0;
  }

  /** Why event number `number` is impossible here. Returns `undefined` if it is possible; then it has taken effect. */
  impossible(event: LogEvent, number: number): string | undefined {
    const wrong = this.isRunning(event.thread) ? undefined : this.cannotRun(event);
    if (wrong !== undefined) return wrong;
    return (EFFECTS[event.operation]! & SYNCHRONISES) === 0 ? undefined : this.synchronise(event, number);
  }

  /** For an event whose thread is not known to run. */
  private cannotRun({ thread, operation, address }: LogEvent): string | undefined {
    if (this.inside >= 0 && this.inside !== thread) {
      return `thread ${thread} runs inside the atomic section of thread ${this.inside}`;
    }
    const state = this.states[thread];
    if (state === JOINED) return `thread ${thread} continues, but event ${this.ends.get(thread)} joined it`;
    if (state === WAITS) {
      const { condition, mutex, since, isWoken } = this.waits.get(thread)!;
      if (operation === ev.LOCK_EVENT && address === mutex) return undefined;
      if (operation === ev.WAKE_EVENT && address === condition) return undefined;
      const why = isWoken
        ? `it has not reacquired ${this.nameOf(mutex)}`
        : 'it has been waiting on a condition variable';
      return `thread ${thread} continues, but since event ${since} ${why}`;
    }
    this.states[thread] = RUNS;
    return undefined;
  }

  private synchronise(event: LogEvent, number: number): string | undefined {
    const { thread, other, address } = event;
    const operation = event.operation as LogOperation;
    switch (operation) {
      case ev.SPAWN_EVENT:
        return this.create(other, thread);
      case ev.JOIN_EVENT:
        return this.join(other, thread, number);
      case ev.LOCK_EVENT:
        return this.lock(thread, address, number);
      case ev.UNLOCK_EVENT:
        return this.unlock(thread, address, 'unlocks');
      case ev.TRYLOCK_EVENT:
        if ((event.flags & SUCCEEDED) === 0) return undefined;
        return this.lock(thread, address, number);
      case ev.WAIT_EVENT:
        return this.wait(event, number);
      case ev.SIGNAL_EVENT:
        return this.signal(other, thread, address);
      case ev.BROADCAST_EVENT:
        for (const wait of this.waits.values()) if (wait.condition === address) wait.isWoken = true;
        return undefined;
      case ev.WAKE_EVENT:
        return this.wake(thread, address);
      case ev.DESTROY_EVENT:
      case ev.INIT_EVENT:
        this.release(address, 1);
        return undefined;
      case ev.FREE_EVENT:
        this.release(address, event.size);
        return undefined;
      case ev.BEGIN_ATOMIC_EVENT:
        if (this.inside >= 0) return `thread ${thread} begins an atomic section inside another`;
        this.inside = thread;
        return undefined;
      case ev.END_ATOMIC_EVENT:
        if (this.inside !== thread) return `thread ${thread} ends an atomic section that it has not begun`;
        this.inside = -1;
        return undefined;
      case ev.LOAD_EVENT:
      case ev.STORE_EVENT:
      case ev.RMW_EVENT:
      case ev.FENCE_EVENT:
      case ev.ALLOC_EVENT:
        return undefined;
      default:
        return unreachable(operation);
    }
  }

  private create(child: number, thread: number): string | undefined {
    if (child === NOBODY) return undefined;
    const state = this.states[child];
    if (state !== UNKNOWN && state !== JOINED) return `thread ${thread} creates thread ${child}, which already exists`;
    this.states[child] = RUNS;
    return undefined;
  }

  private join(child: number, thread: number, number: number): string | undefined {
    if (child === NOBODY) return undefined;
    const state = this.states[child];
    const text = `thread ${thread} joins thread ${child}, `;
    if (state === JOINED) return `${text}which event ${this.ends.get(child)} has joined`;
    if (state === WAITS)
      return `${text}which has waited on a condition variable since event ${this.waits.get(child)!.since}`;
    this.states[child] = JOINED;
    this.ends.set(child, number);
    return undefined;
  }

  private lock(thread: number, address: number, number: number): string | undefined {
    const mutex = this.mutexAt(address);
    const { words } = this;
    const at = mutex * MUTEX_WORDS;
    const holder = words[at + X_HOLDER]! - 1;
    if (holder === thread) {
      words[at + X_DEPTH]!++;
      return undefined;
    }
    if (holder >= 0) {
      // A mutex held by a thread that has ended may be locked: robust mutexes can be recovered.
      if (this.states[holder] !== JOINED) return `thread ${thread} locks ${this.nameOf(address)}, ${this.whoHolds(at)}`;
      this.letGo(mutex);
    }
    words[at + X_HOLDER] = thread + 1;
    words[at + X_DEPTH] = 1;
    words[at + X_SINCE] = number;
    words[at + X_HELD_AT] = this.heldCount;
    this.held[this.heldCount++] = mutex;
    if (this.states[thread] !== WAITS) return undefined;
    words[at + X_DEPTH] = this.waits.get(thread)!.depth;
    this.waits.delete(thread);
    this.states[thread] = RUNS;
    return undefined;
  }

  private unlock(thread: number, address: number, does: string): string | undefined {
    const mutex = this.mutexAt(address);
    const { words } = this;
    const at = mutex * MUTEX_WORDS;
    if (words[at + X_HOLDER] !== thread + 1) {
      return `thread ${thread} ${does} ${this.nameOf(address)}, ${this.whoHolds(at)}`;
    }
    if (--words[at + X_DEPTH]! === 0) this.letGo(mutex);
    return undefined;
  }

  private whoHolds(at: number): string {
    const { words } = this;
    if (words[at + X_HOLDER] === 0) return 'which it does not hold';
    return `which thread ${words[at + X_HOLDER]! - 1} has held since event ${words[at + X_SINCE]! >>> 0}`;
  }

  private wait({ thread, address, value }: LogEvent, number: number): string | undefined {
    const mutex = this.mutexAt(value);
    const depth = this.words[mutex * MUTEX_WORDS + X_DEPTH]!;
    const wrong = this.unlock(thread, value, 'waits and releases');
    if (wrong !== undefined) return wrong;
    if (depth > 1) this.letGo(mutex);
    this.waits.set(thread, { condition: address, mutex: value, depth, since: number, isWoken: false });
    this.states[thread] = WAITS;
    return undefined;
  }

  private signal(woken: number, thread: number, address: number): string | undefined {
    if (woken === NOBODY) return undefined;
    const wait = this.waits.get(woken);
    if (wait === undefined || wait.isWoken || wait.condition !== address) {
      return `thread ${thread} wakes thread ${woken}, which does not wait on ${this.nameOf(address)}`;
    }
    wait.isWoken = true;
    return undefined;
  }

  private wake(thread: number, address: number): string | undefined {
    const wait = this.waits.get(thread);
    if (wait === undefined) return `thread ${thread} stops waiting on ${this.nameOf(address)}, where it does not wait`;
    wait.isWoken = true;
    return undefined;
  }

  /** Mutexes whose memory is released are no longer held: others may be created in their place. */
  private release(address: number, size: number): void {
    for (let i = this.heldCount - 1; i >= 0; i--) {
      const mutex = this.held[i]!;
      const place = this.places[mutex]!;
      if (place >= address && place < address + size) this.letGo(mutex);
    }
  }

  private mutexAt(address: number): number {
    const bits = address | 0;
    const place = ((bits >>> 3) ^ (bits >>> 9)) & (RECENT - 1);
    if (this.recent[place] === address) return this.recentMutexes[place]!;
    const mutex = this.mutexes.number(this.addresses.number(address));
    this.recent[place] = address;
    this.recentMutexes[place] = mutex;
    if (mutex === this.held.length) {
      this.words = larger(this.words);
      this.held = larger(this.held);
      const places = new Float64Array(this.held.length);
      places.set(this.places);
      this.places = places;
    }
    this.places[mutex] = address;
    return mutex;
  }

  private letGo(mutex: number): void {
    const { words, held } = this;
    const at = mutex * MUTEX_WORDS;
    words[at + X_HOLDER] = 0;
    words[at + X_DEPTH] = 0;
    // The last held mutex takes its place.
    const last = held[--this.heldCount]!;
    held[words[at + X_HELD_AT]!] = last;
    words[last * MUTEX_WORDS + X_HELD_AT] = words[at + X_HELD_AT]!;
  }
}
