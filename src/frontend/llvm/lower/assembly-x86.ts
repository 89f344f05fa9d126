/**
 * x86's instructions. One with the prefix `lock` on memory is a seq_cst read-modify-write. Without the prefix, it is a
 * load and then a store, and other threads may run in between. Anything not in the table is refused.
 */
import { int, reg } from '../../../program/builder.ts';
import type { Operand } from '../../../program/ir.ts';
import { bitsOf, type Type } from '../../../program/types.ts';
import { addFlags, condition, logicFlags, setFlags, stepFlags, subtractFlags } from './assembly-flags.ts';
import { maybeMemory } from './assembly-operands.ts';
import type { AssemblyInstruction } from './assembly-text.ts';
import type { Extension, Memory, Translation } from './assembly-translation.ts';
import {
  assign,
  contentOf,
  implied,
  namedRegister,
  type Piece,
  pieceOf,
  SIZES,
  sizeOf,
} from './assembly-x86-operands.ts';
import { compareExchange16 } from './wide-atomics.ts';

const UNKNOWN = 'the instruction is not modelled';
const SEQ_CST = ['seq_cst', 'seq_cst'] as const;

/** One instruction, with its operands and their size. */
interface Case {
  readonly t: Translation;
  readonly texts: readonly string[];
  readonly pieces: readonly Piece[];
  readonly isLocked: boolean;
  readonly type: Type;
}

interface Form {
  readonly operands: number;
  /** Whether it may have the prefix `lock`, if its last operand is in memory. */
  readonly locks?: true;
  readonly run: (c: Case) => void;
}

type Arithmetic = 'add' | 'sub' | 'and' | 'or' | 'xor';

function flagsOf(
  t: Translation,
  operator: Arithmetic,
  type: Type,
  left: Operand,
  right: Operand,
  result: Operand,
): void {
  if (operator === 'add') addFlags(t, type, left, right, result);
  else if (operator === 'sub') subtractFlags(t, type, left, right, result);
  else logicFlags(t, type, result);
}

/** Modifies the place; returns its old and its new content. */
function modify(c: Case, place: Piece, operator: Arithmetic, value: Operand): readonly [old: Operand, now: Operand] {
  const { t, type, isLocked } = c;
  if (isLocked && place.kind === 'memory') {
    const old = t.rmw(operator, place, type, value, 'seq_cst');
    return [old, t.binary(operator, type, old, value)];
  }
  const old = contentOf(t, place, type);
  const now = t.binary(operator, type, old, value);
  assign(t, place, type, now);
  return [old, now];
}

