/**
 * Steps through an execution: forward, back, to an event or a line; shows buffers, memory, calls and local variables.
 * Every input line produces lines to print, so it works the same for a person and for a file of commands.
 */
import { createInterface } from 'node:readline';
import { type Schedule, scheduleOf } from '../../explore/schedule.ts';
import { threadTitle } from '../../machine/describe/describe.ts';
import { Naming } from '../../machine/describe/naming.ts';
import { accessesValue } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { textOf } from '../../report/story/cells.ts';
import { frameValues } from '../../report/story/local-values.ts';
import { alignColumns, printable } from '../../report/text.ts';
import type { TraceReport } from '../../report/trace-schema.ts';

const HELP = [
  'n [count]   forward (also: an empty line)',
  'b [count]   back',
  'g number    to the event with this number',
  's, e        to the start, to the end',
  'l           the events around here',
  'w           the stores waiting in buffers',
  'm [name]    memory: all locations of this execution, or those whose names contain this',
  't           the calls of the thread that took this step, with their local variables',
  'p name      the value of a local variable or of memory: p me, p flag[other], p node->next (also: print)',
  'u line      forward to the next step at this line, or file:line; U line goes back',
  'q           quit',
];

interface Place {
  readonly name: string;
  readonly address: number;
  readonly size: number;
  readonly site: number;
}

export class Stepper {
  private readonly machine: Machine;
  private readonly trace: TraceReport;
  private readonly schedule: Schedule;
  private readonly naming: Naming;
  private readonly places: readonly Place[];
  isDone = false;

  /** The machine must be at the end of the execution that `trace` describes. */
  constructor(machine: Machine, trace: TraceReport) {
    this.machine = machine;
    this.trace = trace;
    this.schedule = scheduleOf(machine);
    this.naming = new Naming(machine);
    this.places = this.findPlaces();
    machine.rollback(0);
  }

  private findPlaces(): readonly Place[] {
    const { events } = this.machine;
    const places = new Map<string, Place>();
    for (let e = 0; e < events.length; e++) {
      if (!accessesValue(events, e)) continue;
      const [address, size] = [events.get(e, ev.E_ADDRESS), events.get(e, ev.E_SIZE)];
      const site = events.get(e, ev.E_SITE);
      const key = `${address}+${size}`;
      if (!places.has(key)) places.set(key, { name: this.naming.place(address, site), address, size, site });
    }
    return [...places.values()].sort((a, b) => a.address - b.address);
  }

  get greeting(): readonly string[] {
    return [`${this.schedule.length} events; h for help`, ...this.here()];
  }

  /** Executes an input line; returns what to print. */
  execute(line: string): readonly string[] {
    const [command = '', argument] = line.trim().split(/\s+/);
    const count = argument === undefined ? 1 : Number(argument);
    const { depth } = this.machine;
    switch (command) {
      case '':
      case 'n':
        return Number.isInteger(count) ? this.moveTo(depth + count) : this.wrong(line);
      case 'b':
        return Number.isInteger(count) ? this.moveTo(depth - count) : this.wrong(line);
      case 'g':
        return argument !== undefined && Number.isInteger(count) ? this.moveTo(count) : this.wrong(line);
      case 's':
        return this.moveTo(0);
      case 'e':
        return this.moveTo(this.schedule.length);
      case 'l':
        return this.around();
      case 'w':
        return this.buffers();
      case 'm':
        return this.memory(argument ?? '');
      case 't':
        return this.calls();
      case 'p':
      case 'print':
        return argument === undefined ? this.wrong(line) : this.print(line.trim().slice(command.length).trim());
      case 'u':
      case 'U':
        return this.toLine(argument ?? '', command === 'u' ? 1 : -1);
      case 'h':
      case 'help':
      case '?':
        return HELP;
      case 'q':
        this.isDone = true;
        return [];
      default:
        return this.wrong(line);
    }
  }

  private wrong(line: string): readonly string[] {
    return [`unknown command "${printable(line.trim())}"; h for help`];
  }

  private moveTo(wanted: number): readonly string[] {
    const { machine, schedule } = this;
    const target = Math.min(schedule.length, Math.max(0, wanted));
    machine.rollback(target);
    while (machine.depth < target) {
      machine.enabled();
      machine.step(schedule[machine.depth]!);
    }
    return this.here();
  }

  private here(): readonly string[] {
    const { depth } = this.machine;
    if (depth === 0) return ['at the start'];
    const ends =
      depth === this.schedule.length ? this.trace.ends.map((e) => `    thread ${e.thread}: ${printable(e.what)}`) : [];
    return [this.describe(depth), ...ends];
  }

  /** Describes event number `n`, from 1. */
  private describe(n: number): string {
    const event = this.trace.events[n - 1]!;
    const where = event.line === undefined ? '' : `${event.file?.split('/').at(-1)}:${event.line}`;
    const source = event.kind === 'update' ? '(commit)' : (event.text ?? '');
    return printable(`${n}  thread ${event.thread}  ${where}  ${source}  ⇒ ${textOf(event)}`);
  }

  private around(): readonly string[] {
    const { depth } = this.machine;
    const first = Math.max(1, depth - 4);
    const last = Math.min(this.schedule.length, depth + 5);
    const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    return numbers.map((n) => `${n === depth ? '>' : ' '} ${this.describe(n)}`);
  }

