/** Those of LLVM's intrinsics that clang uses at -O0. */
import { constant, reg } from '../../../program/builder.ts';
import type { Operand } from '../../../program/ir.ts';
import { ELEMENTARY_FUNCTIONS, type UnaryOperator } from '../../../program/operators.ts';
import { nameOfVariable } from '../ir/cxx-names.ts';
import type { LValue } from '../ir/module.ts';
import { barrierOf } from './assembly-barriers.ts';
import { readAssembly } from './assembly-text.ts';
import type { Call } from './call.ts';
import type { FunctionContext } from './function-context.ts';
import { ArithmeticLowering } from './lower-arithmetic.ts';
import type { CopyLowering } from './lower-copy.ts';
import { lowerVaCopy, lowerVaStart } from './va-list.ts';

const IGNORED =
  /^llvm\.(dbg|lifetime|invariant|assume|donothing|va_end|prefetch|experimental\.noalias|var\.annotation|codeview)/;
const UNARY: Readonly<Record<string, UnaryOperator>> = {
  ctlz: 'clz',
  cttz: 'ctz',
  ctpop: 'popcount',
  bswap: 'bswap',
  fabs: 'fabs',
  sqrt: 'fsqrt',
  floor: 'ffloor',
  ceil: 'fceil',
  trunc: 'ftrunc',
  round: 'fround',
};

export class IntrinsicLowering {
  private readonly into: FunctionContext;
  private readonly copying: CopyLowering;
  private readonly arithmetic: ArithmeticLowering;

  constructor(into: FunctionContext, copying: CopyLowering) {
    this.into = into;
    this.copying = copying;
    this.arithmetic = new ArithmeticLowering(into);
  }

  lower(i: Call, name: string): void {
    if (IGNORED.test(name)) return;
    const { into } = this;
    const base = name.split('.')[1]!;
    if ([i.type, ...i.arguments.map(({ type }) => type)].some((type) => into.isVector(type)))
      return into.fail(`unsupported intrinsic: ${name}; of vectors, only arithmetic and copies are modelled`);
    switch (base) {
      case 'memcpy':
      case 'memmove':
      case 'memset':
        return this.copying.lowerMemoryCall(i, base);
      case 'va_start':
        return this.lowerVaStart(i.arguments[0]!.value);
      case 'va_copy':
        return lowerVaCopy(into, i.arguments[0]!.value, i.arguments[1]!.value);
      case 'stackrestore':
        for (const array of into.stackScopes.end(i.arguments[0]!.value))
          into.builder.add({ op: 'free', what: 'stack', address: reg(array) });
        return;
      case 'stacksave':
        into.stackScopes.begin(i.result);
        return into.builder.move(into.result(i, into.pointer), into.pointerConstant(0));
      case 'x86':
        // Time is logical, as for clock_gettime.
        return name === 'llvm.x86.rdtsc' ? this.callLibrary(i, '__fencepost_clock') : this.lowerBarrier(name);
      case 'readcyclecounter':
        return this.callLibrary(i, '__fencepost_clock');
      case 'threadlocal':
        return this.lowerThreadLocal(i);
      case 'ptrmask':
        into.refuseAlignedArgument(i.arguments[0]!.value);
        return into.builder.binary('and', into.result(i, into.pointer), this.argument(i, 0), this.argument(i, 1));
      case 'expect':
      case 'launder':
      case 'strip':
      case 'ssa':
        return this.result(i, this.argument(i, 0));
      case 'is':
        if (name.startsWith('llvm.is.fpclass')) return this.arithmetic.lowerFloatClass(i);
        return this.result(i, constant('i1', 0));
      case 'objectsize':
        return this.result(i, this.all(i, -1));
      case 'trap':
      case 'debugtrap':
        return into.builder.assert(constant('i1', 0), 'trap');
      case 'abs':
        return this.arithmetic.lowerAbs(i);
      case 'smax':
      case 'smin':
      case 'umax':
      case 'umin':
        return this.arithmetic.lowerMinMax(i, base);
      case 'fshl':
      case 'fshr':
        return this.arithmetic.lowerFunnelShift(i, base === 'fshl');
      case 'fmuladd':
        return this.arithmetic.lowerMultiplyAdd(i);
      case 'fma':
        return this.callLibrary(i, into.scalar(i.type) === 'f32' ? 'fmaf' : 'fma');
      case 'sadd':
      case 'uadd':
      case 'ssub':
      case 'usub':
      case 'smul':
      case 'umul':
        return this.arithmetic.lowerOverflow(i, base);
      default: {
        const operator = UNARY[base] ?? ELEMENTARY_FUNCTIONS.find((name) => name === `f${base}`);
        if (operator === undefined) into.fail(`unsupported intrinsic: ${name}`);
        into.builder.unary(operator!, into.result(i, into.scalar(i.type)), this.argument(i, 0));
      }
    }
  }

  /** `llvm.x86.sse2.mfence`, which is `_mm_mfence`, and the like. */
  private lowerBarrier(name: string): void {
    const [instruction] = /^llvm\.x86\.sse2?\.(?:[mls]fence|pause)$/.test(name)
      ? readAssembly(name.split('.')[3]!)
      : [];
    const fence = instruction === undefined ? undefined : barrierOf(instruction);
    if (fence === undefined || (typeof fence === 'object' && 'refused' in fence)) {
      return this.into.fail(`unsupported intrinsic: ${name}`);
    }
    if (fence !== 'nothing') this.into.builder.add({ op: 'fence', ...fence });
  }

  private argument(i: Call, index: number): Operand {
    const { value, type } = i.arguments[index]!;
    return this.into.operand(value, type);
  }

  private result(i: Call, value: Operand): void {
    this.into.builder.move(this.into.result(i, this.into.scalar(i.type)), value);
  }

  private callLibrary(i: Call, name: string): void {
    const { into } = this;
    const args = i.arguments.map((_, index) => this.argument(i, index));
    const callee = into.callee({ kind: 'global', name });
    into.builder.call(into.result(i, into.scalar(i.type)), callee, args);
  }

  private all(i: Call, value: number): Operand {
    const type = this.into.scalar(i.type);
    return constant(type, type === 'i64' ? BigInt(value) : value);
  }

  // ---- varargs, thread-local storage

  private lowerVaStart(list: LValue): void {
    const { into } = this;
    const area = into.temporary('i32');
    into.builder.cast('bitcast', area, reg(into.hiddenParameter));
    lowerVaStart(into, list, area);
  }

  private lowerThreadLocal(i: Call): void {
    const { into } = this;
    const { value } = i.arguments[0]!;
    if (value.kind !== 'global') into.fail('unsupported use of a thread-local variable');
    const { name } = value as LValue & { kind: 'global' };
    const symbol = into.program.resolve(into.context.module, name);
    if (symbol?.kind !== 'global') into.fail(`thread-local variable "${nameOfVariable(name)}" is not defined`);
    const address = into.program.globalAddress(symbol as typeof symbol & { kind: 'global' });
    const global = (address as { index: number }).index;
    into.definePointer(i.result, (dest) => into.builder.add({ op: 'threadlocal', dest, global }));
  }
}
