/**
 * Resolves a program's names: functions and variables are numbered when they are first requested. Functions are then
 * queued for lowering (`pending`), so only reachable ones are lowered.
 */
import { type FunctionBuilder, ProgramBuilder } from '../../../program/builder.ts';
import type { AddressOperand, Global, Relocation, UndefinedFunction } from '../../../program/ir.ts';
import type { Type } from '../../../program/types.ts';
import { nameOfFunction, nameOfVariable } from '../ir/cxx-names.ts';
import { isSystemHeader } from '../ir/debug-info.ts';
import { FrontendError } from '../ir/frontend-error.ts';
import type { LGlobal, LType, Module, Place } from '../ir/module.ts';
import { HIDDEN } from './call.ts';
import { Confined } from './confined.ts';
import { Constants, type SymbolReference } from './constant.ts';
import { DataLayout } from './data-layout.ts';
import type { Declarations, Fresh, FreshMemory } from './fresh-memory.ts';
import type { LinkedFunction, LinkedGlobal, LinkedSymbol, Linker } from './link.ts';
import type { ModuleContext } from './module-context.ts';
import type { Range } from './nondet-range.ts';
import { partsOf } from './parts.ts';

/** All of a program's memory is one buffer, which is allocated again for each model. */
const MAX_VARIABLE_BYTES = 64 << 20;
/** The rest of the memory (`MAX_MEMORY_BYTES` in `layout.ts`) is for stacks and heaps. */
const MAX_BYTES = 256 << 20;

/** The function of our library that decides whether a weak compare-exchange fails for no reason. */
export const FAILS_TO_EXCHANGE = '__fencepost_fails_to_exchange';

/** Initial values of our library's variables, by name: ints, and texts for arrays. */
export type Settings = Readonly<Record<string, number | Uint8Array>>;

export class ProgramSymbols {
  readonly builder: ProgramBuilder;
  protected readonly linker: Linker;
  protected readonly functions: Map<LinkedFunction, FunctionBuilder> = new Map();
  protected readonly pending: LinkedFunction[] = [];
  protected settings: Settings = {};
  protected contents: Fresh = 'zero';
  declarations: Declarations = 'once';
  /** The range of arbitrary numbers, if there is one. */
  nondet: Range | undefined;
  /** Whether some arbitrary number is chosen from fewer values than its type has. */
  isNarrowed = false;
  /** See `destructors`. */
  private atEnd: FunctionBuilder | undefined;
  /** See `resultKind`. */
  protected classifier: FunctionBuilder | undefined;
  /** The first call of each function that is not defined, or the first use of its address. */
  private readonly missing = new Map<string, Place>();
  /** Functions whose address is used other than to call them by name. */
  protected readonly taken: Set<LinkedFunction> = new Set();
  /** Stubs, by name. */
  private readonly undefinedFunctions = new Map<string, FunctionBuilder>();
  private readonly displayed = new Set<string>();
  private readonly contexts = new Map<Module, ModuleContext>();
  private readonly globals = new Map<LinkedGlobal, AddressOperand>();
  private variableBytes = 0;
  readonly confined: Confined = new Confined(this);

  constructor(linker: Linker, name: string) {
    this.linker = linker;
    this.builder = new ProgramBuilder(name);
  }

  /**
   * A function of the program that maps the address of a function to what that returns (`RETURNS_…`): threads may run
   * functions of other types than pthread_create declares.
   */
  resultKind(): FunctionBuilder {
    const parameters = [{ name: 'function', type: 'i32' }] as const;
    this.classifier ??= this.builder.function('__fencepost_result_kind', parameters, {
      result: 'i32',
      isLibrary: true,
    });
    return this.classifier;
  }

  /** A function of the program that calls those with the attribute destructor, in the order that C libraries use. */
  destructors(): FunctionBuilder {
    if (this.atEnd !== undefined) return this.atEnd;
    const into = this.builder.function('__fencepost_destructors', [], { isLibrary: true });
    this.atEnd = into;
    for (const late of this.linker.functionsAround('after').toReversed())
      into.call(undefined, this.functionBuilder(late));
    into.return();
    return into;
  }

