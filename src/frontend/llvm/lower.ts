/**
 * From linked LLVM modules to a program: only what `main` can reach, through calls, addresses of functions and initial
 * values, so that unused code that we could not run does no harm.
 */

import type { FunctionBuilder } from '../../program/builder.ts';
import { ProgramBuilder } from '../../program/builder.ts';
import type { AddressOperand, Global, Operand, Program, Relocation } from '../../program/ir.ts';
import { Constants, type SymbolReference } from './constant.ts';
import { DataLayout } from './data-layout.ts';
import { FrontendError } from './frontend-error.ts';
import type { LinkedFunction, LinkedGlobal, LinkedSymbol, Linker } from './link.ts';
import { HIDDEN } from './lower-call.ts';
import { FunctionLowering } from './lower-function.ts';
import type { LGlobal, LType, Module, Place } from './module.ts';
import { partsOf } from './parts.ts';

export interface LoweringOptions {
  readonly entry: string;
  /** Initial values of variables of our library, by name. */
  readonly settings: Readonly<Record<string, number>>;
  /** `argv[0]` and what follows it. */
  readonly arguments: readonly string[];
}

export function lowerProgram(linker: Linker, name: string, options: LoweringOptions): Program {
  const lowering = new ProgramLowering(linker, name);
  return lowering.run(options);
}

/** All of a program's memory is one buffer, and it is made anew for every model. */
const MAX_VARIABLE_BYTES = 64 << 20;

/** Lines of assembly that define nothing. */
const HARMLESS_DIRECTIVE = /^\s*(?:\.(?:globl|global|hidden|ident|symver|type|size)\s[^;]*)?$/;

/** What is known per module. */
export interface ModuleContext {
  readonly module: Module;
  readonly layout: DataLayout;
  readonly constants: Constants;
}

export class ProgramLowering {
  readonly builder: ProgramBuilder;
  private readonly linker: Linker;
  private readonly contexts = new Map<Module, ModuleContext>();
  private readonly functions = new Map<LinkedFunction, FunctionBuilder>();
  private readonly globals = new Map<LinkedGlobal, AddressOperand>();
  private readonly pending: LinkedFunction[] = [];
  private settings: Readonly<Record<string, number>> = {};
  /** See `returnsNothing`. */
  private classifier: FunctionBuilder | undefined;

  constructor(linker: Linker, name: string) {
    this.linker = linker;
    this.builder = new ProgramBuilder(name);
  }

