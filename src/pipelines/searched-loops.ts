/**
 * Loops in which threads wait, but which the search runs iteration by iteration, and why: an iteration changes something,
 * so that it is not idle; it reads several places, so that a thread may wait for one while another would let it go on; or
 * it retries a compare-exchange, so that a thread may have read too early.
 */

import { variableName } from '../machine/describe/describe.ts';
import { isFailedExchange, isWrite } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine, Outcome } from '../machine/machine.ts';
import { SPINNING, T_STATUS } from '../machine/state/layout.ts';
import { wouldLeave } from '../machine/would-leave.ts';
import type { Location } from '../program/location.ts';
import { printLocation } from '../program/location.ts';

export interface SearchedLoop {
  /** Of a read in it. */
  readonly place: string;
  readonly why: string;
}

const RETRIES = 'retries a compare-exchange, so some executions end where another thread was faster';
const SEVERAL = 'reads several places, so some executions end while a thread waits for one of them';
/** How far back to look for iterations, and the longest one. */
const WINDOW = 240;
const LONGEST = 60;
/** Iterations that must look the same. */
const TIMES = 3;
/** More would not be read. */
const MAX_LOOPS = 10;

export class SearchedLoops {
  private readonly found = new Map<number, SearchedLoop>();

  get list(): readonly SearchedLoop[] {
    return [...this.found.values()];
  }

  save(): readonly (readonly [site: number, loop: SearchedLoop])[] {
    return [...this.found];
  }

  /** Adds those of another part of the search. */
  merge(other: readonly (readonly [site: number, loop: SearchedLoop])[]): void {
    for (const [site, loop] of other) {
      if (this.found.size < MAX_LOOPS && !this.found.has(site)) this.found.set(site, loop);
    }
  }

  /** An execution has run to its end. */
  conclude(machine: Machine, outcome: Outcome): void {
    if (outcome !== 'blocked' || machine.idleWaits === undefined) return;
    for (let thread = 0; thread < machine.processes.threadCount; thread++) {
      if (machine.threads.get(thread, T_STATUS) !== SPINNING) continue;
      const own = eventsOf(machine, thread, 2);
      const last = own.at(-1);
      if (last === undefined || this.found.has(machine.events.get(last, ev.E_SITE))) continue;
      // It may read anew after its exchange has failed.
      const hasFailed = own.some((event) => isFailedExchange(machine.events, event));
      if (wouldLeave(machine, thread)) this.note(machine, [last], hasFailed ? RETRIES : SEVERAL);
    }
  }

  /** An execution has too many steps. */
  cut(machine: Machine): void {
    for (let thread = 0; thread < machine.processes.threadCount; thread++) {
      const iteration = lastIteration(machine, eventsOf(machine, thread, WINDOW));
      if (iteration !== undefined) this.note(machine, iteration, `runs on: ${whatChanges(machine, iteration)}`);
    }
  }

  /** The loop is where the first of these events is. */
  private note({ events, code }: Machine, iteration: readonly number[], why: string): void {
    const sites = iteration.map((event) => events.get(event, ev.E_SITE));
    if (this.found.size >= MAX_LOOPS || sites.some((site) => this.found.has(site))) return;
    const places = sites.flatMap((site): Location[] => {
      const location = code.sites[site]?.instruction.location;
      return location === undefined ? [] : [location];
    });
    const [first] = places.sort((a, b) => a.line - b.line);
    if (first !== undefined) this.found.set(sites[0]!, { place: printLocation(first), why });
  }
}

/** The thread's last events, oldest first, without updates. */
function eventsOf({ events }: Machine, thread: number, count: number): readonly number[] {
  const own: number[] = [];
  for (let e = events.length - 1; e >= 0 && own.length < count; e--) {
    if (events.get(e, ev.E_THREAD) === thread && events.get(e, ev.E_KIND) !== ev.UPDATE_EVENT) own.push(e);
  }
  return own.reverse();
}

/** The shortest stretch of sites that the thread has repeated at its end. */
function lastIteration({ events }: Machine, own: readonly number[]): readonly number[] | undefined {
  const site = (i: number): number => events.get(own[i]!, ev.E_SITE);
  for (let length = 1; length <= LONGEST && TIMES * length <= own.length; length++) {
    const start = own.length - TIMES * length;
    const repeats = own.slice(start + length).every((_, i) => site(start + length + i) === site(start + i));
    if (repeats) return own.slice(-length);
  }
  return undefined;
}

function whatChanges(machine: Machine, iteration: readonly number[]): string {
  const write = iteration.find((event) => isWrite(machine.events, event));
  if (write === undefined) return 'each iteration changes a local variable';
  const address = machine.events.get(write, ev.E_ADDRESS);
  return `each iteration writes ${address === 0 ? 'something' : variableName(machine, address)}`;
}
