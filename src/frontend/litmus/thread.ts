/**
 * Turns the code of one thread into a function. Plain moves become plain loads and stores; locked instructions, and an
 * exchange with memory, become seq_cst read-modify-writes, which drain the store buffer as x86's do; without the prefix
 * an instruction that changes memory is a plain load, then a plain store, and other threads may run in between.
 */
import { type FunctionBuilder, reg } from '../../program/builder.ts';
import type { Operand, Target } from '../../program/ir.ts';
import type { Type } from '../../program/types.ts';
import { Access } from './access.ts';
import type { Arch, ThreadSyntax } from './ast.ts';
import { integerOfSize } from './c-types.ts';
import { bytes, type Decoded, type Operation, sizeOfOperand } from './decode.ts';
import { readCondition, setFlags, setStepFlags } from './flags.ts';
import { Frame, integer } from './frame.ts';
import type { Arithmetic, BranchCondition } from './instructions.ts';
import type { Layout } from './layout.ts';
import { accumulator, wordType } from './registers.ts';
import type { Piece, Source } from './source.ts';

type Kind<K extends Operation['kind']> = Operation & { readonly kind: K };

export class ThreadLowering {
  readonly frame: Frame;
  private readonly source: Source;
  private readonly arch: Arch;
  private readonly thread: ThreadSyntax;
  /** The instructions of the thread's cells, in order. */
  private readonly code: readonly Decoded[];
  private readonly func: FunctionBuilder;
  private readonly access: Access;
  private readonly labels: Map<string, Target> = new Map();
  /** Flags are computed only in threads that test them. */
  private readonly needsFlags: boolean;

  constructor(
    source: Source,
    arch: Arch,
    layout: Layout,
    func: FunctionBuilder,
    thread: ThreadSyntax,
    code: readonly Decoded[],
  ) {
    this.source = source;
    this.arch = arch;
    this.thread = thread;
    this.code = code;
    this.func = func;
    this.frame = new Frame(func, arch);
    this.access = new Access(source, layout, this.frame);
    this.needsFlags = code.some(({ operation }) => operation.kind === 'branch');
  }

  /** Emits the whole thread after what the caller has put into the first block: initial values of registers. */
  lower(): void {
    for (const label of this.thread.cells.flatMap(({ labels }) => labels)) {
      if (this.labels.has(label.text)) throw this.source.error(label, 'a label that occurs only once in its thread');
      this.labels.set(label.text, this.func.block(label.text));
    }
    let next = 0;
    for (const { labels, instruction } of this.thread.cells) {
      for (const label of labels) this.enter(this.labels.get(label.text)!);
      if (instruction === undefined) continue;
      this.func.location = this.source.locate(instruction.at, instruction.text);
      this.frame.freeTemporaries();
      this.lowerInstruction(this.code[next++]!);
    }
    this.func.return();
  }

  /** The current block is always open: code that ends a block starts the next one. */
  private enter(block: Target): void {
    this.func.jump(block);
    this.func.startBlock(block);
  }

  private lowerInstruction({ operation, size }: Decoded): void {
    switch (operation.kind) {
      case 'move':
        return this.move(operation, size ?? this.access.defaultSize(operation.dest));
      case 'extend':
        return this.extend(operation, size!);
      case 'load address': {
        const address = this.access.address(operation.source, 0);
        return this.frame.write(operation.dest.part, this.frame.extend('zext', address, 'i32', integerOfSize(size!)));
      }
      case 'arithmetic':
        return this.arithmetic(operation, size ?? this.access.defaultSize(operation.dest));
      case 'step':
        return this.step(operation, size ?? this.access.defaultSize(operation.dest));
      case 'compare':
        return this.compare(operation, size ?? this.access.defaultSize(operation.left));
      case 'exchange':
        return this.exchange(operation, size!);
      case 'exchange-add':
        return this.exchangeAdd(operation, size!);
      case 'compare-exchange':
        return this.compareExchange(operation, size!);
      case 'fence':
        return this.func.fence(operation.order);
      case 'jump':
        this.func.jump(this.target(operation.label));
        return this.func.startBlock(this.func.block('after'));
      case 'branch':
        return this.branch(operation.condition, this.target(operation.label));
      case 'return':
        this.func.return();
        return this.func.startBlock(this.func.block('after'));
      case 'nothing':
        return;
    }
  }

  private move({ dest, source }: Kind<'move'>, size: number): void {
    // If the register is overwritten entirely, load straight into it: that is a single instruction.
    if (dest.kind === 'register' && source.kind === 'memory' && this.frame.isWhole(dest.part)) {
      return this.func.load(this.frame.whole(dest.part.family), this.access.address(source, size));
    }
    this.access.write(dest, size, this.access.read(source, size));
  }

  private extend({ dest, source, signed, from: named }: Kind<'extend'>, size: number): void {
    const from = named ?? sizeOfOperand(source) ?? this.access.defaultSize(source);
    if (from >= size) throw this.source.error(source, `an operand of less than ${bytes(size)}`);
    const value = this.access.read(source, from);
    const operator = signed ? 'sext' : 'zext';
    this.frame.write(dest.part, this.frame.extend(operator, value, integerOfSize(from), integerOfSize(size)));
  }

