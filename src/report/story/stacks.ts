/**
 * The call stack at each event. When a story observes an event, the machine has taken the step already and may have
 * left the function. So each thread's calls are recorded before its step; steps of other threads do not change them.
 */

import { isVisible } from '../../machine/code/loops.ts';
import { callsOf } from '../../machine/describe/describe.ts';
import { CREATES, effectsOf, isUpdate } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { titleOf } from '../../program/title.ts';
import type { SourceLines } from '../source-lines.ts';
import type { CallReport } from '../trace-schema.ts';

/**
 * Deeper stacks keep only the innermost calls and end in a call of `…`: recursive functions have deep ones at thousands
 * of events.
 */
const DEEPEST = 32;
const INNERMOST = 8;

export class Stacks {
  private readonly machine: Machine;
  private readonly source: SourceLines | undefined;
  /** By site. */
  private readonly known = new Map<number, readonly CallReport[]>();
  /** By function. */
  private readonly wrappers = new Map<number, boolean>();
  /** By thread: the sites of its calls before its next step. */
  private readonly calls = new Map<number, readonly number[]>();
  /** Stacks of stores; their updates have the same names. */
  private readonly stores = new Map<string, readonly CallReport[]>();

  constructor(machine: Machine, source?: SourceLines) {
    this.machine = machine;
    this.source = source;
    machine.program.roots.forEach((_, slot) => {
      this.keep(slot);
    });
  }

  /** Innermost first, without our library; `undefined` if it is a single function or unknown. */
  observe(event: number, name: string): readonly CallReport[] | undefined {
    const { machine } = this;
    const { events } = machine;
    if (isUpdate(events, event)) return this.stores.get(name);
    const slot = events.get(event, ev.E_THREAD);
    const sites = this.calls.get(slot) ?? [];
    this.keep(slot);
    if ((effectsOf(events, event) & CREATES) !== 0) this.keep(events.get(event, ev.E_OTHER));
    const stack = this.told(this.at(events.get(event, ev.E_SITE), sites));
    if (stack !== undefined) this.stores.set(name, stack);
    return stack;
  }

  /** The stack of a thread before its next step, in the form of `observe`. */
  now(slot: number): readonly CallReport[] | undefined {
    return this.told(this.calls.get(slot) ?? []);
  }

  private told(calls: readonly number[]): readonly CallReport[] | undefined {
    const isDeep = calls.length > DEEPEST;
    const known = (isDeep ? calls.slice(0, INNERMOST) : calls).flatMap((site) => this.call(site));
    const stack = isDeep ? [...known, { function: '…' }] : known;
    return stack.length < 2 ? undefined : stack;
  }

  /**
   * The calls at a site, given those before the step. Parts of an operation without an event may have moved the thread
   * within its function; the stack is adjusted only if that function is on it exactly once. Better no stack than a
   * wrong one.
   */
  private at(site: number, sites: readonly number[]): readonly number[] {
    if (sites[0] === site) return sites;
    const { sites: all } = this.machine.code;
    const inside = sites.flatMap((call, k) => (all[call]?.func === all[site]?.func ? [k] : []));
    return inside.length === 1 ? [site, ...sites.slice(inside[0]! + 1)] : [];
  }

  private keep(slot: number): void {
    if (slot >= 0) this.calls.set(slot, callsOf(this.machine, slot, DEEPEST + 1));
  }

  private call(site: number): readonly CallReport[] {
    const known = this.known.get(site) ?? this.describe(site);
    this.known.set(site, known);
    return known;
  }

  private describe(site: number): readonly CallReport[] {
    const { code, program } = this.machine;
    const found = code.sites[site];
    const func = program.functions[found?.func ?? -1];
    if (found === undefined || func === undefined || func.isLibrary === true) return [];
    const { location } = found.instruction;
    const text = location === undefined ? undefined : this.source?.(location.file, location.line)?.trim();
    return [
      {
        function: titleOf(func),
        ...(location === undefined ? {} : { file: location.file, line: location.line }),
        ...(text === undefined ? {} : { text }),
        ...(this.isWrapper(found.func) ? { wrapper: true } : {}),
      },
    ];
  }

  /** Whether the function has exactly one visible instruction and calls nothing. */
  private isWrapper(index: number): boolean {
    let known = this.wrappers.get(index);
    if (known === undefined) {
      const code = this.machine.program.functions[index]!.blocks.flatMap(({ body }) => body);
      known = code.filter(isVisible).length === 1 && !code.some(({ op }) => op === 'call' || op === 'assert');
      this.wrappers.set(index, known);
    }
    return known;
  }
}
