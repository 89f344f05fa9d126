/**
 * The readable form of a log: an object per line.
 *
 *   {"log": "fencepost/1"}
 *   {"op": "store", "thread": 1, "at": "x", "size": 4, "order": "relaxed", "site": "prog.c:12:3"}
 *
 *   {"name": "y", "at": "0x804a010"}
 *
 * `at` is an address, as a number or as text in hexadecimal, or any other text: the name of a variable, which then gets an
 * address of its own. docs/monitor.md has all fields.
 */

import { PREDICATES } from '../../machine/code/opcodes.ts';
import { BYTES, EFFECTS, OBJECT } from '../../machine/events/effects.ts';
import { ORDERS } from '../../program/types.ts';
import {
  AWAITED,
  emptyEvent,
  LogError,
  type LogEvent,
  type LogListener,
  NOBODY,
  nonsense,
  OPERATION_NAMES,
  OPERATIONS,
  SUCCEEDED,
  WROTE,
} from './record.ts';

const VERSION = 'fencepost/1';
/** Where variables that are known by name are put: room for each, away from everything real. */
const NAMED_BASE = 2 ** 52;
const NAMED_BYTES = 65_536;
const MAX_LINE = 65_536;

/** Operations on nothing in memory. */
function isPlaceless(operation: number): boolean {
  return (EFFECTS[operation]! & (BYTES | OBJECT)) === 0;
}

const FIELDS = new Set([
  'op',
  'thread',
  'at',
  'size',
  'order',
  'site',
  'other',
  'mutex',
  'wrote',
  'succeeded',
  'awaits',
  'old',
]);

export class JsonLinesReader {
  private readonly listener: LogListener;
  private readonly decoder = new TextDecoder();
  private readonly sites = new Map<string, number>();
  private readonly named = new Map<string, number>();
  private rest = '';
  private line = 0;

  constructor(listener: LogListener) {
    this.listener = listener;
  }

  push(piece: Uint8Array): void {
    const lines = (this.rest + this.decoder.decode(piece, { stream: true })).split('\n');
    this.rest = lines.pop()!;
    if (this.rest.length > MAX_LINE) throw new LogError(`line ${this.line + 1} is longer than ${MAX_LINE} characters`);
    for (const line of lines) this.read(line);
  }

  end(): void {
    if (this.rest !== '') this.read(this.rest);
    if (this.line === 0) throw new LogError('is empty');
  }

