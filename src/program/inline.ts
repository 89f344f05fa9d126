/**
 * Inlines small functions: those of our library, which makes them much faster, and those of the user that work on local
 * variables of their caller, so that these can be registers (`promote.ts`). Nothing visible changes: events inside the
 * library are reported at the call anyway, and such functions of the user have none.
 *
 * A function is small if it is short, has no memory of its own, and writes every register (other than its parameters)
 * before reading it. If it has no loop either, one set of registers serves all functions inlined into a caller, one after
 * the other.
 */
import { Addresses } from './addresses.ts';
import { depthFirst, renameRegisters, retarget, successorsOf } from './flow.ts';
import { type Block, type Func, type Instruction, type Program, type Register, typeOf } from './ir.ts';
import { liveAtStart } from './live-registers.ts';
import type { Location } from './location.ts';
import type { Type } from './types.ts';

const MAX_INSTRUCTIONS = 80;
/** Limit on the instructions added to one function; further calls are kept. */
const MAX_GROWTH = 5000;

export function inlineLibrary(program: Program): Program {
  const small = program.functions.map((func) => func.isLibrary === true && isSmall(func) && !hasLoop(func));
  return { ...program, functions: program.functions.map((func) => new Inliner(func, program.functions, small).run()) };
}

/** Calls that pass addresses of local objects to functions of the user which only compute with them, or pause. */
export function inlineLocal(program: Program): Program {
  const { functions } = program;
  const silent = findSilent(functions);
  const small = functions.map((func, index) => func.isLibrary !== true && silent.has(index) && isSmall(func));
  if (!small.includes(true)) return program;
  const refusing = functions.map(({ blocks }) => blocks.some(({ body }) => body.some(isRefusal)));
  const inlined = functions.map((func) => {
    if (func.isLibrary === true) return func;
    const addresses = new Addresses(func);
    const passesLocal = (call: Call): boolean =>
      call.arguments.some((argument) => addresses.of(argument)?.base.op === 'alloca');
    // For this constant it may have nothing to refuse.
    const passesConstant = (call: Call): boolean =>
      call.callee.kind === 'function' &&
      refusing[call.callee.index] === true &&
      call.arguments.some(({ kind }) => kind === 'constant');
    return new Inliner(func, functions, small, (call) => passesLocal(call) || passesConstant(call)).run();
  });
  return { ...program, functions: inlined };
}

function isSmall(func: Func): boolean {
  const body = func.blocks.flatMap((block) => block.body);
  if (body.length > MAX_INSTRUCTIONS || body.some(({ op }) => op === 'alloca' || op === 'allocate')) return false;
  return [...liveAtStart(func, successorsOf(func))[0]!].every((register) => register < func.parameters);
}

function hasLoop(func: Func): boolean {
  return depthFirst(successorsOf(func)).retreating.size > 0;
}

/** The functions that have no event, no assertion, no output, and no call of any other function than such. */
function findSilent(functions: readonly Func[]): ReadonlySet<number> {
  const silent = new Set(functions.keys());
  const isSilent = (i: Instruction): boolean =>
    i.op === 'call' ? i.callee.kind === 'function' && silent.has(i.callee.index) : SILENT.has(i.op) || isRefusal(i);
  for (let count = -1; count !== silent.size; ) {
    count = silent.size;
    for (const index of silent) {
      const { blocks, isUndefined } = functions[index]!;
      if (isUndefined === true || !blocks.every(({ body }) => body.every(isSilent))) silent.delete(index);
    }
  }
  return silent;
}

/** What our library does not model is reported where the library is called. */
function isRefusal(i: Instruction): boolean {
  return i.op === 'assert' && i.notModelled === true;
}

const SILENT: ReadonlySet<Instruction['op']> = new Set<Instruction['op']>([
  ...(['move', 'binary', 'unary', 'compare', 'cast', 'select', 'undefine', 'peek', 'poke', 'glance'] as const),
  ...(['alloca', 'refresh', 'threadlocal', 'self', 'jump', 'branch', 'switch', 'return', 'unreachable'] as const),
]);

type Call = Extract<Instruction, { op: 'call' }>;

class Inliner {
  private readonly func: Func;
  private readonly functions: readonly Func[];
  private readonly small: readonly boolean[];
  private readonly registers: Register[];
  private readonly blocks: Block[];
  /** Registers for inlined code, by type: as many as the most demanding call needs. */
  private readonly spare = new Map<Type, number[]>();
  private added = 0;
  /** Which calls of the user's functions to inline; library functions otherwise. */
  private readonly wanted: ((call: Call) => boolean) | undefined;

