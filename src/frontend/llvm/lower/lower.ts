/**
 * Turns linked LLVM modules into a program. It contains only what `main` can reach through calls, addresses of
 * functions and initial values, so unsupported code does no harm if it is unused.
 */

import { type FunctionBuilder, int } from '../../../program/builder.ts';
import type { AddressOperand, Dest, Operand, Program } from '../../../program/ir.ts';
import { sizeOf } from '../../../program/types.ts';
import { nameOfFunction } from '../ir/cxx-names.ts';
import { FrontendError } from '../ir/frontend-error.ts';
import type { Place } from '../ir/module.ts';
import type { Declarations, Fresh } from './fresh-memory.ts';
import type { LinkedFunction, Linker } from './link.ts';
import { FunctionLowering } from './lower-function.ts';
import type { Range } from './nondet-range.ts';
import { ProgramSymbols, type Settings } from './program-symbols.ts';

interface LoweringOptions {
  readonly entry: string;
  /** Initial values of our library's variables, by name. */
  readonly settings: Settings;
  /** What fresh memory from `malloc` and fresh local variables of the user's functions contain. */
  readonly fresh: Fresh;
  readonly declarations: Declarations;
  /** The range of arbitrary numbers. */
  readonly nondet?: Range;
  /** The place of this text in the sources of a module, if known. */
  readonly placeOf?: (sourceFile: string, text: string) => Place | undefined;
  /** For tests: turns off `confined.ts` and `fleeting.ts`. */
  readonly sharedLocals?: boolean;
  /** `argv[0]` and the rest. */
  readonly arguments: readonly string[];
}

export function lowerProgram(linker: Linker, name: string, options: LoweringOptions): Program {
  const lowering = new ProgramLowering(linker, name);
  return lowering.run(options);
}

/**
 * What `__fencepost_result_kind` returns for a function: a pointer is 0; the others are nothing that a thread could
 * return, and an int.
 */
const RETURNS_NOTHING = 1;
const RETURNS_INT = 2;

/** Lines of assembly that neither define nor run anything. */
const HARMLESS_DIRECTIVE = /^\s*(?:\.(?:globl|global|hidden|ident|symver|type|size)\s[^;]*)?$/;

/** A function of our library that makes `exit` run handlers and destructors. */
const USE_HANDLERS = '__fencepost_use_exit_handlers';

function noEntry(name: string): string {
  const driver =
    'write a driver, a main that starts threads which use this code (`fencepost init` writes one to begin with)';
  return name === 'main'
    ? `there is no main: ${driver}, or name another function with --entry`
    : `there is no function ${name} (--entry) to start with`;
}

