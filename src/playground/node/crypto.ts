/**
 * `node:crypto`: SHA-256, which browsers offer only asynchronously. https://csrc.nist.gov/pubs/fips/180-4/upd1/final
 */
import { Buffer } from './buffer.ts';

/** The first 32 bits of the fractional part of the given root of each of the first primes. */
function constants(count: number, root: number): Int32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Int32Array.from(primes, (prime) => ((prime ** root % 1) * 2 ** 32) | 0);
}

const START = constants(8, 1 / 2);
const K = constants(64, 1 / 3);

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function sha256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  const state = START.slice();
  const w = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let t = 0; t < 16; t++) w[t] = view.getInt32(at + 4 * t);
    for (let t = 16; t < 64; t++) {
      const [x, y] = [w[t - 15]!, w[t - 2]!];
      const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      w[t] = s1 + w[t - 7]! + s0 + w[t - 16]!;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let t = 0; t < 64; t++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + K[t]! + w[t]!) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = state[i]! + word;
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) digest.setInt32(4 * i, word);
  return new Uint8Array(digest.buffer);
}

class Hash {
  private readonly parts: Uint8Array[] = [];

  update(data: string | Uint8Array): this {
    this.parts.push(typeof data === 'string' ? Buffer.from(data) : data);
    return this;
  }

  digest(encoding: 'hex' | 'base64'): string {
    const bytes = sha256(Buffer.concat(this.parts));
    if (encoding === 'base64') return Buffer.fromBytes(bytes).toString('base64');
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}

export function createHash(name: string): Hash {
  if (name !== 'sha256') throw new Error(`no hash ${name} here`);
  return new Hash();
}

/** The browser returns at most 65,536 random bytes at a time. */
export function randomFillSync(bytes: Uint8Array<ArrayBuffer>): void {
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
}
