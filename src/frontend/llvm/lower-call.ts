/**
 * Calls: of functions of the program, through pointers, of LLVM's intrinsics (`lower-intrinsic.ts`), and of the
 * primitives by which our library reaches the machine (`primitives.ts`). Inline assembly is one too (`lower-assembly.ts`).
 *
 * Arguments of `...` go to a private block of the caller's frame, laid out as on i386 (4 bytes each, 8 for 64-bit
 * values); its address is a hidden last argument, which va_start hands to the callee's va_list.
 */
import { constant, int, reg } from '../../program/builder.ts';
import type { Dest, Operand } from '../../program/ir.ts';
import { bitsOf, isFloat, sizeOf, type Type } from '../../program/types.ts';
import { isAssembly } from './assembly-operands.ts';
import { lowerAssembly } from './lower-assembly.ts';
import type { FunctionLowering } from './lower-function.ts';
import { IntrinsicLowering } from './lower-intrinsic.ts';
import type { Argument, LFunction, LInstruction, LType } from './module.ts';
import { lowerPrimitive } from './primitives.ts';
import { isMemoryFunction } from './storage.ts';
import { abortsByAssumption } from './sv-comp.ts';

export type Call = LInstruction & { op: 'call' };

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
        if (i.op === 'call' && i.variadic) bytes = Math.max(bytes, this.areaBytes(i));
      }
    }
    if (bytes === 0) return;
    this.area = builder.register('...', 'i32');
    builder.startBlock(0);
    builder.alloca(this.area, bytes, 8);
  }

  private areaBytes({ arguments: all }: Call): number {
    const { layout } = this.into.context;
    return all.reduce((sum, { byval }) => sum + (byval === undefined ? 8 : layout.sizeOf(byval) + 4), 0);
  }

  lower(i: Call): void {
    const { into } = this;
    if (isAssembly(i)) return lowerAssembly(into, i);
    if (i.callee.kind === 'global') {
      const { name } = i.callee;
      if (name.startsWith('llvm.')) return this.intrinsics.lower(i, name);
      const symbol = into.program.resolve(into.context.module, name);
      if (symbol === undefined && lowerPrimitive(into, i, name)) return;
      if (name === 'abort' && symbol?.kind === 'function' && symbol.isLibrary && abortsByAssumption(into.linked)) {
        return into.builder.assume(constant('i1', 0));
      }
      if (isMemoryFunction(name) && symbol?.kind === 'function' && symbol.isLibrary) {
        return this.intrinsics.lowerMemoryCall(i, name);
      }
      if (name === 'pthread_create' && symbol?.kind === 'function' && symbol.isLibrary) {
        if (into.isPrivate(i.arguments[0]!.value)) return this.lowerCreation(i);
      }
      const isAtomic = name.startsWith('__VERIFIER_atomic_') && symbol?.kind === 'function' && !symbol.isLibrary;
      if (isAtomic) into.builder.add({ op: 'beginatomic' });
      this.lowerDirect(i, symbol?.kind === 'function' ? symbol.func : undefined, false);
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

  /** `func`: the callee, if it is known; otherwise `variadic` says whether it takes any number of arguments. */
  private lowerDirect(i: Call, func: LFunction | undefined, variadic: boolean): void {
    const { into } = this;
    const callee = into.operand(i.callee, { kind: 'ptr' });
    const named = func?.parameters.length ?? (variadic ? this.fixedArguments(i) : i.arguments.length);
    if (func !== undefined && i.arguments.length < named) {
      into.fail(`${func.name} takes ${named} arguments, but is called with ${i.arguments.length}; is it declared?`);
    }
    // A function declared without parameters may be called with any; what it does not take is dropped.
    const args = i.arguments.slice(0, named).map((argument, place) => {
      const value = this.argument(argument);
      return func === undefined ? value : this.adapted(value, argument.type, func.parameters[place]!.type, func.name);
    });
    if (func?.variadic ?? variadic) args.push(this.variableArguments(i.arguments.slice(named)));
    const isVoid = into.context.layout.resolve(i.type).kind === 'void';
    const dest = isVoid || i.result === undefined ? undefined : into.result(i, into.scalar(i.type));
    this.callAs(i, func, dest, callee, args);
    // The callee's copies of structures end with it.
    for (const copy of this.copies.splice(0)) into.builder.add({ op: 'free', what: 'stack', address: reg(copy) });
  }

  /** A call whose result may have another type than the callee gives it: of a function that is declared wrongly or not. */
  private callAs(
    i: Call,
    func: LFunction | undefined,
    dest: Dest | undefined,
    callee: Operand,
    args: readonly Operand[],
  ): void {
    const { into } = this;
    const { layout } = into.context;
    const given = func === undefined || layout.resolve(func.result).kind === 'void' ? undefined : func.result;
    if (dest === undefined || func === undefined) return into.builder.call(dest, callee, args);
    if (given === undefined) {
      into.builder.call(undefined, callee, args);
      return into.builder.move(dest, zeroOf(into.scalar(i.type)));
    }
    if (layout.scalar(given) === into.scalar(i.type)) return into.builder.call(dest, callee, args);
    const result = into.temporary(into.scalar(given));
    into.builder.call(result, callee, args);
    into.builder.move(dest, this.adapted(reg(result), given, i.type, func.name));
  }

  /** A value as the other side of a call expects it: integers of another width are converted as C converts them. */
  private adapted(value: Operand, from: LType, to: LType, name: string): Operand {
    const { into } = this;
    const [have, want] = [into.scalar(from), into.scalar(to)];
    if (have === want) return value;
    if (isFloat(have) || isFloat(want)) {
      into.fail(`${name} is used with other types than it is defined with (${have} and ${want}); declare it as it is`);
    }
    const converted = into.temporary(want);
    into.builder.cast(bitsOf(have) > bitsOf(want) ? 'trunc' : have === 'i1' ? 'zext' : 'sext', converted, value);
    return reg(converted);
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
      if (argument.byval !== undefined) {
        const size = into.context.layout.sizeOf(argument.byval);
        const from = into.operand(argument.value, argument.type);
        this.intrinsics.copy(into.offset(area, offset), true, from, into.isPrivate(argument.value), size, 4);
        offset += Math.ceil(size / 4) * 4;
        continue;
      }
      const value = this.argument(argument);
      into.storeTo(into.offset(area, offset), value, true);
      offset += Math.max(4, sizeOf(into.scalar(argument.type as LType)));
    }
    return area;
  }
}

function zeroOf(type: Type): Operand {
  return { kind: 'constant', type, value: type === 'i64' ? 0n : 0 };
}
