/** Where an object came from and where it ended, for messages about memory errors. */
import { printLocation } from '../program/location.ts';
import { ALIVE_GLOBAL, FREED, O_END_SITE, O_SITE, O_SIZE, O_STATUS, OUT_OF_SCOPE_STATUS } from './layout.ts';
import type { Machine } from './machine.ts';
import { Objects } from './objects.ts';

/** `12 bytes, allocated at a.c:3:5, freed at a.c:9:3`; `undefined` if the address belongs to no such object. */
export function describeObject(machine: Machine, address: number): string | undefined {
  const objects = new Objects(machine.state, machine.layout);
  const object = objects.find(address);
  if (object <= 0) return undefined;
  const status = objects.header(object, O_STATUS);
  if (status === ALIVE_GLOBAL) return undefined;
  const at = (field: number): string => {
    const location = machine.code.sites[objects.header(object, field)]?.instruction.location;
    return location === undefined ? '' : ` at ${printLocation(location)}`;
  };
  const size = objects.header(object, O_SIZE);
  const made = `${size} byte${size === 1 ? '' : 's'}, allocated${at(O_SITE)}`;
  if (status === FREED) return `the object: ${made}, freed${at(O_END_SITE)}`;
  return status === OUT_OF_SCOPE_STATUS ? `the object: ${made}, ended${at(O_END_SITE)}` : `the nearest object: ${made}`;
}