/** The source of an instruction whose other operand is in memory. */
function source({ t, texts, pieces, type }: Case): Operand {
  const [piece, place] = pieces as readonly [Piece, Piece];
  if (piece.kind === 'memory' && place.kind === 'memory') t.refuse(`"${texts[0]}" may be in memory`);
  const number = /^\$\{?(\d+)/.exec(texts[0]!)?.[1];
  const constraint = number === undefined ? undefined : t.registers.operands[Number(number)]?.constraint;
  if (place.kind === 'memory' && piece.kind === 'register' && constraint !== undefined && maybeMemory(constraint)) {
    t.refuse(`"${texts[0]}" may be in memory`);
  }
  return contentOf(t, piece, type);
}

function isSame({ pieces: [a, b] }: Case): boolean {
  return a?.kind === 'register' && b?.kind === 'register' && a.slot === b.slot && a.shift === b.shift;
}

function arithmetic(operator: Arithmetic): Form {
  return {
    operands: 2,
    locks: true,
    run: (c) => {
      const { t, pieces, type } = c;
      if (isSame(c) && (operator === 'xor' || operator === 'sub')) {
        // The result does not depend on the content: the usual way to clear a register.
        assign(t, pieces[1]!, type, int(0, type));
        return flagsOf(t, operator, type, int(0, type), int(0, type), int(0, type));
      }
      const value = source(c);
      const [old, now] = modify(c, pieces[1]!, operator, value);
      flagsOf(t, operator, type, old, value, now);
    },
  };
}

/** Sets only the flags, those of a subtraction or of a bitwise and. */
function comparison(operator: 'sub' | 'and'): Form {
  return {
    operands: 2,
    run: (c) => {
      const { t, pieces, type } = c;
      const right = source(c);
      const left = contentOf(t, pieces[1]!, type);
      flagsOf(t, operator, type, left, right, t.binary(operator, type, left, right));
    },
  };
}

function step(operator: 'add' | 'sub'): Form {
  return {
    operands: 1,
    locks: true,
    run: (c) => {
      const { t, pieces, type } = c;
      const [, now] = modify(c, pieces[0]!, operator, int(1, type));
      const smallest = -(1n << BigInt(bitsOf(type) - 1));
      stepFlags(t, type, now, t.number(operator === 'add' ? smallest : -smallest - 1n, type));
    },
  };
}

function move({ t, texts, pieces, type }: Case): void {
  const [from, to] = pieces as readonly [Piece, Piece];
  if (from.kind === 'memory' && to.kind === 'memory') t.refuse(`"${texts[0]}" may be in memory`);
  const isWhole = bitsOf(type) === t.target.bits;
  if (isWhole && from.kind === 'register' && to.kind === 'register' && t.isUnset(from.slot)) {
    return t.copyUnset(from.slot, to.slot);
  }
  assign(t, to, type, contentOf(t, from, type));
}

/** With memory, it is locked even without the prefix. */
function exchange({ t, pieces, type }: Case): void {
  const [a, b] = pieces as readonly [Piece, Piece];
  const [register, place] = a.kind === 'memory' ? [b, a] : [a, b];
  if (register.kind !== 'register' || place.kind === 'number') return t.refuse(UNKNOWN);
  const value = t.read(register);
  if (place.kind === 'memory') return assign(t, register, type, t.rmw('xchg', place, type, value, 'seq_cst'));
  const other = t.read(place);
  assign(t, place, type, value);
  assign(t, register, type, other);
}

function exchangeAdd(c: Case): void {
  const { t, pieces, type } = c;
  const [register, place] = pieces as readonly [Piece, Piece];
  if (register.kind !== 'register') return t.refuse(UNKNOWN);
  const value = t.read(register);
  if (place.kind === 'memory') {
    const [old, now] = modify(c, place, 'add', value);
    assign(t, register, type, old);
    return addFlags(t, type, old, value, now);
  }
  const old = contentOf(t, place, type);
  const now = t.binary('add', type, old, value);
  assign(t, register, type, old);
  assign(t, place, type, now);
  addFlags(t, type, old, value, now);
}

/**
 * Memory is written in both cases (Intel's manual, vol. 2, CMPXCHG). This matters only without `lock`, where writing
 * back the old value may undo another thread's store. The accumulator is written only if they differ, so on success the
 * rest of its register is kept.
 */
function exchangeIfEqual({ t, pieces, type, isLocked }: Case): void {
  const [from, place] = pieces as readonly [Piece, Piece];
  if (from.kind !== 'register') return t.refuse(UNKNOWN);
  const accumulator = implied(t, 'a', type);
  const [desired, expected] = [t.read(from), t.read(accumulator)];
  let [old, success]: [Operand, Operand] = [expected, expected];
  if (isLocked && place.kind === 'memory') {
    ({ old, success } = t.compareExchange(place, type, [expected, desired], SEQ_CST));
  } else {
    old = contentOf(t, place, type);
    success = t.compare('eq', old, expected);
    assign(t, place, type, t.select(type, success, desired, old));
  }
  subtractFlags(t, type, expected, old, t.binary('sub', type, expected, old));
  t.write(accumulator, old, onFailure(t, type));
}

/** For a register that is written only if a comparison fails: on failure, the upper half of a 64-bit one is cleared. */
function onFailure(t: Translation, type: Type): Extension {
  return t.target.bits === 64 && type === 'i32' ? 'unknown' : 'merge';
}

/** `cmpxchg8b`, `cmpxchg16b`: register pairs hold the lower and the upper half. Only Z is set. */
function exchangePair(t: Translation, place: Memory, half: Type, isLocked: boolean): void {
  const [low, high] = [implied(t, 'a', half), implied(t, 'd', half)];
  const [newLow, newHigh] = [implied(t, 'b', half), implied(t, 'c', half)];
  // A load that compares memory with anything and stores the same thing: the value compared affects only Z.
  const isLoad =
    t.isUnset(low.slot) && t.isUnset(high.slot) && t.isCopy(newLow.slot, low.slot) && t.isCopy(newHigh.slot, high.slot);
  const zero = int(0, half);
  const desired = isLoad ? ([zero, zero] as const) : ([t.read(newLow), t.read(newHigh)] as const);
  const expected = isLoad ? ([zero, zero] as const) : ([t.read(low), t.read(high)] as const);
  if (half === 'i64') {
    if (!isLocked) t.refuse('without the prefix "lock" it is not modelled');
    const [lower, upper] = t.halves(place);
    const { old, success } = compareExchange16(t.builder, [lower, upper], expected, desired);
    setFlags(t, { Z: () => success }, isLoad ? 'Z' : '');
    t.write(low, old[0], 'merge');
    return t.write(high, old[1], 'merge');
  }
  const join = ([l, h]: readonly [Operand, Operand]): Operand =>
    t.binary('or', 'i64', t.cast('zext', 'i64', l), t.binary('shl', 'i64', t.cast('zext', 'i64', h), int(32, 'i64')));
  const [wanted, given] = [join(expected), join(desired)];
  let [old, success]: [Operand, Operand] = [wanted, wanted];
  if (isLocked) ({ old, success } = t.compareExchange(place, 'i64', [wanted, given], SEQ_CST));
  else {
    old = t.load(place, 'i64');
    success = t.compare('eq', old, wanted);
    t.store(place, t.select('i64', success, given, old));
  }
  setFlags(t, { Z: () => success }, isLoad ? 'Z' : '');
  t.write(low, t.cast('trunc', 'i32', old), onFailure(t, 'i32'));
  t.write(high, t.cast('trunc', 'i32', t.binary('lshr', 'i64', old, int(32, 'i64'))), onFailure(t, 'i32'));
}

/** `bts` and so on: C is the old bit; Z is kept. A bit number in a register may reach beyond the operand in memory. */
function bit(operator: 'none' | 'or' | 'and' | 'xor'): Form {
  return {
    operands: 2,
    ...(operator === 'none' ? {} : { locks: true }),
    run: (c) => {
      const { t, pieces, type } = c;
      const number = pieces[0]!;
      let place = pieces[1]!;
      const bits = bitsOf(type);
      if (number.kind === 'memory' || place.kind === 'number') return t.refuse(UNKNOWN);
      let within: Operand;
      if (number.kind === 'number') within = t.number(number.value & BigInt(bits - 1), type);
      else {
        const given = t.read(number);
        within = t.binary('and', type, given, t.number(BigInt(bits - 1), type));
        if (place.kind === 'memory') {
          const words = t.binary('ashr', type, given, int(Math.log2(bits), type));
          const bytes = t.binary('shl', type, words, int(Math.log2(bits / 8), type));
          const index = type === 'i32' ? bytes : t.cast(type === 'i64' ? 'trunc' : 'sext', 'i32', bytes);
          place = { ...place, index };
        }
      }
      const mask = t.binary('shl', type, int(1, type), within);
      const value = operator === 'and' ? t.binary('xor', type, mask, t.number(-1n, type)) : mask;
      const old = operator === 'none' ? contentOf(t, place, type) : modify(c, place, operator, value)[0];
      const isSet = (): Operand => t.compare('ne', t.binary('and', type, old, mask), int(0, type));
      setFlags(t, { C: isSet }, 'OSP');
    },
  };
}

function complement(c: Case): void {
  modify(c, c.pieces[0]!, 'xor', c.t.number(-1n, c.type));
}

/** The program form has no such read-modify-write, so it is a loop around a compare-exchange. */
function negate({ t, pieces, type, isLocked }: Case): void {
  const [place] = pieces as readonly [Piece];
  let old: Operand;
  if (isLocked && place.kind === 'memory') {
    const last = t.temporary(type);
    t.builder.move(last, t.load(place, type));
    const [again, after] = [t.builder.block(''), t.builder.block('')];
    t.builder.jump(again);
    t.builder.startBlock(again);
    const now = t.binary('sub', type, int(0, type), reg(last));
    const { old: found, success } = t.compareExchange(place, type, [reg(last), now], ['seq_cst', 'relaxed']);
    t.builder.move(last, found);
    t.builder.branch(success, after, again);
    t.builder.startBlock(after);
    old = reg(last);
  } else {
    old = contentOf(t, place, type);
    assign(t, place, type, t.binary('sub', type, int(0, type), old));
  }
  subtractFlags(t, type, int(0, type), old, t.binary('sub', type, int(0, type), old));
}

/** `sbb %0,%0`: every bit of the result is the carry. */
function subtractCarry(c: Case): void {
  const { t, pieces, type } = c;
  if (!isSame(c)) return t.refuse(UNKNOWN);
  const carry = t.flag('C');
  const result = t.binary('sub', type, int(0, type), t.cast('zext', type, carry));
  assign(t, pieces[1]!, type, result);
  subtractFlags(t, type, int(0, type), t.cast('zext', type, carry), result);
}

/** `bsf`, `bsr`: the manual does not define the result for zero. */
function scan(isForward: boolean): Form {
  return {
    operands: 2,
    run: ({ t, pieces, type }) => {
      const value = contentOf(t, pieces[0]!, type);
      const isZero = t.compare('eq', value, int(0, type));
      t.builder.add({
        op: 'assert',
        condition: t.compare('ne', value, int(0, type)),
        message: 'the result of bsf or bsr for zero',
        notModelled: true,
      });
      const count = t.temporary(type);
      t.builder.unary(isForward ? 'ctz' : 'clz', count, value);
      const result = isForward ? reg(count) : t.binary('sub', type, int(bitsOf(type) - 1, type), reg(count));
      if (pieces[1]!.kind !== 'register') t.refuse(UNKNOWN);
      assign(t, pieces[1]!, type, result);
      setFlags(t, { Z: () => isZero }, 'COSP');
    },
  };
}

function swapBytes({ t, pieces, type }: Case): void {
  if (bitsOf(type) < 32 || pieces[0]!.kind !== 'register') return t.refuse(UNKNOWN);
  const result = t.temporary(type);
  t.builder.unary('bswap', result, t.read(pieces[0]!));
  assign(t, pieces[0]!, type, reg(result));
}

const TABLE: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['mov', { operands: 2, run: move }],
  ['add', arithmetic('add')],
  ['sub', arithmetic('sub')],
  ['and', arithmetic('and')],
  ['or', arithmetic('or')],
  ['xor', arithmetic('xor')],
  ['cmp', comparison('sub')],
  ['test', comparison('and')],
  ['inc', step('add')],
  ['dec', step('sub')],
  ['neg', { operands: 1, locks: true, run: negate }],
  ['not', { operands: 1, locks: true, run: complement }],
  ['xchg', { operands: 2, locks: true, run: exchange }],
  ['xadd', { operands: 2, locks: true, run: exchangeAdd }],
  ['cmpxchg', { operands: 2, locks: true, run: exchangeIfEqual }],
  ['bt', bit('none')],
  ['bts', bit('or')],
  ['btr', bit('and')],
  ['btc', bit('xor')],
  ['sbb', { operands: 2, run: subtractCarry }],
  ['bsf', scan(true)],
  ['bsr', scan(false)],
  ['bswap', { operands: 1, run: swapBytes }],
]);

