/** Source blocks (`DILexicalBlock`), as trees; finds the block of an instruction or a variable. */
import { type Meta, type Metadata, type MetaNode, numberField, wordField } from './metadata.ts';

/** A block or, if `around` is absent, a function. */
export interface Scope {
  readonly around?: Scope;
  readonly line: number;
  readonly column: number;
}

/** Blocks nested deeper than this are ignored; they may form a cycle. */
const MAX_DEPTH = 256;

export function isWithin(scope: Scope | undefined, outer: Scope): boolean {
  for (let one = scope; one !== undefined; one = one.around) if (one === outer) return true;
  return false;
}

/** The innermost scope around both. */
export function commonScope(left: Scope, right: Scope): Scope | undefined {
  for (let one: Scope | undefined = left; one !== undefined; one = one.around) if (isWithin(right, one)) return one;
  return undefined;
}

export class LexicalScopes {
  private readonly metadata: Metadata;
  private readonly known = new Map<number, Scope | undefined>();
  private readonly locations = new Map<number, Scope | undefined>();
  /** Functions in C before C99. */
  private readonly old = new Set<Scope>();

  constructor(metadata: Metadata) {
    this.metadata = metadata;
  }

  /** The scope of a DILocation; none for inlined code. */
  at(location: number | undefined): Scope | undefined {
    if (location === undefined) return undefined;
    if (!this.locations.has(location)) {
      const node = this.metadata.node(location, 'DILocation');
      const isOwn = node !== undefined && !node.fields.has('inlinedAt');
      this.locations.set(location, isOwn ? this.scope(node.fields.get('scope')) : undefined);
    }
    return this.locations.get(location);
  }

  /** The scope of a DILocalVariable. */
  ofVariable(meta: Meta | undefined): Scope | undefined {
    return this.scope(this.metadata.node(meta, 'DILocalVariable')?.fields.get('scope'));
  }

  /** The beginning of the loop that `!llvm.loop` describes, and the scope that contains it. */
  ofLoop(
    loop: number | undefined,
  ): { readonly scope: Scope; readonly line: number; readonly column: number } | undefined {
    const tuple = this.metadata.resolve(loop);
    if (tuple?.kind !== 'tuple') return undefined;
    for (const element of tuple.elements) {
      const node = this.metadata.node(element, 'DILocation');
      const scope = node && typeof element === 'number' ? this.at(element) : undefined;
      if (node !== undefined && scope !== undefined) return { scope, ...positionOf(node) };
    }
    return undefined;
  }

  /** Whether statements such as `if` and `for` are blocks, as in C since C99. */
  areStatementsBlocks(scope: Scope): boolean {
    let outermost = scope;
    while (outermost.around !== undefined) outermost = outermost.around;
    return !this.old.has(outermost);
  }

  private scope(meta: Meta | undefined, depth = 0): Scope | undefined {
    if (typeof meta !== 'number' || depth > MAX_DEPTH) return undefined;
    if (this.known.has(meta)) return this.known.get(meta);
    const node = this.metadata.node(meta);
    let found: Scope | undefined;
    if (node?.tag === 'DISubprogram') {
      found = positionOf(node);
      const unit = this.metadata.node(node.fields.get('unit'), 'DICompileUnit');
      if (unit === undefined || /^DW_LANG_C(89)?$/.test(wordField(unit, 'language'))) this.old.add(found);
    } else if (node !== undefined) {
      const around = this.scope(node.fields.get('scope'), depth + 1);
      // A part of a block that is in another file.
      if (node.tag === 'DILexicalBlockFile') found = around;
      else if (node.tag === 'DILexicalBlock' && around !== undefined) found = { around, ...positionOf(node) };
    }
    this.known.set(meta, found);
    return found;
  }
}

function positionOf(node: MetaNode): { readonly line: number; readonly column: number } {
  return { line: numberField(node, 'line') ?? 0, column: numberField(node, 'column') ?? 0 };
}
