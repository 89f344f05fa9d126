/**
 * Finds loops, and recursion, in which threads wait but which the search runs iteration by iteration, and why: an
 * iteration changes something, so it is not idle; it reads several locations, so a thread may wait for one while
 * another would let it continue; or it retries a compare-exchange, so a thread may have read too early.
 */

import type { Watcher } from '../explore/watcher.ts';
import { isVisible, loopsOf } from '../machine/code/loops.ts';
import { callsOf, variableName } from '../machine/describe/describe.ts';
import { isFailedExchange, isUpdate, isWrite } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine, Outcome } from '../machine/machine.ts';
import { SPINNING, T_EVENTS, T_STATUS } from '../machine/state/layout.ts';
import { wouldLeave } from '../machine/would-leave.ts';
import { isCopyBlock } from '../program/copy-blocks.ts';
import { forEachWritten } from '../program/flow.ts';
import type { Location } from '../program/location.ts';
import { printLocation } from '../program/location.ts';
import { asCode } from '../util/code-text.ts';

export interface SearchedLoop {
  /** The location of a read in it. */
  readonly place: string;
  readonly why: string;
  /** A thread ran many iterations of it in one execution; it may have no end. */
  readonly isLong?: true;
  /** It is recursion, not a loop. */
  readonly isRecursion?: true;
}

const RETRIES =
  'retries a compare-exchange: an execution in which it could only fail again is cut short and counts as blocked, which is not an error and hides none';
const SEVERAL =
  'reads several places: an execution in which a thread would only repeat it is cut short and counts as blocked, which is not an error and hides none';
/** How many events back to look for iterations, and the length of the longest one. */
const WINDOW = 240;
const LONGEST = 60;
/**
 * How many iterations must look the same: at the end of an execution that was cut, and anywhere in one that was not.
 */
const TIMES = 3;
const MANY = 16;
/** How many events back to look for those. */
const LONG_WINDOW = 4000;
/** At most this many loops are reported. */
const MAX_LOOPS = 10;

/** `mayEnd`: the loop may well end, so it is named only if the search was cut short. */
interface Kept extends SearchedLoop {
  readonly mayEnd: boolean;
}

export type SavedLoops = readonly (readonly [site: number, loop: Kept])[];

export class SearchedLoops implements Watcher<SavedLoops> {
  private readonly found = new Map<number, Kept>();
  private executions = 0;
  /** Keys of all loops that were ever met. */
  private readonly tried = new Set<string>();

  /** The loops to name in a report. */
  list(isCut: boolean): readonly SearchedLoop[] {
    const named = [...this.found.values()].filter(({ mayEnd }) => isCut || !mayEnd);
    return named.map(({ mayEnd: _, ...loop }) => loop);
  }

  save(): SavedLoops {
    return [...this.found];
  }

  /** Adds the loops of another part of the search. */
  merge(other: SavedLoops): void {
    for (const [site, loop] of other) {
      if (this.found.size < MAX_LOOPS && !this.found.has(site)) this.found.set(site, loop);
    }
  }

  /** A number that grows whenever a loop is met that has not been met before. */
  get findings(): number {
    return this.tried.size;
  }

  /** That many executions were made elsewhere and met no loops. */
  skip(executions: number): void {
    this.executions += executions;
  }

  /** To be called when an execution has ended. */
  conclude(machine: Machine, outcome: Outcome): void {
    this.executions++;
    // It takes time, so do it only when the count of executions is a power of two.
    if ((this.executions & (this.executions - 1)) === 0) this.lookForLong(machine);
    if (outcome !== 'blocked' || machine.idleWaits === undefined) return;
    for (let thread = 0; thread < machine.processes.threadCount; thread++) {
      if (machine.threads.get(thread, T_STATUS) !== SPINNING) continue;
      const own = eventsOf(machine, thread, 2);
      const last = own.at(-1);
      if (last === undefined || this.found.has(machine.events.get(last, ev.E_SITE))) continue;
      // The thread may read again after its exchange has failed.
      const hasFailed = own.some((event) => isFailedExchange(machine.events, event));
      if (wouldLeave(machine, thread))
        this.note(machine, [last], { why: hasFailed ? RETRIES : SEVERAL, mayEnd: false });
    }
  }

  /** To be called when an execution has too many steps. */
  cut(machine: Machine): void {
    this.executions++;
    for (let thread = 0; thread < machine.processes.threadCount; thread++) {
      const iteration = lastIteration(machine, eventsOf(machine, thread, WINDOW));
      if (iteration === undefined || isCopy(machine, iteration)) continue;
      const isRecursion = isNested(machine, thread, iteration.length);
      const why = `runs on: ${whatChanges(machine, iteration, isRecursion ? 'call' : 'iteration')}`;
      this.note(machine, iteration, { why, isLong: true, ...(isRecursion ? { isRecursion } : {}), mayEnd: false });
    }
  }

  /** Notes loops of which a thread has run many iterations in the current execution. */
  lookForLong(machine: Machine): void {
    for (let thread = 0; thread < machine.processes.threadCount; thread++) {
      const iteration = longIteration(machine, eventsOf(machine, thread, LONG_WINDOW));
      if (iteration === undefined || isCopy(machine, iteration)) continue;
      const why = `is run again and again: ${whatChanges(machine, iteration, 'iteration')}`;
      this.note(machine, iteration, { why, isLong: true, mayEnd: true });
    }
  }

