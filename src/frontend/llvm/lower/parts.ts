/** Names of the elements and members of a variable, from its type in the debug info. */
import type { Part } from '../../../program/ir.ts';
import type { DMember, DType } from '../ir/module.ts';

/** With more parts than this, their names are not worth the memory. */
const MAX_PARTS = 2048;

export function partsOf(type: DType | undefined): { readonly parts?: readonly Part[] } {
  const parts: Part[] = [];
  addParts(parts, type, '', 0);
  return parts.length > 1 && parts.length < MAX_PARTS ? { parts } : {};
}

function addParts(parts: Part[], type: DType | undefined, name: string, offset: number): void {
  if (parts.length >= MAX_PARTS) return;
  if (type?.kind === 'array') {
    const element = type.counts.length > 1 ? { ...type, counts: type.counts.slice(1) } : type.element();
    const size = sizeOfType(element);
    const count = type.counts[0] ?? 0;
    if (size === 0 || count * size > 2 ** 20) return;
    for (let i = 0; i < count && parts.length < MAX_PARTS; i++)
      addParts(parts, element, `${name}[${i}]`, offset + i * size);
    return;
  }
  // Members that begin with two underscores are internal, so that a mutex is shown as one object.
  const members = type?.kind === 'struct' ? type.members().filter((m) => !m.name.startsWith('__')) : [];
  if (members.length === 0) parts.push({ offset, name });
  for (let i = 0; i < members.length; i++) {
    const member = members[i]!;
    const start = offset + Math.floor(member.bitOffset / 8);
    const together = bitFieldsFrom(members, i);
    if (together.length > 1) parts.push({ offset: start, name: withMember(name, bitFieldsName(together)) });
    else addParts(parts, member.type, withMember(name, member.name), start);
    i += Math.max(0, together.length - 1);
  }
}

/** The adjacent bit-fields that begin with this member: an access reads and writes all of them. Empty if it is none. */
export function bitFieldsFrom(members: readonly DMember[], from: number): readonly DMember[] {
  const end = members.findIndex(({ isBitField }, i) => i >= from && !isBitField);
  return members.slice(from, end < 0 ? members.length : end);
}

/** `{a,b}`, as the shell abbreviates names. */
export function bitFieldsName(fields: readonly DMember[]): string {
  return fields.length === 1 ? fields[0]!.name : `{${fields.map(({ name }) => name).join(',')}}`;
}

/** Bases of C++ classes are members without a name. */
export function withMember(object: string, member: string): string {
  return member === '' ? object : `${object}.${member}`;
}

/** Size in bytes; 0 if the debug info does not have it. */
function sizeOfType(type: DType | undefined): number {
  switch (type?.kind) {
    case 'base':
    case 'struct':
    case 'union':
    case 'pointer':
    case 'enum':
      return Math.ceil(type.bits / 8);
    case 'array':
      return type.counts.reduce<number>((product, count) => product * (count ?? 0), sizeOfType(type.element()));
    default:
      return 0;
  }
}
