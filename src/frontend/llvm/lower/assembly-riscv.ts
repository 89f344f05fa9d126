/**
 * RISC-V's instructions: loads and stores, `lr`, `sc`, the `amo…`, and the arithmetic and branches that loops around
 * them need. Anything not in the table is refused.
 *
 * A register has 32 or 64 bits (XLEN), and 32-bit results are sign-extended. The upper bits of a narrower operand are
 * up to the compiler: they may be copied, but no branch may depend on them.
 */
import { int } from '../../../program/builder.ts';
import type { Operand } from '../../../program/ir.ts';
import type { BinaryOperator, Predicate, RmwOperator } from '../../../program/operators.ts';
import { bitsOf, isFloat, type Order, type Type } from '../../../program/types.ts';
import { joined, loadExclusive, type Retry, type RetryNames, retryAt, storeExclusive } from './assembly-exclusives.ts';
import { isMemory, isNumber } from './assembly-operands.ts';
import type { Slot } from './assembly-registers.ts';
import { type AssemblyInstruction, COUNTERS } from './assembly-text.ts';
import { integerOf, type Memory, type Translation } from './assembly-translation.ts';

const UNKNOWN = 'the instruction is not modelled';

type Piece =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'zero' }
  | { readonly kind: 'register'; readonly slot: Slot }
  | Memory;

/** Registers by their names in the calling convention. */
const NAMES: ReadonlyMap<string, number> = new Map([
  ...['zero', 'ra', 'sp', 'gp', 'tp', 't0', 't1', 't2', 's0', 's1'].map((name, n) => [name, n] as const),
  ...Array.from({ length: 8 }, (_, n) => [`a${n}`, 10 + n] as const),
  ...Array.from({ length: 10 }, (_, n) => [`s${n + 2}`, 18 + n] as const),
  ...Array.from({ length: 4 }, (_, n) => [`t${n + 3}`, 28 + n] as const),
  ...Array.from({ length: 32 }, (_, n) => [`x${n}`, n] as const),
]);

function pieceOf(t: Translation, text: string): Piece {
  const number = /^(-?)(0x[\da-f]+|\d+)$/.exec(text);
  if (number !== null) return { kind: 'number', value: BigInt(number[2]!) * (number[1] === '-' ? -1n : 1n) };
  const place = /^(.*)\(([^()]+)\)$/.exec(text);
  if (place !== null) return pointedTo(t, place[2]!.trim(), place[1]!.trim());
  const named = NAMES.get(text);
  if (named === 0) return { kind: 'zero' };
  if (named !== undefined) {
    const slot = t.registers.find(`x${named}`);
    if (slot === undefined)
      return t.refuse(`the register "${text}" is neither an operand nor overwritten ("clobbered")`);
    return { kind: 'register', slot };
  }
  const reference = /^\$(?:(\d+)|\{(\d+):[zi]\})$/.exec(text);
  const operand = reference === null ? undefined : t.registers.operands[Number(reference[1] ?? reference[2])];
  if (operand === undefined) return t.refuse(`"${text}" is not understood`);
  const { constraint, slot } = operand;
  if (isMemory(constraint)) return t.operandInMemory(constraint.argument!);
  const given = constraint.argument?.value;
  if (given?.kind === 'int' && (isNumber(constraint) || (constraint.code === 'rJ' && given.value === 0n))) {
    return given.value === 0n && !isNumber(constraint) ? { kind: 'zero' } : { kind: 'number', value: given.value };
  }
  if (slot === undefined || isFloat(slot.type) || isNumber(constraint))
    return t.refuse(`"${text}" is not a register operand`);
  return { kind: 'register', slot };
}

function pointedTo(t: Translation, text: string, offset: string): Memory {
  const base = pieceOf(t, text);
  const distance = offset === '' ? undefined : pieceOf(t, offset);
  if (base.kind !== 'register' || (distance !== undefined && distance.kind !== 'number')) {
    return t.refuse(`the address "${offset}(${text})" is not modelled`);
  }
  return t.pointedTo(base.slot, Number(distance?.value ?? 0n));
}

