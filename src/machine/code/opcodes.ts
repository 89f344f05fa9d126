/**
 * The operations of `code.ts`: numbers and operands from `instruction-table.ts`, their lengths, and the meaning of some
 * operands' numbers.
 */
import { ELEMENTARY_FUNCTIONS } from '../../program/operators.ts';
import { fixedWords, INSTRUCTIONS } from './instruction-table.ts';

export * from './operands.ts';

/** In place of a value: the assertion has no text. */
export const NO_TEXT = 0x7fffffff;

/** As the fill of fresh memory: zero, but undefined. Any other fill is the value of each word. */
export const UNDEFINED_FILL = 1;

/** What an `ASSERT` is: a claim of the program, a rule for using something, a limit of ours, a reason to refuse it. */
export const CLAIM = 0;
export const MISUSE = 1;
export const NOT_MODELLED = 2;
export const REFUSAL = 3;

/** What a `SELF` asks for: the thread's own handle, that of the next thread it creates, whether it is detached. */
export const OWN_HANDLE = 0;
export const NEXT_HANDLE = 1;
export const IS_DETACHED = 2;

/** Object kinds of `ALLOCATE` and `FREE`. */
export const STACK_OBJECT = 0;
export const HEAP_OBJECT = 1;
export const KEPT_OBJECT = 2;

export const BINARY_OPERATORS: readonly string[] =
  'add sub mul udiv sdiv urem srem and or xor shl lshr ashr fadd fsub fmul fdiv frem scale displace differ'.split(' ');
export const UNARY_OPERATORS: readonly string[] = [
  ...'clz ctz popcount bswap fneg fabs fsqrt ffloor fceil ftrunc fround'.split(' '),
  ...ELEMENTARY_FUNCTIONS,
  'settle',
];
export const PREDICATES: readonly string[] =
  'eq ne ult ule ugt uge slt sle sgt sge foeq fone folt fole fogt foge ford fueq fune fult fule fugt fuge funo'.split(
    ' ',
  );
export const CAST_OPERATORS: readonly string[] =
  'trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp bitcast address'.split(' ');
export const RMW_OPERATORS: readonly string[] = 'xchg add sub and or xor nand min max umin umax'.split(' ');

/** Words at the start of every frame: the return address, the caller's frame, where the result goes, what to free. */
export const FRAME_RETURN = 0;
export const FRAME_CALLER = 1;
export const FRAME_DEST = 2;
export const FRAME_STACK = 3;
export const FRAME_SITE = 4; // of the call
export const FRAME_HEADER = 5;

/**
 * Words of a loop's record in the frame: the number of iterations (counted only for a bound), whether there is a
 * snapshot, how often the thread has done something that others may see when it was taken, how often the thread has come
 * back since, and two copies of `T_POKES`, `T_STACK` and words of the frame: from the last visit to the head and (if the
 * thread has come back since it wrote) from some earlier visit.
 */
export const LOOP_COUNT = 0;
export const LOOP_VALID = 1;
export const LOOP_WRITES = 2;
export const LOOP_ROUNDS = 3;
export const LOOP_POKES = 4;
export const LOOP_STACK = 5;
export const LOOP_OLDER_POKES = 6;
export const LOOP_OLDER_STACK = 7;
/** The number of the thread's last event. */
export const LOOP_EVENTS = 8;
export const LOOP_SNAPSHOT = 9;

/** Words of the record of a loop whose snapshot has `count` words. */
export function loopRecordWords(count: number): number {
  return LOOP_SNAPSHOT + 2 * count;
}

/** Words that the instruction at `pc` takes. */
export function lengthAt(words: Int32Array, pc: number): number {
  const operation = words[pc]!;
  const length = LENGTHS[operation]!;
  const each = EACH[operation]!;
  return each === 0 ? length : length + each * words[pc + length - 1]!;
}

/** By operation: words without the repeated group, and words of that group. */
const LENGTHS = new Int32Array(INSTRUCTIONS.length + 1);
const EACH = new Int32Array(INSTRUCTIONS.length + 1);
for (const form of INSTRUCTIONS) {
  LENGTHS[form.operation] = fixedWords(form);
  EACH[form.operation] = form.each.length;
}