  /** Whether weak compare-exchanges of the program may fail for no reason. */
  get isSpurious(): boolean {
    const count = this.settings['__fencepost_spurious'];
    return typeof count === 'number' && count > 0;
  }

  /** Whether the program may rely on what Linux promises about futexes beyond the language (`--futex linux`). */
  get isLinux(): boolean {
    return this.settings['__fencepost_linux'] === 1;
  }

  /** The content of memory that has not been written. */
  get freshMemory(): FreshMemory {
    return this.contents === 'junk' ? { isJunk: true } : this.contents === 'undefined' ? { isUndefined: true } : {};
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

  /** The builder of a function; queues the function for lowering at the first request. */
  functionBuilder(linked: LinkedFunction): FunctionBuilder {
    const existing = this.functions.get(linked);
    if (existing !== undefined) return existing;
    const { func, module } = linked;
    const { layout } = this.context(module);
    const place = func.place ?? { file: module.sourceFile, line: 1, column: 1 };
    const scalars = (type: LType): readonly Type[] => {
      const found = layout.parts(type)?.map((part) => part.type);
      if (found === undefined) {
        const kind = type.kind === 'int' ? `${type.bits}-bit integer` : type.kind;
        throw new FrontendError(
          place,
          `function "${func.name}" passes or returns a ${kind} value, which is unsupported`,
        );
      }
      return found;
    };
    const parameters = func.parameters.flatMap(({ name, type }) => scalars(type).map((part) => ({ name, type: part })));
    const isVoid = func.result.kind === 'void';
    const result = isVoid ? [] : scalars(func.result);
    // Hidden parameter: the address for a result of several parts.
    const isComposite = !isVoid && layout.isComposite(func.result);
    if (isComposite) parameters.unshift({ name: 'results', type: 'i32' });
    // Hidden parameter: the address of the arguments of `...`, for va_start.
    if (func.variadic) parameters.push({ name: '...', type: HIDDEN });
    const known = nameOfFunction(func.name, func.sourceName, func.place?.line);
    // A copy has the name of its original.
    const title = known ?? (linked.original === undefined ? undefined : func.name);
    const builder = this.builder.function(linked.name, parameters, {
      ...(title === undefined ? {} : { title }),
      ...(isVoid || isComposite ? {} : { result: result[0]! }),
      ...(func.place === undefined ? {} : { location: func.place }),
      ...(linked.isLibrary && TAKES_ANYTHING.has(func.name) ? { isUndefined: true } : {}),
      isLibrary: linked.isLibrary || (func.place !== undefined && isSystemHeader(func.place.file)),
    });
    this.functions.set(linked, builder);
    this.pending.push(linked);
    return builder;
  }

  /** The function to call for a name, unless the name does not stand for a function. */
  callee(module: Module, name: string): AddressOperand | undefined {
    const symbol = this.resolve(module, name);
    if (symbol?.kind !== 'function' || module.globals.has(name)) return undefined;
    return { kind: 'function', index: this.functionBuilder(symbol).index };
  }

  /** The address of a symbol, which may be an undefined function; `place` is the use, for messages. */
  address(module: Module, name: string, place: Place): { operand: AddressOperand; symbol: LinkedSymbol | undefined } {
    const symbol = this.resolve(module, name);
    if (symbol === undefined) return { operand: this.undefinedAddress(module, name, place), symbol };
    const isFunction = symbol.kind === 'function';
    if (isFunction ? module.globals.has(name) : module.functions.has(name)) {
      const [declared, defined] = isFunction ? ['variable', 'function'] : ['function', 'variable'];
      throw new FrontendError(place, `"${name}" is declared as a ${declared}, but is a ${defined}`);
    }
    if (symbol.kind === 'function') {
      this.taken.add(symbol);
      return { operand: { kind: 'function', index: this.functionBuilder(symbol).index }, symbol };
    }
    return { operand: this.globalAddress(symbol), symbol };
  }

  /**
   * The address of a function that is defined nowhere: not null, and different from all others. Calling it is refused.
   * The stub counts as library code, so that the place reported is that of the call.
   */
  private undefinedAddress(module: Module, name: string, place: Place): AddressOperand {
    if (this.linker.isChosenAtStart(name)) throw new FrontendError(place, ifuncText(name));
    const declared = module.functions.get(name);
    if (declared === undefined) throw new FrontendError(place, undefinedText('variable', nameOfVariable(name)));
    this.noteUndefined(name, place);
    let stub = this.undefinedFunctions.get(name);
    if (stub === undefined) {
      stub = this.builder.function(name, [], { isLibrary: true, isUndefined: true });
      stub.refuse(undefinedCallText(name));
      stub.unreachable();
      this.undefinedFunctions.set(name, stub);
    }
    return { kind: 'function', index: stub.index };
  }

  /** Whether the name is declared weak but not defined: then its address is null. */
  isNull(module: Module, name: string): boolean {
    const isWeak = (module.functions.get(name) ?? module.globals.get(name))?.isWeak === true;
    return isWeak && this.resolve(module, name) === undefined;
  }

  noteUndefined(name: string, place: Place): void {
    if (!this.missing.has(name)) this.missing.set(name, place);
  }

  get undefinedList(): readonly UndefinedFunction[] {
    return Array.from(this.missing, ([name, place]) => ({ name, place }));
  }

  /** The C++ name, unless another variable already uses it. */
  private displayName({ name, global }: LinkedGlobal): string {
    const readable = name === global.name ? nameOfVariable(name) : name;
    const unique = this.displayed.has(readable) ? name : readable;
    this.displayed.add(unique);
    return unique;
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
    this.variableBytes += size;
    if (this.variableBytes > MAX_BYTES) {
      const text = `the program's variables have more than ${MAX_BYTES} bytes: make them smaller for the check`;
      throw new FrontendError(place, text);
    }
    const setting = this.linker.libraryModules.includes(module) ? this.settings[global.name] : undefined;
    // A text has its own length and is constant.
    if (setting instanceof Uint8Array) {
      const text = { name: global.name, size: setting.length, align: 1, init: setting, readOnly: true };
      const address = this.builder.addGlobal(text);
      this.globals.set(linked, address);
      return address;
    }
    const bytes = new Uint8Array(Math.max(size, 1));
    const references: SymbolReference[] = [];
    constants.initialise(global.type, global.init!, bytes, 0, references, place);
    if (setting !== undefined) new DataView(bytes.buffer).setInt32(0, setting, true);
    const relocations: Relocation[] = [];
    // The address must be known before the initial value: a list may contain its own address.
    const address = this.builder.addGlobal({
      name: this.displayName(linked),
      size: Math.max(size, 1),
      align: Math.max(global.align, layout.alignOf(global.type)),
      init: bytes,
      relocations,
      ...(global.isThreadLocal ? { threadLocal: true } : {}),
      // Settings are only read by the library.
      ...(global.isConstant || setting !== undefined ? { readOnly: true } : {}),
      ...elementOf(layout, global),
      ...partsOf(global.variable?.type),
      ...(global.variable?.place === undefined ? {} : { location: global.variable.place }),
    });
    this.globals.set(linked, address);
    for (const { offset, symbol, addend } of references) {
      // The bytes are already zero.
      if (this.isNull(module, symbol)) continue;
      const { operand } = this.address(module, symbol, place);
      relocations.push({ offset, target: operand.kind === 'global' ? { ...operand, offset: addend } : operand });
    }
    return address;
  }
}

/**
 * They may stand for any function in tables of virtual functions: the call is the error, whatever type the caller
 * expects.
 */
const TAKES_ANYTHING: ReadonlySet<string> = new Set(['__cxa_pure_virtual', '__cxa_deleted_virtual']);

function undefinedText(what: string, name: string): string {
  return `${what} "${name}" is not defined, and fencepost does not model it`;
}

function ifuncText(name: string): string {
  return `"${name}" is chosen when the program starts (attribute ifunc), which is not supported; define it for the check`;
}

/** Functions that start another process. */
const PROCESSES: ReadonlySet<string> = new Set(['fork', 'vfork', '_Fork', 'posix_spawn', 'posix_spawnp']);

export function undefinedCallText(name: string): string {
  if (PROCESSES.has(name)) return `function "${name}" starts another process; only threads of one process are modelled`;
  return undefinedText('function', nameOfFunction(name) ?? name);
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