function placeOf(t: Translation, text: string | undefined): Memory {
  const piece = text === undefined ? undefined : pieceOf(t, text);
  return piece?.kind === 'memory' ? piece : t.refuse(`"${text ?? ''}" is not a memory operand`);
}

/** The lower bits of a register. */
function contentOf(t: Translation, piece: Piece, type: Type): Operand {
  switch (piece.kind) {
    case 'number':
      return t.number(piece.value, type);
    case 'zero':
      return int(0, type);
    case 'register':
      return t.read({ kind: 'register', slot: piece.slot, type, shift: 0 });
    case 'memory':
      return t.refuse('only loads and stores access memory');
  }
}

/** `how`: what the bits above those of the type become. */
function assign(t: Translation, piece: Piece, type: Type, value: Operand, how: 'sign' | 'zero' | 'unknown'): void {
  if (piece.kind === 'zero') return;
  if (piece.kind !== 'register') return t.refuse('its result is not in a register');
  const isWhole = bitsOf(type) >= t.target.bits;
  t.write({ kind: 'register', slot: piece.slot, type, shift: 0 }, value, isWhole ? 'sign' : how);
}

function word(t: Translation): Type {
  return t.target.bits === 64 ? 'i64' : 'i32';
}

/** The widest type in which all of these are known. */
function commonType(t: Translation, pieces: readonly Piece[]): Type {
  let bits: number = t.target.bits;
  for (const piece of pieces) {
    if (piece.kind === 'register') bits = Math.min(bits, bitsOf(t.knownType(piece.slot) ?? 'i1'));
  }
  return bits < 8 ? t.refuse('it reads an operand that has no value') : integerOf(bits);
}

type Run = (t: Translation, i: AssemblyInstruction, found: RegExpExecArray) => void;

const SIZES: Readonly<Record<string, Type>> = { b: 'i8', h: 'i16', w: 'i32', d: 'i64' };

function orderOf(letters: string | undefined): Order {
  const all = letters ?? '';
  return joined(all.includes('aq') ? 'acquire' : 'relaxed', all.includes('rl') ? 'release' : 'relaxed');
}

const load: Run = (t, { operands: [to, from, ...more] }, [, size, isUnsigned]) => {
  const type = SIZES[size!]!;
  if (more.length > 0 || bitsOf(type) > t.target.bits) return t.refuse(UNKNOWN);
  const register = pieceOf(t, to ?? '');
  assign(t, register, type, t.load(placeOf(t, from), type), isUnsigned === 'u' ? 'zero' : 'sign');
};

const store: Run = (t, { operands: [from, to, ...more] }, [, size]) => {
  const type = SIZES[size!]!;
  if (more.length > 0 || bitsOf(type) > t.target.bits) return t.refuse(UNKNOWN);
  const value = contentOf(t, pieceOf(t, from ?? ''), type);
  t.store(placeOf(t, to), value);
};

/** A release on a load and an acquire on a store are ignored, which is weaker. */
const loadReserved: Run = (t, { operands: [to, from, ...more] }, [, size, letters]) => {
  if (more.length > 0) return t.refuse(UNKNOWN);
  const type = SIZES[size!]!;
  const register = pieceOf(t, to ?? '');
  const order: Order = letters?.includes('aq') === true ? 'acquire' : 'relaxed';
  assign(t, register, type, loadExclusive(t, placeOf(t, from), type, order), 'sign');
};

const storeConditional: Run = (t, { operands: [status, from, to, ...more] }, [, size, letters]) => {
  if (more.length > 0) return t.refuse(UNKNOWN);
  const type = SIZES[size!]!;
  const value = contentOf(t, pieceOf(t, from ?? ''), type);
  const order: Order = letters?.includes('rl') === true ? 'release' : 'relaxed';
  const success = storeExclusive(t, placeOf(t, to), type, value, order);
  const failed = t.compare('eq', success, int(0, 'i1'));
  assign(t, pieceOf(t, status ?? ''), 'i32', t.cast('zext', 'i32', failed), 'sign');
};

const AMO: Readonly<Record<string, RmwOperator>> = {
  swap: 'xchg',
  ...{ add: 'add', and: 'and', or: 'or', xor: 'xor' },
  ...{ min: 'min', max: 'max', minu: 'umin', maxu: 'umax' },
};

