/**
 * Calls: of functions of the program, through pointers, of LLVM's intrinsics (`lower-intrinsic.ts`), and of the
 * primitives by which our library reaches the machine (`primitives.ts`).
 *
 * Arguments of `...` go to a private block of the caller's frame, laid out as on i386 (4 bytes each, 8 for 64-bit
 * values); its address is a hidden last argument, which va_start hands to the callee's va_list.
 */
import { int, reg } from '../../program/builder.ts';
import type { Dest, Operand } from '../../program/ir.ts';
import { sizeOf } from '../../program/types.ts';
import type { FunctionLowering } from './lower-function.ts';
import { IntrinsicLowering } from './lower-intrinsic.ts';
import type { Argument, LInstruction, LType } from './module.ts';
import { lowerPrimitive } from './primitives.ts';
import { isMemoryFunction } from './storage.ts';

export type Call = LInstruction & { op: 'call' };

/** Inline assembly that orders memory like a full fence, and that which does nothing we can see. */
const FULL_FENCES = /^(mfence|lock;? ?(addl|orl|xaddl?) .*|sync|dmb( ish| sy)?|membar .*)$/i;
const STORE_FENCES = /^(sfence|lwsync|eieio)$/i;
const LOAD_FENCES = /^lfence$/i;
const NOTHING = /^(|nop|pause|rep;? ?nop|yield|hint.*)$/i;

export class CallLowering {
  private readonly into: FunctionLowering;
  private readonly intrinsics: IntrinsicLowering;
  /** Address of the block for variable arguments, if the function makes such a call. */
  private area: Dest | undefined;
  /** Structures passed by value in the call being lowered. */
  private readonly copies: Dest[] = [];

  constructor(into: FunctionLowering) {
    this.into = into;
    this.intrinsics = new IntrinsicLowering(into);
  }

  /** Before anything else of the function is lowered. */
  prepare(): void {
    const { linked, builder } = this.into;
    let bytes = 0;
    for (const block of linked.func.blocks) {
      for (const i of block.body) {
        if (i.op === 'call' && i.variadic) bytes = Math.max(bytes, i.arguments.length * 8);
      }
    }
    if (bytes === 0) return;
    this.area = builder.register('...', 'i32');
    builder.startBlock(0);
    builder.alloca(this.area, bytes, 8);
  }

  lower(i: Call): void {
    const { into } = this;
    if (i.callee.kind === 'asm') return this.lowerAsm(i.callee.text);
    if (i.callee.kind === 'global') {
      const { name } = i.callee;
      if (name.startsWith('llvm.')) return this.intrinsics.lower(i, name);
      const symbol = into.program.resolve(into.context.module, name);
      if (symbol === undefined && lowerPrimitive(into, i, name)) return;
      if (isMemoryFunction(name) && symbol?.kind === 'function' && symbol.isLibrary) {
        return this.intrinsics.lowerMemoryCall(i, name);
      }
      if (name === 'pthread_create' && symbol?.kind === 'function' && symbol.isLibrary) {
        if (into.isPrivate(i.arguments[0]!.value)) return this.lowerCreation(i);
      }
      const isAtomic = name.startsWith('__VERIFIER_atomic_') && symbol?.kind === 'function' && !symbol.isLibrary;
      if (isAtomic) into.builder.add({ op: 'beginatomic' });
      if (symbol?.kind === 'function') this.lowerDirect(i, symbol.func.parameters.length, symbol.func.variadic);
      else this.lowerDirect(i, i.arguments.length, false);
      if (isAtomic) into.builder.add({ op: 'endatomic' });
      return;
    }
    this.lowerDirect(i, undefined, i.variadic);
  }

  /** `pthread_create` into a variable that only this function can reach. */
  private lowerCreation(i: Call): void {
    const { into } = this;
    const [place, ...rest] = i.arguments;
    const handle = into.temporary('i32');
    into.builder.call(
      handle,
      into.operand({ kind: 'global', name: '__fencepost_create' }, { kind: 'ptr' }),
      rest.map((argument) => this.argument(argument)),
    );
    into.storeTo(into.operand(place!.value, place!.type), reg(handle), true);
    if (i.result !== undefined) into.builder.move(into.result(i, 'i32'), int(0));
  }

  /** `fixed`: how many parameters the callee has, if that is known. */
  private lowerDirect(i: Call, fixed: number | undefined, variadic: boolean): void {
    const { into } = this;
    const callee = into.operand(i.callee, { kind: 'ptr' });
    const named = fixed ?? (i.variadic ? this.fixedArguments(i) : i.arguments.length);
    // A function declared without parameters may be called with any; what it does not take is dropped.
    const args = i.arguments.slice(0, named).map((argument) => this.argument(argument));
    if (variadic) args.push(this.variableArguments(i.arguments.slice(named)));
    const isVoid = into.context.layout.resolve(i.type).kind === 'void';
    const dest = isVoid || i.result === undefined ? undefined : into.result(i, into.scalar(i.type));
    into.builder.call(dest, callee, args);
    // The callee's copies of structures end with it.
    for (const copy of this.copies.splice(0)) into.builder.add({ op: 'free', what: 'stack', address: reg(copy) });
  }

  /** Through a pointer the callee is unknown, but the call's own type says how many arguments come before `...`. */
  private fixedArguments(i: Call): number {
    return i.fixedParameters ?? i.arguments.length;
  }

  private argument(argument: Argument): Operand {
    const { into } = this;
    if (argument.byval === undefined) return into.operand(argument.value, argument.type);
    // The callee gets a copy of its own.
    const size = into.context.layout.sizeOf(argument.byval);
    const copy = into.temporary('i32');
    into.builder.add({ op: 'allocate', what: 'stack', dest: copy, size: int(size) });
    this.copies.push(copy);
    this.intrinsics.copy(
      reg(copy),
      false,
      into.operand(argument.value, argument.type),
      into.isPrivate(argument.value),
      size,
      4,
    );
    return reg(copy);
  }

  private variableArguments(rest: readonly Argument[]): Operand {
    const { into } = this;
    const area = reg(this.area!);
    let offset = 0;
    for (const argument of rest) {
      const value = this.argument(argument);
      into.storeTo(into.offset(area, offset), value, true);
      offset += Math.max(4, sizeOf(into.scalar(argument.type as LType)));
    }
    return area;
  }

  private lowerAsm(text: string): void {
    const { into } = this;
    const instructions = text.replace(/\b(lock|rep)\s*;/gi, '$1');
    for (const part of instructions.split(/[\n;]|\\0A|\\n/).map((line) => line.replace(/\t/g, ' ').trim())) {
      if (NOTHING.test(part)) continue;
      if (FULL_FENCES.test(part)) into.builder.fence('seq_cst');
      else if (STORE_FENCES.test(part)) into.builder.fence('release');
      else if (LOAD_FENCES.test(part)) into.builder.fence('acquire');
      else into.fail(`unsupported inline assembly: "${part.slice(0, 60)}"; only memory barriers are modelled`);
    }
  }
}
