/**
 * Removes what only decides how to pause: counters of spin loops, delays that grow, random back-off. Aggressive
 * dead-code elimination (R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control Dependence
 * Graph, 1991, section 7.1) over this form, whose registers are written many times: everything is dead until something
 * observable needs it. Pauses, yields and sleeps are no instructions at all, or functions that are dead themselves.
 *
 * A branch is dead if all ways from it lead to the same block, finitely, through nothing that is live: it becomes a jump
 * to that block. docs/decisions/0047-pauses.md says why no error, hang or final state is lost.
 */
import { Addresses, isPlainAccess, type PlainAccess } from './addresses.ts';
import { addressTaken } from './calls.ts';
import { immediatePostDominators } from './dominators.ts';
import { forEachOperand, forEachRead, forEachWritten, readRegisters, successorsOf } from './flow.ts';
import { type Block, type Func, type Instruction, isTerminator, type Operand, type Program, typeOf } from './ir.ts';
import { isPure } from './simplify.ts';
import { endsSurely } from './terminates.ts';
import { sizeOf } from './types.ts';
import { hasUndefined } from './undefined.ts';

/** Larger functions are left alone. */
const MAX_BLOCKS = 2000;

/** What the pass relies on. Tests replace a rule by a wrong one, to see that it is noticed. */
export interface Rules {
  readonly endsSurely: typeof endsSurely;
  readonly hasUndefined: typeof hasUndefined;
  /** Whether an instruction that is not known to be harmless stays. */
  readonly isObserved: (i: Instruction) => boolean;
  /** Whether reports find the variable by its name: what threads record there is observed. */
  readonly isFoundByName: (name: string) => boolean;
}

export const RULES: Rules = {
  endsSurely,
  hasUndefined,
  isObserved: () => true,
  isFoundByName: (name) => name.startsWith('__fencepost_'),
};

export function dropPauses(program: Program, rules: Rules = RULES): Program {
  const pauses = new Pauses(program, rules);
  const functions = program.functions.map((func, index) => pauses.without(func, index));
  return functions.every((func, i) => func === program.functions[i]) ? program : { ...program, functions };
}

/** A function that has no effect: it ends, and is an error for no defined arguments. */
interface Quiet {
  /** Whether its result is defined if its arguments are. */
  readonly isDefined: boolean;
}

/** What one function does, regardless of what the others observe. */
class Text {
  readonly func: Func;
  readonly addresses: Addresses;
  readonly successors: readonly (readonly number[])[];
  private postDominators: Int32Array | undefined;
  /** The instructions that write each register. */
  readonly writers: Instruction[][];
  readonly blockOf: Map<Instruction, number> = new Map();

  constructor(func: Func) {
    this.func = func;
    this.addresses = new Addresses(func);
    this.successors = successorsOf(func);
    this.writers = func.registers.map(() => []);
    func.blocks.forEach(({ body }, block) => {
      for (const i of body) {
        this.blockOf.set(i, block);
        forEachWritten(i, (register) => this.writers[register]!.push(i));
      }
    });
  }

  /** The first block that every path from this one passes; -1 if there is none. */
  afterAll(block: number): number {
    this.postDominators ??= immediatePostDominators(this.successors);
    return this.postDominators[block]!;
  }
}

class Pauses {
  private readonly program: Program;
  private readonly rules: Rules;
  private readonly texts: readonly Text[];
  private readonly mayBeUndefined: boolean;
  /** Thread-local variables whose values matter, or whose addresses are used otherwise. */
  private readonly observed = new Set<number>();
  /** `null`: not quiet, or being examined. */
  private quiet = new Map<number, Quiet | null>();
  private live = new Map<number, ReadonlySet<Instruction>>();

  constructor(program: Program, rules: Rules) {
    this.program = program;
    this.rules = rules;
    this.mayBeUndefined = rules.hasUndefined(program);
    this.texts = program.functions.map((func) => new Text(func));
    this.findEscapes();
    for (let observed = -1; observed !== this.observed.size; ) {
      observed = this.observed.size;
      this.quiet = new Map();
      this.live = new Map();
      this.findLive();
    }
  }

  /** The function without what is dead in it. */
  without(func: Func, index: number): Func {
    const live = this.live.get(index);
    if (live === undefined) return func;
    const text = this.texts[index]!;
    let isSame = true;
    const blocks = func.blocks.map(({ name, body }, block): Block => {
      const kept = body.flatMap((i): Instruction[] => {
        if (live.has(i) || i.op === 'jump') return [i];
        isSame = false;
        if (!isTerminator(i)) return [];
        const jump: Instruction = { op: 'jump', target: text.afterAll(block) };
        return [i.location === undefined ? jump : { ...jump, location: i.location }];
      });
      return { name, body: kept };
    });
    return isSame ? func : { ...func, blocks };
  }