  private read(text: string): void {
    this.line++;
    if (text.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.wrong('is not JSON');
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.wrong('is no object');
    const fields = value as Record<string, unknown>;
    if ('log' in fields) {
      if (fields['log'] !== VERSION)
        throw this.wrong(`is of version ${JSON.stringify(fields['log'])}, not "${VERSION}"`);
      return;
    }
    if ('name' in fields) return this.listener.name(this.address(fields['at'], 'at'), String(fields['name']));
    this.listener.event(this.event(fields));
  }

  private event(fields: Record<string, unknown>): LogEvent {
    const unknown = Object.keys(fields).find((name) => !FIELDS.has(name));
    if (unknown !== undefined) throw this.wrong(`has the unknown field "${unknown}"`);
    const entry = emptyEvent();
    const operation = OPERATIONS[String(fields['op'])];
    if (operation === undefined) {
      throw this.wrong(`has no known "op"; there are ${Object.keys(OPERATIONS).join(', ')}`);
    }
    entry.operation = operation;
    if (fields['at'] === undefined && !isPlaceless(operation)) throw this.wrong('needs "at": what is accessed');
    entry.order = fields['order'] === undefined ? 0 : ORDERS.indexOf(fields['order'] as 'plain');
    if (entry.order < 0) throw this.wrong(`has no known "order"; there are ${ORDERS.join(', ')}`);
    entry.thread = this.natural(fields, 'thread', NOBODY - 1);
    entry.other = fields['other'] === undefined ? NOBODY : this.natural(fields, 'other', NOBODY - 1);
    const isAccess = (EFFECTS[operation]! & BYTES) !== 0;
    entry.size = fields['size'] !== undefined ? this.natural(fields, 'size', 2 ** 31 - 1) : isAccess ? 4 : 0;
    entry.address = fields['at'] === undefined ? 0 : this.address(fields['at'], 'at');
    entry.value = fields['mutex'] === undefined ? 0 : this.address(fields['mutex'], 'mutex');
    if (fields['old'] !== undefined) entry.value = this.integer(fields['old'], 'old');
    if (fields['wrote'] !== false) entry.flags |= WROTE;
    if (fields['succeeded'] !== false) entry.flags |= SUCCEEDED;
    if (fields['awaits'] !== undefined) this.setAwaits(entry, fields['awaits']);
    if (fields['site'] !== undefined) entry.site = this.site(String(fields['site']));
    const wrong = nonsense(entry);
    if (wrong !== undefined) throw this.wrong(wrong);
    return entry;
  }

  private setAwaits(entry: LogEvent, awaits: unknown): void {
    const [predicate, bound] = Array.isArray(awaits) ? awaits : [];
    entry.predicate = PREDICATES.indexOf(String(predicate));
    if (entry.predicate < 0) throw this.wrong(`has "awaits" other than [predicate, bound]`);
    entry.value = this.integer(bound, 'awaits');
    entry.flags |= AWAITED;
  }

  private natural(fields: Record<string, unknown>, name: string, max: number): number {
    const value = fields[name];
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value;
    throw this.wrong(`needs "${name}": a whole number from 0 to ${max}`);
  }

  private integer(value: unknown, name: string): number {
    if (typeof value === 'number' && Number.isInteger(value)) return value >>> 0;
    throw this.wrong(`has "${name}" that is no whole number`);
  }

  private address(value: unknown, name: string): number {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < NAMED_BASE) return value;
    if (typeof value !== 'string') throw this.wrong(`has "${name}" that is neither an address nor a name`);
    if (/^0x[0-9a-f]+$/i.test(value)) {
      const address = Number(value);
      if (address < NAMED_BASE) return address;
      throw this.wrong(`has "${name}" ${value}, but an address has up to 52 bits; leave out what is the same in all`);
    }
    let address = this.named.get(value);
    if (address === undefined) {
      address = NAMED_BASE + this.named.size * NAMED_BYTES;
      this.named.set(value, address);
      this.listener.name(address, value);
    }
    return address;
  }

  private site(text: string): number {
    let site = this.sites.get(text);
    if (site === undefined) {
      site = this.sites.size + 1;
      this.sites.set(text, site);
      this.listener.site(site, text);
    }
    return site;
  }

  private wrong(what: string): LogError {
    return new LogError(`line ${this.line} ${what}`);
  }
}

export class JsonLinesWriter implements LogListener {
  private readonly write: (piece: Uint8Array) => void;
  private readonly sites = new Map<number, string>();
  private readonly encoder = new TextEncoder();

  constructor(write: (piece: Uint8Array) => void) {
    this.write = write;
    this.line({ log: VERSION });
  }

  event(event: LogEvent): void {
    const { operation, order, flags, predicate, thread, other, site, size, address, value } = event;
    const name = OPERATION_NAMES[operation]!;
    const text = this.sites.get(site);
    const hasPlace = !isPlaceless(operation);
    this.line({
      op: name,
      thread,
      ...(hasPlace ? { at: hex(address) } : {}),
      ...(size > 0 ? { size } : {}),
      ...(order === 0 ? {} : { order: ORDERS[order] }),
      ...(other === NOBODY ? {} : { other }),
      ...(name === 'wait' ? { mutex: hex(value) } : {}),
      ...(name === 'rmw' && (flags & WROTE) === 0 ? { wrote: false } : {}),
      ...(['trylock', 'signal'].includes(name) && (flags & SUCCEEDED) === 0 ? { succeeded: false } : {}),
      ...((flags & AWAITED) === 0 ? {} : { awaits: [PREDICATES[predicate], value | 0] }),
      ...(name === 'store' && size === 4 ? { old: value | 0 } : {}),
      ...(text === undefined ? {} : { site: text }),
    });
  }

  site(site: number, text: string): void {
    this.sites.set(site, text);
  }

  name(address: number, text: string): void {
    this.line({ name: text, at: hex(address) });
  }

  private line(value: object): void {
    this.write(this.encoder.encode(`${JSON.stringify(value)}\n`));
  }

  end(): void {}
}

function hex(address: number): string {
  return `0x${address.toString(16)}`;
}