class ProgramLowering extends ProgramSymbols {
  run(options: LoweringOptions): Program {
    const main = this.linker.entry(options.entry);
    if (main === undefined) {
      const file = this.linker.userModules[0]?.sourceFile ?? 'program';
      throw new FrontendError({ file, line: 1, column: 1 }, noEntry(options.entry));
    }
    this.settings = options.settings;
    this.contents = options.fresh;
    this.declarations = options.declarations;
    this.nondet = options.nondet;
    this.confined.isOff = options.sharedLocals === true;
    this.confined.hasLives = options.declarations === 'again';
    this.checkMain(main);
    this.refuseAssembly(options);
    const root = this.rootBuilder(main);
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) {
      new FunctionLowering(this, this.context(next.module), next, this.functions.get(next)!).run();
    }
    this.defineClassifier();
    this.builder.root('main', root, this.mainArguments(main, options.arguments));
    const program = this.builder.build();
    const missing = this.undefinedList;
    const { nondet } = options;
    return {
      ...program,
      ...(nondet !== undefined && this.isNarrowed ? { nondet: `${nondet.low}..${nondet.high}` } : {}),
      ...(missing.length === 0 ? {} : { undefinedFunctions: missing }),
    };
  }

  /** `main` takes the number of arguments and two lists, or only the first of these. */
  private checkMain({ func, module }: LinkedFunction): void {
    const { layout } = this.context(module);
    const takes = func.parameters.every(
      ({ type, byval, sret }, place) =>
        place < 3 &&
        byval === undefined &&
        sret === undefined &&
        layout.scalar(type) === (place === 0 ? 'i32' : layout.pointer),
    );
    if (takes && !func.variadic) return;
    const place = func.place ?? { file: module.sourceFile, line: 1, column: 1 };
    throw new FrontendError(
      place,
      `"${func.name}" cannot be the start: it does not take (int, char **, char **) or fewer`,
    );
  }

  /** Assembly outside of functions may define anything, and may run anything before `main`. */
  private refuseAssembly({ placeOf }: LoweringOptions): void {
    for (const { moduleAsm, sourceFile } of this.linker.userModules) {
      const line = moduleAsm.find((text) => !HARMLESS_DIRECTIVE.test(text));
      if (line === undefined) continue;
      const message = `unsupported assembly outside of functions: "${line.trim().slice(0, 60)}"`;
      throw new FrontendError(placeOf?.(sourceFile, line.trim()) ?? { file: sourceFile, line: 1, column: 1 }, message);
    }
  }

  /**
   * `main`, or a function around it that also runs what comes before `main` and, if the program registered any, the
   * handlers after it.
   */
  private rootBuilder(main: LinkedFunction): FunctionBuilder {
    const builder = this.functionBuilder(main);
    const constructors = this.linker.functionsAround('before');
    const handlers = this.exitHandlers(main);
    // A function of our library, present if the program can throw: reports an error if an exception was not caught.
    const check = this.resolve(main.module, '__fencepost_check_uncaught');
    if (handlers === undefined && constructors.length === 0 && check === undefined) return builder;
    const { layout } = this.context(main.module);
    const parameters = main.func.parameters.map(({ name, type }) => ({ name, type: layout.scalar(type)! }));
    const result = main.func.result.kind === 'void' ? undefined : layout.scalar(main.func.result)!;
    const start = this.builder.function('__fencepost_start', parameters, {
      ...(result === undefined ? {} : { result }),
      title: nameOfFunction(main.func.name) ?? main.func.name,
      isLibrary: true,
    });
    const status = result === undefined ? undefined : start.register('status', result);
    const late = this.linker.functionsAround('after').length > 0 ? this.resolve(main.module, USE_HANDLERS) : undefined;
    const run = (func: FunctionBuilder, result?: Dest, args: readonly number[] = []): void => {
      start.call(result, func, args);
      if (check?.kind === 'function') start.call(undefined, this.functionBuilder(check));
    };
    if (late?.kind === 'function') start.call(undefined, this.functionBuilder(late));
    for (const early of constructors) run(this.functionBuilder(early));
    run(
      builder,
      status,
      parameters.map((_, index) => index),
    );
    if (handlers !== undefined) start.call(undefined, this.functionBuilder(handlers));
    start.return(status);
    return start;
  }

  /** The function that runs the registered handlers, if the program can register any. */
  private exitHandlers(main: LinkedFunction): LinkedFunction | undefined {
    const register = this.resolve(main.module, 'atexit');
    const handlers = this.resolve(main.module, '__fencepost_run_exit_handlers');
    const isOurs = register?.kind === 'function' && register.isLibrary;
    return isOurs && handlers?.kind === 'function' ? handlers : undefined;
  }

  /** Called once all functions are known. */
  private defineClassifier(): void {
    const into = this.classifier;
    if (into === undefined) return;
    const [any, isThis] = [into.register('any', 'i32'), into.register('is', 'i1')];
    // Assigned once, so that the function can be inlined.
    into.move(any, int(0));
    for (const linked of this.taken) {
      const { func, module, isLibrary } = linked;
      const { index } = this.functionBuilder(linked);
      const { layout } = this.context(module);
      const result = layout.scalar(func.result);
      if (isLibrary || result === layout.pointer) continue;
      into.compare('eq', isThis, 0, { kind: 'function', index });
      into.select(any, isThis, int(result === 'i32' ? RETURNS_INT : RETURNS_NOTHING), any);
    }
    into.return(any);
  }

  /** A string constant that we add. */
  stringAddress(text: string): AddressOperand {
    const bytes = new TextEncoder().encode(`${text}\0`);
    return this.builder.addGlobal({ name: this.freshName('.argument'), size: bytes.length, align: 1, init: bytes });
  }

  private fresh = 0;
  private freshName(base: string): string {
    return `${base}.${this.fresh++}`;
  }

  private mainArguments(main: LinkedFunction, args: readonly string[]): readonly Operand[] {
    const count = main.func.parameters.length;
    if (count === 0) return [];
    const { layout } = this.context(main.module);
    const bytes = sizeOf(layout.pointer);
    const strings = args.map((text) => this.stringAddress(text));
    const argv = this.builder.addGlobal({
      name: this.freshName('.argv'),
      size: (strings.length + 1) * bytes,
      align: bytes,
      relocations: strings.map((target, i) => ({ offset: i * bytes, target })),
    });
    const wide = layout.pointer === 'i64' ? ({ isWide: true } as const) : {};
    const all: Operand[] = [
      { kind: 'constant', type: 'i32', value: strings.length },
      { ...argv, ...wide },
      // The environment is empty: it shares the null terminator of the arguments.
      { kind: 'global', index: argv.index, offset: strings.length * bytes, ...wide },
    ];
    return all.slice(0, count);
  }
}
