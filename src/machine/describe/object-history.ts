/** Where an object came from and where it ended, for messages about memory errors. */
import { printLocation } from '../../program/location.ts';
import { asCode } from '../../util/code-text.ts';
import type { Machine } from '../machine.ts';
import { Objects } from '../run/objects.ts';
import {
  ALIVE_GLOBAL,
  ALIVE_KEPT,
  ALIVE_STACK,
  FREED,
  GRANULE,
  MEMORY_BASE,
  O_END_SITE,
  O_SITE,
  O_SIZE,
  O_STATUS,
  OUT_OF_SCOPE_STATUS,
  READ_ONLY,
} from '../state/layout.ts';

/** How far from an address to look for the intended object. */
const NEAR = 256;

/** The object that the address belongs to or, if it belongs to none, the nearest one. */
function findNear(objects: Objects, address: number): number {
  const before = search(objects, address, -GRANULE);
  const after = search(objects, address, GRANULE);
  if (before <= 0 || after <= 0) return Math.max(before, after);
  return address - (before + objects.header(before, O_SIZE)) <= after - address ? before : after;
}

function search(objects: Objects, address: number, step: number): number {
  for (let at = address; Math.abs(at - address) < NEAR && at >= MEMORY_BASE; at += step) {
    const object = objects.find(at);
    if (object > 0) return object;
  }
  return 0;
}

/** For an object that is not global: whether it lives, or lived, on a stack. */
export function isLocal(status: number): boolean {
  return status === ALIVE_STACK || status === ALIVE_KEPT || status === OUT_OF_SCOPE_STATUS;
}

/** The name of a local variable; `undefined` if the object has none, such as one from `alloca`. */
export function localName(machine: Machine, objects: Objects, object: number): string | undefined {
  return machine.code.sites[objects.header(object, O_SITE)]?.instruction.location?.variable;
}

function localTitle(name: string | undefined): string {
  return name === undefined ? 'a local object' : `local variable ${asCode(name)}`;
}

function globalTitle(name: string | undefined): string {
  return name === undefined ? 'a variable' : asCode(name);
}

/** `12 bytes, allocated at a.c:3:5, freed at a.c:9:3`; `undefined` if there is no object near the address. */
export function describeObject(machine: Machine, address: number): string | undefined {
  const objects = new Objects(machine.state, machine.layout);
  if (address < MEMORY_BASE || address >= machine.layout.memoryEnd - NEAR) return undefined;
  const object = findNear(objects, address);
  if (object <= 0) return undefined;
  const status = objects.header(object, O_STATUS);
  if (isGlobal(status)) {
    const global = machine.program.globals[machine.layout.globals.indexOf(object)];
    return `the nearest object: ${globalTitle(global?.name)}, ${sizeText(objects.header(object, O_SIZE))}`;
  }
  const made = describeMade(machine, objects, object);
  const ended = siteText(machine, objects.header(object, O_END_SITE));
  if (status === FREED) return `the object: ${made}, freed${ended}`;
  return status === OUT_OF_SCOPE_STATUS ? `the object: ${made}, ended${ended}` : `the nearest object: ${made}`;
}

/** `12 bytes, allocated at a.c:3:5`: the object that has this address; `undefined` if there is none. */
export function describeLive(machine: Machine, address: number): string | undefined {
  const objects = new Objects(machine.state, machine.layout);
  const object = objects.find(address);
  if (object <= 0) return undefined;
  if (!isGlobal(objects.header(object, O_STATUS))) return describeMade(machine, objects, object);
  const global = machine.program.globals[machine.layout.globals.indexOf(object)];
  // A variable with static storage has a value, unless an uninitialised one was copied there.
  return `a copy in ${globalTitle(global?.name)}`;
}

function isGlobal(status: number): boolean {
  return status === ALIVE_GLOBAL || status === READ_ONLY;
}

/** Of an object that is not global: what it is, and where it was made. */
function describeMade(machine: Machine, objects: Objects, object: number): string {
  const size = sizeText(objects.header(object, O_SIZE));
  const at = siteText(machine, objects.header(object, O_SITE));
  if (!isLocal(objects.header(object, O_STATUS))) return `${size}, allocated${at}`;
  return `${localTitle(localName(machine, objects, object))}, ${size}, declared${at}`;
}

function siteText(machine: Machine, site: number): string {
  const location = machine.code.sites[site]?.instruction.location;
  return location === undefined ? '' : ` at ${printLocation(location)}`;
}

function sizeText(size: number): string {
  return `${size} byte${size === 1 ? '' : 's'}`;
}
