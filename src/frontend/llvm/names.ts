/**
 * The names a module uses and those it defines. Uses come before definitions, so that both are collected and compared
 * at the end: of each function for its locals, of the module for the rest. What `readModule` returns is therefore
 * closed: every name in it can be looked up. Equal names share one value.
 */
import type { LType, LValue } from './module.ts';
import type { Source } from './source.ts';

/** Name → where it is used first. */
type Uses = Map<string, number>;
type LocalValue = Extract<LValue, { kind: 'local' }>;
type GlobalValue = Extract<LValue, { kind: 'global' }>;
type NamedType = Extract<LType, { kind: 'named' }>;

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
  /** Of the function being read. */
  private readonly locals = new Map<string, LocalValue>();
  private readonly localUses: Uses = new Map();
  private readonly blockUses: Uses = new Map();

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
    let value = this.locals.get(name);
    if (value === undefined) {
      value = { kind: 'local', name };
      this.locals.set(name, value);
      this.localUses.set(name, at);
    }
    return value;
  }

  block(name: string, at: number): string {
    if (!this.blockUses.has(name)) this.blockUses.set(name, at);
    return name;
  }

  blockAddress(address: BlockAddress): void {
    this.blockAddresses.push(address);
  }

  /** Compares with what the function defines, and forgets its names. */
  endFunction(values: ReadonlySet<string>, blocks: { has(name: string): boolean }): void {
    this.compare(this.localUses, values, '%', 'a value of this function');
    this.compare(this.blockUses, blocks, '%', 'a block of this function');
    this.locals.clear();
    this.localUses.clear();
    this.blockUses.clear();
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

  private compare(uses: Uses, defined: { has(name: string): boolean }, sigil: string, expected: string): void {
    for (const [name, at] of uses) {
      if (!defined.has(name)) throw this.source.error(at, `${sigil}${name}`, expected);
    }
  }
}
