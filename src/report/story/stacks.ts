/**
 * The call stack at each event. A machine has taken its step when a story hears of it, and may have returned from the
 * function by then; so the calls of a thread are kept from before: other threads do not change them.
 */
import { callsOf } from '../../machine/describe/describe.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import type { CallReport } from '../trace-schema.ts';

/** Deeper ones, of recursive functions, end in a call of `…`. */
const DEEPEST = 32;

export class Stacks {
  private readonly machine: Machine;
  /** By thread: the places of its calls before its next step. */
  private readonly calls = new Map<number, readonly number[]>();
  /** Of stores: their updates have the same names. */
  private readonly stores = new Map<string, readonly CallReport[]>();

  constructor(machine: Machine) {
    this.machine = machine;
    machine.program.roots.forEach((_, slot) => {
      this.keep(slot);
    });
  }

  /** Innermost first, without our library; `undefined` if it is one function, or not known. */
  observe(event: number, name: string): readonly CallReport[] | undefined {
    const { machine } = this;
    const { events } = machine;
    if (events.get(event, ev.E_KIND) === ev.UPDATE_EVENT) return this.stores.get(name);
    const slot = events.get(event, ev.E_THREAD);
    const sites = this.calls.get(slot) ?? [];
    this.keep(slot);
    if (events.get(event, ev.E_KIND) === ev.SPAWN_EVENT) this.keep(events.get(event, ev.E_OTHER));
    // Steps that leave no event have moved the thread on: better no stack than a wrong one.
    if (sites[0] !== events.get(event, ev.E_SITE)) return undefined;
    const known = sites.slice(0, DEEPEST).flatMap((site) => this.call(site));
    const stack = sites.length > DEEPEST ? [...known, { function: '…' }] : known;
    if (stack.length < 2) return undefined;
    this.stores.set(name, stack);
    return stack;
  }

  private keep(slot: number): void {
    if (slot >= 0) this.calls.set(slot, callsOf(this.machine, slot, DEEPEST + 1));
  }

  private call(site: number): readonly CallReport[] {
    const { code, program } = this.machine;
    const found = code.sites[site];
    const func = program.functions[found?.func ?? -1];
    if (found === undefined || func === undefined || func.isLibrary === true) return [];
    const { location } = found.instruction;
    return [{ function: func.name, ...(location === undefined ? {} : { file: location.file, line: location.line }) }];
  }
}
