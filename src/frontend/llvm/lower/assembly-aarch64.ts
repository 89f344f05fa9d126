/**
 * AArch64's instructions: loads and stores with their orders, exclusives, LSE's atomics, and the arithmetic and
 * branches that loops around exclusives need. Anything not in the table is refused.
 *
 * A store-release is a release store and a load-acquire an acquire load. On hardware, a load-acquire also waits for
 * earlier store-releases of its thread. This is not modelled: the fence of a seq_cst store would make other loads wait
 * too.
 */
import { int } from '../../../program/builder.ts';
import type { Operand } from '../../../program/ir.ts';
import type { BinaryOperator, RmwOperator } from '../../../program/operators.ts';
import { bitsOf, isFloat, type Order, sizeOf, type Type } from '../../../program/types.ts';
import { joined, loadExclusive, type Retry, type RetryNames, retryAt, storeExclusive } from './assembly-exclusives.ts';
import { addFlags, condition, logicFlags, subtractFlags } from './assembly-flags.ts';
import { isMemory, isNumber, wholeRegister } from './assembly-operands.ts';
import { type AssemblyInstruction, COUNTERS } from './assembly-text.ts';
import { integerOf, type Memory, type Register, type Translation } from './assembly-translation.ts';

const UNKNOWN = 'the instruction is not modelled';

interface Immediate {
  readonly kind: 'number';
  readonly value: bigint;
}
/** `wzr` and `xzr`: reads as zero, and writing it does nothing. */
interface ZeroRegister {
  readonly kind: 'zero';
  readonly type: Type;
}
type Piece = Immediate | Memory | Register | ZeroRegister;

const PREFERRED = { w: 'i32', x: 'i64' } as const;