  /** Names it after the first of these events in the source. */
  private note({ events, code }: Machine, iteration: readonly number[], loop: Omit<Kept, 'place'>): void {
    const { mayEnd } = loop;
    const sites = iteration.map((event) => events.get(event, ev.E_SITE));
    this.tried.add(`${mayEnd} ${sites.join(' ')}`);
    const isKnown = sites.some((site) => this.found.has(site) && (mayEnd || !this.found.get(site)!.mayEnd));
    if (this.found.size >= MAX_LOOPS || isKnown) return;
    const places = sites.flatMap((site): Location[] => {
      const location = code.sites[site]?.instruction.location;
      return location === undefined ? [] : [location];
    });
    const [first] = places.sort((a, b) => a.line - b.line);
    if (first !== undefined) this.found.set(sites[0]!, { place: printLocation(first), ...loop });
  }
}

/** The thread's last events, oldest first, without updates. */
function eventsOf({ events }: Machine, thread: number, count: number): readonly number[] {
  const own: number[] = [];
  for (let e = events.length - 1; e >= 0 && own.length < count; e--) {
    if (events.get(e, ev.E_THREAD) === thread && !isUpdate(events, e)) own.push(e);
  }
  return own.reverse();
}

/** More than there are kinds of events. */
const KINDS = 32;

/** The instruction and what it did: a `seq_cst` store is a write and then a fence. */
function actionOf(events: ev.EventLog, event: number): number {
  return events.get(event, ev.E_SITE) * KINDS + events.get(event, ev.E_KIND);
}

/** The last iteration, if the thread's last events repeat the same sites: the shortest such period. */
function lastIteration({ events }: Machine, own: readonly number[]): readonly number[] | undefined {
  const action = (i: number): number => actionOf(events, own[i]!);
  for (let length = 1; length <= LONGEST && TIMES * length <= own.length; length++) {
    const start = own.length - TIMES * length;
    const repeats = own.slice(start + length).every((_, i) => action(start + length + i) === action(start + i));
    if (repeats) return own.slice(-length);
  }
  return undefined;
}

/** One of many consecutive iterations with the same sites, of the shortest length for which there are so many. */
function longIteration({ events }: Machine, own: readonly number[]): readonly number[] | undefined {
  const actions = own.map((event) => actionOf(events, event));
  for (let length = 1; length <= LONGEST && MANY * length <= own.length; length++) {
    let same = 0;
    for (let i = length; i < actions.length; i++) {
      same = actions[i] === actions[i - length] ? same + 1 : 0;
      // The last one may have left the loop.
      if (same === (MANY - 1) * length) return own.slice(i + 1 - 2 * length, i + 1 - length);
    }
  }
  return undefined;
}

/** Whether these are pieces of one `memset`, `memcpy` or assignment of a structure, which is no loop of the program. */
function isCopy({ events, code, program }: Machine, iteration: readonly number[]): boolean {
  return iteration.every((event) => {
    const site = code.sites[events.get(event, ev.E_SITE)];
    return site !== undefined && isCopyBlock(program.functions[site.func]!.blocks[site.block]!);
  });
}

/** Calls to look at. */
const MOST_CALLS = 4000;

/** Whether most of the thread's iterations of this length are calls, by the same instruction, that have not returned. */
function isNested(machine: Machine, thread: number, length: number): boolean {
  const iterations = machine.threads.get(thread, T_EVENTS) / length;
  const times = new Map<number, number>();
  for (const site of callsOf(machine, thread, MOST_CALLS)) times.set(site, (times.get(site) ?? 0) + 1);
  const most = Math.max(...times.values(), 0);
  return most >= TIMES && most > Math.min(iterations, MOST_CALLS) / 2;
}

function whatChanges(machine: Machine, iteration: readonly number[], each: 'iteration' | 'call'): string {
  const { events, printer } = machine;
  const write = iteration.find((event) => isWrite(events, event));
  if (write !== undefined) {
    const address = events.get(write, ev.E_ADDRESS);
    return `each ${each} writes ${address === 0 ? 'something' : nameOf(machine, address)}`;
  }
  const [first, last] = [iteration[0]!, iteration.at(-1)!];
  const thread = events.get(first, ev.E_THREAD);
  const prints = printer.output.some((o) => o.thread === thread && o.depth > first && o.depth <= last + 1);
  if (prints) return `each ${each} prints`;
  const changed = changedLocal(machine, iteration);
  return `each ${each} changes ${changed === undefined ? 'a local variable' : asCode(changed)}`;
}

/** A local variable that the innermost loop around one of these events computes anew; undefined if none has a name. */
function changedLocal({ events, code, program }: Machine, iteration: readonly number[]): string | undefined {
  for (const event of iteration) {
    const site = code.sites[events.get(event, ev.E_SITE)];
    const func = site === undefined ? undefined : program.functions[site.func];
    if (site === undefined || func === undefined || func.isLibrary === true) continue;
    const bodies = loopsOf(func).flatMap(({ body }) => (body.has(site.block) ? [body] : []));
    const [innermost] = bodies.sort((a, b) => a.size - b.size);
    for (const block of innermost ?? []) {
      for (const instruction of func.blocks[block]!.body) {
        let name: string | undefined;
        if (!isVisible(instruction)) forEachWritten(instruction, (r) => (name ??= func.registers[r]!.variable?.name));
        if (name !== undefined) return name;
      }
    }
  }
  return undefined;
}

function nameOf(machine: Machine, address: number): string {
  const { layout, program } = machine;
  const { threadLocals, threadLocalBytes, limits } = layout;
  const from = address - threadLocals;
  if (from < 0 || from >= threadLocalBytes * limits.threads) return asCode(variableName(machine, address));
  const offset = from % threadLocalBytes;
  const variable = program.globals.find(({ threadLocal, size }, index) => {
    const start = layout.globals[index]!;
    return threadLocal === true && start <= offset && offset < start + size;
  });
  return variable === undefined ? 'a thread-local variable' : asCode(variable.name);
}
