/** `node:buffer`. */
type Encoding = 'utf8' | 'utf-8' | 'latin1' | 'base64';

const encoder = new TextEncoder();
// Like Node, keeps a byte order mark.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** More arguments would not fit on the stack. */
const PIECE = 8192;

function encode(text: string, encoding: Encoding = 'utf8'): Uint8Array {
  if (encoding === 'base64') return encode(atob(text), 'latin1');
  if (encoding !== 'latin1') return encoder.encode(text);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export class Buffer extends Uint8Array {
  static fromBytes(bytes: Uint8Array): Buffer {
    return new Buffer(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length);
  }

  static override from(data: string | ArrayLike<number> | Iterable<number>, encoding?: unknown): Buffer {
    return Buffer.fromBytes(
      typeof data === 'string' ? encode(data, encoding as Encoding) : Uint8Array.from(data as ArrayLike<number>),
    );
  }

  static concat(parts: readonly Uint8Array[]): Buffer {
    const whole = new Buffer(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  static byteLength(text: string): number {
    return encoder.encode(text).length;
  }

  static isBuffer(value: unknown): value is Buffer {
    return value instanceof Buffer;
  }

  override toString(encoding: Encoding = 'utf8', start = 0, end: number = this.length): string {
    const bytes = this.subarray(start, end);
    if (encoding === 'utf8' || encoding === 'utf-8') return decoder.decode(bytes);
    let text = '';
    for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
    return encoding === 'base64' ? btoa(text) : text;
  }

  override indexOf(what: number | string, from = 0): number {
    if (typeof what === 'number') return super.indexOf(what, from);
    const found = this.toString('latin1').indexOf(Buffer.from(what).toString('latin1'), from);
    return found;
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, i) => byte === other[i]);
  }
}
