/**
 * The names that a module uses and those it defines. Uses may precede definitions, so both are collected, and compared
 * at the end: of each function for its locals, of the module for the rest. So every name in the result of `readModule`
 * can be looked up. Equal names share one value.
 */
import type { LType, LValue } from './module.ts';
import type { Source } from './source.ts';

/** Maps names to their first uses. */
type Uses = Map<string, number>;
type LocalValue = Extract<LValue, { kind: 'local' }>;
type GlobalValue = Extract<LValue, { kind: 'global' }>;
type NamedType = Extract<LType, { kind: 'named' }>;

interface Local {
  readonly value: LocalValue;
  definedAs: 'value' | 'block' | undefined;
  /** The offset of its first use as a value and as a block; -1 if there is none. */
  valueAt: number;
  blockAt: number;
}

interface BlockAddress {
  readonly function: string;
  readonly block: string;
  readonly at: number;
}

export class Names {
  private readonly source: Source;
  private readonly typeUses: Uses = new Map();
  private readonly types = new Map<string, NamedType>();
  private readonly globalUses: Uses = new Map();
  private readonly globals = new Map<string, GlobalValue>();
  private readonly blockAddresses: BlockAddress[] = [];
  /** Locals of the function being read: values and blocks share one namespace. */
  private readonly locals = new Map<string, Local>();

  constructor(source: Source) {
    this.source = source;
  }

  type(name: string, at: number): LType {
    let type = this.types.get(name);
    if (type === undefined) {
      type = { kind: 'named', name };
      this.types.set(name, type);
      this.typeUses.set(name, at);
    }
    return type;
  }

  global(name: string, at: number): GlobalValue {
    let value = this.globals.get(name);
    if (value === undefined) {
      value = { kind: 'global', name };
      this.globals.set(name, value);
      this.globalUses.set(name, at);
    }
    return value;
  }

  local(name: string, at: number): LocalValue {
    const local = this.getLocal(name);
    if (local.valueAt < 0) local.valueAt = at;
    return local.value;
  }

  block(name: string, at: number): string {
    const local = this.getLocal(name);
    if (local.blockAt < 0) local.blockAt = at;
    return name;
  }

  /** Returns whether the name was free. */
  define(name: string, as: 'value' | 'block'): boolean {
    const local = this.getLocal(name);
    if (local.definedAs !== undefined) return false;
    local.definedAs = as;
    return true;
  }

  blockAddress(address: BlockAddress): void {
    this.blockAddresses.push(address);
  }

  /** Compares uses with definitions of locals, then forgets the locals. */
  endFunction(): void {
    for (const [name, { definedAs, valueAt, blockAt }] of this.locals) {
      if (valueAt >= 0 && definedAs !== 'value') {
        throw this.source.error(valueAt, `%${name}`, 'a value of this function');
      }
      if (blockAt >= 0 && definedAs !== 'block') {
        throw this.source.error(blockAt, `%${name}`, 'a block of this function');
      }
    }
    this.locals.clear();
  }

  endModule(
    types: ReadonlyMap<string, unknown>,
    hasGlobal: (name: string) => boolean,
    hasBlock: (functionName: string, block: string) => boolean,
  ): void {
    this.compare(this.typeUses, types, '%', 'a type of this module');
    this.compare(this.globalUses, { has: hasGlobal }, '@', 'a variable or function of this module');
    for (const { function: name, block, at } of this.blockAddresses) {
      if (!hasBlock(name, block)) throw this.source.error(at, `%${block}`, `a block of @${name}`);
    }
  }

  private getLocal(name: string): Local {
    let local = this.locals.get(name);
    if (local === undefined) {
      local = { value: { kind: 'local', name }, definedAs: undefined, valueAt: -1, blockAt: -1 };
      this.locals.set(name, local);
    }
    return local;
  }

  private compare(uses: Uses, defined: { has(name: string): boolean }, sigil: string, expected: string): void {
    for (const [name, at] of uses) {
      if (!defined.has(name)) throw this.source.error(at, `${sigil}${name}`, expected);
    }
  }
}
