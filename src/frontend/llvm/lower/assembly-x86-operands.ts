/** The operands of x86's instructions, in AT&T's syntax: `$0`, `${0:b}`, `%eax`, `$$1`, `4($0)`. */
import type { Operand } from '../../../program/ir.ts';
import { bitsOf, isFloat, type Type } from '../../../program/types.ts';
import { isMemory, isNumber, maybeNumber, wholeRegister } from './assembly-operands.ts';
import type { AssemblyOperand } from './assembly-registers.ts';
import type { Extension, Memory, Register, Translation } from './assembly-translation.ts';

export interface Immediate {
  readonly kind: 'number';
  readonly value: bigint;
}

export type Piece = Immediate | Memory | Register;

export const SIZES: Readonly<Record<string, Type>> = { b: 'i8', w: 'i16', k: 'i32', l: 'i32', q: 'i64' };

/** Registers by name, with the part of the whole register that each name means. */
const PARTS: ReadonlyMap<string, { readonly type: Type; readonly shift: number }> = new Map(
  [
    ...['a', 'b', 'c', 'd'].flatMap((x) => [
      [`r${x}x`, 'i64', 0] as const,
      [`e${x}x`, 'i32', 0] as const,
      [`${x}x`, 'i16', 0] as const,
      [`${x}l`, 'i8', 0] as const,
      [`${x}h`, 'i8', 8] as const,
    ]),
    ...['si', 'di'].flatMap((x) => [
      [`r${x}`, 'i64', 0] as const,
      [`e${x}`, 'i32', 0] as const,
      [x, 'i16', 0] as const,
      [`${x}l`, 'i8', 0] as const,
    ]),
    ...['8', '9', '10', '11', '12', '13', '14', '15'].flatMap((x) => [
      [`r${x}`, 'i64', 0] as const,
      [`r${x}d`, 'i32', 0] as const,
      [`r${x}w`, 'i16', 0] as const,
      [`r${x}b`, 'i8', 0] as const,
    ]),
  ].map(([name, type, shift]) => [name, { type: type as Type, shift }]),
);

/** What a piece of an instruction names. */
export function pieceOf(t: Translation, text: string): Piece {
  const number = numberOf(text, '$$');
  if (number !== undefined) return { kind: 'number', value: number };
  const named = /^%(\w+)$/.exec(text)?.[1];
  if (named !== undefined) return namedRegister(t, named);
  const place = /^(.*)\((\$\d+|\$\{\d+:[kq]\}|%\w+)\)$/.exec(text);
  if (place !== null) return pointedTo(t, place[2]!, displacement(t, place[1]!));
  const reference = /^\$(?:(\d+)|\{(\d+):([a-zA-Z])\})$/.exec(text);
  const operand = reference === null ? undefined : t.registers.operands[Number(reference[1] ?? reference[2])];
  if (operand === undefined) return t.refuse(`"${text}" is not understood`);
  const letter = reference![3] ?? '';
  if (letter === 'a') return pointedTo(t, `$${reference![2]}`, 0);
  if (!['', 'b', 'w', 'k', 'q', 'h'].includes(letter)) t.refuse(`"${text}" is not understood`);
  const { constraint } = operand;
  if (isMemory(constraint)) return t.operandInMemory(constraint.argument!);
  const given = constraint.argument?.value;
  if (given?.kind === 'int' && isNumber(constraint)) return { kind: 'number', value: given.value };
  return register(t, text, operand, letter);
}

function register(t: Translation, text: string, operand: AssemblyOperand, letter: string): Register {
  const { slot, type, upper } = operand;
  if (slot === undefined || isFloat(slot.type) || isNumber(operand.constraint) || upper !== undefined) {
    return t.refuse(`"${text}" is not a register operand`);
  }
  const own = ({ i1: 'i8', f32: 'i32', f64: 'i64' } as const)[type as 'i1'] ?? type!;
  return {
    kind: 'register',
    slot,
    type: letter === 'h' ? 'i8' : (SIZES[letter] ?? own),
    shift: letter === 'h' ? 8 : 0,
  };
}

/** An operand's register, or one that the statement clobbers. */
export function namedRegister(t: Translation, name: string): Register {
  const part = PARTS.get(name);
  const slot = part === undefined ? undefined : t.registers.find(wholeRegister(name));
  if (slot === undefined)
    return t.refuse(`the register "%${name}" is neither an operand nor overwritten ("clobbered")`);
  return { kind: 'register', slot, ...part! };
}

/** The register that an instruction uses without naming it. */
export function implied(t: Translation, whole: string, type: Type): Register {
  const slot = t.registers.find(whole) ?? t.refuse(`no operand is in its register "${whole}"`);
  return { kind: 'register', slot, type, shift: 0 };
}

function pointedTo(t: Translation, text: string, offset: number): Memory {
  const base = pieceOf(t, text);
  if (base.kind !== 'register') return t.refuse(`"${text}" is not a register operand`);
  return t.pointedTo(base.slot, offset);
}

function displacement(t: Translation, text: string): number {
  const constant = /^\$\{(\d+):[cP]\}$/.exec(text)?.[1];
  const given = constant === undefined ? undefined : t.registers.operands[Number(constant)]?.constraint.argument?.value;
  const value = text === '' ? 0n : given?.kind === 'int' ? given.value : numberOf(text, '');
  if (value === undefined || value !== BigInt.asIntN(32, value)) return t.refuse(`"${text}" is not understood`);
  return Number(value);
}

export function numberOf(text: string, mark: string): bigint | undefined {
  const digits = text.startsWith(mark) ? text.slice(mark.length) : '';
  const match = /^(-?)(0x[\da-f]+|[1-9]\d*|0)$/.exec(digits);
  return match === null ? undefined : BigInt(match[2]!) * (match[1] === '-' ? -1n : 1n);
}

/** The size of an instruction: given by its suffix, or else by its registers. */
export function sizeOf(t: Translation, suffix: string, texts: readonly string[], pieces: readonly Piece[]): Type {
  let size = SIZES[suffix];
  for (const [n, piece] of pieces.entries()) {
    if (piece.kind !== 'register') continue;
    const isMaybeNumber = isNumberToo(t, texts[n]!);
    // A number has no size. For an instruction on memory without a register, gas assumes 4 bytes.
    if (size === undefined && isMaybeNumber && piece.type !== 'i32') continue;
    size ??= piece.type;
    if (size !== piece.type) t.refuse(`the size of "${texts[n]}" differs from the instruction's`);
  }
  return size ?? t.refuse('its size is not known; give it a suffix (b, w, l, q)');
}

function isNumberToo(t: Translation, text: string): boolean {
  const number = /^\$\{?(\d+)/.exec(text)?.[1];
  return number !== undefined && maybeNumber(t.registers.operands[Number(number)]!.constraint);
}

/** The content of a piece; reading memory is a load. */
export function contentOf(t: Translation, piece: Piece, type: Type): Operand {
  switch (piece.kind) {
    case 'number':
      return t.number(piece.value, type);
    case 'memory':
      return t.load(piece, type);
    case 'register':
      return t.read(piece);
  }
}

/** Writing the lower half of a 64-bit register clears the upper half; writing smaller parts keeps the rest. */
export function extension(t: Translation, type: Type): Extension {
  return t.target.bits === 64 && bitsOf(type) === 32 ? 'zero' : 'merge';
}

export function assign(t: Translation, piece: Piece, type: Type, value: Operand): void {
  switch (piece.kind) {
    case 'number':
      return t.refuse('a number cannot be changed');
    case 'memory':
      return t.store(piece, value);
    case 'register':
      return t.write(piece, value, extension(t, type));
  }
}
