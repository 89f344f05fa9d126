/** Names of a program's functions and variables, from the symbol table of a 64-bit little-endian ELF file. */
import { readFileSync } from 'node:fs';

interface ElfSymbol {
  readonly name: string;
  readonly address: number;
  readonly size: number;
}

const SYMTAB = 2;
const DYNSYM = 11;
const OBJECT = 1;
const FUNCTION = 2;
const SECTION_BYTES = 64;
const SYMBOL_BYTES = 24;

export class ElfSymbols {
  private readonly sorted: readonly ElfSymbol[];

  private constructor(symbols: readonly ElfSymbol[]) {
    this.sorted = symbols.toSorted((a, b) => a.address - b.address);
  }

  /** Empty if the file cannot be read or is of another kind. */
  static read(path: string): ElfSymbols {
    try {
      return new ElfSymbols(symbolsOf(readFileSync(path)));
    } catch {
      return new ElfSymbols([]);
    }
  }

  /** The function or variable that contains the byte at this address. */
  at(address: number): ElfSymbol | undefined {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sorted[middle]!.address <= address) low = middle + 1;
      else high = middle;
    }
    const symbol = this.sorted[low - 1];
    return symbol !== undefined && address < symbol.address + symbol.size ? symbol : undefined;
  }
}

/** Throws whatever reading beyond the end of the file throws. */
function symbolsOf(file: Buffer): ElfSymbol[] {
  if (file.toString('latin1', 0, 6) !== '\x7fELF\x02\x01') return [];
  const word = (at: number): number => Number(file.readBigUInt64LE(at));
  const sections = word(0x28);
  const count = file.readUInt16LE(0x3c);
  const section = (n: number): number => sections + n * SECTION_BYTES;
  const symbols: ElfSymbol[] = [];
  for (let n = 0; n < count; n++) {
    const type = file.readUInt32LE(section(n) + 4);
    if (type !== SYMTAB && type !== DYNSYM) continue;
    const start = word(section(n) + 0x18);
    const end = start + word(section(n) + 0x20);
    const texts = word(section(file.readUInt32LE(section(n) + 0x28)) + 0x18);
    for (let at = start; at + SYMBOL_BYTES <= end; at += SYMBOL_BYTES) {
      const kind = file[at + 4]! & 15;
      const size = word(at + 16);
      if ((kind !== OBJECT && kind !== FUNCTION) || size === 0) continue;
      const from = texts + file.readUInt32LE(at);
      symbols.push({
        name: plainName(file.toString('utf8', from, file.indexOf(0, from))),
        address: word(at + 8),
        size,
      });
    }
  }
  return symbols;
}

/**
 * Makes C++'s names of variables readable: `_ZL4flag`, `_ZN3pool4sizeE`, `_ZZ4mainE4done`. Other names stay as they
 * are.
 */
export function plainName(name: string): string {
  // The suffix that a compiler adds when it splits a variable.
  const whole = name.replace(/\.(\d+|llvm)(\.\d+)*$/, '');
  const mangled = /^_ZZ?(.*)$/.exec(whole);
  if (mangled === null) return whole;
  const parts: string[] = [];
  for (let rest = mangled[1]!; rest !== ''; ) {
    const length = /^(?:N|L|E|E?v?E)*(\d+)/.exec(rest);
    if (length === null) return /^(E|_\d+)*$/.test(rest) && parts.length > 0 ? parts.join('::') : whole;
    const start = length[0].length;
    parts.push(rest.slice(start, start + Number(length[1])));
    rest = rest.slice(start + Number(length[1]));
  }
  return parts.length > 0 ? parts.join('::') : whole;
}
