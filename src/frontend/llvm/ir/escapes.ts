/** The inside of double quotes in LLVM IR: bytes, where `\XX` (two hexadecimal digits) and `\\` are one byte each. */

const BACKSLASH = 0x5c;

export function decodeBytes(quoted: string): Uint8Array {
  const plain = new TextEncoder().encode(quoted);
  let to = 0;
  for (let from = 0; from < plain.length; from++, to++) {
    let byte = plain[from]!;
    if (byte === BACKSLASH) {
      const high = hexDigit(plain[from + 1]);
      const low = hexDigit(plain[from + 2]);
      if (high >= 0 && low >= 0) {
        byte = high * 16 + low;
        from += 2;
      } else if (plain[from + 1] === BACKSLASH) {
        from++;
      }
    }
    plain[to] = byte;
  }
  return plain.slice(0, to);
}

/** The bytes as UTF-8. If they are not valid UTF-8, the escapes are kept, so different names stay different. */
export function decodeText(quoted: string): string {
  if (!quoted.includes('\\')) return quoted;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(decodeBytes(quoted));
  } catch {
    return quoted;
  }
}

function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
