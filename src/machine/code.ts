/**
 * Code: a program flattened to integers, the form the interpreter runs.
 *
 * Every instruction is `[op, site, …fields]`. A value field is either a word offset into the current frame (≥ 0) or,
 * complemented, an index into the constant pool (< 0); 64-bit values take two words, low word first. `site` numbers
 * the instruction in the whole program; `sites[site]` leads back to it.
 *
 * Some instructions become two here, so that each visible instruction is exactly one step: a `seq_cst` store is a
 * store and a full fence; a condition wait is the wait (which unlocks) and the lock that follows it, and between them,
 * if it is timed, the step that ends it.
 */
import { type Func, type Instruction, type ObjectKind, type Operand, type Program, typeOf } from '../program/ir.ts';
import { bitsOf, isFloat, ORDERS, type Order, sizeOf, TYPES, type Type } from '../program/types.ts';
import { unreachable } from '../util/unreachable.ts';
import { highWord, lowWord, normalise } from './arithmetic.ts';
import { placeGlobals } from './layout.ts';

// Local operations: run between steps, seen by nobody else.
export const MOVE = 1; // type dest value
export const BINARY = 2; // operator type dest left right
export const COMPARE = 3; // predicate type dest left right
export const CAST = 4; // operator from to dest value
export const SELECT = 5; // type dest condition ifTrue ifFalse
export const ALLOCA = 6; // dest size align
export const CALL = 7; // type|-1 dest callee count (type value)*
export const ASSERT = 8; // condition message text|NO_TEXT misuse
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
export const SELF = 19; // dest
export const PRINT = 20; // dest|-1 format arguments
export const EXITTHREAD = 21; // type|-1 value
export const UNARY = 22; // operator type dest value
export const GLANCE = 23; // type dest address
export const DETACH = 24; // thread
export const EXTENT = 25; // dest address

/** Operations from here on are visible: one step, one event. */
export const VISIBLE = 32;
export const LOAD = 32; // type dest address order
export const STORE = 33; // type address value order
export const RMW = 34; // operator type dest address value order
export const CMPXCHG = 35; // type dest success|-1 address expected desired order failureOrder
export const FENCE = 36; // order
export const CHOOSE = 37; // type dest count
export const SPAWN = 38; // dest callee count (type value)*
export const JOIN = 39; // type|-1 dest thread
export const LOCK = 40; // mutex
export const TRYLOCK = 41; // dest mutex
export const UNLOCK = 42; // mutex
export const WAIT = 43; // condition mutex
export const SIGNAL = 44; // condition
export const BROADCAST = 45; // condition
export const FREE = 46; // kind address
export const EXIT = 47; // status
export const BEGINATOMIC = 48;
export const ENDATOMIC = 49;
export const AWAIT = 50; // dest success address predicate bound operator|-1 value order blocks
export const TIMEDWAIT = 51; // condition mutex
export const WAKE = 52; // dest condition
export const DESTROY = 53; // object

/** In place of a value, where an assertion has no text of its own. */
export const NO_TEXT = 0x7fffffff;

/** Object kinds of `ALLOCATE` and `FREE`. */
export const STACK_OBJECT = 0;
export const HEAP_OBJECT = 1;

export const BINARY_OPERATORS: readonly string[] =
  'add sub mul udiv sdiv urem srem and or xor shl lshr ashr fadd fsub fmul fdiv frem'.split(' ');
export const UNARY_OPERATORS: readonly string[] =
  'clz ctz popcount bswap fneg fabs fsqrt ffloor fceil ftrunc fround'.split(' ');
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

/** Where an instruction of the code came from. */
export interface Site {
  readonly func: number;
  readonly block: number;
  readonly index: number;
  readonly instruction: Instruction;
}

export interface FunctionCode {
  readonly entry: number;
  readonly frameWords: number;
  /** Word offset and type of each register in the frame. */
  readonly offsets: readonly number[];
  readonly types: readonly Type[];
}

export interface Code {
  readonly program: Program;
  readonly words: Int32Array;
  readonly pool: Int32Array;
  readonly functions: readonly FunctionCode[];
  readonly sites: readonly Site[];
  readonly messages: readonly string[];
  /** Per root: where its arguments `count (type value)*` stand in `words`. */
  readonly rootArguments: readonly number[];
}

