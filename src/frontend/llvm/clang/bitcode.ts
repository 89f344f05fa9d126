/**
 * The target of a bitcode file, read from its first few records. clang does not report it: it overrides the file's
 * target with its own and, in some versions, the data layout, too, which would silently misread 64-bit code.
 *
 * Format: https://llvm.org/docs/BitCodeFormat.html
 */

const MODULE_BLOCK = 8;
const TRIPLE_RECORD = 2;

const ENTER_BLOCK = 1;
const DEFINE_ABBREVIATION = 2;
const PLAIN_RECORD = 3;

export function isBitcode(bytes: Uint8Array): boolean {
  return payload(bytes) !== undefined;
}

/** `undefined` if the file does not say, or is damaged. */
export function bitcodeTarget(bytes: Uint8Array): string | undefined {
  const bits = payload(bytes);
  if (bits === undefined) return undefined;
  try {
    return findTriple(new BitReader(bits));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What follows the magic number, which may be preceded by the header that Apple's tools write. */
function payload(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < 20) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = view.getUint32(0, true) === 0x0b17c0de ? view.getUint32(8, true) : 0;
  if (start + 4 > bytes.length || view.getUint32(start, true) !== 0xdec04342) return undefined;
  return bytes.subarray(start + 4);
}

function findTriple(reader: BitReader): string | undefined {
  while (reader.read(2) === ENTER_BLOCK) {
    const block = reader.readVariable(8);
    const width = reader.readVariable(4);
    const words = reader.alignAndReadWord();
    if (block === MODULE_BLOCK) return findTripleInModule(reader, width);
    reader.skipWords(words);
  }
  return undefined;
}

function findTripleInModule(reader: BitReader, width: number): string | undefined {
  for (;;) {
    switch (reader.read(width)) {
      case ENTER_BLOCK: {
        reader.readVariable(8);
        reader.readVariable(4);
        reader.skipWords(reader.alignAndReadWord());
        break;
      }
      case DEFINE_ABBREVIATION:
        skipAbbreviation(reader);
        break;
      case PLAIN_RECORD: {
        const code = reader.readVariable(6);
        const values = Array.from({ length: reader.readVariable(6) }, () => reader.readVariable(6));
        if (code === TRIPLE_RECORD) return String.fromCharCode(...values);
        break;
      }
      default:
        // The end of the block (0), or a record that uses an abbreviation: LLVM writes the triple before any of those.
        return undefined;
    }
  }
}

function skipAbbreviation(reader: BitReader): void {
  for (let left = reader.readVariable(5); left > 0; left--) {
    const isLiteral = reader.read(1) === 1;
    if (isLiteral) {
      reader.readVariable(8);
    } else {
      const encoding = reader.read(3);
      const isFixedOrVariable = encoding === 1 || encoding === 2;
      if (isFixedOrVariable) reader.readVariable(5);
    }
  }
}

/** Reads past the end throw a RangeError. */
class BitReader {
  private readonly bytes: Uint8Array;
  /** In bits. The missing part, the magic number, is one word, so words have the same alignment here as in the file. */
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  read(width: number): number {
    let value = 0;
    for (let i = 0; i < width; i++, this.at++) {
      const byte = this.bytes[this.at >> 3];
      if (byte === undefined) throw new RangeError('bitcode ends too early');
      value += ((byte >> (this.at & 7)) & 1) * 2 ** i;
    }
    return value;
  }

  /** Groups of `width` bits, lowest first, whose highest bit says whether another one follows. */
  readVariable(width: number): number {
    const more = 2 ** (width - 1);
    let value = 0;
    for (let shift = 0; shift < 64; shift += width - 1) {
      const group = this.read(width);
      value += (group % more) * 2 ** shift;
      if (group < more) return value;
    }
    throw new RangeError('number too large');
  }

  alignAndReadWord(): number {
    this.at = Math.ceil(this.at / 32) * 32;
    return this.read(32);
  }

  skipWords(count: number): void {
    this.at += 32 * count;
  }
}
