/** Writes the log of an execution that an SC machine has run. */

import { variableName } from '../../machine/describe/describe.ts';
import { EFFECTS, NAMES_THREAD, SLEEPS, WAKES } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { SC } from '../../models/sc.ts';
import { printLocation } from '../../program/location.ts';
import { ORDERS } from '../../program/types.ts';
import { Addresses } from './addresses.ts';
import { Possible } from './possible.ts';
import { AWAITED, emptyEvent, type LogListener, NOBODY, OPERATION_NAMES, SUCCEEDED, WROTE } from './record.ts';

const SEQ_CST = ORDERS.indexOf('seq_cst');
const RELEASE = ORDERS.indexOf('release');

export function record(machine: Machine, log: LogListener): void {
  if (machine.model !== SC.name) throw new Error('logs are of SC executions');
  const { events, code } = machine;
  const entry = emptyEvent();
  const sites = new Set<number>();
  const named = new Set<number>();
  let count = 0;
  const addresses = new Addresses(() => `event ${count}`);
  const possible = new Possible(addresses, (address) => variableName(machine, address));
  for (let e = 0; e < events.length; e++) {
    const field = (f: number): number => events.get(e, f);
    const kind = field(ev.E_KIND);
    // Choices and the end of the program mean nothing to monitors.
    if (OPERATION_NAMES[kind] === undefined) continue;
    const site = field(ev.E_SITE) + 1;
    const location = code.sites[site - 1]!.instruction.location;
    if (!sites.has(site) && location !== undefined) log.site(site, printLocation(location));
    sites.add(site);
    const address = field(ev.E_ADDRESS);
    if (address > 0 && !named.has(address)) log.name(address, variableName(machine, address));
    named.add(address);
    const does = EFFECTS[kind]!;
    const isWait = (does & SLEEPS) !== 0;
    if (isWait && !named.has(field(ev.E_MUTEX))) log.name(field(ev.E_MUTEX), variableName(machine, field(ev.E_MUTEX)));
    if (isWait) named.add(field(ev.E_MUTEX));
    const flags = field(ev.E_FLAGS);
    const awaits = kind === ev.RMW_EVENT && (flags & ev.BLOCKS) !== 0;
    const hasOther = (does & NAMES_THREAD) !== 0 && ((does & WAKES) === 0 || (flags & ev.SUCCEEDED) !== 0);
    entry.operation = kind;
    // Here the fence of a seq_cst store is a separate event.
    const order = kind === ev.RMW_EVENT ? field(ev.E_WAIT) : field(ev.E_ORDER);
    entry.order = kind === ev.STORE_EVENT && order === SEQ_CST ? RELEASE : order;
    entry.flags =
      ((flags & ev.WROTE_MEMORY) === 0 ? 0 : WROTE) |
      ((flags & ev.SUCCEEDED) === 0 ? 0 : SUCCEEDED) |
      (awaits ? AWAITED : 0);
    entry.predicate = awaits ? field(ev.E_PREDICATE) : 0;
    entry.thread = field(ev.E_THREAD);
    entry.other = hasOther && field(ev.E_OTHER) >= 0 ? field(ev.E_OTHER) : NOBODY;
    entry.site = location === undefined ? 0 : site;
    entry.size = field(ev.E_SIZE);
    entry.address = address;
    entry.value = isWait
      ? field(ev.E_MUTEX)
      : awaits
        ? field(ev.E_BOUND) >>> 0
        : kind === ev.STORE_EVENT && entry.size === 4
          ? field(ev.E_OLD_LOW) >>> 0
          : 0;
    const wrong = possible.impossible(entry, ++count);
    if (wrong === undefined) log.event(entry);
    // Misuse of a mutex or thread that ended the execution: the operation did not happen.
    else if (e < events.length - 1) throw new Error(`event ${count} is impossible: ${wrong}`);
  }
}
