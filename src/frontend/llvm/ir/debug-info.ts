/**
 * Source places and variables, read from the metadata. Debug info is for messages only, so anything missing or unusual
 * in it is left out rather than refused.
 */
import { DebugTypes } from './debug-types.ts';
import type { MacroPlaces } from './macro-places.ts';
import { type Meta, type Metadata, type MetaNode, numberField, stringField } from './metadata.ts';
import type { Place, Variable } from './module.ts';

/** Scopes nested deeper than this form a cycle. */
const MAX_SCOPES = 256;

/** Whether a file is a C++ header that is not the user's (`clang-flags.ts` gives them these names). */
export function isSystemHeader(file: string): boolean {
  return file.startsWith('libc++/') || file.startsWith('fencepost/include/');
}

interface Subprogram {
  readonly name: string;
  readonly place?: Place;
}

export class DebugInfo {
  private readonly metadata: Metadata;
  private readonly macros: MacroPlaces | undefined;
  private readonly types: DebugTypes;
  private readonly places = new Map<number, Place | undefined>();
  /** Names by the number of the DIFile. */
  private readonly files = new Map<number, string>();

  constructor(metadata: Metadata, macros?: MacroPlaces) {
    this.metadata = metadata;
    this.macros = macros;
    this.types = new DebugTypes(metadata);
  }

  /** The place of a DILocation. Line 0 marks compiler-generated code, which has none. */
  place(location: Meta | undefined): Place | undefined {
    if (typeof location !== 'number') return this.makePlace(location);
    let place = this.places.get(location);
    if (place === undefined && !this.places.has(location)) {
      place = this.makePlace(location);
      this.places.set(location, place);
    }
    return place;
  }

  /** The function of a DISubprogram. */
  subprogram(meta: Meta | undefined): Subprogram | undefined {
    const node = this.metadata.node(meta, 'DISubprogram');
    if (node === undefined) return undefined;
    const place = this.declaredAt(node);
    return { name: stringField(node, 'name'), ...(place && { place }) };
  }

  /** The variable of a DILocalVariable; `location` is the DILocation of its declaration, which knows the column. */
  localVariable(meta: Meta | undefined, location: Meta | undefined): Variable | undefined {
    const node = this.metadata.node(meta, 'DILocalVariable');
    const named = node && this.variable(node);
    const variable = named && node.fields.has('arg') ? { ...named, isParameter: true as const } : named;
    const place = this.place(location);
    if (variable !== undefined && this.isInlined(location)) return { ...variable, isInlined: true };
    const isSame = place && variable?.place?.line === place.line && variable.place.file === place.file;
    return variable && isSame ? { ...variable, place } : variable;
  }

  /** The variable of a DIGlobalVariableExpression. */
  globalVariable(meta: Meta | undefined): Variable | undefined {
    const expression = this.metadata.node(meta, 'DIGlobalVariableExpression');
    const node = this.metadata.node(expression?.fields.get('var') ?? meta, 'DIGlobalVariable');
    return node && this.variable(node);
  }

  /** String literals have a DIGlobalVariable too, but without a name: they are not variables. */
  private variable(node: MetaNode): Variable | undefined {
    const name = stringField(node, 'name');
    if (name === '') return undefined;
    const type = this.types.type(node.fields.get('type'));
    const place = this.declaredAt(node);
    const scope = this.functionAround(node);
    return { name, ...(scope !== undefined && { scope }), ...(type && { type }), ...(place && { place }) };
  }

  /** Code from a system header has the place where it was inlined. */
  private makePlace(location: Meta | undefined): Place | undefined {
    let place = this.ownPlace(location);
    let node = this.metadata.node(location, 'DILocation');
    for (let depth = 0; node !== undefined && depth < MAX_SCOPES; depth++) {
      const at = place === undefined || isSystemHeader(place.file) ? node.fields.get('inlinedAt') : undefined;
      if (at === undefined) break;
      place = this.ownPlace(at);
      node = this.metadata.node(at, 'DILocation');
    }
    return place;
  }

  private isInlined(location: Meta | undefined): boolean {
    const node = this.metadata.node(location, 'DILocation');
    return node?.fields.has('inlinedAt') === true && isSystemHeader(this.fileAround(node) ?? '');
  }

  private ownPlace(location: Meta | undefined): Place | undefined {
    const node = this.metadata.node(location, 'DILocation');
    const line = node && numberField(node, 'line');
    const file = line ? this.fileAround(node) : undefined;
    if (!line || file === undefined) return undefined;
    const place = { file, line, column: numberField(node, 'column') ?? 0 };
    return this.macros?.outermost(place) ?? place;
  }

  private fileAround(node: MetaNode): string | undefined {
    let scope = this.metadata.node(node.fields.get('scope'));
    for (let depth = 0; scope !== undefined && depth < MAX_SCOPES; depth++) {
      const file = this.file(scope.fields.get('file'));
      if (file !== undefined) return file;
      scope = this.metadata.node(scope.fields.get('scope'));
    }
    return undefined;
  }

  private declaredAt(node: MetaNode): Place | undefined {
    const file = this.file(node.fields.get('file'));
    const line = numberField(node, 'line');
    return file === undefined || !line ? undefined : { file, line, column: 0 };
  }

  /** The file's name as given to the compiler: relative names stay relative. */
  private file(meta: Meta | undefined): string | undefined {
    const known = typeof meta === 'number' ? this.files.get(meta) : undefined;
    if (known !== undefined) return known;
    const node = this.metadata.node(meta, 'DIFile');
    const name = node && stringField(node, 'filename');
    if (name !== undefined && typeof meta === 'number') this.files.set(meta, name);
    return name;
  }

  private functionAround(node: MetaNode): string | undefined {
    let scope = this.metadata.node(node.fields.get('scope'));
    for (let depth = 0; scope !== undefined && depth < MAX_SCOPES; depth++) {
      if (scope.tag === 'DISubprogram') return stringField(scope, 'name');
      scope = this.metadata.node(scope.fields.get('scope'));
    }
    return undefined;
  }
}