  /** Thread-local variables that count as observed from the start: all but clocks that are only read and written. */
  private findEscapes(): void {
    // Others may hold the address of a heap object, which would then count as a leak: only those that record time.
    const isClock = new Set<number>();
    for (const text of this.texts) {
      for (const { body } of text.func.blocks) {
        for (const i of body) {
          const global = i.op === 'poke' && i.isIdle === true ? ownVariable(text, i) : undefined;
          if (global !== undefined) isClock.add(global);
        }
      }
    }
    this.program.globals.forEach(({ name, threadLocal }, global) => {
      if (threadLocal === true && (!isClock.has(global) || this.rules.isFoundByName(name))) this.observed.add(global);
    });
    for (const { addresses, func } of this.texts) {
      for (const { body } of func.blocks) {
        for (const i of body) {
          forEachOperand(i, (operand) => {
            if (operand.kind === 'global') this.observed.add(operand.index);
          });
          if (i.op !== 'threadlocal') continue;
          // In a register that is written elsewhere, too, it could be taken for another address.
          const isKnown = addresses.of({ kind: 'register', index: i.dest }) !== undefined;
          if (!isKnown || addresses.escapes(i)) this.observed.add(i.global);
        }
      }
    }
  }

  /** What is live in each function that a thread may run, and what it observes. */
  private findLive(): void {
    const { roots } = this.program;
    const pending = [...roots.map((root) => root.function), ...addressTaken(this.program)];
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (this.live.has(index)) continue;
      const text = this.texts[index]!;
      const live = new Liveness(text, this.judge(text, false)).find(false);
      this.live.set(index, live!);
      for (const i of live!) {
        if ((i.op === 'call' || i.op === 'spawn') && i.callee.kind === 'function') pending.push(i.callee.index);
        // A live store to such a variable stores a value that may be undefined.
        if (!isPlainAccess(i)) continue;
        const global = ownVariable(text, i);
        if (global !== undefined) this.observed.add(global);
      }
    }
  }

  private judge(text: Text, hasDefinedArguments: boolean): Judge {
    const defined = this.definedIn(text, hasDefinedArguments);
    const isDefined = (operand: Operand): boolean => operand.kind !== 'register' || defined[operand.index] === 1;
    const isDead = (i: Instruction): boolean => this.isHarmless(text, i, isDefined) || !this.rules.isObserved(i);
    return { isDefined, isDead, endsSurely: this.rules.endsSurely };
  }

  /** Whether the instruction has no effect, except to write registers and variables that nobody observes. */
  private isHarmless(text: Text, i: Instruction, isDefined: (operand: Operand) => boolean): boolean {
    if (isPure(i)) return true;
    switch (i.op) {
      case 'threadlocal':
        return true;
      case 'binary':
        // Division by zero is an error; so is dividing the least number by -1.
        return dividesSafely(i.right);
      case 'peek':
      case 'glance':
        return this.isInside(text, i);
      case 'poke': {
        const global = ownVariable(text, i);
        return global !== undefined && !this.observed.has(global) && this.isInside(text, i) && isDefined(i.value);
      }
      case 'call':
        return i.callee.kind === 'function' && this.fits(text, i) && this.quietly(i.callee.index) !== undefined
          ? i.arguments.every(isDefined)
          : false;
      default:
        return false;
    }
  }

  private fits(text: Text, { callee, dest, arguments: given }: Instruction & { op: 'call' }): boolean {
    const { func } = this.texts[(callee as Operand & { kind: 'function' }).index]!;
    if (func.isUndefined === true || given.length !== func.parameters) return false;
    if (dest !== undefined && text.func.registers[dest]!.type !== func.result) return false;
    return given.every((value, place) => typeOf(text.func, value) === func.registers[place]!.type);
  }

  /** Whether the access is inside an object that exists while the function runs. */
  private isInside(text: Text, i: Instruction & { op: 'peek' | 'poke' | 'glance' }): boolean {
    const based = text.addresses.of(i.address);
    if (based === undefined) return false;
    const size = based.base.op === 'alloca' ? based.base.size : this.program.globals[based.base.global]!.size;
    const type = i.op === 'poke' ? typeOf(text.func, i.value) : text.func.registers[i.dest]!.type;
    return type !== undefined && based.offset >= 0 && based.offset + sizeOf(type) <= size;
  }

  /** What is known of the function if it has no effect. */
  private quietly(index: number): Quiet | undefined {
    const known = this.quiet.get(index);
    if (known !== undefined) return known ?? undefined;
    // If it calls itself, it may never end.
    this.quiet.set(index, null);
    const text = this.texts[index]!;
    const judge = this.judge(text, true);
    if (new Liveness(text, judge).find(true) === undefined) return undefined;
    const isDefined = text.func.blocks.every(({ body }) =>
      body.every((i) => i.op !== 'return' || i.value === undefined || judge.isDefined(i.value)),
    );
    const found = { isDefined };
    this.quiet.set(index, found);
    return found;
  }

  /** Registers that are certainly defined whenever they are read: 1. */
  private definedIn(text: Text, hasDefinedArguments: boolean): Uint8Array {
    const { func, writers } = text;
    const defined = new Uint8Array(func.registers.length).fill(1);
    if (!this.mayBeUndefined) return defined;
    if (!hasDefinedArguments) defined.fill(0, 0, func.parameters);
    const isDefined = (operand: Operand): boolean => operand.kind !== 'register' || defined[operand.index] === 1;
    for (let isNew = true; isNew; ) {
      isNew = false;
      writers.forEach((instructions, register) => {
        if (defined[register] === 0 || instructions.every((i) => this.writesDefined(text, i, isDefined))) return;
        defined[register] = 0;
        isNew = true;
      });
    }
    return defined;
  }

  private writesDefined(text: Text, i: Instruction, isDefined: (operand: Operand) => boolean): boolean {
    switch (i.op) {
      case 'move':
      case 'unary':
      case 'compare':
      case 'cast':
      case 'select':
      case 'binary': {
        let all = true;
        forEachOperand(i, (operand) => {
          all &&= isDefined(operand);
        });
        return all;
      }
      case 'self':
      case 'threadlocal':
      case 'alloca':
      case 'glance':
      case 'choose':
      case 'spawn':
      case 'trylock':
        return true;
      case 'peek': {
        // Only defined values are stored to variables that nobody observes.
        const global = ownVariable(text, i);
        return global !== undefined && !this.observed.has(global);
      }
      case 'call': {
        if (i.callee.kind !== 'function' || !this.fits(text, i)) return false;
        return this.quietly(i.callee.index)?.isDefined === true && i.arguments.every(isDefined);
      }
      default:
        return false;
    }
  }
}

