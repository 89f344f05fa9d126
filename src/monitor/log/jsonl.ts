/**
 * The readable form of a log: one object per line.
 *
 *   {"log": "fencepost/1"}
 *   {"op": "store", "thread": 1, "at": "x", "size": 4, "order": "relaxed", "site": "prog.c:12:3"}
 *
 *   {"name": "y", "at": "0x804a010"}
 *
 * `at` is an address, as a number or as text in hexadecimal, or any other text: the name of a variable (`names.ts`).
 * docs/monitor.md has all fields.
 */

import { PREDICATES } from '../../machine/code/opcodes.ts';
import { BYTES, EFFECTS, OBJECT, SLEEPS } from '../../machine/events/effects.ts';
import { ORDERS } from '../../program/types.ts';
import { Lines } from './lines.ts';
import { addressOf, LateName, NAMED_BASE, NAMED_BYTES, Names } from './names.ts';
import {
  AWAITED,
  emptyEvent,
  LogError,
  type LogEvent,
  type LogListener,
  NOBODY,
  nonsense,
  OPERATIONS,
  SUCCEEDED,
  WROTE,
} from './record.ts';

export const VERSION = 'fencepost/1';

/** Operations without an address. */
export function isPlaceless(operation: number): boolean {
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
  private readonly lines = new Lines((line) => this.read(line));
  private readonly sites = new Map<string, number>();
  private readonly names: Names;

  /** `names`: those known before the first line. */
  constructor(listener: LogListener, names: Names = new Names()) {
    this.listener = listener;
    this.names = names;
    for (const [name, address] of names.declared()) listener.name(address, name);
  }

  push(piece: Uint8Array): void {
    this.lines.push(piece);
  }

  end(): void {
    this.lines.end();
  }

  private read(text: string): void {
    const fields = this.parse(text);
    if (fields === undefined) return;
    if ('name' in fields) this.declare(fields);
    else this.listener.event(this.event(fields));
  }

  /** The fields of a line; `undefined` if it is empty or is the version of the log. */
  private parse(text: string): Record<string, unknown> | undefined {
    if (text.trim() === '') return undefined;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.wrong('is not JSON');
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.wrong('is not an object');
    const fields = value as Record<string, unknown>;
    if ('log' in fields) {
      if (fields['log'] !== VERSION)
        throw this.wrong(`is of version ${JSON.stringify(fields['log'])}, not "${VERSION}"`);
      return undefined;
    }
    return fields;
  }

  private declare(fields: Record<string, unknown>): void {
    const { name, at } = fields;
    if (typeof name !== 'string') throw this.wrong('needs "name": a string');
    const unknown = Object.keys(fields).find((field) => field !== 'name' && field !== 'at');
    if (unknown !== undefined) throw this.wrong(`has the unknown field "${unknown}"`);
    const address = this.address(at, 'at');
    const trouble = this.names.declare(name, address);
    if (trouble === 'again') throw this.wrong(`gives "${name}" another address, after events have used it`);
    if (trouble === 'late') {
      throw new LateName(`line ${this.lines.count} declares "${name}" after events have used it; declare it first`);
    }
    this.listener.name(address, name);
  }

  private event(fields: Record<string, unknown>): LogEvent {
    const unknown = Object.keys(fields).find((name) => !FIELDS.has(name));
    if (unknown !== undefined) throw this.wrong(`has the unknown field "${unknown}"`);
    const entry = emptyEvent();
    const op = String(fields['op']);
    const operation = Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined;
    if (operation === undefined) {
      throw this.wrong(`has an unknown "op"; expected one of ${Object.keys(OPERATIONS).join(', ')}`);
    }
    entry.operation = operation;
    if (fields['at'] === undefined && !isPlaceless(operation)) throw this.wrong('needs "at": what is accessed');
    entry.order = fields['order'] === undefined ? 0 : ORDERS.indexOf(fields['order'] as 'plain');
    if (entry.order < 0) throw this.wrong(`has an unknown "order"; expected one of ${ORDERS.join(', ')}`);
    entry.thread = this.natural(fields, 'thread', NOBODY - 1);
    entry.other = fields['other'] === undefined ? NOBODY : this.natural(fields, 'other', NOBODY - 1);
    const isAccess = (EFFECTS[operation]! & BYTES) !== 0;
    entry.size = fields['size'] !== undefined ? this.natural(fields, 'size', 2 ** 31 - 1) : isAccess ? 4 : 0;
    entry.address = fields['at'] === undefined ? 0 : this.address(fields['at'], 'at');
    this.checkRoom(entry);
    if ((EFFECTS[operation]! & SLEEPS) !== 0 && fields['mutex'] === undefined) {
      throw this.wrong('needs "mutex": what the thread releases while it waits');
    }
    entry.value = fields['mutex'] === undefined ? 0 : this.address(fields['mutex'], 'mutex');
    if (fields['old'] !== undefined) entry.value = this.integer(fields['old'], 'old');
    if (this.truth(fields, 'wrote')) entry.flags |= WROTE;
    if (this.truth(fields, 'succeeded')) entry.flags |= SUCCEEDED;
    if (fields['awaits'] !== undefined) this.setAwaits(entry, fields['awaits']);
    if (fields['site'] !== undefined) entry.site = this.site(String(fields['site']));
    const wrong = nonsense(entry);
    if (wrong !== undefined) throw this.wrong(wrong);
    return entry;
  }

  /** A name without an address has limited room; real addresses must end below those places. */
  private checkRoom({ address, size }: LogEvent): void {
    if (address < NAMED_BASE ? address + size <= NAMED_BASE : size <= NAMED_BYTES) return;
    throw this.wrong(
      address < NAMED_BASE
        ? 'accesses memory beyond address 2^52'
        : `has ${size} bytes at a name without an address: at most ${NAMED_BYTES}, or declare its address`,
    );
  }

  private truth(fields: Record<string, unknown>, name: string): boolean {
    const value = fields[name] ?? true;
    if (typeof value === 'boolean') return value;
    throw this.wrong(`needs "${name}": true or false`);
  }

  private setAwaits(entry: LogEvent, awaits: unknown): void {
    const [predicate, bound] = Array.isArray(awaits) ? awaits : [];
    entry.predicate = PREDICATES.indexOf(String(predicate));
    if (entry.predicate < 0) throw this.wrong('needs "awaits": [predicate, bound]');
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
    throw this.wrong(`needs "${name}": a whole number`);
  }

  private address(value: unknown, name: string): number {
    const known = addressOf(value);
    if (known !== undefined) return known;
    if (typeof value !== 'string') throw this.wrong(`needs "${name}": an address or a name`);
    if (/^0x[0-9a-f]+$/i.test(value)) {
      throw this.wrong(
        `has "${name}" ${value}, but addresses have at most 52 bits; strip the bits that all addresses share`,
      );
    }
    // Reading a number as a name would make it a different place.
    if (/^\s*[-+]?(0x.*|\d+)\s*$/i.test(value)) {
      throw this.wrong(`has "${name}" "${value}": an address is a number, or 0x and hexadecimal digits as text`);
    }
    const isNew = !this.names.has(value);
    const address = this.names.use(value);
    if (address === undefined) throw this.wrong(`has "${name}" "${value}", which is the name of several addresses`);
    if (isNew) this.listener.name(address, value);
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
    return new LogError(`line ${this.lines.count} ${what}`);
  }
}