  private arithmetic({ operator, dest, source, locked }: Kind<'arithmetic'>, size: number): void {
    const type = integerOfSize(size);
    const right = this.access.read(source, size);
    if (dest.kind === 'register' || !locked) {
      return this.access.update(dest, size, (left) => this.compute(operator, type, left, right));
    }
    const address = this.access.address(dest, size);
    const left = this.frame.compute(type, (old) => this.func.rmw(operator, old, address, right));
    if (this.needsFlags) this.compute(operator, type, left, right);
  }

  private step({ operator, dest, locked }: Kind<'step'>, size: number): void {
    const type = integerOfSize(size);
    const one = integer(type, 1n);
    const compute = (old: Operand): Operand => {
      const result = this.frame.compute(type, (dest) => this.func.binary(operator, dest, old, one));
      if (this.needsFlags) setStepFlags(this.frame, operator, type, result);
      return result;
    };
    if (dest.kind === 'register' || !locked) return this.access.update(dest, size, compute);
    const address = this.access.address(dest, size);
    const old = this.frame.compute(type, (old) => this.func.rmw(operator, old, address, one));
    if (this.needsFlags) compute(old);
  }

  /** Memory is read even if nothing reads the flags: the access is an event. */
  private compare({ operator, left, right }: Kind<'compare'>, size: number): void {
    const a = this.access.read(left, size);
    const b = this.access.read(right, size);
    if (this.needsFlags) this.compute(operator, integerOfSize(size), a, b);
  }

  private exchange({ dest, source, locked }: Kind<'exchange'>, size: number): void {
    const type = integerOfSize(size);
    const value = this.copy(this.frame.read(source.part), type);
    if (dest.kind === 'memory' && locked) {
      const address = this.access.address(dest, size);
      const old = this.frame.compute(type, (old) => this.func.rmw('xchg', old, address, value));
      return this.frame.write(source.part, old);
    }
    this.access.update(dest, size, (old) => {
      this.frame.write(source.part, old);
      return value;
    });
  }

  private exchangeAdd({ dest, source, locked }: Kind<'exchange-add'>, size: number): void {
    const type = integerOfSize(size);
    const address = this.access.address(dest, size);
    const value = this.frame.read(source.part);
    const old = this.frame.temporary(type);
    if (locked) {
      this.func.rmw('add', old, address, value);
      if (this.needsFlags) this.compute('add', type, reg(old), value);
    } else {
      this.func.load(old, address);
      this.func.store(address, this.compute('add', type, reg(old), value));
    }
    this.frame.write(source.part, reg(old));
  }

  /**
   * The accumulator is written only when the comparison fails, so a success keeps its upper half. Memory is written in
   * both cases (Intel's manual, vol. 2, CMPXCHG); this makes a difference only without `lock`, when writing back the
   * old value may undo another thread's store.
   */
  private compareExchange({ dest, source, locked }: Kind<'compare-exchange'>, size: number): void {
    const type = integerOfSize(size);
    const word = wordType(this.arch);
    const part = accumulator(this.arch, size);
    const whole = this.frame.whole(part.family);
    const address = this.access.address(dest, size);
    const expected = this.copy(this.frame.read(part), type);
    const desired = this.frame.read(source.part);
    const old = this.frame.temporary(type);
    const success = this.frame.temporary('i1');
    if (locked) {
      this.func.cmpxchg(old, success, address, expected, desired);
    } else {
      this.func.load(old, address);
      this.func.compare('eq', success, old, expected);
      this.func.store(
        address,
        this.frame.compute(type, (dest) => this.func.select(dest, success, desired, old)),
      );
    }
    if (this.needsFlags) this.compute('sub', type, expected, reg(old));
    const before = this.copy(reg(whole), word);
    this.frame.write(part, reg(old));
    this.func.select(whole, success, before, whole);
  }

  private branch({ test, negated }: BranchCondition, target: Target): void {
    const condition = readCondition(this.frame, test);
    const after = this.func.block('after');
    if (negated) this.func.branch(condition, after, target);
    else this.func.branch(condition, target, after);
    this.func.startBlock(after);
  }

  private compute(operator: Arithmetic, type: Type, left: Operand, right: Operand): Operand {
    const result = this.frame.compute(type, (dest) => this.func.binary(operator, dest, left, right));
    if (this.needsFlags) setFlags(this.frame, operator, type, left, right, result);
    return result;
  }

  /** Saves a value that the instruction would overwrite before its last use. */
  private copy(value: Operand, type: Type): Operand {
    return this.frame.compute(type, (dest) => this.func.move(dest, value));
  }

  private target(label: Piece): Target {
    const target = this.labels.get(label.text);
    if (target === undefined) throw this.source.error(label, 'a label of this thread');
    return target;
  }
}
