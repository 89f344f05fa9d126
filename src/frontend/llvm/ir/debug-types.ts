/** Types of the source language, from DICompositeType, DIDerivedType and their kin. */
import { type Meta, type Metadata, type MetaNode, numberField, stringField, wordField } from './metadata.ts';
import type { DMember, DType } from './module.ts';

/** These affect how a type is named or accessed, not what it contains. */
const LOOKED_THROUGH: ReadonlySet<string> = new Set([
  'DW_TAG_typedef',
  'DW_TAG_template_alias',
  'DW_TAG_const_type',
  'DW_TAG_volatile_type',
  'DW_TAG_atomic_type',
  'DW_TAG_restrict_type',
  'DW_TAG_immutable_type',
]);

const POINTERS: ReadonlySet<string> = new Set([
  'DW_TAG_pointer_type',
  'DW_TAG_reference_type',
  'DW_TAG_rvalue_reference_type',
]);

/** A chain of typedefs longer than this is a cycle. */
const MAX_CHAIN = 256;

export class DebugTypes {
  private readonly metadata: Metadata;
  private readonly types = new Map<number, DType | undefined>();

  constructor(metadata: Metadata) {
    this.metadata = metadata;
  }

  /** `undefined` for `void`, and for types that the text does not define. */
  type(meta: Meta | undefined): DType | undefined {
    if (typeof meta !== 'number') return this.make(meta);
    if (!this.types.has(meta)) this.types.set(meta, this.make(meta));
    return this.types.get(meta);
  }

  private make(meta: Meta | undefined): DType | undefined {
    let alias = '';
    for (let length = 0; length < MAX_CHAIN; length++) {
      const node = this.metadata.node(meta);
      if (node === undefined) return undefined;
      const tag = wordField(node, 'tag');
      const base = node.fields.get('baseType');
      if (node.tag !== 'DIDerivedType') return this.makePlain(node, tag, alias);
      if (POINTERS.has(tag))
        return { kind: 'pointer', bits: numberField(node, 'size') ?? 0, target: () => this.type(base) };
      if (!LOOKED_THROUGH.has(tag)) return { kind: 'other', name: stringField(node, 'name') };
      alias = stringField(node, 'name') || alias;
      meta = base;
    }
    return undefined;
  }

  /** `alias`: the name for a type without one of its own, from `typedef struct { … } alias`. */
  private makePlain(node: MetaNode, tag: string, alias: string): DType {
    const name = stringField(node, 'name') || alias;
    const bits = numberField(node, 'size') ?? 0;
    if (node.tag === 'DIBasicType') return { kind: 'base', name, bits, encoding: wordField(node, 'encoding') };
    if (node.tag === 'DISubroutineType') return { kind: 'function', name };
    if (node.tag !== 'DICompositeType') return { kind: 'other', name };
    switch (tag) {
      case 'DW_TAG_structure_type':
      case 'DW_TAG_class_type':
      case 'DW_TAG_union_type': {
        let members: readonly DMember[] | undefined;
        return {
          kind: tag === 'DW_TAG_union_type' ? 'union' : 'struct',
          name,
          bits,
          members: () => {
            members ??= this.members(node);
            return members;
          },
        };
      }
      case 'DW_TAG_array_type': {
        const base = node.fields.get('baseType');
        return { kind: 'array', element: () => this.type(base), counts: this.counts(node) };
      }
      case 'DW_TAG_enumeration_type':
        return { kind: 'enum', name, bits };
      default:
        return { kind: 'other', name };
    }
  }

  private elements(node: MetaNode): MetaNode[] {
    const elements = this.metadata.resolve(node.fields.get('elements'));
    if (elements?.kind !== 'tuple') return [];
    return elements.elements.map((e) => this.metadata.node(e)).filter((e) => e !== undefined);
  }

  private members(struct: MetaNode): DMember[] {
    const members: DMember[] = [];
    for (const node of this.elements(struct)) {
      const tag = wordField(node, 'tag');
      const flags = wordField(node, 'flags');
      if (node.tag !== 'DIDerivedType' || flags.includes('DIFlagStaticMember')) continue;
      if (tag !== 'DW_TAG_member' && tag !== 'DW_TAG_inheritance') continue;
      const type = this.type(node.fields.get('baseType'));
      members.push({
        name: stringField(node, 'name'),
        bitOffset: numberField(node, 'offset') ?? 0,
        bits: numberField(node, 'size') ?? 0,
        isBitField: flags.includes('DIFlagBitField'),
        ...(type && { type }),
      });
    }
    return members;
  }

  /** One per dimension; unknown for `[]` and for lengths computed at run time. */
  private counts(array: MetaNode): (number | undefined)[] {
    return this.elements(array).map((range) => {
      const count = numberField(range, 'count');
      if (count !== undefined) return count < 0 ? undefined : count;
      const upper = numberField(range, 'upperBound');
      return upper === undefined ? undefined : upper - (numberField(range, 'lowerBound') ?? 0) + 1;
    });
  }
}