const atomic: Run = (t, { operands: [to, from, at, ...more] }, [, operator, size, letters]) => {
  if (more.length > 0) return t.refuse(UNKNOWN);
  const type = SIZES[size!]!;
  const value = contentOf(t, pieceOf(t, from ?? ''), type);
  const dest = pieceOf(t, to ?? '');
  const old = t.rmw(AMO[operator!]!, placeOf(t, at), type, value, orderOf(letters));
  assign(t, dest, type, old, 'sign');
};

const compute: Run = (t, { operands: [to, a, b, ...more] }, [, name, , size]) => {
  const [dest, left, right] = [pieceOf(t, to ?? ''), pieceOf(t, a ?? ''), pieceOf(t, b ?? '')];
  if (more.length > 0) return t.refuse(UNKNOWN);
  // The lower bits of the result depend only on the lower bits of the operands.
  const type = size === 'w' ? 'i32' : commonType(t, [left, right]);
  const result = t.binary(name as BinaryOperator, type, contentOf(t, left, type), contentOf(t, right, type));
  assign(t, dest, type, result, size === 'w' ? 'sign' : 'unknown');
};

const moveTo: Run = (t, { operands: [to, from, ...more] }, [, name]) => {
  const [dest, source] = [pieceOf(t, to ?? ''), pieceOf(t, from ?? '')];
  if (more.length > 0 || (name === 'li') !== (source.kind === 'number')) return t.refuse(UNKNOWN);
  const type = name === 'sext.w' ? 'i32' : commonType(t, [source]);
  let value = contentOf(t, source, type);
  if (name === 'not') value = t.binary('xor', type, value, t.number(-1n, type));
  if (name === 'neg') value = t.binary('sub', type, int(0, type), value);
  assign(t, dest, type, value, name === 'sext.w' ? 'sign' : 'unknown');
};

const testZero: Run = (t, { operands: [to, from, ...more] }, [, name]) => {
  const [dest, source] = [pieceOf(t, to ?? ''), pieceOf(t, from ?? '')];
  if (more.length > 0) return t.refuse(UNKNOWN);
  const test = t.compare(name === 'seqz' ? 'eq' : 'ne', contentOf(t, source, word(t)), int(0, word(t)));
  assign(t, dest, word(t), t.cast('zext', word(t), test), 'sign');
};

const PREDICATES: Readonly<Record<string, Predicate>> = {
  ...{ beq: 'eq', bne: 'ne', blt: 'slt', bge: 'sge', bltu: 'ult', bgeu: 'uge' },
  ...{ bgt: 'sgt', ble: 'sle', bgtu: 'ugt', bleu: 'ule' },
  ...{ beqz: 'eq', bnez: 'ne', bltz: 'slt', bgez: 'sge', bgtz: 'sgt', blez: 'sle' },
};

const branch: Run = (t, { name, operands }) => {
  const [a, b, label, ...more] = name.endsWith('z') ? [operands[0], 'zero', ...operands.slice(1)] : operands;
  if (label === undefined || more.length > 0) return t.refuse(UNKNOWN);
  const [left, right] = [contentOf(t, pieceOf(t, a ?? ''), word(t)), contentOf(t, pieceOf(t, b ?? ''), word(t))];
  t.branch(t.compare(PREDICATES[name]!, left, right), label);
};

const TABLE: readonly (readonly [RegExp, Run])[] = [
  [/^l([bhw])(u)$/, load],
  [/^l([bhwd])$/, load],
  [/^s([bhwd])$/, store],
  [/^lr\.([wd])(\.aq|\.rl|\.aqrl)?$/, loadReserved],
  [/^sc\.([wd])(\.aq|\.rl|\.aqrl)?$/, storeConditional],
  [/^amo(swap|add|and|or|xor|min|max|minu|maxu)\.([wd])(\.aq|\.rl|\.aqrl)?$/, atomic],
  [/^(add|sub|and|or|xor)()()$/, compute],
  [/^(add|and|or|xor)(i)()$/, compute],
  [/^(add|sub)()(w)$/, compute],
  [/^(add)(i)(w)$/, compute],
  [/^(li|mv|not|neg|sext\.w)$/, moveTo],
  [/^(seqz|snez)$/, testZero],
  [/^b(?:eq|ne|lt|ge|gt|le|ltu|geu|gtu|leu|eqz|nez|ltz|gez|gtz|lez)$/, branch],
];

