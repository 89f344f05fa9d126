/** Writes the readable form of a log (`jsonl.ts`). */
import { PREDICATES } from '../../machine/code/opcodes.ts';
import { ORDERS } from '../../program/types.ts';
import { isPlaceless, VERSION } from './jsonl.ts';
import { AWAITED, type LogEvent, type LogListener, NOBODY, OPERATION_NAMES, SUCCEEDED, WROTE } from './record.ts';

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
