/**
 * Joins the modules of a program: the user's files, and those of our library that they need. Names local to a file stay
 * separate; names that are defined twice, or used but not defined, are reported with their place.
 */
import { CompileError } from '../clang/compile-error.ts';
import { FrontendError } from '../ir/frontend-error.ts';
import type { LAlias, LFunction, LGlobal, Module, Place } from '../ir/module.ts';
import { type Stubs, stubOf } from './stubs.ts';

export interface LinkedFunction {
  readonly kind: 'function';
  readonly module: Module;
  readonly func: LFunction;
  /** Unique in the program. */
  readonly name: string;
  /** Defined by our library, not by the user. */
  readonly isLibrary: boolean;
  /**
   * Of a copy for calls that pass private addresses (`confined.ts`): the function copied, and the parameters that
   * receive them.
   */
  readonly original?: LinkedFunction;
  readonly privateParameters?: ReadonlySet<string>;
  /** Those of `privateParameters` that point to fleeting variables (`fleeting.ts`). */
  readonly fleetingParameters?: ReadonlySet<string>;
}

export interface LinkedGlobal {
  readonly kind: 'global';
  readonly module: Module;
  readonly global: LGlobal;
  readonly name: string;
}

export type LinkedSymbol = LinkedFunction | LinkedGlobal;

export class Linker {
  private readonly user: readonly Module[];
  private readonly library: readonly Module[];
  /** Definitions that other files can see. */
  private readonly external = new Map<string, LinkedSymbol>();
  private readonly local = new Map<Module, Map<string, LinkedSymbol>>();
  private readonly names = new Set<string>();

  /** `stubs` are for functions that are declared by the user but not defined. */
  constructor(user: readonly Module[], library: readonly Module[], stubs: Stubs = new Map()) {
    this.user = user;
    this.library = library;
    for (const module of user) this.addModule(module, false);
    for (const module of library) this.addModule(module, true);
    this.addAliases();
    for (const [name, value] of stubs) this.addStub(name, value);
  }

  private addStub(name: string, value: number | bigint): void {
    const fail = (why: string): never => {
      throw new CompileError('file', `--stub ${name}: ${why}`);
    };
    const module = this.user.find(({ functions }) => functions.has(name)) ?? fail('the program uses no such function');
    const declared = module.functions.get(name)!;
    if (this.resolve(module, name) !== undefined) fail('it is defined, or modelled by fencepost');
    const func = stubOf(declared, value, module);
    this.external.set(name, { kind: 'function', module, func, name: this.unique(name, module), isLibrary: true });
  }

  private addModule(module: Module, isLibrary: boolean): void {
    const own = new Map<string, LinkedSymbol>();
    this.local.set(module, own);
    for (const func of module.functions.values()) {
      if (!func.isDefinition) continue;
      this.add(own, { kind: 'function', module, func, name: this.unique(func.name, module), isLibrary }, isLibrary);
    }
    for (const global of module.globals.values()) {
      // Skips lists of constructors and the like, one per file.
      if (global.init === undefined || global.name.startsWith('llvm.')) continue;
      this.add(own, { kind: 'global', module, global, name: this.unique(global.name, module) }, isLibrary);
    }
  }

  private unique(name: string, module: Module): string {
    let unique = name;
    if (this.names.has(unique)) unique = `${name}@${module.sourceFile}`;
    for (let n = 2; this.names.has(unique); n++) unique = `${name}@${module.sourceFile}#${n}`;
    this.names.add(unique);
    return unique;
  }

  private add(own: Map<string, LinkedSymbol>, symbol: LinkedSymbol, isLibrary: boolean): void {
    const definition = symbol.kind === 'function' ? symbol.func : symbol.global;
    own.set(definition.name, symbol);
    if (definition.isLocal) return;
    const existing = this.external.get(definition.name);
    if (existing === undefined) {
      this.external.set(definition.name, symbol);
      return;
    }
    const other = existing.kind === 'function' ? existing.func : existing.global;
    // As with any linker, the user's own definition of a library function takes precedence.
    const isCopy = existing.kind === 'function' && existing.func.isCopy === true;
    if ((isLibrary && !isCopy) || definition.isWeak) return;
    if (other.isWeak) this.external.set(definition.name, symbol);
    else {
      throw definedTwice(symbol, definition.name, existing);
    }
  }

