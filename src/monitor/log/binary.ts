/**
 * The compact form of a log: 16 bytes of header, then records of 32 bytes, little-endian. It may arrive in any chunks.
 *
 *   header   "FPLOG" 0 1 0, then 8 unused bytes
 *   record   u8 operation · u8 order · u8 flags · u8 predicate · u16 thread · u16 other · u32 site · u32 size ·
 *            u64 address · u64 value
 *   site     operation 0xf0: names site `site`; its text of `size` bytes follows, padded to whole records
 *   name     operation 0xf1: names the bytes from `address` on; the text follows likewise
 *   module   operation 0xf2: the file whose path is the text that follows was loaded at `address`, which is address
 *            `value` in the file itself; sites from `site` on are bytes of it
 *   end      operation 0: the log ends here. The zeros that follow are space that was reserved for more events
 */
import { emptyEvent, LogError, type LogEvent, type LogListener, nonsense, OPERATION_NAMES } from './record.ts';

export const MAGIC: Uint8Array = Uint8Array.from([0x46, 0x50, 0x4c, 0x4f, 0x47, 0, 1, 0]);
const HEADER_BYTES = 16;
const RECORD_BYTES = 32;
const SITE = 0xf0;
const NAME = 0xf1;
const MODULE = 0xf2;
const END = 0;
const MAX_TEXT = 65_536;
const LAST_ORDER = 6;

export class BinaryReader {
  private readonly listener: LogListener;
  private readonly entry: LogEvent = emptyEvent();
  /** The unread rest of earlier chunks. */
  private rest: Uint8Array = new Uint8Array(0);
  private offset = 0;
  private hasHeader = false;
  private hasEnded = false;
  /** Events read so far. */
  private count = 0;

  constructor(listener: LogListener) {
    this.listener = listener;
  }

  push(piece: Uint8Array): void {
    if (this.hasEnded) return;
    let bytes = piece;
    if (this.rest.length > 0) {
      bytes = new Uint8Array(this.rest.length + piece.length);
      bytes.set(this.rest);
      bytes.set(piece, this.rest.length);
    }
    const used = this.read(bytes);
    this.offset += used;
    this.rest = bytes.slice(used);
  }

  end(): void {
    if (!this.hasHeader) throw new LogError('ends in the middle of its header');
    if (this.rest.length > 0 && !this.hasEnded)
      throw new LogError(`ends in the middle of a record, at byte ${this.offset}`);
  }

  /** Reads all whole records and returns their number of bytes. */
  private read(bytes: Uint8Array): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    if (!this.hasHeader) {
      if (bytes.length < HEADER_BYTES) return 0;
      if (MAGIC.some((byte, i) => bytes[i] !== byte)) throw new LogError('is not a log of this version');
      this.hasHeader = true;
      at = HEADER_BYTES;
    }
    while (at + RECORD_BYTES <= bytes.length) {
      const operation = bytes[at]!;
      if (operation === END) {
        this.hasEnded = true;
        return at;
      }
      if (operation >= SITE && operation <= MODULE) {
        const next = this.readText(bytes, view, at);
        if (next < 0) return at;
        at = next;
      } else {
        this.readEvent(bytes, view, at);
        at += RECORD_BYTES;
      }
    }
    return at;
  }

  private readEvent(bytes: Uint8Array, view: DataView, at: number): void {
    const { entry } = this;
    this.count++;
    entry.operation = bytes[at]!;
    entry.order = bytes[at + 1]!;
    if (OPERATION_NAMES[entry.operation] === undefined || entry.order > LAST_ORDER) {
      throw this.wrong(at, 'is not an event');
    }
    entry.flags = bytes[at + 2]!;
    entry.predicate = bytes[at + 3]!;
    entry.thread = view.getUint16(at + 4, true);
    entry.other = view.getUint16(at + 6, true);
    entry.site = view.getUint32(at + 8, true);
    entry.size = view.getUint32(at + 12, true);
    entry.address = wide(view, at + 16);
    entry.value = wide(view, at + 24);
    const wrong = nonsense(entry);
    if (wrong !== undefined) throw this.wrong(at, wrong);
    this.listener.event(entry);
  }

  private wrong(at: number, what: string): LogError {
    return new LogError(`has a record at byte ${this.offset + at}, event ${this.count}, that ${what}`);
  }

  /** The end of the text's records; -1 if not all of them are there yet. */
  private readText(bytes: Uint8Array, view: DataView, at: number): number {
    const length = view.getUint32(at + 12, true);
    if (length > MAX_TEXT) throw new LogError(`has a text of ${length} bytes at byte ${this.offset + at}`);
    const start = at + RECORD_BYTES;
    const end = start + Math.ceil(length / RECORD_BYTES) * RECORD_BYTES;
    if (end > bytes.length) return -1;
    const text = new TextDecoder().decode(bytes.subarray(start, start + length));
    const site = view.getUint32(at + 8, true);
    const address = wide(view, at + 16);
    if (bytes[at] === SITE) this.listener.site(site, text);
    else if (bytes[at] === NAME) this.listener.name(address, text);
    else this.listener.module?.({ first: site, start: address, low: wide(view, at + 24), path: text });
    return end;
  }
}

/** 64 bits. */
function wide(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 0x1_0000_0000;
}

/** Writes a log; `write` gets it in chunks. */
export class BinaryWriter implements LogListener {
  private readonly write: (piece: Uint8Array) => void;
  private bytes = new Uint8Array(RECORD_BYTES * 4096);
  private view = new DataView(this.bytes.buffer);
  private length = 0;

  constructor(write: (piece: Uint8Array) => void) {
    this.write = write;
    const header = new Uint8Array(HEADER_BYTES);
    header.set(MAGIC);
    write(header);
  }

  event(event: LogEvent): void {
    const at = this.record();
    const { bytes, view } = this;
    bytes[at] = event.operation;
    bytes[at + 1] = event.order;
    bytes[at + 2] = event.flags;
    bytes[at + 3] = event.predicate;
    view.setUint16(at + 4, event.thread, true);
    view.setUint16(at + 6, event.other, true);
    view.setUint32(at + 8, event.site, true);
    view.setUint32(at + 12, event.size, true);
    this.setWide(at + 16, event.address);
    this.setWide(at + 24, event.value);
  }

  site(site: number, text: string): void {
    this.text(SITE, site, 0, text);
  }

  name(address: number, text: string): void {
    this.text(NAME, 0, address, text);
  }

  private text(operation: number, site: number, address: number, text: string): void {
    const encoded = new TextEncoder().encode(text).subarray(0, MAX_TEXT);
    const at = this.record();
    this.bytes[at] = operation;
    this.view.setUint32(at + 8, site, true);
    this.view.setUint32(at + 12, encoded.length, true);
    this.setWide(at + 16, address);
    for (let done = 0; done < encoded.length; done += RECORD_BYTES) {
      this.bytes.set(encoded.subarray(done, done + RECORD_BYTES), this.record());
    }
  }

  private setWide(at: number, value: number): void {
    this.view.setUint32(at, value >>> 0, true);
    this.view.setUint32(at + 4, Math.floor(value / 0x1_0000_0000), true);
  }

  /** Makes room for one more record, all zero. */
  private record(): number {
    if (this.length === this.bytes.length) this.flush();
    const at = this.length;
    this.length += RECORD_BYTES;
    this.bytes.fill(0, at, this.length);
    return at;
  }

  private flush(): void {
    this.write(this.bytes.slice(0, this.length));
    this.length = 0;
  }

  end(): void {
    this.flush();
  }
}