/** Instructions whose names contain a condition or sizes, and those without sized operands. */
const OTHERS: readonly (readonly [RegExp, (t: Translation, i: AssemblyInstruction, found: RegExpExecArray) => void])[] =
  [
    [
      /^set([a-z]+)$/,
      (t, { operands: [text, ...more] }, [, name]) => {
        if (text === undefined || more.length > 0) return t.refuse(UNKNOWN);
        const value = condition(t, name!) ?? t.refuse(UNKNOWN);
        const piece = pieceOf(t, text);
        if (piece.kind === 'register' && piece.type !== 'i8')
          t.refuse(`the size of "${text}" differs from the instruction's`);
        assign(t, piece, 'i8', t.cast('zext', 'i8', value));
      },
    ],
    [
      /^cmov([a-z]+?)([wlq]?)$/,
      (t, { operands: texts }, [, name, suffix]) => {
        const whole = condition(t, `${name}${suffix}`);
        const value = whole ?? condition(t, name!) ?? t.refuse(UNKNOWN);
        if (texts.length !== 2) return t.refuse(UNKNOWN);
        const pieces = texts.map((text) => pieceOf(t, text));
        const type = sizeOf(t, whole === undefined ? suffix! : '', texts, pieces);
        const [from, to] = pieces as [Piece, Piece];
        if (to.kind !== 'register' || type === 'i8') return t.refuse(UNKNOWN);
        // The source is read whether or not the condition holds.
        const given = contentOf(t, from, type);
        assign(t, to, type, t.select(type, value, given, t.read(to)));
      },
    ],
    [
      /^mov([sz])([bwl])([wlq])$/,
      (t, { operands: texts }, [, kind, small, large]) => {
        const [from, to] = [SIZES[small!]!, SIZES[large!]!];
        if (texts.length !== 2 || bitsOf(from) >= bitsOf(to) || `${kind}${small}` === 'zl') return t.refuse(UNKNOWN);
        const pieces = texts.map((text) => pieceOf(t, text)) as [Piece, Piece];
        for (const [n, piece] of pieces.entries()) {
          if (piece.kind === 'number' || (n === 1 && piece.kind === 'memory')) t.refuse(UNKNOWN);
          if (piece.kind === 'register' && piece.type !== [from, to][n]) {
            t.refuse(`the size of "${texts[n]}" differs from the instruction's`);
          }
        }
        assign(t, pieces[1], to, t.cast(kind === 's' ? 'sext' : 'zext', to, contentOf(t, pieces[0], from)));
      },
    ],
    [
      /^cmpxchg(8|16)b$/,
      (t, { operands: [text, ...more], isLocked }, [, bytes]) => {
        const place = text === undefined || more.length > 0 ? undefined : pieceOf(t, text);
        if (place?.kind !== 'memory') return t.refuse(`"${text ?? ''}" is not a memory operand`);
        if (bytes === '16' && t.target.bits !== 64) t.refuse('the target has no such instruction');
        exchangePair(t, place, bytes === '8' ? 'i32' : 'i64', isLocked);
      },
    ],
    // A prefetch changes nothing.
    [/^prefetch(?:w|wt1|nta|t[012])$/, (t, { operands: [text] }) => void pieceOf(t, text ?? '')],
    [
      /^rdtscp?$/,
      (t, { name, operands }) => {
        if (operands.length > 0) return t.refuse(UNKNOWN);
        const now = t.clock();
        const upper = t.binary('lshr', 'i64', now, int(32, 'i64'));
        for (const [register, half] of [['eax', now] as const, ['edx', upper] as const]) {
          assign(t, namedRegister(t, register), 'i32', t.cast('trunc', 'i32', half));
        }
        // The number of the processor is not modelled.
        if (name === 'rdtscp') t.forget(namedRegister(t, 'ecx').slot);
      },
    ],
  ];