  /** What a name means in a module, or `undefined` if nothing defines it. */
  resolve(module: Module, name: string): LinkedSymbol | undefined {
    const own = this.local.get(module)?.get(name);
    if (own !== undefined) {
      const definition = own.kind === 'function' ? own.func : own.global;
      // A weak definition gives way to a strong one elsewhere.
      return definition.isWeak ? (this.external.get(name) ?? own) : own;
    }
    const alias = module.aliases.get(name);
    if (alias === undefined) return this.external.get(name);
    return alias.isWeak ? (this.external.get(name) ?? this.target(module, alias)) : this.target(module, alias);
  }

  private target(module: Module, { value }: LAlias): LinkedSymbol | undefined {
    return value.kind === 'global' ? this.resolve(module, value.name) : undefined;
  }

  /** Whether this is an ifunc. */
  isChosenAtStart(name: string): boolean {
    return this.user.some(({ aliases }) => aliases.get(name)?.value.kind === 'unsupported');
  }

  /** Adds aliases that other files can see, once all definitions are known; strong ones first. */
  private addAliases(): void {
    const all = this.user.flatMap((module) =>
      Array.from(module.aliases, ([name, alias]) => ({ name, alias, symbol: this.target(module, alias) })),
    );
    for (const isWeak of [false, true]) {
      for (const { name, alias, symbol } of all) {
        if (alias.isLocal || alias.isWeak !== isWeak || symbol === undefined) continue;
        const existing = this.external.get(name);
        const other = existing?.kind === 'function' ? existing.func : existing?.global;
        const isOurs = existing?.kind === 'function' && existing.isLibrary;
        if (existing === undefined || isOurs || (other?.isWeak === true && !isWeak)) this.external.set(name, symbol);
        else if (!isWeak && existing !== symbol) throw definedTwice(symbol, name, existing);
      }
    }
  }

  /** The function with which the program starts, or `undefined`. */
  entry(name: string): LinkedFunction | undefined {
    for (const module of this.user) {
      const symbol = this.local.get(module)?.get(name);
      if (symbol?.kind === 'function') return symbol;
    }
    return undefined;
  }

  /** The user's functions that run before or after `main`, lowest priority number first. */
  functionsAround(when: 'before' | 'after'): readonly LinkedFunction[] {
    const name = when === 'before' ? 'llvm.global_ctors' : 'llvm.global_dtors';
    const found: { readonly priority: bigint; readonly symbol: LinkedFunction }[] = [];
    for (const module of this.user) {
      const list = module.globals.get(name)?.init;
      for (const { value } of list?.kind === 'aggregate' ? list.elements : []) {
        const [priority, callee] = value.kind === 'aggregate' ? value.elements.map((element) => element.value) : [];
        if (priority?.kind !== 'int' || callee?.kind !== 'global') continue;
        const symbol = this.resolve(module, callee.name);
        if (symbol?.kind === 'function') found.push({ priority: priority.value, symbol });
      }
    }
    return found.sort((a, b) => Number(a.priority - b.priority)).map(({ symbol }) => symbol);
  }

  get userModules(): readonly Module[] {
    return this.user;
  }

  get libraryModules(): readonly Module[] {
    return this.library;
  }
}

function definedTwice(symbol: LinkedSymbol, name: string, { module }: LinkedSymbol): FrontendError {
  const place = placeOf(symbol) ?? { file: symbol.module.sourceFile, line: 1, column: 1 };
  return new FrontendError(place, `"${name}" is defined twice; the other definition is in ${module.sourceFile}`);
}

function placeOf(symbol: LinkedSymbol): Place | undefined {
  return symbol.kind === 'function' ? symbol.func.place : symbol.global.variable?.place;
}
