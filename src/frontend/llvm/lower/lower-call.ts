/**
 * Calls: to functions of the program, through pointers, to LLVM's intrinsics (`lower-intrinsic.ts`), and to the
 * primitives that connect our library to the machine (`primitives.ts`). Inline assembly is also a call
 * (`lower-assembly.ts`).
 *
 * Arguments of `...` go to a private block of the caller's frame, laid out like arguments on the stack (on i386, 4
 * bytes each, 8 for 64-bit values; elsewhere 8 bytes each). The block's address is a hidden last argument, which
 * va_start puts into the callee's va_list (`va-list.ts`). Its type is `f32`, which no argument passed without a
 * prototype has; so the machine detects a call through a pointer that lacks it.
 *
 * A result of several parts (a structure in registers) is written to a private block of the caller's frame, whose
 * address is a hidden first argument.
 */
import { constant, int, reg } from '../../../program/builder.ts';
import type { Dest, Operand } from '../../../program/ir.ts';
import { bitsOf, isFloat, sizeOf } from '../../../program/types.ts';
import type { Argument, LFunction, LType } from '../ir/module.ts';
import { isAssembly } from './assembly-operands.ts';
import { type Call, HIDDEN } from './call.ts';
import type { FunctionContext } from './function-context.ts';
import { lowerAssembly } from './lower-assembly.ts';
import { CopyLowering } from './lower-copy.ts';
import { IntrinsicLowering } from './lower-intrinsic.ts';
import { lowerPrimitive } from './primitives.ts';
import { undefinedCallText } from './program-symbols.ts';
import { isMemoryFunction } from './storage.ts';
import { abortsByAssumption } from './sv-comp.ts';
import { isWide } from './wide-integers.ts';

export class CallLowering {
  private readonly into: FunctionContext;
  private readonly copying: CopyLowering;
  private readonly intrinsics: IntrinsicLowering;
  /** Address of the block for variable arguments, if the function makes such a call. */
  private area: Dest | undefined;
  /** Address of the block for results of several parts, if the function makes such a call. */
  private results: Dest | undefined;
  /** Structures passed by value in the call being lowered. */
  private readonly copies: Dest[] = [];

  constructor(into: FunctionContext) {
    this.into = into;
    this.copying = new CopyLowering(into);
    this.intrinsics = new IntrinsicLowering(into, this.copying);
  }

  /** Must run before anything else in the function is lowered. */
  prepare(): void {
    const { linked, builder } = this.into;
    let bytes = 0;
    let parts = 0;
    for (const block of linked.func.blocks) {
      for (const i of block.body) {
        if (i.op !== 'call' || isAssembly(i)) continue;
        if (this.isVariadic(i)) bytes = Math.max(bytes, 8, this.areaBytes(i));
        if (this.into.isComposite(i.type)) parts = Math.max(parts, this.into.parts(i.type).length);
      }
    }
    builder.startBlock(0);
    if (bytes > 0) {
      this.area = builder.register('...', 'i32');
      builder.alloca(this.area, bytes, 16);
    }
    if (parts > 0) {
      this.results = builder.register('results', 'i32');
      builder.alloca(this.results, parts * 8, 8);
    }
  }

  /** Also true for a variadic function that is declared without `...`, or not declared at all. */
  private isVariadic({ callee, variadic }: Call): boolean {
    if (callee.kind !== 'global') return variadic;
    const symbol = this.into.program.resolve(this.into.context.module, callee.name);
    return symbol?.kind === 'function' && symbol.func.variadic;
  }

  private areaBytes({ arguments: all }: Call): number {
    const { layout } = this.into.context;
    return all.reduce(
      (sum, { byval, type }) =>
        sum + (byval === undefined ? 8 + 8 * this.into.parts(type).length : layout.sizeOf(byval) + 8),
      0,
    );
  }

  lower(i: Call): void {
    const { into } = this;
    if (isAssembly(i)) return lowerAssembly(into, i);
    if (i.callee.kind === 'global') {
      const { name } = i.callee;
      if (name.startsWith('llvm.')) return this.intrinsics.lower(i, name);
      const symbol = into.program.resolve(into.context.module, name);
      if (symbol === undefined && lowerPrimitive(into, i, name)) return;
      if (symbol === undefined && into.context.module.functions.has(name)) {
        // A weak function without a definition is null.
        if (into.program.isNull(into.context.module, name)) return into.builder.call(undefined, int(0));
        // An error only if some execution reaches the call.
        into.program.noteUndefined(name, into.place);
        return into.builder.refuse(undefinedCallText(name));
      }
      const library = symbol?.kind === 'function' && symbol.isLibrary ? symbol.func : undefined;
      if (library !== undefined && name === 'abort' && abortsByAssumption(into.linked)) {
        return into.builder.assume(constant('i1', 0));
      }
      if (library !== undefined && isMemoryFunction(name)) {
        this.checkDeclaration(i, library);
        return this.copying.lowerMemoryCall(i, name);
      }
      if (library !== undefined && name === 'pthread_create' && i.arguments.length > 0) {
        if (into.isPrivate(i.arguments[0]!.value) !== false) return this.lowerCreation(i, library);
      }
      const isAtomic = name.startsWith('__VERIFIER_atomic_') && symbol?.kind === 'function' && !symbol.isLibrary;
      if (isAtomic) into.builder.add({ op: 'beginatomic' });
      this.lowerDirect(i, symbol?.kind === 'function' ? symbol.func : undefined, false);
      if (isAtomic) into.builder.add({ op: 'endatomic' });
      return;
    }
    this.lowerDirect(i, undefined, i.variadic);
  }

