/**
 * The operations of `code.ts`: their numbers, their fields, their lengths. Every instruction is `[op, site, …fields]`;
 * the fields are named behind each number.
 */
import { ELEMENTARY_FUNCTIONS } from '../program/ir.ts';

// Local operations: run between steps, seen by nobody else.
export const MOVE = 1; // type dest value
export const BINARY = 2; // operator type dest left right
export const COMPARE = 3; // predicate type dest left right
export const CAST = 4; // operator from to dest value
export const SELECT = 5; // type dest condition ifTrue ifFalse
export const ALLOCA = 6; // dest size align
export const CALL = 7; // type|-1 dest callee count (type value)*
export const ASSERT = 8; // condition message text|NO_TEXT what
export const ASSUME = 9; // condition
export const JUMP = 10; // pc
export const BRANCH = 11; // condition pc pc
export const SWITCH = 12; // type value default count (low high pc)*
export const RETURN = 13; // type|-1 value
export const UNREACHABLE = 14;
export const ALLOCATE = 15; // kind dest size align
export const PEEK = 16; // type dest address
export const POKE = 17; // type address value
export const THREADLOCAL = 18; // dest offset
export const SELF = 19; // dest what
export const PRINT = 20; // dest|-1 format arguments
export const EXITTHREAD = 21; // type|-1 value
export const UNARY = 22; // operator type dest value
export const LOOPENTER = 23; // record count offset*
export const LOOPBACK = 24; // record count offset*
export const GLANCE = 25; // type dest address
export const DETACH = 26; // thread
export const EXTENT = 27; // dest address
export const IDLEPOKE = 28; // type address value
export const MARK = 29; // name value
export const ENDMARK = 30; // value
export const ISCONSTANT = 31; // dest address
export const OLDERLOCAL = 32; // dest address

/** Operations from here on are visible: one step, one event. */
export const VISIBLE = 33;
export const LOAD = 33; // type dest address order
export const STORE = 34; // type address value order
export const RMW = 35; // operator type dest address value order
export const CMPXCHG = 36; // type dest success|-1 address expected desired order failureOrder
export const FENCE = 37; // order
export const CHOOSE = 38; // type dest count
export const SPAWN = 39; // dest callee count (type value)*
export const JOIN = 40; // type|-1 dest thread
export const LOCK = 41; // mutex
export const TRYLOCK = 42; // dest mutex
export const UNLOCK = 43; // mutex
export const WAIT = 44; // condition mutex
export const SIGNAL = 45; // condition
export const BROADCAST = 46; // condition
export const FREE = 47; // kind address
export const EXIT = 48; // status
export const BEGINATOMIC = 49;
export const ENDATOMIC = 50;
export const AWAIT = 51; // dest success address predicate bound operator|-1 value order blocks
export const TIMEDWAIT = 52; // condition mutex
export const WAKE = 53; // dest condition
export const DESTROY = 54; // object
export const INIT = 55; // object isNew
/** How many numbers operations take. */
export const OPERATIONS = 56;

/** In place of a value, where an assertion has no text of its own. */
export const NO_TEXT = 0x7fffffff;

/** What an `ASSERT` is: a claim of the program, a rule for using something, or a limit of ours. */
export const CLAIM = 0;
export const MISUSE = 1;
export const NOT_MODELLED = 2;

/** What a `SELF` asks for: the own handle, that of the next thread it creates, whether it is detached. */
export const OWN_HANDLE = 0;
export const NEXT_HANDLE = 1;
export const IS_DETACHED = 2;

/** Object kinds of `ALLOCATE` and `FREE`. */
export const STACK_OBJECT = 0;
export const HEAP_OBJECT = 1;
export const KEPT_OBJECT = 2;

export const BINARY_OPERATORS: readonly string[] =
  'add sub mul udiv sdiv urem srem and or xor shl lshr ashr fadd fsub fmul fdiv frem'.split(' ');
export const UNARY_OPERATORS: readonly string[] = [
  ...'clz ctz popcount bswap fneg fabs fsqrt ffloor fceil ftrunc fround'.split(' '),
  ...ELEMENTARY_FUNCTIONS,
];
export const PREDICATES: readonly string[] =
  'eq ne ult ule ugt uge slt sle sgt sge foeq fone folt fole fogt foge ford fueq fune fult fule fugt fuge funo'.split(
    ' ',
  );
export const CAST_OPERATORS: readonly string[] =
  'trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp bitcast'.split(' ');
export const RMW_OPERATORS: readonly string[] = 'xchg add sub and or xor nand min max umin umax'.split(' ');

/** Words at the start of every frame: where to return to, the caller's frame, where its result goes, what to free. */
export const FRAME_RETURN = 0;
export const FRAME_CALLER = 1;
export const FRAME_DEST = 2;
export const FRAME_STACK = 3;
export const FRAME_SITE = 4; // of the call
export const FRAME_HEADER = 5;

/**
 * Words of a loop's record in the frame: how often it has been repeated (counted only for a bound), whether there is a
 * snapshot, the thread's writes when it was taken, how often the thread has come back since it last wrote, and two copies
 * of words of the frame: as they were when the thread was last at the head, and (if it has come back since it wrote) as
 * they were at some time before that.
 */
export const LOOP_COUNT = 0;
export const LOOP_VALID = 1;
export const LOOP_WRITES = 2;
export const LOOP_ROUNDS = 3;
export const LOOP_SNAPSHOT = 4;

/** Words of the record of a loop whose snapshot has `count` words. */
export function loopRecordWords(count: number): number {
  return LOOP_SNAPSHOT + 2 * count;
}

/** Words that the instruction at `pc` takes. */
export function lengthAt(words: Int32Array, pc: number): number {
  switch (words[pc]) {
    case CALL:
      return 6 + 2 * words[pc + 5]!;
    case SWITCH:
      return 6 + 3 * words[pc + 5]!;
    case LOOPENTER:
    case LOOPBACK:
      return 4 + words[pc + 3]!;
    case SPAWN:
      return 5 + 2 * words[pc + 4]!;
    default:
      return LENGTHS[words[pc]!]!;
  }
}

/** By operation, for those whose length is always the same. */
const LENGTHS: Int32Array = lengths([
  [2, [UNREACHABLE, BEGINATOMIC, ENDATOMIC]],
  [3, [ASSUME, JUMP, DETACH, ENDMARK, FENCE, LOCK, UNLOCK, SIGNAL, BROADCAST, EXIT, DESTROY]],
  [4, [RETURN, THREADLOCAL, SELF, EXITTHREAD, EXTENT, ISCONSTANT, OLDERLOCAL, MARK]],
  [4, [TRYLOCK, WAIT, TIMEDWAIT, WAKE, FREE, INIT]],
  [5, [MOVE, ALLOCA, BRANCH, PEEK, POKE, IDLEPOKE, GLANCE, PRINT, CHOOSE, JOIN]],
  [6, [UNARY, ASSERT, ALLOCATE, LOAD, STORE]],
  [7, [BINARY, COMPARE, CAST, SELECT]],
  [8, [RMW]],
  [10, [CMPXCHG]],
  [11, [AWAIT]],
]);

function lengths(groups: readonly (readonly [number, readonly number[]])[]): Int32Array {
  const table = new Int32Array(OPERATIONS);
  for (const [length, operations] of groups) for (const operation of operations) table[operation] = length;
  return table;
}
