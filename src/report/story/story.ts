/**
 * The story of an execution: one row of plain data per event, recorded while a machine runs it. All views of an
 * execution, in whatever form, are made from these rows.
 */

import type { ProgramError } from '../../machine/code/error.ts';
import { findWaits } from '../../machine/describe/deadlock.ts';
import { describeBuffers, describeEvent, startFunction, threadTitle } from '../../machine/describe/describe.ts';
import { failedAccess } from '../../machine/describe/failed-access.ts';
import { eventName, locationName } from '../../machine/describe/names.ts';
import { Naming } from '../../machine/describe/naming.ts';
import { programError } from '../../machine/describe/program-error.ts';
import {
  BARRIER,
  BYTES,
  CHOOSES,
  COMMITS,
  CREATES,
  effectsOf,
  FREES,
  JOINS,
  OBJECT,
  OVERWRITTEN_HIGH,
  OVERWRITTEN_LOW,
  READS,
  SLEEPS,
  WAKES,
  WRITES,
  WRITTEN_HIGH,
  WRITTEN_LOW,
} from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Pending } from '../../machine/memory/memory.ts';
import { FINISHED, T_STATUS } from '../../machine/state/layout.ts';
import { SC } from '../../models/sc.ts';
import { messageText } from '../../program/error-text.ts';
import { titleOf } from '../../program/title.ts';
import { ORDERS } from '../../program/types.ts';
import { INITIAL, type ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import { asCode } from '../../util/code-text.ts';
import type { SourceLines } from '../source-lines.ts';
import type { EndReport, EventReport, JsonValue, ThreadReport, TraceReport, WaitingStore } from '../trace-schema.ts';
import { findAsides } from './asides.ts';
import { AtomicSteps } from './atomic-steps.ts';
import { edgesOf } from './edges.ts';
import type { ToldPlace } from './event-words.ts';
import { completedTrace, explain } from './explain.ts';
import { frameValues, mentioned } from './local-values.ts';
import { isNewer } from './newer-stores.ts';
import { Places } from './places.ts';
import { Stacks } from './stacks.ts';
import { missedBy } from './stale-loads.ts';
import { userPlace } from './user-place.ts';

/** The writes that come after `source` in store order and before the read in the execution. */
function newerWrites(trace: ShashaSnirTrace, read: number, source: number): readonly number[] {
  const [place] = trace.placesOf(read);
  const order = trace.storeOrders().find(({ address }) => address === place?.location)?.writes ?? [];
  return order.slice(source === INITIAL ? 0 : order.indexOf(source) + 1).filter((write) => write < read);
}

type Row = { -readonly [K in keyof EventReport]: EventReport[K] };

export class Story {
  private readonly machine: Machine;
  private readonly source: SourceLines | undefined;
  private readonly naming: Naming;
  private readonly places: Places;
  private readonly stacks: Stacks;
  private readonly atomicSteps: AtomicSteps;
  private readonly rows: Row[] = [];
  private readonly threads: ThreadReport[] = [];
  /** The slots of `threads`, in the same order. */
  private readonly slots: number[] = [];
  /** Names of the events that end objects; their updates have the same names. */
  private readonly frees = new Set<string>();
  private printed = 0;

  constructor(machine: Machine, source?: SourceLines) {
    this.machine = machine;
    this.source = source;
    this.naming = new Naming(machine);
    this.places = new Places(machine, this.naming);
    this.stacks = new Stacks(machine, source);
    this.atomicSteps = new AtomicSteps(machine, this.naming);
    machine.program.roots.forEach((_, slot) => {
      this.addThread(slot, {});
    });
  }

  private addThread(slot: number, place: { file?: string; line?: number }): void {
    const name = startFunction(this.machine, slot);
    this.slots.push(slot);
    const thread = threadTitle(this.machine, slot);
    this.threads.push({ thread, ...(name === undefined ? {} : { function: name }), ...place });
  }

  /** Adds the row of the event that the machine has just produced. */
  observe(event: number): void {
    const { machine, source: sources } = this;
    const { events, code, program, printer } = machine;
    const told = this.atomicSteps.observe(event);
    const { name, thread, kind, effect, source } = describeEvent(machine, event, this.naming);
    const site = code.sites[events.get(event, ev.E_SITE)]!;
    const text = source?.text ?? (source === undefined ? undefined : sources?.(source.file, source.line)?.trim());
    const printed = printer.output
      .slice(this.printed)
      .map((output) => output.text)
      .join('');
    this.printed = printer.output.length;
    const isC = program.roots.length === 1;
    const access = this.access(event);
    const stack = this.stacks.observe(event, name);
    if (!failedAccess(machine)) {
      this.places.observe(event, told === 'step' ? access.location : undefined, access.address);
    }
    const row: Row = {
      event: name,
      thread,
      kind,
      effect,
      ...(source === undefined ? {} : { file: source.file, line: source.line, column: source.column }),
      ...(isC ? { function: titleOf(program.functions[site.func]!) } : {}),
      ...(isC && stack !== undefined ? { stack } : {}),
      ...(text === undefined ? {} : { text }),
      ...access,
      ...(printed === '' ? {} : { printed }),
      buffers: describeBuffers(machine, this.naming),
    };
    this.atomicSteps.tell(event, told, row);
    this.rows.push(row);
    if ((effectsOf(events, event) & CREATES) !== 0) {
      this.addThread(
        events.get(event, ev.E_OTHER),
        source === undefined ? {} : { file: source.file, line: source.line },
      );
    }
  }

  /** What was accessed, and how. */
  private access(event: number): Partial<EventReport> {
    const { machine, naming } = this;
    const field = (f: number): number => machine.events.get(event, f);
    const size = field(ev.E_SIZE);
    const address = field(ev.E_ADDRESS);
    const has = (flag: number): boolean => (field(ev.E_FLAGS) & flag) !== 0;
    const value = (low: number, high: number) => naming.value(field(ev.E_SITE), size, field(low), field(high));
    const order = ORDERS[field(ev.E_ORDER)]!;
    const place = {
      location: naming.place(address, field(ev.E_SITE)),
      address: locationName(machine, address),
      ...(order === 'plain' ? {} : { order }),
    };
    const does = effectsOf(machine.events, event);
    const other = () => (field(ev.E_OTHER) < 0 ? {} : { other: threadTitle(machine, field(ev.E_OTHER)) });
    if ((does & CHOOSES) !== 0) return { read: field(ev.E_CHOICE) };
    if ((does & (CREATES | JOINS)) !== 0) return other();
    if ((does & BYTES) !== 0) return { ...place, ...this.bytes(event, does, value) };
    if ((does & OBJECT) === 0) return (does & BARRIER) === 0 || order === 'plain' ? {} : { order };
    const { location, address: name } = place;
    const unlocks = (does & SLEEPS) === 0 ? {} : { unlocks: locationName(machine, field(ev.E_MUTEX)) };
    const woken = (does & WAKES) !== 0 && has(ev.SUCCEEDED) ? other() : {};
    return { location, address: name, ...unlocks, ...woken, ...this.holder(event) };
  }

  /** For a failed attempt to lock: the thread that holds the mutex. */
  private holder(event: number): Pick<EventReport, 'other'> {
    const { machine } = this;
    const { events, operations } = machine;
    const isAttempt = events.get(event, ev.E_KIND) === ev.TRYLOCK_EVENT;
    if (!isAttempt || (events.get(event, ev.E_FLAGS) & ev.SUCCEEDED) !== 0) return {};
    const holder = operations.syncs.holder(events.get(event, ev.E_ADDRESS));
    return holder < 0 ? {} : { other: threadTitle(machine, holder) };
  }

  /** What the event did to memory: the values that it read and wrote, or the block that it ended. */
  private bytes(event: number, does: number, value: (low: number, high: number) => JsonValue): Partial<EventReport> {
    const { machine } = this;
    const { words } = machine.events;
    const at = event * ev.EVENT_WORDS;
    const kind = words[at + ev.E_KIND]!;
    const address = words[at + ev.E_ADDRESS]!;
    const isInMemory = (words[at + ev.E_FLAGS]! & ev.WROTE_MEMORY) !== 0 || (does & COMMITS) !== 0;
    if ((does & FREES) !== 0) {
      this.frees.add(eventName(machine, event));
      const block = this.naming.block(address)?.name;
      return { ...(block === undefined ? {} : { location: block }), ...(isInMemory ? {} : { buffered: true }) };
    }
    // The commit of a free writes no value.
    if ((does & COMMITS) !== 0 && this.frees.has(eventName(machine, event))) return {};
    const wrote = { wrote: value(WRITTEN_LOW[kind]!, WRITTEN_HIGH[kind]!) };
    const overwrote = { overwrote: value(OVERWRITTEN_LOW[kind]!, OVERWRITTEN_HIGH[kind]!) };
    if ((does & READS) === 0) return { ...wrote, ...(isInMemory ? overwrote : this.buffered(event)) };
    const read = { read: value(ev.E_READ_LOW, ev.E_READ_HIGH) };
    if ((does & WRITES) !== 0) return { ...read, ...(isInMemory ? { ...wrote, ...overwrote } : {}) };
    if ((words[at + ev.E_FLAGS]! & ev.FORWARDED) !== 0) return { ...read, forwarded: true };
    const stale = this.waiting(words[at + ev.E_THREAD]!, address, words[at + ev.E_SIZE]!);
    // Under an axiomatic model, `newer` has this information.
    const missed = machine.description.isAxiomatic ? undefined : this.missed(event);
    return { ...read, ...(stale.length === 0 ? {} : { stale }), ...(missed === undefined ? {} : { missed }) };
  }

  private buffered(event: number): Partial<EventReport> {
    const { machine, naming } = this;
    const { events, state } = machine;
    const last = machine.memory.pending(events.get(event, ev.E_THREAD)).at(-1);
    const size = events.get(event, ev.E_SIZE);
    state.read(events.get(event, ev.E_ADDRESS), size);
    const memory = naming.value(events.get(event, ev.E_SITE), size, state.low, state.high);
    const barriers = last?.barriers ?? 0;
    return { buffered: true, memory, ...(barriers > 0 ? { barriers } : {}) };
  }

  /** The write in memory that a stale load did not see. */
  private missed(event: number): WaitingStore | undefined {
    const { machine, naming } = this;
    const { events } = machine;
    const write = missedBy(events, event)?.last;
    if (write === undefined) return undefined;
    const kind = events.get(write, ev.E_KIND);
    const [low, high] = [events.get(write, WRITTEN_LOW[kind]!), events.get(write, WRITTEN_HIGH[kind]!)];
    return {
      event: eventName(machine, write),
      thread: threadTitle(machine, events.get(write, ev.E_THREAD)),
      value: naming.value(events.get(write, ev.E_SITE), events.get(write, ev.E_SIZE), low, high),
    };
  }

  /**
   * The newest store to these bytes in each other thread's buffer, if it is newer than the value in memory; rather one
   * with another value: where `flag = 1` and then `flag = 0` wait, a reader of 0 has missed the 1.
   */
  private waiting(reader: number, address: number, size: number): WaitingStore[] {
    const { machine, naming } = this;
    const found: WaitingStore[] = [];
    for (const slot of machine.processes.slotsInNameOrder) {
      if (slot === reader) continue;
      const stores = machine.memory
        .pending(slot)
        .filter((p) => !p.frees && p.address < address + size && address < p.address + p.size);
      machine.state.read(address, size);
      const { low, high } = machine.state;
      const isSame = (p: Pending): boolean =>
        p.address === address && p.size === size && p.low === low && (size < 8 || p.high === high);
      const store = stores.findLast((p) => !isSame(p)) ?? stores.at(-1);
      if (store === undefined || !isNewer(machine.events, slot, store, address, size)) continue;
      found.push({
        event: `${machine.processes.threadName(slot)}#${store.store}`,
        thread: threadTitle(machine, slot),
        value: naming.value(store.site, store.size, store.low, store.high),
      });
    }
    return found;
  }

  /**
   * The whole story; the machine must be at the end of the execution. `asWritten`, a machine at the end of the same
   * execution of the unsimplified program, adds the values of local variables to failing assertions.
   */
  finish(schedule: string, asWritten?: Machine): TraceReport {
    const { machine, rows } = this;
    const trace = completedTrace(machine);
    this.addSources(trace);
    const last = rows.at(-1);
    if (last !== undefined && failedAccess(machine)) {
      delete last.read;
      delete last.overwrote;
      if (last.kind !== 'update') delete last.wrote;
      delete last.buffered;
    }
    this.atomicSteps.finish();
    const asides = findAsides(machine);
    rows.forEach((row, e) => {
      if (asides.has(e)) row.aside = true;
    });
    const firstThread = machine.program.roots.length === 1 ? rows.findIndex(({ kind }) => kind === 'spawn') : 0;
    return {
      schedule,
      threads: this.threads.map((thread, i) =>
        machine.threads.get(this.slots[i]!, T_STATUS) === FINISHED ? { ...thread, ended: true } : thread,
      ),
      events: rows,
      ...(firstThread > 0 ? { setUp: firstThread } : {}),
      ends: this.ends(asWritten),
      ...(machine.model === SC.name
        ? {}
        : explain(machine, trace, this.naming, (event) => this.toldPlace(event), this.source)),
      edges: edgesOf(trace),
      places: this.places.report,
      blocks: this.naming.blocks,
      output: machine.printer.output.map((o) => o.text).join(''),
    };
  }

  private toldPlace(event: number): ToldPlace | undefined {
    const row = this.rows[event];
    const { file, line, stack } = row === undefined ? {} : userPlace(row);
    const isWrapped = row !== undefined && stack!.length < (row.stack ?? []).length;
    if (!isWrapped || file === undefined || line === undefined) return undefined;
    return { file, line, wrapper: row.stack![0]!.function };
  }

  private ends(asWritten: Machine | undefined): readonly EndReport[] {
    const { machine } = this;
    const error = programError(machine);
    machine.enabled();
    if (error?.thread !== undefined) {
      const { thread, kind, message, file, line } = error;
      const what = kind === 'assertion' ? `the assertion fails: ${messageText(error)}` : message;
      const place = file === undefined ? {} : this.quote(file, line!);
      return [{ thread, what, ...place, ...this.inside(error, asWritten) }];
    }
    if (machine.outcome !== 'deadlock' && machine.outcome !== 'blocked') return [];
    return findWaits(machine).map(({ thread, text, site, address, holder, read }) => {
      const location = machine.code.sites[site]?.instruction.location;
      const place = location === undefined ? {} : this.quote(location.file, location.line);
      const awaited = {
        ...(address === undefined ? {} : { waitsFor: locationName(machine, address) }),
        ...(holder === undefined ? {} : { waitsForThread: threadTitle(machine, holder) }),
      };
      const what = `waits forever ${text}${read === undefined ? '' : this.staying(read)}`;
      const stack = holder === undefined ? undefined : this.stacks.now(thread);
      const calls = stack === undefined ? {} : { stack };
      return { thread: threadTitle(machine, thread), what, ...place, ...awaited, ...calls };
    });
  }

  /** ``: `state` stays 1``, at the end of a loop that keeps reading it. */
  private staying(event: number): string {
    const { machine, naming } = this;
    const { events, state } = machine;
    // In an execution graph, the value in memory says little.
    const isRead = (effectsOf(events, event) & (READS | WRITES)) === READS;
    if (!isRead || machine.description.isAxiomatic) return '';
    const [address, size, site] = [ev.E_ADDRESS, ev.E_SIZE, ev.E_SITE].map((f) => events.get(event, f)) as [
      number,
      number,
      number,
    ];
    state.read(address, size);
    return `: ${asCode(naming.place(address, site))} stays ${naming.value(site, size, state.low, state.high)}, since no other thread will change it`;
  }

  /** The calls that lead to an error and, for an assertion, the values that it mentions. */
  private inside(
    { kind, thread, message, file, line }: ProgramError,
    asWritten: Machine | undefined,
  ): Pick<EndReport, 'values' | 'stack'> {
    const slot = this.slots[this.threads.findIndex((t) => t.thread === thread)];
    if (asWritten === undefined || slot === undefined) return {};
    const frames = frameValues(asWritten, slot, this.naming);
    const stack = frames.map(({ call }) => call);
    const own = this.rows.filter((row) => row.thread === thread && row.kind !== 'update');
    const before = own.findLastIndex((row) => row.file !== file || row.line !== line);
    const values = kind === 'assertion' ? mentioned(message, own.slice(before + 1), frames[0]?.locals ?? []) : [];
    return { ...(values.length > 0 ? { values } : {}), ...(stack.length > 1 ? { stack } : {}) };
  }

  private quote(file: string, line: number): Pick<EndReport, 'file' | 'line' | 'text'> {
    const text = this.source?.(file, line)?.trim();
    return { file, line, ...(text === undefined ? {} : { text }) };
  }

  private addSources(trace: ShashaSnirTrace): void {
    this.rows.forEach((row, e) => {
      // An access that failed is not in the trace.
      if (e >= trace.events.length) return;
      const [source = INITIAL] = trace.sourcesOf(e);
      if (source !== INITIAL) row.from = this.rows[source]!.event;
      if (this.machine.description.isAxiomatic && row.read !== undefined && row.location !== undefined)
        row.newer = newerWrites(trace, e, source).map((write) => this.rows[write]!.event);
    });
  }
}