  /** `pthread_create` with the thread id in a variable that only this function can reach. */
  private lowerCreation(i: Call, func: LFunction): void {
    const { into } = this;
    this.checkDeclaration(i, func, true);
    const [place, ...rest] = this.namedArguments(i, func);
    const handle = into.temporary('i32');
    into.builder.call(handle, into.callee({ kind: 'global', name: '__fencepost_create' }), rest);
    // An unsigned long.
    into.storeTo(into.toAddress(place!, into.pointer), into.toPointer(reg(handle)), true);
    if (i.result === undefined || i.type.kind === 'void') return;
    const type = into.scalar(i.type);
    into.builder.move(into.result(i, type), type === 'i64' ? constant('i64', 0n) : int(0, type));
  }

  /**
   * For a function that we replace: pointers must be passed for pointers, and integers for integers. With `isLoose`,
   * integers may stand for pointers, like the 0 in a call without a prototype.
   */
  private checkDeclaration(i: Call, func: LFunction, isLoose = false): void {
    const { into } = this;
    const { layout } = into.context;
    const isMeant = func.parameters.every(({ type }, place) => {
      const given = i.arguments[place]?.type;
      const scalar = given === undefined ? undefined : layout.scalar(given);
      const isPointer = layout.resolve(type).kind === 'ptr';
      return scalar !== undefined && (isPointer && !isLoose ? scalar === layout.pointer : !isFloat(scalar));
    });
    const result = layout.scalar(i.type);
    const isResult = layout.resolve(i.type).kind === 'void' || (result !== undefined && !isFloat(result));
    if (isMeant && isResult && i.arguments.length === func.parameters.length) return;
    into.fail(`${func.name} is called with types that do not match its definition; fix its declaration`);
  }

  /** `func` is the callee if known; otherwise `variadic` says whether it takes variable arguments. */
  private lowerDirect(i: Call, func: LFunction | undefined, variadic: boolean): void {
    const { into } = this;
    const callee = this.copy(i) ?? into.callee(i.callee);
    const named = func?.parameters.length ?? (variadic ? this.fixedArguments(i) : i.arguments.length);
    const args =
      func === undefined
        ? i.arguments.slice(0, named).flatMap((argument) => this.argument(argument))
        : [...this.namedArguments(i, func)];
    if (func?.variadic ?? variadic) args.push(this.variableArguments(i.arguments.slice(named)));
    if (into.isComposite(i.type)) return this.callForParts(i, func, callee, args);
    const isVoid = into.context.layout.resolve(i.type).kind === 'void';
    const dest = isVoid || i.result === undefined ? undefined : into.result(i, into.scalar(i.type));
    this.callAs(i, func, dest, callee, args);
    this.endCopies();
  }

  /** The copy of the callee for the private addresses among the arguments (`confined.ts`), if there is one. */
  private copy({ callee, arguments: all }: Call): Operand | undefined {
    const { program, context } = this.into;
    if (callee.kind !== 'global') return undefined;
    const copy = program.confined.copyFor(context.module, callee.name, (place) => {
      const argument = all[place];
      const isOwn = argument !== undefined && argument.byval === undefined && argument.value.kind === 'local';
      return isOwn && this.into.isPrivate(argument.value);
    });
    return copy === undefined ? undefined : { kind: 'function', index: program.functionBuilder(copy).index };
  }

  /** The copies of structures passed by value end when the callee returns. */
  private endCopies(): void {
    for (const copy of this.copies.splice(0)) this.into.builder.add({ op: 'free', what: 'stack', address: reg(copy) });
  }

  private callForParts(i: Call, func: LFunction | undefined, callee: Operand, args: readonly Operand[]): void {
    const { into } = this;
    const types = into.parts(i.type);
    if (func !== undefined && into.parts(func.result).join() !== types.join()) {
      into.fail(`${func.name} is called with a result type that does not match its definition; fix its declaration`);
    }
    const block = reg(this.results!);
    into.builder.call(undefined, callee, [block, ...args]);
    into.define(i.result, types).forEach((dest, part) => {
      into.loadFrom(dest, into.offset(block, part * 8), true);
    });
    this.endCopies();
  }

