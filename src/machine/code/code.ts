/**
 * Code: a program flattened to integers, the form that the interpreter runs.
 *
 * Every instruction is `[op, site, …fields]` (`opcodes.ts`). A value field is either a word offset into the current
 * frame (≥ 0) or, complemented, an index into the constant pool (< 0); 64-bit values take two words, low word first.
 * `site` numbers the instruction in the whole program; `sites[site]` leads back to it.
 *
 * Some instructions are split here, so that each visible instruction is exactly one step: a `seq_cst` store is a store
 * and a full fence (on machines; axioms know it as one event); a condition wait is the wait (which unlocks) and the lock that follows it, with a step between them
 * that ends the wait if it is timed; under axioms, an allocation is itself and the beginning of what it made.
 */
import {
  type Func,
  type Instruction,
  LIFETIME_KINDS,
  type LifetimeKind,
  type ObjectKind,
  type Operand,
  type Program,
  typeOf,
} from '../../program/ir.ts';
import { JUNK_WORD } from '../../program/junk.ts';
import { bitsOf, isFloat, sizeOf, TYPES, type Type } from '../../program/types.ts';
import { unreachable } from '../../util/unreachable.ts';
import { placeGlobals } from '../state/layout.ts';
import { highWord, lowWord, normalise } from './arithmetic.ts';
import { findLoops } from './loops.ts';
import * as op from './opcodes.ts';
import { orderCode } from './order.ts';

/** Where an instruction of the code came from. */
export interface Site {
  readonly func: number;
  readonly block: number;
  readonly index: number;
  readonly instruction: Instruction;
}

export interface FunctionCode {
  /** Its instructions: `entry` … `end`-1. */
  readonly entry: number;
  readonly end: number;
  readonly frameWords: number;
  /** Word offset and type of each register in the frame. */
  readonly offsets: readonly number[];
  readonly types: readonly Type[];
  /** Type codes of the parameters, which are its first registers; and of the result, -1 if there is none. */
  readonly parameters: readonly number[];
  readonly result: number;
  /** Any call of it is refused, with whatever arguments. */
  readonly isUndefined: boolean;
}

export interface Code {
  readonly program: Program;
  readonly words: Int32Array;
  readonly pool: Int32Array;
  readonly functions: readonly FunctionCode[];
  readonly sites: readonly Site[];
  /** Per site: 1 if it is in our library, which users do not see. */
  readonly isLibrary: Uint8Array;
  readonly messages: readonly string[];
  /** Per root: where its arguments `count (type value)*` are in `words`. */
  readonly rootArguments: readonly number[];
}

/** Functions have addresses behind all memory (`MAX_MEMORY_BYTES`), with low bits that programs may use for tags. */
const FUNCTIONS = 1 << 30;
const FUNCTION_BYTES = 16;

export function functionAddress(index: number): number {
  return FUNCTIONS + index * FUNCTION_BYTES;
}

/** The number of the function at an address; not the number of a function if there is none. */
export function functionAt(address: number): number {
  const offset = address - FUNCTIONS;
  return offset % FUNCTION_BYTES === 0 ? offset / FUNCTION_BYTES : -1;
}

function kindCode(kind: ObjectKind): number {
  return { heap: op.HEAP_OBJECT, stack: op.STACK_OBJECT, kept: op.KEPT_OBJECT }[kind];
}

function selfCode(what: 'next' | 'detached' | undefined): number {
  if (what === undefined) return op.OWN_HANDLE;
  return what === 'next' ? op.NEXT_HANDLE : op.IS_DETACHED;
}

function assertCode({ misuse, notModelled, refuses }: Extract<Instruction, { op: 'assert' }>): number {
  if (refuses === true) return op.REFUSAL;
  return misuse === true ? op.MISUSE : notModelled === true ? op.NOT_MODELLED : op.CLAIM;
}