/** The thread-local variable that the instruction accesses. */
function ownVariable({ addresses }: Text, i: PlainAccess): number | undefined {
  const base = addresses.of(i.address)?.base;
  return base?.op === 'threadlocal' ? base.global : undefined;
}

function dividesSafely(divisor: Operand): boolean {
  if (divisor.kind !== 'constant') return false;
  const value = Number(divisor.value);
  return value > 0 && value < 128;
}

interface Judge {
  isDefined(operand: Operand): boolean;
  /** Whether the instruction, not a terminator, has no effect but to write registers. */
  isDead(i: Instruction): boolean;
  readonly endsSurely: typeof endsSurely;
}

class Liveness {
  private readonly text: Text;
  private readonly judge: Judge;
  private readonly live = new Set<Instruction>();
  private readonly pending: Instruction[] = [];

  constructor(text: Text, judge: Judge) {
    this.text = text;
    this.judge = judge;
  }

  /** The live instructions. `asQuiet`: none may be, except returns; otherwise `undefined`. */
  find(asQuiet: boolean): ReadonlySet<Instruction> | undefined {
    const { func } = this.text;
    const branches: (readonly [Instruction, number])[] = [];
    if (func.blocks.length > MAX_BLOCKS) {
      if (asQuiet) return undefined;
      return new Set(func.blocks.flatMap(({ body }) => body));
    }
    for (const [block, { body }] of func.blocks.entries()) {
      for (const i of body) {
        if (i.op === 'jump') continue;
        const isBranch = i.op === 'branch' || i.op === 'switch';
        if (isBranch) branches.push([i, block]);
        else if (asQuiet && i.op === 'return') continue;
        else if (isTerminator(i) || !this.judge.isDead(i)) {
          if (asQuiet) return undefined;
          this.add(i);
        }
      }
    }
    if (asQuiet) return this.endsAlways(branches) ? this.live : undefined;
    for (let isNew = true; isNew; ) {
      this.spread();
      isNew = false;
      for (const [branch, block] of branches) {
        if (this.live.has(branch) || this.isDead(branch, block)) continue;
        this.add(branch);
        isNew = true;
        this.spread();
      }
    }
    return this.live;
  }

  /** Whether a function without effects ends, without asking for an undefined value. */
  private endsAlways(branches: readonly (readonly [Instruction, number])[]): boolean {
    if (!branches.every(([branch]) => readRegisters(branch).every((index) => this.isDefined(index)))) return false;
    const { successors } = this.text;
    return this.judge.endsSurely(this.text, new Set(successors.keys()));
  }

  private isDefined(index: number): boolean {
    return this.judge.isDefined({ kind: 'register', index });
  }

  private add(i: Instruction): void {
    if (this.live.has(i)) return;
    this.live.add(i);
    this.pending.push(i);
  }

  /** What writes a register that something live reads is live. */
  private spread(): void {
    for (let i = this.pending.pop(); i !== undefined; i = this.pending.pop())
      forEachRead(i, (register) => {
        for (const writer of this.text.writers[register]!) this.add(writer);
      });
  }

  /** Whether all ways from the branch lead to one block, finitely and through nothing that is live. */
  private isDead(branch: Instruction, block: number): boolean {
    const { text } = this;
    if (!readRegisters(branch).every((index) => this.isDefined(index))) return false;
    const end = text.afterAll(block);
    if (end < 0) return false;
    const between = new Set<number>();
    const waiting = [...text.successors[block]!];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === end || between.has(next)) continue;
      const { body } = text.func.blocks[next]!;
      if (body.some((i) => this.live.has(i))) return false;
      // Not a way to the end.
      if (text.successors[next]!.length === 0) return false;
      between.add(next);
      waiting.push(...text.successors[next]!);
    }
    return this.judge.endsSurely(text, between);
  }
}