  /** A function declared without parameters may be called with any arguments; extra ones are dropped. */
  private namedArguments(i: Call, func: LFunction): readonly Operand[] {
    const { into } = this;
    const [given, named] = [i.arguments.length, func.parameters.length];
    if (given < named) into.fail(`${func.name} takes ${named} arguments, but is called with ${given}; is it declared?`);
    // The address of a returned structure comes first, and is never dropped.
    const isReturned = (first: Pick<Argument, 'sret'> | undefined): boolean => first?.sret !== undefined;
    const isSame = func.parameters.every(
      ({ byval }, place) => (byval === undefined) === (i.arguments[place]!.byval === undefined),
    );
    if (!isSame || isReturned(i.arguments[0]) !== isReturned(func.parameters[0])) {
      into.fail(`${func.name} is called with structures that do not match its definition; fix its declaration`);
    }
    return func.parameters.flatMap((parameter, place) => {
      const argument = i.arguments[place]!;
      const parts = this.argument(argument);
      if (!into.isComposite(parameter.type) && !into.isComposite(argument.type)) {
        return [this.adapted(parts[0]!, argument.type, parameter.type, func.name)];
      }
      if (into.parts(parameter.type).join() !== into.parts(argument.type).join()) {
        into.fail(`${func.name} is called with structures that do not match its definition; fix its declaration`);
      }
      return parts;
    });
  }

  /** A call whose result type may differ from the callee's, because the callee is declared wrongly or not at all. */
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
      if (isUsed(into.linked.func, i.result!)) into.fail(`${func.name} returns nothing, but its result is used`);
      return into.builder.call(undefined, callee, args);
    }
    if (layout.scalar(given) === into.scalar(i.type)) return into.builder.call(dest, callee, args);
    const result = into.temporary(into.scalar(given));
    into.builder.call(result, callee, args);
    into.builder.move(dest, this.adapted(reg(result), given, i.type, func.name));
  }

  /**
   * Converts a value to the type that the other side of a call expects; integers of different widths convert as in C.
   */
  private adapted(value: Operand, from: LType, to: LType, name: string): Operand {
    const { into } = this;
    const [have, want] = [into.scalar(from), into.scalar(to)];
    if (have === want) return value;
    if (isFloat(have) || isFloat(want)) {
      into.fail(
        `${name} is called with types that do not match its definition (${have} and ${want}); fix its declaration`,
      );
    }
    const converted = into.temporary(want);
    into.builder.cast(bitsOf(have) > bitsOf(want) ? 'trunc' : have === 'i1' ? 'zext' : 'sext', converted, value);
    return reg(converted);
  }

  /** The callee is unknown, but the call's own type says how many arguments precede `...`. */
  private fixedArguments(i: Call): number {
    return i.fixedParameters ?? i.arguments.length;
  }

  /** The parts of an argument; more than one only for a structure in registers. */
  private argument(argument: Argument): readonly Operand[] {
    const { into } = this;
    if (argument.byval === undefined) return into.partsOf(argument);
    // The callee gets its own copy.
    const size = into.context.layout.sizeOf(argument.byval);
    const copy = into.temporary('i32');
    into.builder.add({ op: 'allocate', what: 'stack', dest: copy, size: int(size) });
    this.copies.push(copy);
    this.copying.copy(reg(copy), false, into.address(argument.value), into.isPrivate(argument.value), size, into.slot);
    return [into.toPointer(reg(copy))];
  }

  private variableArguments(rest: readonly Argument[]): Operand {
    const { into } = this;
    const area = reg(this.area!);
    const hidden = into.temporary(HIDDEN);
    let offset = 0;
    for (const argument of rest) {
      if (argument.byval !== undefined) {
        const size = into.context.layout.sizeOf(argument.byval);
        const from = into.address(argument.value);
        this.copying.copy(into.offset(area, offset), true, from, into.isPrivate(argument.value), size, into.slot);
        offset += Math.ceil(size / into.slot) * into.slot;
        continue;
      }
      if (into.isVector(argument.type) && into.isComposite(argument.type))
        into.fail('a vector as an argument of ... is unsupported; pass its address');
      // A structure is laid out as in memory; a 128-bit integer is aligned.
      if (isWide(into.context.layout.resolve(argument.type))) offset = Math.ceil(offset / 16) * 16;
      const parts = into.placedParts(argument.type);
      for (const [part, value] of this.argument(argument).entries()) {
        into.storeTo(into.offset(area, offset + parts[part]!.offset), value, true);
      }
      const last = parts.at(-1);
      const size = last === undefined ? 0 : last.offset + sizeOf(last.type);
      offset += Math.ceil(size / into.slot) * into.slot;
    }
    into.builder.cast('bitcast', hidden, area);
    return reg(hidden);
  }
}

/** Whether an instruction of the function has this value as an operand. */
function isUsed(func: LFunction, name: string): boolean {
  const has = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null) return false;
    if ('kind' in part && part.kind === 'local' && 'name' in part && part.name === name) return true;
    return Object.values(part).some(has);
  };
  return func.blocks.some(({ body }) => body.some(has));
}