  private value(site: number, size: number, low: number, high: number): string {
    return String(this.naming.value(site, size, low, high));
  }

  private inMemory({ address, size, site }: Omit<Place, 'name'>): string {
    const { state } = this.machine;
    state.read(address, size);
    return this.value(site, size, state.low, state.high);
  }

  private buffers(): readonly string[] {
    const { machine, naming } = this;
    const lines: string[] = [];
    for (const slot of machine.processes.slotsInNameOrder) {
      for (const { address, size, low, high, site, frees } of machine.memory.pending(slot)) {
        const place = naming.place(address, site);
        const text = frees
          ? `end of ${place}`
          : `${place} = ${this.value(site, size, low, high)} (memory holds ${this.inMemory({ address, size, site })})`;
        lines.push(printable(`thread ${threadTitle(machine, slot)}: ${text}`));
      }
    }
    return lines.length === 0 ? ['no waiting stores'] : lines;
  }

  /** The thread of the last step taken; at the start, the first thread. */
  private get slot(): number {
    const { depth, events } = this.machine;
    return depth === 0 ? 0 : events.get(depth - 1, ev.E_THREAD);
  }

  private calls(): readonly string[] {
    const { machine, naming, slot } = this;
    const lines = frameValues(machine, slot, naming).map(({ call, locals }) => {
      const where = call.line === undefined ? '' : ` at ${call.file?.split('/').at(-1)}:${call.line}`;
      const values = locals.map(({ name, value }) => `${name} = ${value}`).join(', ');
      return printable(`  ${call.function}${where}${values === '' ? '' : `: ${values}`}`);
    });
    const whose = `thread ${threadTitle(machine, slot)}`;
    return lines.length === 0 ? [`${whose} has ended`] : [`${whose}, about to continue:`, ...lines];
  }

  /** A local variable hides a place in memory with the same name. */
  private print(expression: string): readonly string[] {
    const frames = frameValues(this.machine, this.slot, this.naming);
    for (const { call, locals } of frames) {
      const found = locals.find((local) => local.name === expression);
      if (found !== undefined) return [printable(`${expression} = ${found.value} in ${call.function}`)];
    }
    const places = this.placesOf(
      expression,
      new Map(frames.toReversed().flatMap(({ locals }) => locals.map((l) => [l.name, String(l.value)]))),
    );
    if (places.length > 0) return places.map((place) => printable(`${place.name} = ${this.inMemory(place)}`));
    return [`no variable here is called "${printable(expression)}"; t lists local ones, m those in memory`];
  }

  /** Resolves local variables used as indices, and pointers, both local ones and those in memory. */
  private placesOf(expression: string, locals: ReadonlyMap<string, string>): readonly Place[] {
    const name = expression.replace(/\[(\w+)\]/g, (all, index: string) =>
      /^\d/.test(index) ? all : `[${locals.get(index) ?? index}]`,
    );
    const arrow = name.lastIndexOf('->');
    const [pointer, member] =
      arrow < 0 ? [/^\*(.+)$/.exec(name)?.[1], ''] : [name.slice(0, arrow), name.slice(arrow + 2)];
    const called = this.places.filter((place) => place.name === name || place.name.startsWith(`${name} (#`));
    if (pointer === undefined) return called;
    const [target] = this.placesOf(pointer, locals);
    const value = locals.get(pointer) ?? (target === undefined ? '' : this.inMemory(target));
    const whole = value.slice(1);
    if (value.startsWith('&')) return this.placesOf(member === '' ? whole : `${whole}.${member}`, new Map());
    // The places in a block are named after the pointers to it.
    const isOfBlock = (place: Place): boolean =>
      /^#\d+$/.test(value) && / \((#\d+)[^)]*\)$/.exec(place.name)?.[1] === value;
    return this.places.filter((place) => {
      const own = place.name.replace(/ \(#[^)]*\)$/, '');
      return isOfBlock(place) && (member === '' ? own.startsWith('*') : own.endsWith(`->${member}`));
    });
  }

  private toLine(place: string, way: 1 | -1): readonly string[] {
    const [, file = '', line] = /^(?:(.+):)?(\d+)$/.exec(place) ?? [];
    if (line === undefined) return [`expected a line, or file:line, not "${printable(place)}"`];
    const { events } = this.trace;
    for (let n = this.machine.depth + way; n >= 1 && n <= events.length; n += way) {
      const event = events[n - 1]!;
      if (event.line === Number(line) && event.kind !== 'update' && (event.file ?? '').endsWith(file))
        return this.moveTo(n);
    }
    return [`no ${way === 1 ? 'later' : 'earlier'} step is at ${printable(place)}`];
  }

  private memory(part: string): readonly string[] {
    const places = this.places.filter(({ name }) => name.includes(part));
    if (places.length === 0) return [`no location of this execution matches "${printable(part)}"`];
    return alignColumns(places.map((place) => [printable(place.name), `= ${this.inMemory(place)}`]));
  }
}

/** Runs the stepper on standard input and output until the user quits or the input ends. */
export async function stepThrough(stepper: Stepper): Promise<void> {
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, terminal: false });
  const print = (text: readonly string[]): void => {
    process.stdout.write(text.map((line) => `${line}\n`).join('') + (isTerminal ? '> ' : ''));
  };
  print(stepper.greeting);
  for await (const line of lines) {
    print(stepper.execute(line));
    if (stepper.isDone) break;
  }
  lines.close();
}