/** The value of a function's address: negative, so it can never be mistaken for memory. */
export function functionAddress(index: number): number {
  return -1 - index;
}

function kindCode(kind: ObjectKind): number {
  return kind === 'heap' ? HEAP_OBJECT : STACK_OBJECT;
}

export function typeCode(type: Type): number {
  return TYPES.indexOf(type);
}

export function orderCode(order: Order): number {
  return ORDERS.indexOf(order);
}

/** The canonical low and high words of a constant (see `types.ts` for how registers hold values). */
export function constantWords(type: Type, value: number | bigint): [number, number] {
  if (isFloat(type)) {
    const view = new DataView(new ArrayBuffer(8));
    if (type === 'f32') view.setFloat32(0, Number(value), true);
    else view.setFloat64(0, Number(value), true);
    return [view.getInt32(0, true), view.getInt32(4, true)];
  }
  const bits = BigInt.asIntN(64, BigInt(value));
  if (type === 'i64') return [lowWord(bits), highWord(bits)];
  if (type === 'i1') return [Number(bits & 1n), 0];
  return [normalise(lowWord(bits), bitsOf(type)), 0];
}

export function compile(program: Program): Code {
  const compiler = new Compiler(program);
  return compiler.run();
}

function frameLayout(func: Func): { offsets: number[]; types: Type[]; frameWords: number } {
  const offsets: number[] = [];
  const types: Type[] = [];
  let next = FRAME_HEADER;
  for (const register of func.registers) {
    const words = sizeOf(register.type) === 8 ? 2 : 1;
    offsets.push(next);
    types.push(register.type);
    next += words;
  }
  return { offsets, types, frameWords: next };
}

class Compiler {
  private readonly program: Program;
  private readonly addresses: readonly number[];
  private readonly out: number[] = [];
  private readonly pool: number[] = [];
  private readonly poolIndex = new Map<string, number>();
  private readonly functions: FunctionCode[] = [];
  private readonly sites: Site[] = [];
  private readonly messages: string[] = [];
  private func!: Func;
  private offsets!: readonly number[];
  private fixups: { at: number; block: number }[] = [];

  constructor(program: Program) {
    this.program = program;
    this.addresses = placeGlobals(program).addresses;
  }

  run(): Code {
    this.program.functions.forEach((func, index) => {
      this.compileFunction(func, index);
    });
    const rootArguments = this.program.roots.map((root) => {
      const at = this.out.length;
      this.values(root.arguments);
      return at;
    });
    return {
      program: this.program,
      rootArguments,
      words: Int32Array.from(this.out),
      pool: Int32Array.from(this.pool),
      functions: this.functions,
      sites: this.sites,
      messages: this.messages,
    };
  }

  private compileFunction(func: Func, index: number): void {
    const layout = frameLayout(func);
    this.func = func;
    this.offsets = layout.offsets;
    this.fixups = [];
    const starts: number[] = [];
    const entry = this.out.length;
    func.blocks.forEach((block, blockIndex) => {
      starts.push(this.out.length);
      block.body.forEach((instruction, i) => {
        const site = this.sites.length;
        this.sites.push({ func: index, block: blockIndex, index: i, instruction });
        this.compileInstruction(instruction, site);
      });
    });
    for (const { at, block } of this.fixups) this.out[at] = starts[block]!;
    this.functions.push({ entry, ...layout });
  }

  private emit(...words: number[]): void {
    this.out.push(...words);
  }

  private target(block: number): void {
    this.fixups.push({ at: this.out.length, block });
    this.out.push(-1);
  }

  private dest(register: number): number {
    return this.offsets[register]!;
  }

  private destType(register: number): number {
    return typeCode(this.func.registers[register]!.type);
  }

  private operandType(operand: Operand): number {
    return typeCode(typeOf(this.func, operand)!);
  }

  private value(operand: Operand): number {
    switch (operand.kind) {
      case 'register':
        return this.offsets[operand.index]!;
      case 'constant':
        return this.constant(constantWords(operand.type, operand.value));
      case 'global':
        return this.constant([this.addresses[operand.index]! + operand.offset, 0]);
      case 'function':
        return this.constant([functionAddress(operand.index), 0]);
      default:
        return unreachable(operand);
    }
  }

