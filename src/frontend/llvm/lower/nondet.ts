/**
 * Arbitrary numbers, as programs for SV-COMP and other checkers request them: `__VERIFIER_nondet_int` and so on. All
 * values of small types are tried; other types need a range (`--nondet`), which is a bound of every verdict.
 */
import { constant, reg } from '../../../program/builder.ts';
import { bitsOf, isFloat } from '../../../program/types.ts';
import type { Call } from './call.ts';
import type { FunctionContext } from './function-context.ts';
import type { Range } from './nondet-range.ts';

const NAME = /^__(?:VERIFIER|ESBMC|CPROVER|SMACK)?_?nondet_(\w+)$/;

/** Types by name, grouped by sign; the width is that of the result. */
const SIGNED =
  /^(?:int|long|longlong|long_long|llong|short|int8_t|int16_t|int32_t|int64_t|intptr_t|ssize_t|s8|s16|s32|s64|loff_t|ptrdiff_t|time_t)$/;
const UNSIGNED =
  /^(?:uint|unsigned|unsigned_int|unsigned_long|unsigned_short|ulong|ulonglong|ullong|ushort|size_t|uintptr_t|uint8_t|uint16_t|uint32_t|uint64_t|u8|u16|u32|u64|sector_t)$/;
const EXACT: Readonly<Record<string, number>> = {
  bool: 2,
  _Bool: 2,
  char: 256,
  uchar: 256,
  schar: 256,
  unsigned_char: 256,
};

/**
 * Whether this call chooses among all values of a type. If so, lowers it, if need be to a refusal where execution
 * reaches it.
 */
export function lowerNondet(into: FunctionContext, i: Call, name: string): boolean {
  const type = NAME.exec(name)?.[1];
  if (type === undefined) return false;
  into.locate(undefined);
  const exact = Object.hasOwn(EXACT, type) ? EXACT[type] : undefined;
  const isSigned = SIGNED.test(type);
  if (exact !== undefined) choose(into, i, 0n, exact);
  else if (!isSigned && !UNSIGNED.test(type)) into.builder.refuse(`${name} is not modelled; use fencepost_choose(n)`);
  else if (into.program.nondet === undefined) {
    into.builder.refuse(`${name} has too many values to try them all; --nondet LO..HI tries those of a range`);
  } else chooseFrom(into, i, into.program.nondet, isSigned);
  return true;
}

function chooseFrom(into: FunctionContext, i: Call, range: Range, isSigned: boolean): void {
  const scalar = into.scalar(i.type);
  if (isFloat(scalar)) into.fail('this function returns an integer; fix its declaration');
  const bits = BigInt(bitsOf(scalar));
  const [least, most] = isSigned ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
  const low = range.low < least ? least : range.low;
  const high = range.high > most ? most : range.high;
  if (low > high) into.fail(`--nondet ${range.low}..${range.high} has no value of this type`);
  if (low > least || high < most) into.program.isNarrowed = true;
  choose(into, i, low, Number(high - low) + 1);
}

function choose(into: FunctionContext, i: Call, low: bigint, count: number): void {
  const { builder } = into;
  const scalar = into.scalar(i.type);
  const chosen = into.temporary('i32');
  const value = scalar === 'i32' ? chosen : into.temporary(scalar);
  builder.choose(chosen, count);
  if (scalar !== 'i32') builder.cast(bitsOf(scalar) > 32 ? 'zext' : 'trunc', value, reg(chosen));
  const start = BigInt.asIntN(bitsOf(scalar), low);
  builder.binary('add', into.result(i, scalar), reg(value), constant(scalar, scalar === 'i64' ? start : Number(start)));
}