/**
 * The names of the instructions in the table, without their size suffixes, and whether each may be locked. Below, the
 * patterns of the others.
 */
export const X86_NAMES: ReadonlyMap<string, boolean> = new Map(
  Array.from(TABLE, ([name, { locks = false }]) => [name, locks]),
);
export const X86_PATTERNS: readonly RegExp[] = OTHERS.map(([pattern]) => pattern);

export function lowerX86(t: Translation, instruction: AssemblyInstruction): void {
  const { name, operands: texts, isLocked } = instruction;
  if (name === 'jmp' && texts.length === 1 && !isLocked) return t.jump(texts[0]!);
  const jump = /^j([a-z]+)$/.exec(name);
  if (jump !== null && texts.length === 1 && !isLocked) {
    return t.branch(condition(t, jump[1]!) ?? t.refuse(UNKNOWN), texts[0]!);
  }
  for (const [pattern, run] of OTHERS) {
    const found = pattern.exec(name);
    if (found === null) continue;
    if (isLocked && !name.startsWith('cmpxchg')) t.refuse('it cannot be locked');
    return run(t, instruction, found);
  }
  const { form, suffix } = formOf(t, instruction);
  if (texts.length !== form.operands) return t.refuse(UNKNOWN);
  const pieces = texts.map((text) => pieceOf(t, text));
  const last = pieces.at(-1)!;
  // An exchange may have its operands in either order.
  const isInMemory = last.kind === 'memory' || (name.startsWith('xchg') && pieces[0]!.kind === 'memory');
  if (isLocked && !isInMemory) t.refuse(`"${texts.at(-1)}" is not a memory operand`);
  if (isLocked && form.locks !== true) t.refuse('it cannot be locked');
  const type = sizeOf(t, suffix, texts, pieces);
  form.run({ t, texts, pieces, isLocked, type });
}

/** `mov${0:z}` has the size of its operand. */
function formOf(t: Translation, { name }: AssemblyInstruction): { readonly form: Form; readonly suffix: string } {
  const sized = /^([a-z]+)\$\{(\d+):z\}$/.exec(name);
  const found = TABLE.get(sized?.[1] ?? name);
  if (sized !== null) {
    const argument = t.registers.operands[Number(sized[2])];
    const type = argument?.type ?? argument?.constraint.argument?.elementtype;
    const scalar = typeof type === 'object' ? t.into.scalar(type) : type;
    const suffix = Object.keys(SIZES).find((letter) => SIZES[letter] === (scalar === 'i1' ? 'i8' : scalar));
    return found === undefined || suffix === undefined ? t.refuse(UNKNOWN) : { form: found, suffix };
  }
  if (found !== undefined) return { form: found, suffix: '' };
  const form = /[bwlq]$/.test(name) ? TABLE.get(name.slice(0, -1)) : undefined;
  return form === undefined ? t.refuse(UNKNOWN) : { form, suffix: name.at(-1)! };
}
