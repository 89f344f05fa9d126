/** Describes an event in a sentence about an execution: which thread did what, and where. */
import { describeEvent, threadTitle } from '../../machine/describe/describe.ts';
import type { Naming } from '../../machine/describe/naming.ts';
import {
  accessesValue,
  accessKind,
  accessOf,
  EVENT_NAMES,
  effectsOf,
  FREES,
  WRITES,
} from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Location } from '../../program/location.ts';
import type { ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import { asCode } from '../../util/code-text.ts';
import { listText } from '../../util/list-text.ts';
import type { SourceLines } from '../source-lines.ts';
import type { EventPlace } from '../trace-schema.ts';

/** A call of a wrapper: a function that makes one access and does little else. */
export interface ToldPlace {
  readonly file: string;
  readonly line: number;
  readonly wrapper: string;
}

/** `FENCE();`, `smp_mb();`: a macro or a function without arguments. */
const LOOKS_LIKE_FENCE = /^[A-Za-z_]\w*\s*\(\s*\)\s*;$/;
/** With more of them, the hint says little. */
const MAX_FENCES = 3;

export class EventWords {
  protected readonly machine: Machine;
  protected readonly trace: ShashaSnirTrace;
  protected readonly naming: Naming;
  protected readonly placeOf: (event: number) => ToldPlace | undefined;
  /** Whether lines are given with their files, because there are several files. */
  protected readonly hasFiles: boolean;

  private readonly text: SourceLines | undefined;

  constructor(
    machine: Machine,
    trace: ShashaSnirTrace,
    naming: Naming,
    placeOf: (event: number) => ToldPlace | undefined,
    text?: SourceLines,
  ) {
    this.text = text;
    this.placeOf = placeOf;
    this.machine = machine;
    this.trace = trace;
    this.naming = naming;
    const files = new Set<string | undefined>();
    for (let e = 0; e < machine.events.length; e++) files.add(this.source(e)?.file);
    files.delete(undefined);
    this.hasFiles = files.size > 1;
  }

  place(event: number): EventPlace {
    const { name, thread, effect, source } = describeEvent(this.machine, event, this.naming);
    return { event: name, thread, effect, ...(source === undefined ? {} : { file: source.file, line: source.line }) };
  }

  /** A litmus test, which is not C, has several threads from the start. */
  protected get isC(): boolean {
    return this.machine.program.roots.length === 1;
  }

  protected source(event: number): Location | undefined {
    return this.machine.code.sites[this.trace.events.get(event, ev.E_SITE)]?.instruction.location;
  }

  /** Where people look for the event; `undefined` in a litmus test, whose lines are not statements. */
  protected told(event: number): { readonly file: string; readonly line: number } | undefined {
    return this.isC ? (this.placeOf(event) ?? this.source(event)) : undefined;
  }

  protected thread(event: number): string {
    return `thread ${threadTitle(this.machine, this.trace.events.get(event, ev.E_THREAD))}`;
  }

  protected kind(event: number): string {
    const kind = this.trace.events.get(event, ev.E_KIND);
    return kind === ev.RMW_EVENT ? 'read-modify-write' : EVENT_NAMES[kind]!;
  }

  protected noun(event: number): string {
    const { events } = this.trace;
    const place = this.location(event);
    if ((effectsOf(events, event) & FREES) !== 0) return `free of ${asCode(place)}`;
    return asCode(`${place} = ${this.value(event, ev.E_STORED_LOW, ev.E_STORED_HIGH)}`);
  }

  /** The value in memory after the write. */
  protected written(event: number): string {
    if (accessKind(this.trace.events, event) === 'write') return this.noun(event);
    return asCode(`${this.location(event)} = ${this.value(event, ev.E_NEW_LOW, ev.E_NEW_HIGH)}`);
  }

  protected verb(event: number): string {
    const { events } = this.trace;
    if (!accessesValue(events, event)) return `did ${asCode(describeEvent(this.machine, event, this.naming).effect)}`;
    if (accessKind(events, event) === 'write') return `wrote ${this.noun(event)}`;
    const read = `read ${asCode(this.location(event))} as ${this.quoted(event, ev.E_READ_LOW, ev.E_READ_HIGH)}`;
    const isWrite = (accessOf(events.words, event * ev.EVENT_WORDS) & WRITES) !== 0;
    return isWrite ? `${read} and made it ${this.quoted(event, ev.E_NEW_LOW, ev.E_NEW_HIGH)}` : read;
  }

  protected location(event: number): string {
    const { events } = this.trace;
    return this.naming.place(events.get(event, ev.E_ADDRESS), events.get(event, ev.E_SITE));
  }

  private value(event: number, low: number, high: number): string {
    const { events } = this.trace;
    const site = events.get(event, ev.E_SITE);
    return String(
      this.naming.value(site, events.get(event, ev.E_SIZE), events.get(event, low), events.get(event, high)),
    );
  }

  /** An address is shown as the name of what is there, as code. */
  private quoted(event: number, low: number, high: number): string {
    const value = this.value(event, low, high);
    return value.startsWith('&') ? asCode(value) : value;
  }

  protected line(event: number): string {
    const source = this.source(event);
    if (source === undefined) return '';
    const told = this.placeOf(event);
    return ` (${told === undefined ? this.lineText(source) : this.calledText(source, told)})`;
  }

  protected calledText(source: { readonly file: string; readonly line: number }, told: ToldPlace): string {
    return `in ${asCode(told.wrapper)}, ${this.lineText(source)}, called in ${this.lineText(told)}`;
  }

  protected lineText({ file, line }: { readonly file: string; readonly line: number }): string {
    return this.hasFiles ? this.number({ file, line }) : `line ${line}`;
  }

  protected number({ file, line }: { readonly file: string; readonly line: number }): string {
    return `${this.hasFiles ? `${file.split('/').at(-1)}:` : ''}${line}`;
  }

  /**
   * `` `FENCE();` in line 27 did not act as a full fence here``: a statement between the two that looks like such a
   * fence but left no instruction there. (A real one, if executed, would have kept them in order.)
   */
  protected noFences(pairs: readonly (readonly [from: number, to: number])[], what: string): string {
    const found = new Map<string, string>();
    for (const [first, second] of pairs) {
      const [from, to] = [this.told(first), this.told(second)];
      if (from === undefined || to === undefined || from.file !== to.file || !this.isOfOne(first, second)) continue;
      for (let line = from.line + 1; line < to.line; line++) {
        const text = this.text?.(from.file, line)?.trim() ?? '';
        if (LOOKS_LIKE_FENCE.test(text) && !this.hasCode(from.file, line))
          found.set(this.lineText({ file: from.file, line }), asCode(text));
      }
    }
    if (found.size === 0 || found.size > MAX_FENCES) return '';
    const texts = [...found].map(([line, text]) => `${text} in ${line}`);
    return ` (${listText(texts)} did not act as ${texts.length === 1 ? `a ${what} fence` : `${what} fences`} here.)`;
  }

  /**
   * Whether both are in one function, as far as is known. Accesses in wrappers count: they are shown at their calls.
   */
  private isOfOne(first: number, second: number): boolean {
    const func = (e: number): number | undefined => this.machine.code.sites[this.trace.events.get(e, ev.E_SITE)]?.func;
    return this.placeOf(first) !== undefined || this.placeOf(second) !== undefined || func(first) === func(second);
  }

  private hasCode(file: string, line: number): boolean {
    return this.machine.code.sites.some(
      ({ instruction: { location } }) => location?.file === file && location.line === line,
    );
  }
}