  private constant([low, high]: [number, number]): number {
    const key = `${low},${high}`;
    let index = this.poolIndex.get(key);
    if (index === undefined) {
      index = this.pool.length;
      this.pool.push(low, high);
      this.poolIndex.set(key, index);
    }
    return ~index;
  }

  private values(operands: readonly Operand[]): void {
    this.emit(operands.length);
    for (const operand of operands) this.emit(this.operandType(operand), this.value(operand));
  }

  private compileInstruction(i: Instruction, site: number): void {
    switch (i.op) {
      case 'move':
        return this.emit(MOVE, site, this.destType(i.dest), this.dest(i.dest), this.value(i.value));
      case 'binary':
        return this.emit(
          BINARY,
          site,
          BINARY_OPERATORS.indexOf(i.operator),
          this.destType(i.dest),
          this.dest(i.dest),
          this.value(i.left),
          this.value(i.right),
        );
      case 'unary':
        return this.emit(
          UNARY,
          site,
          UNARY_OPERATORS.indexOf(i.operator),
          this.destType(i.dest),
          this.dest(i.dest),
          this.value(i.value),
        );
      case 'compare':
        return this.emit(
          COMPARE,
          site,
          PREDICATES.indexOf(i.predicate),
          this.operandType(i.left),
          this.dest(i.dest),
          this.value(i.left),
          this.value(i.right),
        );
      case 'cast':
        return this.emit(
          CAST,
          site,
          CAST_OPERATORS.indexOf(i.operator),
          this.operandType(i.value),
          this.destType(i.dest),
          this.dest(i.dest),
          this.value(i.value),
        );
      case 'select':
        return this.emit(
          SELECT,
          site,
          this.destType(i.dest),
          this.dest(i.dest),
          this.value(i.condition),
          this.value(i.ifTrue),
          this.value(i.ifFalse),
        );
      case 'alloca':
        return this.emit(ALLOCA, site, this.dest(i.dest), i.size, i.align);
      case 'allocate':
        return this.emit(
          ALLOCATE,
          site,
          kindCode(i.what),
          this.dest(i.dest),
          this.value(i.size),
          i.align === undefined ? this.constant([16, 0]) : this.value(i.align),
        );
      case 'extent':
        return this.emit(EXTENT, site, this.dest(i.dest), this.value(i.address));
      case 'peek':
        return this.emit(PEEK, site, this.destType(i.dest), this.dest(i.dest), this.value(i.address));
      case 'poke':
        return this.emit(POKE, site, this.operandType(i.value), this.value(i.address), this.value(i.value));
      case 'threadlocal':
        return this.emit(THREADLOCAL, site, this.dest(i.dest), this.addresses[i.global]!);
      case 'self':
        return this.emit(SELF, site, this.dest(i.dest));
      case 'print':
        return this.emit(
          PRINT,
          site,
          i.dest === undefined ? -1 : this.dest(i.dest),
          this.value(i.format),
          this.value(i.arguments),
        );
      case 'call':
        this.emit(CALL, site);
        if (i.dest === undefined) this.emit(-1, -1);
        else this.emit(this.destType(i.dest), this.dest(i.dest));
        this.emit(this.value(i.callee));
        return this.values(i.arguments);
      case 'assert':
        this.messages.push(i.message);
        return this.emit(
          ASSERT,
          site,
          this.value(i.condition),
          this.messages.length - 1,
          i.text === undefined ? NO_TEXT : this.value(i.text),
          i.misuse === true ? 1 : 0,
        );
      case 'detach':
        return this.emit(DETACH, site, this.value(i.thread));
      case 'glance':
        return this.emit(GLANCE, site, this.destType(i.dest), this.dest(i.dest), this.value(i.address));
      case 'await':
        return this.emit(
          AWAIT,
          site,
          this.dest(i.dest),
          this.dest(i.success),
          this.value(i.address),
          PREDICATES.indexOf(i.predicate),
          this.value(i.bound),
          RMW_OPERATORS.indexOf(i.operator),
          this.value(i.value),
          orderCode(i.order),
          i.blocks ? 1 : 0,
        );
      case 'destroy':
        return this.emit(DESTROY, site, this.value(i.object));
      case 'assume':
        return this.emit(ASSUME, site, this.value(i.condition));
      case 'load':
        return this.emit(
          LOAD,
          site,
          this.destType(i.dest),
          this.dest(i.dest),
          this.value(i.address),
          orderCode(i.order),
        );
      case 'store':
        this.emit(
          STORE,
          site,
          this.operandType(i.value),
          this.value(i.address),
          this.value(i.value),
          orderCode(i.order),
        );
        if (i.order === 'seq_cst') this.emit(FENCE, site, orderCode('seq_cst'));
        return;
      case 'rmw':
        return this.emit(
          RMW,
          site,
          RMW_OPERATORS.indexOf(i.operator),
          this.destType(i.dest),
          this.dest(i.dest),
          this.value(i.address),
          this.value(i.value),
          orderCode(i.order),
        );
      case 'cmpxchg':
        return this.emit(
          CMPXCHG,
          site,
          this.destType(i.dest),
          this.dest(i.dest),
          i.success === undefined ? -1 : this.dest(i.success),
          this.value(i.address),
          this.value(i.expected),
          this.value(i.desired),
          orderCode(i.order),
          orderCode(i.failureOrder),
        );
      case 'fence':
        return this.emit(FENCE, site, orderCode(i.order));
      case 'free':
        return this.emit(FREE, site, kindCode(i.what), this.value(i.address));
      case 'choose':
        return this.emit(CHOOSE, site, this.destType(i.dest), this.dest(i.dest), i.count);
      case 'spawn':
        this.emit(SPAWN, site, this.dest(i.dest), this.value(i.callee));
        return this.values(i.arguments);
      case 'join':
        this.emit(JOIN, site);
        if (i.dest === undefined) this.emit(-1, -1);
        else this.emit(this.destType(i.dest), this.dest(i.dest));
        return this.emit(this.value(i.thread));
      case 'lock':
        return this.emit(LOCK, site, this.value(i.mutex));
      case 'trylock':
        return this.emit(TRYLOCK, site, this.dest(i.dest), this.value(i.mutex));
      case 'unlock':
        return this.emit(UNLOCK, site, this.value(i.mutex));
      case 'wait':
        this.emit(i.timedOut === undefined ? WAIT : TIMEDWAIT, site, this.value(i.condition), this.value(i.mutex));
        if (i.timedOut !== undefined) this.emit(WAKE, site, this.dest(i.timedOut), this.value(i.condition));
        return this.emit(LOCK, site, this.value(i.mutex));
      case 'signal':
        return this.emit(SIGNAL, site, this.value(i.condition));
      case 'broadcast':
        return this.emit(BROADCAST, site, this.value(i.condition));
      case 'beginatomic':
        return this.emit(BEGINATOMIC, site);
      case 'endatomic':
        return this.emit(ENDATOMIC, site);
      case 'exit':
        return this.emit(EXIT, site, this.value(i.status));
      case 'jump':
        this.emit(JUMP, site);
        return this.target(i.target);
      case 'branch':
        this.emit(BRANCH, site, this.value(i.condition));
        this.target(i.ifTrue);
        return this.target(i.ifFalse);
      case 'switch': {
        const type = typeOf(this.func, i.value)!;
        this.emit(SWITCH, site, typeCode(type), this.value(i.value));
        this.target(i.default);
        this.emit(i.cases.length);
        for (const c of i.cases) {
          this.emit(...constantWords(type, c.value));
          this.target(c.target);
        }
        return;
      }
      case 'return':
        return i.value === undefined
          ? this.emit(RETURN, site, -1, -1)
          : this.emit(RETURN, site, this.operandType(i.value), this.value(i.value));
      case 'exitthread':
        return i.value === undefined
          ? this.emit(EXITTHREAD, site, -1, -1)
          : this.emit(EXITTHREAD, site, this.operandType(i.value), this.value(i.value));
      case 'unreachable':
        return this.emit(UNREACHABLE, site);
      default:
        return unreachable(i);
    }
  }
}
