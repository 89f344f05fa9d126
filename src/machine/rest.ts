/**
 * Threads that sleep in loops, at the end of an execution: whether some order of their rounds lets one of them leave.
 * Alone, each may come back to where it was; but where rounds write and undo it, another thread may see what they wrote
 * in between. docs/decisions/0049-rounds-that-undo-themselves.md has the argument.
 */
import { EndSearch } from './end-search.ts';
import { BYTES, effectsOf, isWrite, OBJECT, READS, TAKES_MUTEX } from './events/effects.ts';
import * as ev from './events/event.ts';
import type { Machine } from './machine.ts';
import { FINISHED, RUNNABLE, SPINNING, T_STATUS } from './state/layout.ts';
import { MAX_IDLE_STEPS } from './take-idle-reads.ts';
import { wouldLeave } from './would-leave.ts';

/** `unknown`: the search for an order was cut short. */
export type Rest = 'for ever' | 'for now' | 'unknown';

/** Whether the threads sleep for ever. No step is enabled; the machine's state is unchanged afterwards. */
export function restOf(machine: Machine): Rest {
  const rounds: Round[] = [];
  let isKnown = true;
  for (let thread = 0; thread < machine.processes.threadCount; thread++) {
    if (machine.threads.get(thread, T_STATUS) !== SPINNING) continue;
    const round = new Round();
    const leaves = wouldLeave(machine, thread, (from) => round.add(machine, from));
    // It might have slept later.
    if (round.steps > MAX_IDLE_STEPS) isKnown = false;
    else if (leaves) return 'for now';
    rounds.push(round);
  }
  if (!isKnown) return 'unknown';
  if (rounds.every((round) => !round.writes) || (onlySleepersWait(machine) && areIndependent(rounds)))
    return 'for ever';
  if (machine.description.isAxiomatic) return 'unknown';
  const mayEnd = EndSearch.of(machine).finds(machine);
  return mayEnd === undefined ? 'unknown' : mayEnd ? 'for now' : 'for ever';
}

/** Some bytes of memory. */
interface Bytes {
  readonly start: number;
  readonly end: number;
}

/** What a thread that runs alone reads and writes until it sleeps again. */
export class Round {
  steps = 0;
  writes = false;
  /** It does what the lists below do not say. */
  isComplex = false;
  readonly read: Bytes[] = [];
  readonly written: Bytes[] = [];
  /** Mutexes taken; and those tried, with or without success. */
  readonly taken: Set<number> = new Set();
  readonly tried: Set<number> = new Set();
  /** The mutex that the thread has taken and not given back, -1 = none. */
  private held = -1;

  /** Adds the events from this number on. */
  add({ events }: Machine, from: number): void {
    this.steps = events.length - from;
    if (this.steps > MAX_IDLE_STEPS) return;
    for (let event = from; event < events.length; event++) {
      const effects = effectsOf(events, event);
      const isChange = isWrite(events, event);
      this.writes ||= isChange;
      const start = events.get(event, ev.E_ADDRESS);
      if ((effects & OBJECT) !== 0) this.addOfMutex(start, effects, events.get(event, ev.E_KIND), isChange);
      else if ((effects & BYTES) !== 0) {
        const bytes = { start, end: start + events.get(event, ev.E_SIZE) };
        if ((effects & READS) !== 0) this.read.push(bytes);
        if (isChange) this.written.push(bytes);
      } else this.isComplex ||= isChange;
    }
  }

  /** Whether a thread might notice in its round that another one is in this one. */
  affects({ read, tried }: Round): boolean {
    for (const mutex of this.taken) if (tried.has(mutex)) return true;
    return this.written.some((bytes) => read.some(({ start, end }) => start < bytes.end && bytes.start < end));
  }

  private addOfMutex(mutex: number, effects: number, kind: number, isChange: boolean): void {
    if (kind === ev.TRYLOCK_EVENT) this.tried.add(mutex);
    if (!isChange) return;
    if ((effects & TAKES_MUTEX) !== 0) {
      // Two at once might be taken by others in the other order.
      this.isComplex ||= this.held !== -1;
      this.taken.add(mutex);
      this.held = mutex;
    } else {
      this.isComplex ||= kind !== ev.UNLOCK_EVENT || this.held !== mutex;
      this.held = -1;
    }
  }
}

/** Whether all other threads have ended, or wait for the end of another one. */
function onlySleepersWait({ processes, threads, upcoming }: Machine): boolean {
  for (let thread = 0; thread < processes.threadCount; thread++) {
    if (!threads.exists(thread)) continue;
    const status = threads.get(thread, T_STATUS);
    const joins = status === RUNNABLE && upcoming.joinedThread(thread) >= 0;
    if (status !== SPINNING && status !== FINISHED && !joins) return false;
  }
  return true;
}

/** Whether each thread does the same whatever the others have done of their rounds; it may wait for a mutex. */
function areIndependent(rounds: readonly Round[]): boolean {
  if (rounds.some(({ isComplex }) => isComplex)) return false;
  return rounds.every((one) => rounds.every((other) => one === other || !one.affects(other)));
}
