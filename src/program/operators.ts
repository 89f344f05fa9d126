/** The operators of the IR. */

export type BinaryOperator =
  | 'add'
  | 'sub'
  | 'mul'
  | 'udiv'
  | 'sdiv'
  | 'urem'
  | 'srem'
  | 'and'
  | 'or'
  | 'xor'
  | 'shl'
  | 'lshr'
  | 'ashr'
  | 'fadd'
  | 'fsub'
  | 'fmul'
  | 'fdiv'
  | 'frem'
  /**
   * Multiplication and addition of `i32`s that are parts of addresses: if an operand is not an address (-2^31), or the
   * result does not fit, the result is not an address either.
   */
  | 'scale'
  | 'displace'
  /**
   * As `xor`, but bits that are undefined in both operands count as equal: a compare-exchange whose expected value is a
   * copy must succeed.
   */
  | 'differ';

export type Predicate =
  | 'eq'
  | 'ne'
  | 'ult'
  | 'ule'
  | 'ugt'
  | 'uge'
  | 'slt'
  | 'sle'
  | 'sgt'
  | 'sge'
  // Floating point: `o…` is false and `u…` is true when an operand is NaN.
  | 'foeq'
  | 'fone'
  | 'folt'
  | 'fole'
  | 'fogt'
  | 'foge'
  | 'ford'
  | 'fueq'
  | 'fune'
  | 'fult'
  | 'fule'
  | 'fugt'
  | 'fuge'
  | 'funo';

/** `clz` and `ctz` of zero are the width. */
export type UnaryOperator =
  | 'clz'
  | 'ctz'
  | 'popcount'
  | 'bswap'
  /** The same value; undefined bits become defined ones. */
  | 'settle'
  | 'fneg'
  | 'fabs'
  | 'fsqrt'
  | 'ffloor'
  | 'fceil'
  | 'ftrunc'
  | 'fround'
  | ElementaryFunction;

/** The functions of <math.h> whose results are rounded; the result depends only on the argument (`elementary.ts`). */
export const ELEMENTARY_FUNCTIONS = [
  'fexp',
  'fexp2',
  'fexpm1',
  'flog',
  'flog2',
  'flog10',
  'flog1p',
  'fsin',
  'fcos',
  'ftan',
  'fasin',
  'facos',
  'fatan',
  'fsinh',
  'fcosh',
  'ftanh',
  'fasinh',
  'facosh',
  'fatanh',
  'fcbrt',
] as const;
export type ElementaryFunction = (typeof ELEMENTARY_FUNCTIONS)[number];

export type CastOperator =
  | 'trunc'
  | 'zext'
  | 'sext'
  | 'fptrunc'
  | 'fpext'
  | 'fptoui'
  | 'fptosi'
  | 'uitofp'
  | 'sitofp'
  | 'bitcast'
  /** The address that a 64-bit pointer means: the same number, or an invalid address if that does not fit 32 bits. */
  | 'address';

export type RmwOperator = 'xchg' | 'add' | 'sub' | 'and' | 'or' | 'xor' | 'nand' | 'min' | 'max' | 'umin' | 'umax';