/** The names of the instructions in the table. */
export const RISCV_NAMES: readonly RegExp[] = TABLE.map(([pattern]) => pattern);

export function lowerRiscV(t: Translation, instruction: AssemblyInstruction): void {
  const { name, operands } = instruction;
  if (name === 'j' && operands.length === 1) return t.jump(operands[0]!);
  // This tells the assembler which instructions exist; the processor does not see it.
  if (name === '.option') return;
  const isCounter = name === 'csrr' ? COUNTERS.has(operands[1] ?? '') : /^rd(?:time|cycle|instret)$/.test(name);
  if (isCounter && operands.length === (name === 'csrr' ? 2 : 1) && t.target.bits === 64) {
    return assign(t, pieceOf(t, operands[0]!), 'i64', t.clock(), 'sign');
  }
  if (!t.isDry && lowerRetry(t)) return;
  for (const [pattern, run] of TABLE) {
    const found = pattern.exec(name);
    if (found !== null) return run(t, instruction, found);
  }
  t.refuse(UNKNOWN);
}

/** A loop of `lr` and `sc` that is a read-modify-write. */
function lowerRetry(t: Translation): boolean {
  const is = {
    load: /^lr\.[wd]/,
    compute: /^(?:add|sub|and|or|xor)w?$/,
    store: /^sc\.[wd]/,
    branch: /^bnez$/,
  };
  const found = retryAt(t, is, (retry) => namesOf(t, retry));
  if (found === undefined) return false;
  const { load, compute, store } = found.retry;
  const [loads, stores] = [load, store].map(({ name }) => /^..\.([wd])\.?(.*)$/.exec(name)!);
  if (loads![1] !== stores![1]) return false;
  const type = SIZES[loads![1]!]!;
  const operator = compute === undefined ? 'xchg' : (compute.name.replace(/w$/, '') as RmwOperator);
  const other = pieceOf(t, compute === undefined ? store.operands[1]! : compute.operands[2]!);
  const order = joined(orderOf(loads![2]), stores![2]!.includes('rl') ? 'release' : 'relaxed');
  const isShort = compute?.name.endsWith('w') === true;
  const low = isShort ? 'i32' : commonType(t, [other]);
  const value = contentOf(t, other, low);
  const old = t.rmw(operator, placeOf(t, load.operands[1]), type, t.fit(value, low, type), order);
  assign(t, pieceOf(t, load.operands[0]!), type, old, 'sign');
  if (compute !== undefined) {
    const left = low === type ? old : t.cast(bitsOf(low) < bitsOf(type) ? 'trunc' : 'sext', low, old);
    const result = t.binary(operator as BinaryOperator, low, left, value);
    assign(t, pieceOf(t, compute.operands[0]!), low, result, isShort ? 'sign' : 'unknown');
  }
  assign(t, pieceOf(t, store.operands[0]!), 'i32', int(0, 'i32'), 'sign');
  t.next = t.at + (compute === undefined ? 3 : 4);
  return true;
}

function namesOf(t: Translation, { load, compute, store, branch: last }: Retry): RetryNames {
  const named = (text: string | undefined): string => {
    const piece = pieceOf(t, text ?? '');
    if (piece.kind === 'register') return `register ${piece.slot.index}`;
    return piece.kind === 'memory' ? piece.key : JSON.stringify(String(piece.kind === 'number' ? piece.value : 'zero'));
  };
  return {
    ...{ old: named(load.operands[0]), place: named(load.operands[1]) },
    ...{ status: named(store.operands[0]), stored: named(store.operands[1]), storePlace: named(store.operands[2]) },
    ...{ tested: named(last.operands[0]), target: last.operands[1] ?? '' },
    ...(compute === undefined
      ? {}
      : { computed: [named(compute.operands[0]), named(compute.operands[1]), named(compute.operands[2])] as const }),
  };
}
