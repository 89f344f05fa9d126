/**
 * Readable names for threads, locations and processes, and how to parse them.
 *
 *   thread      0, 0.1, 0.1.2          the i-th thread created by 0.1 is 0.1.i
 *   location    x, a[2], s+4           a global: element or byte offset
 *               ~0.1+16, ^0.1+16       a byte of a thread's stack, of its heap
 *               !0.1+0                 a byte of its thread-local variables
 *   buffer      0.1/ (TSO), 0.1/x (PSO)
 *   event       0.1#3                  the third event of thread 0.1
 */
import * as ev from '../events/event.ts';
import type { Machine } from '../machine.ts';
import { WHOLE_BUFFER } from '../state/process.ts';

/** Characters with a meaning in schedules, and white space, become %xx. */
function escapeName(name: string): string {
  return name.replace(/[^A-Za-z0-9_.$]/g, (c) =>
    [...new TextEncoder().encode(c)].map((b) => `%${b.toString(16).padStart(2, '0')}`).join(''),
  );
}

export function locationName(machine: Machine, address: number): string {
  const { globals, limits } = machine.layout;
  for (let i = globals.length - 1; i >= 0; i--) {
    const global = machine.program.globals[i]!;
    const offset = address - globals[i]!;
    if (global.threadLocal === true || offset < 0 || offset >= global.size) continue;
    const name = escapeName(global.name);
    if (global.element !== undefined && offset % global.element === 0) return `${name}[${offset / global.element}]`;
    return offset === 0 ? name : `${name}+${offset}`;
  }
  for (const { sign, start, size } of threadRegions(machine)) {
    if (size === 0 || address < start || address >= start + size * limits.threads) continue;
    const thread = Math.floor((address - start) / size);
    return `${sign}${machine.processes.threadName(thread)}+${address - start - thread * size}`;
  }
  return `@${address}`;
}

/** The memory regions that every thread has. */
function threadRegions({ layout }: Machine): readonly { sign: string; start: number; size: number }[] {
  return [
    { sign: '^', start: layout.heaps, size: layout.limits.heapBytes },
    { sign: '~', start: layout.stacks, size: layout.limits.stackBytes },
    { sign: '!', start: layout.threadLocals, size: layout.threadLocalBytes },
  ];
}

/** The address of a location name, or -1. */
export function parseLocation(machine: Machine, text: string): number {
  const { globals } = machine.layout;
  const match = /^([^[+]+)(?:\[(\d{1,9})\]|\+(\d{1,9}))?$/.exec(text);
  if (match === null) return -1;
  const base = match[1]!;
  const offset = Number(match[3] ?? 0);
  if (base.startsWith('@')) return /^@\d{1,10}$/.test(base) ? Number(base.slice(1)) : -1;
  for (const { sign, start, size } of threadRegions(machine)) {
    if (!base.startsWith(sign)) continue;
    const thread = parseThread(machine, base.slice(sign.length));
    return thread < 0 || offset >= size ? -1 : start + thread * size + offset;
  }
  const index = machine.program.globals.findIndex((g) => escapeName(g.name) === base);
  const global = machine.program.globals[index];
  if (global === undefined || global.threadLocal === true) return -1;
  const bytes = match[2] === undefined ? offset : Number(match[2]) * (global.element ?? 1);
  return bytes < global.size ? globals[index]! + bytes : -1;
}

/** The slot of a thread name, whether or not the thread exists in the current execution; -1 if the name is invalid. */
export function parseThread(machine: Machine, text: string): number {
  if (!/^\d{1,4}(\.\d{1,4})*$/.test(text)) return -1;
  const parts = text.split('.').map(Number);
  const root = parts[0]!;
  if (root >= machine.program.roots.length) return -1;
  let slot = root;
  for (const child of parts.slice(1)) {
    if (child < 1) return -1;
    slot = machine.processes.childSlot(slot, child);
    if (slot < 0) return -1;
  }
  return slot;
}

export function processName(machine: Machine, process: number): string {
  const { processes } = machine;
  const thread = processes.threadName(processes.owner(process));
  if (processes.isThread(process)) return thread;
  const location = processes.location(process);
  return location === WHOLE_BUFFER ? `${thread}/` : `${thread}/${locationName(machine, location)}`;
}

/** The process of a name, or -1. */
export function parseProcess(machine: Machine, text: string): number {
  const slash = text.indexOf('/');
  const thread = parseThread(machine, slash < 0 ? text : text.slice(0, slash));
  if (thread < 0 || slash < 0) return thread;
  const place = text.slice(slash + 1);
  if (place === '') return machine.processes.wholeBuffer(thread);
  const address = parseLocation(machine, place);
  return address < 0 ? -1 : machine.processes.locationBuffer(thread, address);
}

export function eventName(machine: Machine, event: number): string {
  const thread = machine.processes.threadName(machine.events.get(event, ev.E_THREAD));
  return `${thread}#${machine.events.get(event, ev.E_INDEX)}`;
}
