/**
 * Names of places and values, as every report uses them. Heap blocks, and local variables that other threads may reach,
 * get numbers (`#1`), in order of mention.
 */

import type { Machine } from '../machine.ts';
import { Objects } from '../run/objects.ts';
import { O_SITE, O_SIZE, O_STATUS } from '../state/layout.ts';
import { type EventNames, placeName, printInteger, variableName } from './describe.ts';
import { locationName } from './names.ts';
import { isLocal, localName } from './object-history.ts';

/** A block that has been mentioned. */
interface NamedBlock {
  readonly name: string;
  readonly bytes: number;
  readonly local?: true;
  readonly variable?: string;
  readonly file?: string;
  readonly line?: number;
}

export class Naming implements EventNames {
  private readonly machine: Machine;
  private readonly objects: Objects;
  private readonly numbers = new Map<number, number>();
  private readonly aliases = new Map<number, string>();
  readonly blocks: NamedBlock[] = [];

  constructor(machine: Machine) {
    this.machine = machine;
    this.objects = new Objects(machine.state, machine.layout);
  }

  /** Calls the place by this name from now on. */
  alias(address: number, name: string): void {
    this.aliases.set(address, name);
  }

  /** `flag[0]`, `id[1] (#1)`, `node->next (#2+4)`. */
  place(address: number, site: number): string {
    const { machine } = this;
    const alias = this.aliases.get(address);
    if (alias !== undefined) return alias;
    const own = this.own(address);
    const isNamed = own !== undefined;
    const name = own ?? this.title(address, site);
    const block = this.block(address);
    if (block === undefined) return name;
    const pointer = this.pointer(address, block);
    // A block without a variable has its number, which the report explains.
    if (name === locationName(machine, address) || name.startsWith('block(')) return pointer;
    return `${name} (${isNamed ? block.name : pointer})`;
  }

  /** The same without the block, which only a story explains. */
  title(address: number, site: number): string {
    const own = this.own(address);
    if (own !== undefined) return own;
    if (site >= 0) return placeName(this.machine, address, site);
    return this.isVariable(address) ? variableName(this.machine, address) : '';
  }

  /** The variable's own name, which tells array elements apart; if it has none, the user's expression is better. */
  private own(address: number): string | undefined {
    const name = this.isVariable(address) ? variableName(this.machine, address) : '';
    return name === '' || /[+%@]/.test(name) ? undefined : name;
  }

  private isVariable(address: number): boolean {
    const { machine, objects } = this;
    const object = objects.find(address);
    if (machine.layout.globals.includes(object)) return true;
    return object > 0 && isLocal(objects.header(object, O_STATUS)) && localName(machine, objects, object) !== undefined;
  }

  /** A value that `site` reads or writes: an address by the name of its target, everything else as a signed integer. */
  value(site: number, size: number, low: number, high: number): number | string {
    const isAddress = size === 4 || (size === 8 && high === 0);
    const block = isAddress ? this.block(low) : undefined;
    if (block !== undefined) return this.pointer(low, block);
    const pointee = this.machine.code.sites[site]?.instruction.location?.pointee;
    if (pointee !== undefined && isAddress && this.objects.find(low) > 0) {
      const name = variableName(this.machine, low);
      return `&${withoutEnd(name, pointee)}`;
    }
    const text = printInteger(size, low, high);
    return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  }

  /** What a pointer points to; `undefined` if that has no name. */
  target(low: number, high: number, pointee = ''): number | string | undefined {
    if (low === 0 && high === 0) return 0;
    if (high !== 0) return undefined;
    const block = this.block(low);
    if (block !== undefined) return this.pointer(low, block);
    if (!this.machine.layout.globals.includes(this.objects.find(low))) return undefined;
    return `&${withoutEnd(this.place(low, -1), pointee)}`;
  }

  private pointer(address: number, { name, start }: { name: string; start: number }): string {
    return address === start ? name : `${name}+${address - start}`;
  }

  private local(start: number): Pick<NamedBlock, 'local' | 'variable'> {
    const { machine, objects } = this;
    if (!isLocal(objects.header(start, O_STATUS))) return {};
    const variable = localName(machine, objects, start);
    return { local: true, ...(variable === undefined ? {} : { variable }) };
  }

  /** The heap block, or the local variable that other threads may reach, that contains the address, if any. */
  block(address: number): { name: string; start: number } | undefined {
    const { layout, code } = this.machine;
    const isHeap = address >= layout.heaps && address < layout.heaps + layout.limits.heapBytes * layout.limits.threads;
    const start = isHeap ? this.objects.find(address) : 0;
    if (start <= 0) return undefined;
    let number = this.numbers.get(start);
    if (number === undefined) {
      number = this.numbers.size + 1;
      this.numbers.set(start, number);
      const source = code.sites[this.objects.header(start, O_SITE)]?.instruction.location;
      this.blocks.push({
        name: `#${number}`,
        bytes: this.objects.header(start, O_SIZE),
        ...this.local(start),
        ...(source === undefined ? {} : { file: source.file, line: source.line }),
      });
    }
    return { name: `#${number}`, start };
  }
}

function withoutEnd(name: string, end: string): string {
  return name.endsWith(end) ? name.slice(0, name.length - end.length) : name;
}