  run(options: LoweringOptions): Program {
    const main = this.linker.entry(options.entry);
    if (main === undefined) {
      const file = this.linker.userModules[0]?.sourceFile ?? 'program';
      throw new FrontendError({ file, line: 1, column: 1 }, `there is no function "${options.entry}" to start with`);
    }
    this.settings = options.settings;
    this.checkMain(main);
    this.refuseAssembly();
    const root = this.rootBuilder(main);
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) {
      new FunctionLowering(this, this.context(next.module), next, this.functions.get(next)!).run();
    }
    this.defineClassifier();
    this.builder.root('main', root, this.mainArguments(main, options.arguments));
    return this.builder.build();
  }

  /** It is given the number of arguments and two lists, or fewer of these. */
  private checkMain({ func, module }: LinkedFunction): void {
    const { layout } = this.context(module);
    const takes = func.parameters.every(
      ({ type, byval, sret }, place) =>
        place < 3 && byval === undefined && sret === undefined && layout.scalar(type) === 'i32',
    );
    if (takes && !func.variadic) return;
    const place = func.place ?? { file: module.sourceFile, line: 1, column: 1 };
    throw new FrontendError(
      place,
      `"${func.name}" cannot be the start: it does not take (int, char **, char **) or fewer`,
    );
  }

  /** Assembly outside of functions may define anything, and run anything before `main`. */
  private refuseAssembly(): void {
    for (const { moduleAsm, sourceFile } of this.linker.userModules) {
      const line = moduleAsm.find((text) => !HARMLESS_DIRECTIVE.test(text));
      if (line === undefined) continue;
      const message = `unsupported assembly outside of functions: "${line.trim().slice(0, 60)}"`;
      throw new FrontendError({ file: sourceFile, line: 1, column: 1 }, message);
    }
  }

  /** `main`; if there is anything to do before or, registered by the program, after it, a function that does that too. */
  private rootBuilder(main: LinkedFunction): FunctionBuilder {
    const builder = this.functionBuilder(main);
    const [destructor] = this.linker.functionsAround('after');
    if (destructor !== undefined) {
      const { func, module } = destructor;
      const message = `"${func.name}" is to run at the end of the program (attribute destructor); use atexit instead`;
      throw new FrontendError(func.place ?? { file: module.sourceFile, line: 1, column: 1 }, message);
    }
    const constructors = this.linker.functionsAround('before');
    const handlers = this.exitHandlers(main);
    if (handlers === undefined && constructors.length === 0) return builder;
    const { layout } = this.context(main.module);
    const parameters = main.func.parameters.map(({ name, type }) => ({ name, type: layout.scalar(type)! }));
    const result = main.func.result.kind === 'void' ? undefined : layout.scalar(main.func.result)!;
    const start = this.builder.function('__fencepost_start', parameters, {
      ...(result === undefined ? {} : { result }),
      isLibrary: true,
    });
    const status = result === undefined ? undefined : start.register('status', result);
    for (const early of constructors) start.call(undefined, this.functionBuilder(early));
    start.call(
      status,
      builder,
      parameters.map((_, index) => index),
    );
    if (handlers !== undefined) start.call(undefined, this.functionBuilder(handlers));
    start.return(status);
    return start;
  }

  /** What runs the functions that the program has registered, if it can register any. */
  private exitHandlers(main: LinkedFunction): LinkedFunction | undefined {
    const register = this.resolve(main.module, 'atexit');
    const handlers = this.resolve(main.module, '__fencepost_run_exit_handlers');
    const isOurs = register?.kind === 'function' && register.isLibrary;
    return isOurs && handlers?.kind === 'function' ? handlers : undefined;
  }

  /**
   * A function that tells whether the one whose address it gets must be called without expecting a pointer-sized result:
   * threads may run functions of other types than pthread_create declares.
   */
  returnsNothing(): FunctionBuilder {
    const parameters = [{ name: 'function', type: 'i32' }] as const;
    this.classifier ??= this.builder.function('__fencepost_returns_nothing', parameters, {
      result: 'i32',
      isLibrary: true,
    });
    return this.classifier;
  }

  /** Once all functions are known. */
  private defineClassifier(): void {
    const into = this.classifier;
    if (into === undefined) return;
    const [any, isThis, bit] = [into.register('any', 'i32'), into.register('is', 'i1'), into.register('bit', 'i32')];
    for (const [{ func, module, isLibrary }, { index }] of this.functions) {
      if (isLibrary || this.context(module).layout.scalar(func.result) === 'i32') continue;
      into.compare('eq', isThis, 0, { kind: 'function', index });
      into.cast('zext', bit, isThis);
      into.binary('or', any, any, bit);
    }
    into.return(any);
  }

  context(module: Module): ModuleContext {
    let context = this.contexts.get(module);
    if (context === undefined) {
      const layout = new DataLayout(module);
      context = { module, layout, constants: new Constants(module, layout) };
      this.contexts.set(module, context);
    }
    return context;
  }

  resolve(module: Module, name: string): LinkedSymbol | undefined {
    return this.linker.resolve(module, name);
  }

  /** The builder of a function, which is lowered later if it has not been yet. */
  functionBuilder(linked: LinkedFunction): FunctionBuilder {
    const existing = this.functions.get(linked);
    if (existing !== undefined) return existing;
    const { func, module } = linked;
    const { layout } = this.context(module);
    const place = func.place ?? { file: module.sourceFile, line: 1, column: 1 };
    const scalar = (type: LType): NonNullable<ReturnType<DataLayout['scalar']>> => {
      const found = layout.scalar(type);
      if (found === undefined) {
        const kind = type.kind === 'int' ? `${type.bits}-bit integer` : type.kind;
        throw new FrontendError(
          place,
          `function "${func.name}" passes or returns a ${kind} value, which is unsupported`,
        );
      }
      return found;
    };
    const parameters = func.parameters.map(({ name, type }) => ({ name, type: scalar(type) }));
    // Where the arguments of `...` are, for va_start.
    if (func.variadic) parameters.push({ name: '...', type: HIDDEN });
    const builder = this.builder.function(linked.name, parameters, {
      ...(func.result.kind === 'void' ? {} : { result: scalar(func.result) }),
      ...(func.place === undefined ? {} : { location: func.place }),
      isLibrary: linked.isLibrary,
    });
    this.functions.set(linked, builder);
    this.pending.push(linked);
    return builder;
  }

  /** The address of a symbol; `place` is where it is used, for the message if nothing defines it. */
  address(module: Module, name: string, place: Place): { operand: AddressOperand; symbol: LinkedSymbol } {
    const symbol = this.resolve(module, name);
    if (symbol === undefined) {
      const what = module.functions.has(name) ? 'function' : 'variable';
      throw new FrontendError(place, `${what} "${name}" is not defined, and is not one of those that fencepost models`);
    }
    const isFunction = symbol.kind === 'function';
    if (isFunction ? module.globals.has(name) : module.functions.has(name)) {
      const [declared, defined] = isFunction ? ['variable', 'function'] : ['function', 'variable'];
      throw new FrontendError(place, `"${name}" is declared as a ${declared}, but is a ${defined}`);
    }
    if (symbol.kind === 'function') {
      return { operand: { kind: 'function', index: this.functionBuilder(symbol).index }, symbol };
    }
    return { operand: this.globalAddress(symbol), symbol };
  }

  globalAddress(linked: LinkedGlobal): AddressOperand {
    const existing = this.globals.get(linked);
    if (existing !== undefined) return existing;
    const { global, module } = linked;
    const { layout, constants } = this.context(module);
    const size = layout.sizeOf(global.type);
    const place = global.variable?.place ?? { file: module.sourceFile, line: 1, column: 1 };
    if (size > MAX_VARIABLE_BYTES) {
      const text = `the variable ${global.name} has ${size} bytes; at most ${MAX_VARIABLE_BYTES} are possible: make it smaller for the check`;
      throw new FrontendError(place, text);
    }
    const bytes = new Uint8Array(Math.max(size, 1));
    const references: SymbolReference[] = [];
    constants.initialise(global.type, global.init!, bytes, 0, references, place);
    const setting = this.linker.libraryModules.includes(module) ? this.settings[global.name] : undefined;
    if (setting !== undefined) new DataView(bytes.buffer).setInt32(0, setting, true);
    const relocations: Relocation[] = [];
    // The address is known before the initial value is: a list may contain its own address.
    const address = this.builder.addGlobal({
      name: displayName(linked),
      size: Math.max(size, 1),
      align: Math.max(global.align, layout.alignOf(global.type)),
      init: bytes,
      relocations,
      ...(global.isThreadLocal ? { threadLocal: true } : {}),
      ...(global.isConstant ? { readOnly: true } : {}),
      ...elementOf(layout, global),
      ...partsOf(global.variable?.type),
      ...(global.variable?.place === undefined ? {} : { location: global.variable.place }),
    });
    this.globals.set(linked, address);
    for (const { offset, symbol, addend } of references) {
      const { operand } = this.address(module, symbol, place);
      relocations.push({ offset, target: operand.kind === 'global' ? { ...operand, offset: addend } : operand });
    }
    return address;
  }

  /** A string constant of our own. */
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
    const strings = args.map((text) => this.stringAddress(text));
    const argv = this.builder.addGlobal({
      name: this.freshName('.argv'),
      size: (strings.length + 1) * 4,
      align: 4,
      relocations: strings.map((target, i) => ({ offset: i * 4, target })),
    });
    const all: Operand[] = [
      { kind: 'constant', type: 'i32', value: strings.length },
      argv,
      // The environment is empty: its end is that of the arguments.
      { kind: 'global', index: argv.index, offset: strings.length * 4 },
    ];
    return all.slice(0, count);
  }
}

/** A name people know: the variable's own where it is unique, with its function for static locals (`f.x`). */
function displayName({ name }: LinkedGlobal): string {
  return name;
}

function elementOf(layout: DataLayout, global: LGlobal): Pick<Global, 'element'> | Record<string, never> {
  const type = layout.resolve(global.type);
  if (type.kind !== 'array') return {};
  let element = type.element;
  for (let inner = layout.resolve(element); inner.kind === 'array'; inner = layout.resolve(element))
    element = inner.element;
  const size = layout.sizeOf(element);
  return size > 0 && layout.scalar(element) !== undefined ? { element: size } : {};
}