  constructor(func: Func, functions: readonly Func[], small: readonly boolean[], wanted?: (call: Call) => boolean) {
    this.func = func;
    this.wanted = wanted;
    this.functions = functions;
    this.small = small;
    this.registers = [...func.registers];
    this.blocks = [...func.blocks];
  }

  run(): Func {
    // The code after a call becomes a separate block, which is processed later.
    const own = this.blocks.map((_, index) => index);
    for (const block of own) {
      const { name, body } = this.blocks[block]!;
      const at = body.findIndex((instruction) => this.calleeOf(instruction) !== undefined);
      if (at < 0) continue;
      const call = body[at] as Call;
      const rest = this.blocks.push({ name: '', body: body.slice(at + 1) }) - 1;
      own.push(rest);
      this.blocks[block] = { name, body: [...body.slice(0, at), ...this.enter(this.calleeOf(call)!, call, rest)] };
    }
    if (this.blocks.length === this.func.blocks.length) return this.func;
    return { ...this.func, registers: this.registers, blocks: this.blocks };
  }

  /** The function to inline, if the instruction is a call of one. */
  private calleeOf(instruction: Instruction): Func | undefined {
    if (this.added >= MAX_GROWTH) return undefined;
    if (instruction.op !== 'call' || instruction.callee.kind !== 'function') return undefined;
    const { dest, callee, arguments: given } = instruction;
    const func = this.functions[callee.index]!;
    if (!this.small[callee.index] || func === this.func || given.length !== func.parameters) return undefined;
    if (dest !== undefined && func.result === undefined) return undefined;
    if (this.wanted === undefined) return func;
    // A call with other types is an error where it is made.
    const fits = given.every((value, i) => typeOf(this.func, value) === func.registers[i]!.type);
    const returns = dest === undefined || this.func.registers[dest]!.type === func.result;
    return fits && returns && this.wanted(instruction) ? func : undefined;
  }

  /**
   * Adds the blocks of the callee, which continue at block `rest`. Returns what replaces the call and everything after
   * it.
   */
  private enter(callee: Func, call: Call, rest: number): Instruction[] {
    const renamed = this.takeRegisters(callee);
    const first = this.blocks.length;
    const { location } = call;
    for (const { body } of callee.blocks) {
      this.added += body.length;
      this.blocks.push({
        name: '',
        body: body.flatMap((i) => moved(i, call, renamed, first, rest, this.wanted !== undefined)),
      });
    }
    const moves = call.arguments.map((value, parameter) =>
      at({ op: 'move', dest: renamed[parameter]!, value }, location),
    );
    return [...moves, at({ op: 'jump', target: first }, location)];
  }

  private takeRegisters(callee: Func): number[] {
    // Addresses are found only in registers that are written once.
    if (this.wanted !== undefined)
      return callee.registers.map(({ name, type }) => this.registers.push({ name, type }) - 1);
    const taken = new Map<Type, number>();
    return callee.registers.map(({ type }) => {
      const spare = this.spare.get(type) ?? [];
      this.spare.set(type, spare);
      const n = taken.get(type) ?? 0;
      taken.set(type, n + 1);
      spare[n] ??= this.registers.push({ name: `library ${type} ${n}`, type }) - 1;
      return spare[n];
    });
  }
}

/** An instruction of the callee, moved into the caller. */
function moved(
  instruction: Instruction,
  { dest, location }: Call,
  registers: readonly number[],
  firstBlock: number,
  rest: number,
  keepsPlaces: boolean,
): Instruction[] {
  const { location: own, ...plain } = renameRegisters(instruction, (register) => registers[register]!);
  const place = keepsPlaces ? own : location;
  if (plain.op !== 'return')
    return [
      at(
        retarget(plain, (block) => block + firstBlock),
        place,
      ),
    ];
  const result: Instruction[] = [];
  if (dest !== undefined && plain.value !== undefined) result.push(at({ op: 'move', dest, value: plain.value }, place));
  return [...result, at({ op: 'jump', target: rest }, place)];
}

function at(instruction: Instruction, location: Location | undefined): Instruction {
  return location === undefined ? instruction : { ...instruction, location };
}