export function typeCode(type: Type): number {
  return TYPES.indexOf(type);
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

/**
 * Which of the loops that could wait are marked with `LOOPENTER` and `LOOPBACK` on the edges to their heads: those with
 * iterations that may change nothing; or all, to count iterations.
 */
export type MarkedLoops = 'none' | 'idle' | 'all';

export function compile(program: Program, marked: MarkedLoops = 'none', isAxiomatic = false): Code {
  const compiler = new Compiler(program, marked, isAxiomatic);
  return compiler.run();
}

function frameLayout(func: Func): { offsets: number[]; types: Type[]; frameWords: number } {
  const offsets: number[] = [];
  const types: Type[] = [];
  let next = op.FRAME_HEADER;
  for (const register of func.registers) {
    const words = sizeOf(register.type) === 8 ? 2 : 1;
    offsets.push(next);
    types.push(register.type);
    next += words;
  }
  return { offsets, types, frameWords: next };
}

/** A loop, with the place of its record in the frame, the words it copies, and the code of the edges to its head. */
interface PlacedLoop {
  readonly head: number;
  readonly tails: ReadonlySet<number>;
  readonly record: number;
  readonly offsets: readonly number[];
  enter: number;
  back: number;
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
  private fixups: { at: number; from: number; to: number }[] = [];
  /** The block being compiled. */
  private block = 0;
  private readonly marked: MarkedLoops;

  /** Whether a `seq_cst` store is one event, and the beginning of an object too. */
  private readonly isAxiomatic: boolean;

  constructor(program: Program, marked: MarkedLoops, isAxiomatic: boolean) {
    this.program = program;
    this.marked = marked;
    this.isAxiomatic = isAxiomatic;
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
      isLibrary: Uint8Array.from(this.sites, ({ func }) => (this.program.functions[func]!.isLibrary === true ? 1 : 0)),
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
    const loops = this.placeLoops(func, layout);
    // A function that begins with a loop enters it.
    for (const loop of loops) if (loop.head === 0) this.enterLoop(loop);
    func.blocks.forEach((block, blockIndex) => {
      this.block = blockIndex;
      starts.push(this.out.length);
      block.body.forEach((instruction, i) => {
        const site = this.sites.length;
        this.sites.push({ func: index, block: blockIndex, index: i, instruction });
        this.compileInstruction(instruction, site);
      });
    });
    for (const loop of loops) {
      if (loop.head !== 0) this.enterLoop(loop);
      loop.back = this.out.length;
      this.markLoop(op.LOOPBACK, loop);
      this.jump(loop.head);
    }
    for (const { at, from, to } of this.fixups) {
      const loop = from < 0 ? undefined : loops.find(({ head }) => head === to);
      this.out[at] = loop === undefined ? starts[to]! : loop.tails.has(from) ? loop.back : loop.enter;
    }
    this.functions.push({
      entry,
      end: this.out.length,
      ...layout,
      parameters: layout.types.slice(0, func.parameters).map(typeCode),
      result: func.result === undefined ? -1 : typeCode(func.result),
      isUndefined: func.isUndefined === true,
    });
  }

  /** Axioms need to know when objects begin and end; machines do not. */
  private lifetime(site: number, what: LifetimeKind, address: number, size: number): void {
    if (this.isAxiomatic) this.emit(op.LIFETIME, site, LIFETIME_KINDS.indexOf(what), address, size);
  }

  private emit(...words: number[]): void {
    this.out.push(...words);
  }

  private target(block: number): void {
    this.fixups.push({ at: this.out.length, from: this.block, to: block });
    this.out.push(-1);
  }

  /** Gives each loop its record at the end of the frame. */
  private placeLoops(func: Func, layout: { frameWords: number }): PlacedLoop[] {
    if (this.marked === 'none') return [];
    const loops = findLoops(func).filter(({ isCounted }) => this.marked === 'all' || !isCounted);
    return loops.map(({ head, tails, live }) => {
      const offsets = live.flatMap((register) => {
        const offset = this.offsets[register]!;
        return sizeOf(func.registers[register]!.type) === 8 ? [offset, offset + 1] : [offset];
      });
      const record = layout.frameWords;
      layout.frameWords += op.loopRecordWords(offsets.length);
      return { head, tails, record, offsets, enter: -1, back: -1 };
    });
  }

  private enterLoop(loop: PlacedLoop): void {
    loop.enter = this.out.length;
    this.markLoop(op.LOOPENTER, loop);
    this.jump(loop.head);
  }

  private markLoop(operation: number, { record, offsets }: PlacedLoop): void {
    this.emit(operation, Math.max(0, this.sites.length - 1), record, offsets.length, ...offsets);
  }

  /** A generated jump, directly to the block. */
  private jump(block: number): void {
    this.emit(op.JUMP, Math.max(0, this.sites.length - 1));
    this.fixups.push({ at: this.out.length, from: -1, to: block });
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
        return this.emit(op.MOVE, site, this.destType(i.dest), this.dest(i.dest), this.value(i.value));
      case 'binary':
        return this.emit(
          op.BINARY,
          site,
          op.BINARY_OPERATORS.indexOf(i.operator),
          this.destType(i.dest),
          this.dest(i.dest),
          this.value(i.left),
          this.value(i.right),
        );
      case 'unary':
        return this.emit(
          op.UNARY,
          site,
          op.UNARY_OPERATORS.indexOf(i.operator),
          this.destType(i.dest),
          this.dest(i.dest),
          this.value(i.value),
        );
      case 'compare':
        return this.emit(
          op.COMPARE,
          site,
          op.PREDICATES.indexOf(i.predicate),
          this.operandType(i.left),
          this.dest(i.dest),
          this.value(i.left),
          this.value(i.right),
        );
      case 'cast':
        return this.emit(
          op.CAST,
          site,
          op.CAST_OPERATORS.indexOf(i.operator),
          this.operandType(i.value),
          this.destType(i.dest),
          this.dest(i.dest),
          this.value(i.value),
        );
      case 'select':
        return this.emit(
          op.SELECT,
          site,
          this.destType(i.dest),
          this.dest(i.dest),
          this.value(i.condition),
          this.value(i.ifTrue),
          this.value(i.ifFalse),
        );
      case 'alloca':
        return this.emit(op.ALLOCA, site, this.dest(i.dest), i.size, i.align, i.isJunk === true ? JUNK_WORD : 0);
      case 'allocate':
        this.emit(
          op.ALLOCATE,
          site,
          kindCode(i.what),
          this.dest(i.dest),
          this.value(i.size),
          i.align === undefined ? this.constant([16, 0]) : this.value(i.align),
          i.isJunk === true ? JUNK_WORD : 0,
        );
        // Not with the size in `i`, whose register may be the one that now holds the address.
        if (i.what !== 'kept') this.lifetime(site, 'allocated', this.dest(i.dest), this.constant([0, 0]));
        return;
      case 'extent':
        return this.emit(op.EXTENT, site, this.dest(i.dest), this.value(i.address));
      case 'isconstant':
        return this.emit(op.ISCONSTANT, site, this.dest(i.dest), this.value(i.address));
      case 'olderlocal':
        return this.emit(op.OLDERLOCAL, site, this.dest(i.dest), this.value(i.address));
      case 'peek':
        return this.emit(op.PEEK, site, this.destType(i.dest), this.dest(i.dest), this.value(i.address));
      case 'poke':
        return this.emit(
          i.isIdle === true ? op.IDLEPOKE : op.POKE,
          site,
          this.operandType(i.value),
          this.value(i.address),
          this.value(i.value),
        );
      case 'threadlocal':
        return this.emit(op.THREADLOCAL, site, this.dest(i.dest), this.addresses[i.global]!);
      case 'self':
        return this.emit(op.SELF, site, this.dest(i.dest), selfCode(i.what));
      case 'print':
        return this.emit(
          op.PRINT,
          site,
          this.dest(i.dest),
          this.value(i.bytes),
          this.value(i.most),
          this.value(i.stop),
        );
      case 'endprint':
        return this.emit(op.ENDPRINT, site, this.value(i.count));
      case 'convert':
        return this.emit(
          op.CONVERT,
          site,
          this.dest(i.dest),
          this.value(i.to),
          this.value(i.room),
          this.value(i.from),
          this.value(i.kind),
          this.value(i.flags),
          this.value(i.width),
          this.value(i.precision),
          this.value(i.value),
        );
      case 'mark':
        return this.emit(op.MARK, site, this.value(i.name), this.value(i.value));
      case 'endmark':
        return this.emit(op.ENDMARK, site, this.value(i.value));
      case 'call':
        this.emit(op.CALL, site);
        if (i.dest === undefined) this.emit(-1, -1);
        else this.emit(this.destType(i.dest), this.dest(i.dest));
        this.emit(this.value(i.callee));
        return this.values(i.arguments);
      case 'assert':
        this.messages.push(i.message);
        return this.emit(
          op.ASSERT,
          site,
          this.value(i.condition),
          this.messages.length - 1,
          i.text === undefined ? op.NO_TEXT : this.value(i.text),
          assertCode(i),
        );
      case 'detach':
        return this.emit(op.DETACH, site, this.value(i.thread));
      case 'glance':
        return this.emit(op.GLANCE, site, this.destType(i.dest), this.dest(i.dest), this.value(i.address));
      case 'await':
        return this.emit(
          op.AWAIT,
          site,
          this.dest(i.dest),
          this.dest(i.success),
          this.value(i.address),
          op.PREDICATES.indexOf(i.predicate),
          this.value(i.bound),
          op.RMW_OPERATORS.indexOf(i.operator),
          this.value(i.value),
          orderCode(i.order),
          i.blocks ? 1 : 0,
        );
      case 'destroy':
        return this.emit(op.DESTROY, site, this.value(i.object));
      case 'init':
        return this.emit(op.INIT, site, this.value(i.object), this.value(i.isNew));
      case 'lifetime':
        return this.lifetime(site, i.what, this.value(i.address), this.value(i.size));
      case 'assume':
        return this.emit(op.ASSUME, site, this.value(i.condition));
      case 'load':
        return this.emit(
          op.LOAD,
          site,
          this.destType(i.dest),
          this.dest(i.dest),
          this.value(i.address),
          orderCode(i.order),
        );
      case 'store':
        this.emit(
          op.STORE,
          site,
          this.operandType(i.value),
          this.value(i.address),
          this.value(i.value),
          orderCode(i.order),
        );
        if (i.order === 'seq_cst' && !this.isAxiomatic) this.emit(op.FENCE, site, orderCode('seq_cst'));
        return;
      case 'rmw':
        return this.emit(
          op.RMW,
          site,
          op.RMW_OPERATORS.indexOf(i.operator),
          this.destType(i.dest),
          this.dest(i.dest),
          this.value(i.address),
          this.value(i.value),
          orderCode(i.order),
        );
      case 'cmpxchg':
        return this.emit(
          op.CMPXCHG,
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
        return this.emit(op.FENCE, site, orderCode(i.order));
      case 'free':
        return this.emit(op.FREE, site, kindCode(i.what), this.value(i.address));
      case 'choose':
        return this.emit(op.CHOOSE, site, this.destType(i.dest), this.dest(i.dest), i.count);
      case 'spawn':
        this.emit(op.SPAWN, site, this.dest(i.dest), this.value(i.callee));
        return this.values(i.arguments);
      case 'join':
        this.emit(op.JOIN, site);
        if (i.dest === undefined) this.emit(-1, -1);
        else this.emit(this.destType(i.dest), this.dest(i.dest));
        return this.emit(this.value(i.thread));
      case 'lock':
        return this.emit(op.LOCK, site, this.value(i.mutex));
      case 'trylock':
        return this.emit(op.TRYLOCK, site, this.dest(i.dest), this.value(i.mutex));
      case 'unlock':
        return this.emit(op.UNLOCK, site, this.value(i.mutex));
      case 'wait':
        this.emit(
          i.timedOut === undefined ? op.WAIT : op.TIMEDWAIT,
          site,
          this.value(i.condition),
          this.value(i.mutex),
        );
        if (i.timedOut !== undefined) this.emit(op.WAKE, site, this.dest(i.timedOut), this.value(i.condition));
        return this.emit(op.LOCK, site, this.value(i.mutex));
      case 'signal':
        return this.emit(op.SIGNAL, site, this.value(i.condition));
      case 'broadcast':
        return this.emit(op.BROADCAST, site, this.value(i.condition));
      case 'beginatomic':
        return this.emit(op.BEGINATOMIC, site);
      case 'endatomic':
        return this.emit(op.ENDATOMIC, site);
      case 'exit':
        return this.emit(op.EXIT, site, this.value(i.status));
      case 'jump':
        this.emit(op.JUMP, site);
        return this.target(i.target);
      case 'branch':
        this.emit(op.BRANCH, site, this.value(i.condition));
        this.target(i.ifTrue);
        return this.target(i.ifFalse);
      case 'switch': {
        const type = typeOf(this.func, i.value)!;
        this.emit(op.SWITCH, site, typeCode(type), this.value(i.value));
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
          ? this.emit(op.RETURN, site, -1, -1)
          : this.emit(op.RETURN, site, this.operandType(i.value), this.value(i.value));
      case 'exitthread':
        return i.value === undefined
          ? this.emit(op.EXITTHREAD, site, -1, -1)
          : this.emit(op.EXITTHREAD, site, this.operandType(i.value), this.value(i.value));
      case 'unreachable':
        return this.emit(op.UNREACHABLE, site);
      default:
        return unreachable(i);
    }
  }
}