function pieceOf(t: Translation, text: string): Piece {
  const bare = text.replace(/^#/, '');
  const number = /^(-?)(0x[\da-f]+|\d+)$/.exec(bare);
  if (number !== null) return { kind: 'number', value: BigInt(number[2]!) * (number[1] === '-' ? -1n : 1n) };
  if (text === 'wzr' || text === 'xzr') return { kind: 'zero', type: text === 'wzr' ? 'i32' : 'i64' };
  const place = /^\[\s*([^,\]]+?)\s*(?:,\s*#?(.+?)\s*)?\]$/.exec(text);
  if (place !== null) return pointedTo(t, place[1]!, place[2]);
  const named = /^([wx])(\d+)$/.exec(text);
  if (named !== null) {
    const slot = t.registers.find(wholeRegister(text));
    if (slot === undefined)
      return t.refuse(`the register "${text}" is neither an operand nor overwritten ("clobbered")`);
    return { kind: 'register', slot, type: PREFERRED[named[1] as 'w' | 'x'], shift: 0 };
  }
  const reference = /^\$(?:(\d+)|\{(\d+):([wxa])\})$/.exec(bare);
  const operand = reference === null ? undefined : t.registers.operands[Number(reference[1] ?? reference[2])];
  if (operand === undefined) return t.refuse(`"${text}" is not understood`);
  const { constraint, slot } = operand;
  if (isMemory(constraint)) return t.operandInMemory(constraint.argument!);
  const letter = reference![3];
  if (letter === 'a') return pointedTo(t, `$${reference![2]}`, undefined);
  const given = constraint.argument?.value;
  if (given?.kind === 'int' && isNumber(constraint)) return { kind: 'number', value: given.value };
  if (slot === undefined || isFloat(slot.type) || isNumber(constraint))
    return t.refuse(`"${text}" is not a register operand`);
  // Without a letter it is the whole register.
  return { kind: 'register', slot, type: letter === 'w' ? 'i32' : 'i64', shift: 0 };
}

function pointedTo(t: Translation, text: string, offset: string | undefined): Memory {
  const base = pieceOf(t, text);
  const distance = offset === undefined ? undefined : pieceOf(t, offset);
  if (base.kind !== 'register' || (distance !== undefined && distance.kind !== 'number')) {
    return t.refuse(`the address "[${text}${offset === undefined ? '' : `, ${offset}`}]" is not modelled`);
  }
  return t.pointedTo(base.slot, Number(distance?.value ?? 0n));
}

function contentOf(t: Translation, piece: Piece, type: Type): Operand {
  if (piece.kind === 'number') return t.number(piece.value, type);
  if (piece.kind === 'memory') return t.refuse('only loads and stores access memory');
  if (piece.type !== type) t.refuse('its registers have different sizes');
  return piece.kind === 'zero' ? int(0, type) : t.read(piece);
}

/** The lower bits of a register; the bits above them are not read. */
function lowOf(t: Translation, piece: Piece, type: Type, low: Type): Operand {
  if (piece.kind !== 'register' && piece.kind !== 'zero') return contentOf(t, piece, low);
  if (piece.type !== type) t.refuse('its registers have different sizes');
  return contentOf(t, { ...piece, type: low }, low);
}

/** The widest type in which all of these are known, at most `type`. */
function commonType(t: Translation, pieces: readonly Piece[], type: Type): Type {
  let bits = bitsOf(type);
  for (const piece of pieces) {
    if (piece.kind === 'register') bits = Math.min(bits, bitsOf(t.knownType(piece.slot) ?? 'i1'));
  }
  return bits < 8 ? t.refuse('it reads an operand that has no value') : integerOf(bits);
}

/** Writing a 32-bit register, which is the lower half, clears the upper half. */
function assign(t: Translation, piece: Piece, type: Type, value: Operand): void {
  if (piece.kind === 'zero') return;
  if (piece.kind !== 'register') return t.refuse('its result is not in a register');
  if (piece.type !== type) t.refuse('its registers have different sizes');
  t.write(piece, value, 'zero');
}

/** Assigns a result of which fewer bits are known than the register has. */
function assignLow(t: Translation, piece: Piece, type: Type, low: Type, value: Operand): void {
  if (low === type || piece.kind !== 'register') return assign(t, piece, type, value);
  if (piece.type !== type) t.refuse('its registers have different sizes');
  t.write({ ...piece, type: low }, value, 'unknown');
}

/** The type of the registers. */
function sizeOfRegister(t: Translation, piece: Piece | undefined): Type {
  if (piece?.kind !== 'register' && piece?.kind !== 'zero') return t.refuse(UNKNOWN);
  return piece.type;
}

function placeOf(t: Translation, text: string | undefined): Memory {
  const piece = text === undefined ? undefined : pieceOf(t, text);
  return piece?.kind === 'memory' ? piece : t.refuse(`"${text ?? ''}" is not a memory operand`);
}

/** The type in memory: given by the suffix or, without one, by the register. */
function typeInMemory(suffix: string, register: Type): Type {
  return suffix === 'b' ? 'i8' : suffix === 'h' ? 'i16' : register;
}

function widen(t: Translation, value: Operand, from: Type, to: Type, isSigned = false): Operand {
  return from === to ? value : t.cast(isSigned ? 'sext' : 'zext', to, value);
}
function narrow(t: Translation, value: Operand, from: Type, to: Type): Operand {
  return from === to ? value : t.cast('trunc', to, value);
}

type Run = (t: Translation, i: AssemblyInstruction, found: RegExpExecArray) => void;

/** `ldr`, `ldar`, `ldapr`, `ldxr`, `ldaxr` and their sizes; `ldrs…` extends the sign. */
const load: Run = (t, { operands: [to, from, ...more] }, [, kind, isSigned, size]) => {
  if (more.length > 0) t.refuse('the address is not modelled');
  const register = pieceOf(t, to ?? '');
  const type = sizeOfRegister(t, register);
  const inMemory = size === 'w' ? 'i32' : typeInMemory(size!, type);
  // `ldrsw` extends to 64 bits. Otherwise, an exclusive or acquiring load has a register of the size in memory.
  if (size !== '' && isSigned === '' && type !== 'i32') t.refuse('its registers have different sizes');
  if (size === 'w' && isSigned === '') t.refuse(UNKNOWN);
  if (isSigned !== '' && (kind !== '' || size === '' || (size === 'w' && type !== 'i64'))) t.refuse(UNKNOWN);
  const place = placeOf(t, from);
  const order: Order = kind!.startsWith('a') ? 'acquire' : 'relaxed';
  const read = kind!.endsWith('x')
    ? loadExclusive
    : (a: Translation, ...rest: [Memory, Type, Order]) => a.load(...rest);
  const value = read(t, place, inMemory, order);
  assign(t, register, type, widen(t, value, inMemory, type, isSigned !== ''));
};

const store: Run = (t, { operands: [from, to, ...more] }, [, kind, size]) => {
  if (more.length > 0) t.refuse('the address is not modelled');
  const register = pieceOf(t, from ?? '');
  const type = sizeOfRegister(t, register);
  if (size !== '' && type !== 'i32') t.refuse('its registers have different sizes');
  const inMemory = typeInMemory(size!, type);
  const value = lowOf(t, register, type, inMemory);
  t.store(placeOf(t, to), value, kind === 'l' ? 'release' : 'relaxed');
};

const storeIfReserved: Run = (t, { operands: [status, from, to, ...more] }, [, isRelease, size]) => {
  if (more.length > 0) t.refuse(UNKNOWN);
  const [register, result] = [pieceOf(t, from ?? ''), pieceOf(t, status ?? '')];
  const type = sizeOfRegister(t, register);
  if (size !== '' && type !== 'i32') t.refuse('its registers have different sizes');
  if (register.kind === 'register' && result.kind === 'register' && register.slot === result.slot) {
    t.refuse('its status is also a source');
  }
  const inMemory = typeInMemory(size!, type);
  const value = lowOf(t, register, type, inMemory);
  const success = storeExclusive(t, placeOf(t, to), inMemory, value, isRelease === 'l' ? 'release' : 'relaxed');
  const failed = t.compare('eq', success, int(0, 'i1'));
  assign(t, result, 'i32', t.cast('zext', 'i32', failed));
};

/** `a`, `l`, `al`. */
function orderOf(letters: string): Order {
  return joined(letters.startsWith('a') ? 'acquire' : 'relaxed', letters.endsWith('l') ? 'release' : 'relaxed');
}

const compareAndSwap: Run = (t, { operands: [expected, desired, at, ...more] }, [, letters, size]) => {
  if (more.length > 0) t.refuse(UNKNOWN);
  const [register, other] = [pieceOf(t, expected ?? ''), pieceOf(t, desired ?? '')];
  const type = sizeOfRegister(t, register);
  if (size !== '' && type !== 'i32') t.refuse('its registers have different sizes');
  const inMemory = typeInMemory(size!, type);
  const wanted = lowOf(t, register, type, inMemory);
  const value = lowOf(t, other, type, inMemory);
  const order = orderOf(letters!);
  const failure: Order = letters!.startsWith('a') ? 'acquire' : 'relaxed';
  const { old } = t.compareExchange(placeOf(t, at), inMemory, [wanted, value], [order, failure]);
  assign(t, register, type, widen(t, old, inMemory, type));
};

const LSE: Readonly<Record<string, RmwOperator>> = {
  swp: 'xchg',
  add: 'add',
  set: 'or',
  clr: 'and',
  eor: 'xor',
  smax: 'max',
  smin: 'min',
  umax: 'umax',
  umin: 'umin',
};

/** `swp`, `ldadd` and so on; `stadd` is `ldadd` to the zero register. */
const atomic: Run = (t, { name, operands }, [, operator, letters, size]) => {
  const isStore = name.startsWith('st');
  const [from, to, at, ...more] = isStore ? [operands[0], 'zr', ...operands.slice(1)] : operands;
  if (more.length > 0) t.refuse(UNKNOWN);
  const source = pieceOf(t, from ?? '');
  const type = sizeOfRegister(t, source);
  if (size !== '' && type !== 'i32') t.refuse('its registers have different sizes');
  const dest: Piece = isStore ? { kind: 'zero', type } : pieceOf(t, to ?? '');
  const inMemory = typeInMemory(size!, type);
  let value = lowOf(t, source, type, inMemory);
  // `ldclr` clears the bits that are set in its operand.
  if (operator === 'clr') value = t.binary('xor', inMemory, value, t.number(-1n, inMemory));
  // With the zero register as destination, it does not acquire (ARM's manual, LDADD and SWP).
  const order = orderOf(dest.kind === 'zero' ? letters!.replace('a', '') : letters!);
  const old = t.rmw(LSE[operator!]!, placeOf(t, at), inMemory, value, order);
  assign(t, dest, type, widen(t, old, inMemory, type));
};

const OPERATORS: Readonly<Record<string, readonly [operator: BinaryOperator, isInverted: boolean]>> = {
  add: ['add', false],
  sub: ['sub', false],
  and: ['and', false],
  orr: ['or', false],
  eor: ['xor', false],
  bic: ['and', true],
  orn: ['or', true],
  eon: ['xor', true],
  lsl: ['shl', false],
  lsr: ['lshr', false],
  asr: ['ashr', false],
};

/** `lsl #4` after the last operand. */
interface Shift {
  readonly operator: BinaryOperator;
  readonly count: number;
}

function shiftOf(t: Translation, text: string, type: Type): Shift {
  const found = /^(lsl|lsr|asr)\s+#?(\d+)$/.exec(text);
  const count = Number(found?.[2]);
  if (found === null || count >= bitsOf(type)) return t.refuse(UNKNOWN);
  return { operator: OPERATORS[found[1]!]![0], count };
}

function shifted(t: Translation, value: Operand, type: Type, shift: Shift | undefined): Operand {
  if (shift === undefined || shift.count === 0) return value;
  // Only the zeroes that were shifted in are left.
  if (shift.count >= bitsOf(type)) return int(0, type);
  return t.binary(shift.operator, type, value, int(shift.count, type));
}

const compute: Run = (t, { operands: texts }, [, name, setsFlags]) => {
  const pieces = texts.slice(0, 3).map((text) => pieceOf(t, text));
  const [to, a, b] = pieces;
  const type = sizeOfRegister(t, to);
  if (pieces.length !== 3 || texts.length > 4) return t.refuse(UNKNOWN);
  const [operator, isInverted] = OPERATORS[name!]!;
  const isShift = /sh/.test(operator);
  const shift = texts.length === 4 ? shiftOf(t, texts[3]!, type) : undefined;
  if (isShift && shift !== undefined) return t.refuse(UNKNOWN);
  const isRight = shift !== undefined && shift.operator !== 'shl';
  // The lower bits of most results depend only on the lower bits of the operands.
  const low = isShift || isRight || setsFlags === 's' ? type : commonType(t, [a!, b!], type);
  const left = lowOf(t, a!, type, low);
  let right = shifted(t, lowOf(t, b!, type, low), low, shift);
  if (isInverted) right = t.binary('xor', low, right, t.number(-1n, low));
  // The shift count is taken modulo the size.
  if (isShift) right = t.binary('and', type, right, int(bitsOf(type) - 1, type));
  const result = t.binary(operator, low, left, right);
  if (setsFlags === 's') flagsOf(t, operator, type, left, right, result);
  assignLow(t, to!, type, low, result);
};

function flagsOf(
  t: Translation,
  operator: BinaryOperator,
  type: Type,
  left: Operand,
  right: Operand,
  result: Operand,
): void {
  if (operator === 'add') addFlags(t, type, left, right, result);
  else if (operator === 'sub') subtractFlags(t, type, left, right, result);
  else if (operator === 'and') logicFlags(t, type, result);
  else t.refuse(UNKNOWN);
}

/** `cmp`, `cmn`, `tst`: only set flags. `cmp w0, w1, uxtb` extends first, `cmp w0, w1, lsl #2` shifts. */
const compare: Run = (t, { operands: texts }, [, name]) => {
  const [a, b, extend, ...more] = texts;
  const [x, y] = [pieceOf(t, a ?? ''), pieceOf(t, b ?? '')];
  const type = sizeOfRegister(t, x);
  if (more.length > 0) return t.refuse(UNKNOWN);
  const operator = ({ cmp: 'sub', cmn: 'add', tst: 'and' } as const)[name as 'cmp'];
  const left = contentOf(t, x, type);
  let right = contentOf(t, y, type);
  if (extend !== undefined) {
    const from = ({ uxtb: 'i8', uxth: 'i16' } as const)[extend as 'uxtb'];
    right =
      from === undefined
        ? shifted(t, right, type, shiftOf(t, extend, type))
        : widen(t, narrow(t, right, type, from), from, type);
  }
  flagsOf(t, operator, type, left, right, t.binary(operator, type, left, right));
};

const moveTo: Run = (t, { operands: [to, from, ...more] }, [, name]) => {
  const register = pieceOf(t, to ?? '');
  const type = sizeOfRegister(t, register);
  if (more.length > 0) return t.refuse(UNKNOWN);
  const source = pieceOf(t, from ?? '');
  const low = commonType(t, [source], type);
  let value = lowOf(t, source, type, low);
  if (name === 'mvn') value = t.binary('xor', low, value, t.number(-1n, low));
  if (name === 'neg') value = t.binary('sub', low, int(0, low), value);
  assignLow(t, register, type, low, value);
};

/** `uxtb`, `sxth` and so on. */
const extend: Run = (t, { operands: [to, from, ...more] }, [, sign, size]) => {
  const register = pieceOf(t, to ?? '');
  const type = sizeOfRegister(t, register);
  const small = ({ b: 'i8', h: 'i16', w: 'i32' } as const)[size as 'b'];
  if (more.length > 0 || sizeOf(small) >= sizeOf(type)) return t.refuse(UNKNOWN);
  const source = pieceOf(t, from ?? '');
  const value = narrow(t, contentOf(t, source, 'i32'), 'i32', small);
  assign(t, register, type, widen(t, value, small, type, sign === 's'));
};

/** `cset w0, eq`; `csel w0, w1, w2, eq`. */
const conditional: Run = (t, { name, operands: texts }) => {
  const test = condition(t, texts.at(-1) ?? '') ?? t.refuse(UNKNOWN);
  const pieces = texts.slice(0, -1).map((text) => pieceOf(t, text));
  const type = sizeOfRegister(t, pieces[0]);
  if (pieces.length !== (name === 'cset' ? 1 : 3)) return t.refuse(UNKNOWN);
  const value =
    name === 'cset'
      ? t.cast('zext', type, test)
      : t.select(type, test, contentOf(t, pieces[1]!, type), contentOf(t, pieces[2]!, type));
  assign(t, pieces[0]!, type, value);
};

const branchIfZero: Run = (t, { operands: [text, label, ...more] }, [, isNot]) => {
  const register = pieceOf(t, text ?? '');
  const type = sizeOfRegister(t, register);
  if (label === undefined || more.length > 0) return t.refuse(UNKNOWN);
  t.branch(t.compare(isNot === 'n' ? 'ne' : 'eq', contentOf(t, register, type), int(0, type)), label);
};

const TABLE: readonly (readonly [RegExp, Run])[] = [
  [/^ld(ap|a|ax|x|u)?r(s?)([bhw]?)$/, (t, i, found) => load(t, i, withDefault(found))],
  [/^st(l|u)?r([bh]?)$/, store],
  [/^st(l?)xr([bh]?)$/, storeIfReserved],
  [/^cas(a?l?)([bh]?)$/, compareAndSwap],
  [/^(swp)(a?l?)([bh]?)$/, atomic],
  [/^ld(add|set|clr|eor|smax|smin|umax|umin)(a?l?)([bh]?)$/, atomic],
  [/^st(add|set|clr|eor|smax|smin|umax|umin)(l?)([bh]?)$/, atomic],
  [/^(add|sub|and)(s)$/, compute],
  [/^(add|sub|and|orr|eor|bic|orn|eon|lsl|lsr|asr)()$/, compute],
  [/^(cmp|cmn|tst)$/, compare],
  [/^(mov|mvn|neg)$/, moveTo],
  [/^([us])xt([bhw])$/, extend],
  [/^(?:cset|csel)$/, conditional],
  [/^cb(n?)z$/, branchIfZero],
];

/**
 * The names of the instructions in the table. The patterns also match some names that no processor has; those are
 * refused.
 */
export const AARCH64_NAMES: readonly RegExp[] = TABLE.map(([pattern]) => pattern);

/** Normalises the kind of load, the letters before `r`: none for `ldr` and `ldur`. */
function withDefault(found: RegExpExecArray): RegExpExecArray {
  found[1] = found[1] === 'u' || found[1] === undefined ? '' : found[1];
  return found;
}

export function lowerAArch64(t: Translation, instruction: AssemblyInstruction): void {
  const { name, operands } = instruction;
  if (name === 'b' && operands.length === 1) return t.jump(operands[0]!);
  const branch = /^b\.?([a-z]{2})$/.exec(name);
  if (branch !== null && operands.length === 1 && branch[1] !== 'al') {
    return t.branch(condition(t, branch[1]!) ?? t.refuse(UNKNOWN), operands[0]!);
  }
  // Prefetching changes nothing. `clrex` only makes a later store-exclusive fail, and that one is refused without its
  // load.
  if (name === 'prfm') return;
  // These tell the assembler which instructions exist; the processor does not see them.
  if (/^\.(?:arch|arch_extension|cpu)$/.test(name)) return;
  if (name === 'clrex') {
    t.facts = { ...t.facts!, reserved: undefined };
    return;
  }
  if (name === 'mrs' && operands.length === 2) {
    // The clock counts nanoseconds.
    if (operands[1] === 'cntfrq_el0') return assign(t, pieceOf(t, operands[0]!), 'i64', int(1_000_000_000, 'i64'));
    if (COUNTERS.has(operands[1]!)) return assign(t, pieceOf(t, operands[0]!), 'i64', t.clock());
  }
  if (!t.isDry && lowerRetry(t)) return;
  for (const [pattern, run] of TABLE) {
    const found = pattern.exec(name);
    if (found !== null) return run(t, instruction, found);
  }
  t.refuse(UNKNOWN);
}

/** A loop of exclusives that is a read-modify-write. */
function lowerRetry(t: Translation): boolean {
  const is = {
    load: /^lda?xr[bh]?$/,
    compute: /^(?:add|sub|and|orr|eor)$/,
    store: /^stl?xr[bh]?$/,
    branch: /^cbnz$/,
  };
  const found = retryAt(t, is, (retry) => namesOf(t, retry));
  if (found === undefined) return false;
  const { load, compute, store } = found.retry;
  const [size, storeSize] = [load, store].map(({ name }) => /[bh]?$/.exec(name)![0]);
  const old = pieceOf(t, load.operands[0]!);
  const type = sizeOfRegister(t, old);
  const other = pieceOf(t, compute === undefined ? store.operands[1]! : compute.operands[2]!);
  const stored = pieceOf(t, store.operands[1]!);
  if (size !== storeSize || sizeOfRegister(t, stored) !== type) return false;
  const inMemory = typeInMemory(size!, type);
  const operator = compute === undefined ? 'xchg' : (OPERATORS[compute.name]![0] as RmwOperator & BinaryOperator);
  const order = joined(
    load.name.includes('a') ? 'acquire' : 'relaxed',
    store.name.includes('l') ? 'release' : 'relaxed',
  );
  const low = commonType(t, [other], type);
  const value = lowOf(t, other, type, low);
  const before = t.rmw(
    operator as RmwOperator,
    placeOf(t, load.operands[1]),
    inMemory,
    narrow(t, value, low, inMemory),
    order,
  );
  assign(t, old, type, widen(t, before, inMemory, type));
  if (operator !== 'xchg') {
    const result = t.binary(operator, low, widen(t, before, inMemory, low), value);
    assignLow(t, stored, type, low, result);
  }
  assign(t, pieceOf(t, store.operands[0]!), 'i32', int(0, 'i32'));
  t.next = t.at + (compute === undefined ? 3 : 4);
  return true;
}

function namesOf(t: Translation, { load, compute, store, branch }: Retry): RetryNames {
  const named = (text: string | undefined): string => {
    const piece = pieceOf(t, text ?? '');
    if (piece.kind === 'register') return `register ${piece.slot.index}`;
    return piece.kind === 'memory' ? piece.key : JSON.stringify(String(piece.kind === 'number' ? piece.value : 'zero'));
  };
  return {
    ...{ old: named(load.operands[0]), place: named(load.operands[1]) },
    ...{ status: named(store.operands[0]), stored: named(store.operands[1]), storePlace: named(store.operands[2]) },
    ...{ tested: named(branch.operands[0]), target: branch.operands[1] ?? '' },
    ...(compute === undefined
      ? {}
      : { computed: [named(compute.operands[0]), named(compute.operands[1]), named(compute.operands[2])] as const }),
  };
}
