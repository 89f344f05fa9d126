/**
 * Findings that are not errors: data races on plain accesses (`trace/simultaneous.ts`) and leaks
 * (`machine/describe/leaks.ts`). Each pair of places, and each place of allocation, is reported once.
 */
import type { MachineDpor } from '../explore/dpor/machine/machine-dpor.ts';
import type { Follower, Strategy } from '../explore/strategy.ts';
import type { Watcher } from '../explore/watcher.ts';
import { threadTitle } from '../machine/describe/describe.ts';
import { Leaks } from '../machine/describe/leaks.ts';
import { Naming } from '../machine/describe/naming.ts';
import { type AccessKind, accessKind, COMMITS, effectsOf } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine, Outcome } from '../machine/machine.ts';
import { Objects } from '../machine/run/objects.ts';
import { O_SITE, O_SIZE } from '../machine/state/layout.ts';
import { type Location, printLocation } from '../program/location.ts';
import { HappensBefore } from '../trace/happens-before.ts';
import { RacesOfNeighbours, RacesOfSearch, RacesOfTrace, SimultaneousAccesses } from '../trace/simultaneous.ts';
import { asCode } from '../util/code-text.ts';
import { isRandom } from './strategies.ts';

export interface Warning {
  readonly kind: 'race' | 'leak';
  readonly message: string;
  /** The two accesses, or where the block was allocated; fewer if the program has no places for them. */
  readonly places: readonly Pick<Location, 'file' | 'line' | 'column'>[];
}

export type SavedWarnings = readonly (readonly [key: string, warning: Warning])[];

export class Warnings implements Watcher<SavedWarnings> {
  private readonly machine: Machine;
  private readonly commuting: boolean;
  private readonly accesses: SimultaneousAccesses;
  private readonly leaks: Leaks;
  private readonly found = new Map<string, Warning>();

  /** `commuting`: the search does not order operations that commute. */
  constructor(machine: Machine, commuting = false) {
    this.machine = machine;
    this.commuting = commuting;
    this.accesses = new SimultaneousAccesses(machine, this.addRace);
    this.leaks = new Leaks(machine);
  }

  get count(): number {
    return this.found.size;
  }

  get list(): readonly Warning[] {
    return [...this.found.values()];
  }

  /**
   * Looks for races while the strategy searches. Random search is meant for long runs, so it gets the cheapest
   * detector, which also needs no happens-before. If threads wait before reads, a read that the search cannot move
   * earlier may still run at the same time as what it waits for, so the races of the search are not enough. Nor are
   * they in a part of a search that contains only one order of a race.
   */
  follow(strategy: Strategy): readonly Follower[] {
    if (strategy.watchRaces !== undefined) {
      strategy.watchRaces(this.accesses);
      return [];
    }
    const { dpor } = this.machine.description.capabilities;
    if (isRandom(strategy.name) || !dpor) return [new RacesOfNeighbours(this.accesses)];
    const search = 'happensBefore' in strategy ? (strategy as MachineDpor) : undefined;
    if (search !== undefined && !search.isPart && this.machine.idleWaits === undefined)
      return [new RacesOfSearch(search.happensBefore, this.accesses)];
    return [new RacesOfTrace(new HappensBefore(this.machine, { commuting: this.commuting }), this.accesses)];
  }

  conclude(_: Machine, outcome: Outcome): void {
    if (outcome !== 'complete') return;
    for (const block of this.leaks.find()) this.addLeak(block);
  }

  save(): SavedWarnings {
    return [...this.found];
  }

  /** Adds the warnings of parts that ran at the same time, in an order that does not depend on which part was first. */
  mergeParts(parts: readonly SavedWarnings[]): void {
    const compare = (a: SavedWarnings[number], b: SavedWarnings[number]): number => {
      const [x, y] = [`${a[0]} ${a[1].message}`, `${b[0]} ${b[1].message}`];
      return x < y ? -1 : x > y ? 1 : 0;
    };
    this.merge(parts.flat().sort(compare));
  }

  merge(other: SavedWarnings): void {
    for (const [key, warning] of other) this.note(key, warning);
  }

  private readonly addRace = (first: number, second: number): void => {
    const { machine } = this;
    const site = (event: number) => machine.code.sites[machine.events.get(event, ev.E_SITE)]!.instruction;
    const say = (event: number): string => {
      const { location } = site(event);
      const thread = threadTitle(machine, machine.events.get(event, ev.E_THREAD));
      return `${noun(machine, event)} by thread ${thread}${location === undefined ? '' : ` at ${printLocation(location)}`}`;
    };
    const both = [first, second].sort((a, b) => compare(site(a).location, site(b).location));
    const places = both.flatMap((event) => place(site(event).location));
    // Most have been found before.
    if (places.length > 0 && this.found.has(keyOf('race', places))) return;
    const named = site(first).location?.variable === undefined ? second : first;
    const texts = both.map(say);
    const field = (f: number): number => machine.events.get(named, f);
    const name = new Naming(machine).title(field(ev.E_ADDRESS), field(ev.E_SITE));
    const message = `data race on ${asCode(name)}: ${texts.join(' and ')} can run concurrently`;
    // Without places, either of the two may come first.
    this.add({ kind: 'race', message, places }, texts.sort().join(' and '));
  };

  private addLeak(block: number): void {
    const { machine } = this;
    const objects = new Objects(machine.state, machine.layout);
    const location = machine.code.sites[objects.header(block, O_SITE)]?.instruction.location;
    const size = objects.header(block, O_SIZE);
    const where = location === undefined ? '' : ` allocated at ${printLocation(location)}`;
    const message = `leak: ${size} byte${size === 1 ? '' : 's'}${where} ${size === 1 ? 'is' : 'are'} never freed and unreachable at the end`;
    this.add({ kind: 'leak', message, places: place(location) }, message);
  }

  /** A warning is identified by its places or, without any, by `text`. */
  private add(warning: Warning, text: string): void {
    this.note(keyOf(warning.kind, warning.places, text), warning);
  }

  private note(key: string, warning: Warning): void {
    if (!this.found.has(key)) this.found.set(key, warning);
  }
}

function keyOf(kind: Warning['kind'], places: Warning['places'], text = ''): string {
  return `${kind} ${places.map(printLocation).join(' ') || text}`;
}

const NOUNS: Readonly<Record<AccessKind, string>> = {
  read: 'a read',
  write: 'a write',
  free: 'the free',
  atomic: 'an atomic operation',
};

function noun({ events, code }: Machine, event: number): string {
  const origin = originOf(events, event);
  const { instruction } = code.sites[events.get(origin, ev.E_SITE)]!;
  // Locals go out of scope.
  if (instruction.op === 'free' && instruction.what === 'stack') return 'its end';
  return NOUNS[accessKind(events, origin)];
}

/** The event itself; for a commit, its store or free. */
function originOf(events: ev.EventLog, event: number): number {
  if ((effectsOf(events, event) & COMMITS) === 0) return event;
  const isSame = (e: number): boolean =>
    events.get(e, ev.E_THREAD) === events.get(event, ev.E_THREAD) &&
    events.get(e, ev.E_INDEX) === events.get(event, ev.E_INDEX);
  let origin = event - 1;
  while (!isSame(origin)) origin--;
  return origin;
}

function place(location: Location | undefined): Warning['places'] {
  return location === undefined ? [] : [{ file: location.file, line: location.line, column: location.column }];
}

function compare(a: Location | undefined, b: Location | undefined): number {
  if (a === undefined || b === undefined) return 0;
  return a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1;
}
