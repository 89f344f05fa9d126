/**
 * Source names of addresses: `flag[0]`, `head->next`, `*p`. They are reconstructed backwards from how the address was
 * computed, using the names and types of the debug info. Names are only for display; where none is clear, reports use
 * the location's own name.
 */
import type { Location } from '../../../program/location.ts';
import type { DType, LFunction, LInstruction, LType, LValue } from '../ir/module.ts';
import type { ModuleContext } from './module-context.ts';
import { bitFieldsFrom, bitFieldsName, withMember } from './parts.ts';

/** An expression and, if known, its type in the source. */
interface Expression {
  readonly text: string;
  readonly type: DType | undefined;
}

const MAX_DEPTH = 8;

export class AccessNames {
  private readonly func: LFunction;
  private readonly context: ModuleContext;
  private readonly definitions = new Map<string, LInstruction>();

  constructor(func: LFunction, context: ModuleContext) {
    this.func = func;
    this.context = context;
    for (const block of func.blocks)
      for (const i of block.body) if (i.result !== undefined) this.definitions.set(i.result, i);
  }

  /** The name of what is at `address`, and what it points to if it is a pointer. */
  of(address: LValue): Pick<Location, 'variable' | 'pointee'> | undefined {
    const object = this.object(address, 0);
    if (object === undefined) return undefined;
    const { text, type } = firstScalar(object);
    if (type?.kind !== 'pointer') return { variable: text };
    return { variable: text, pointee: firstScalar({ text: '', type: type.target() }).text };
  }

  /** The object at an address. */
  private object(address: LValue, depth: number): Expression | undefined {
    if (depth > MAX_DEPTH) return undefined;
    if (address.kind === 'global') {
      const variable = this.context.module.globals.get(address.name)?.variable;
      return { text: variable?.name ?? address.name, type: variable?.type };
    }
    if (address.kind === 'gep') {
      const [base, ...indices] = address.operands;
      return base === undefined
        ? undefined
        : this.element(
            base.value,
            address.source,
            indices.map((x) => x.value),
            depth,
          );
    }
    if (address.kind !== 'local') return undefined;
    const variable = this.func.variables.get(address.name);
    if (variable !== undefined) return { text: variable.name, type: variable.type };
    const definition = this.definitions.get(address.name);
    if (definition?.op === 'gep') {
      return this.element(
        definition.base.value,
        definition.source,
        definition.indices.map((x) => x.value),
        depth,
      );
    }
    if (definition?.op === 'call') {
      const [argument] = definition.arguments;
      const isThreadLocal =
        definition.callee.kind === 'global' && definition.callee.name.startsWith('llvm.threadlocal');
      return isThreadLocal && argument !== undefined ? this.object(argument.value, depth + 1) : undefined;
    }
    // The address is itself a value of the program: the object is what it points to.
    const pointer = this.value(address, depth + 1);
    if (pointer === undefined) return undefined;
    return { text: `*${pointer.text}`, type: targetOf(pointer.type) };
  }

  /** `base[i]`, `base->field`, `base.field` and their combinations. */
  private element(base: LValue, source: LType, indices: readonly LValue[], depth: number): Expression | undefined {
    const { layout } = this.context;
    const isObject = this.isAddressOfObject(base);
    const start = isObject ? this.object(base, depth + 1) : this.value(base, depth + 1);
    if (start === undefined) return undefined;
    const [first, ...rest] = indices;
    let { text, type } = start;
    let arrow = !isObject;
    if (arrow) type = targetOf(type);
    let llvmType = layout.resolve(source);
    const firstText = first === undefined ? '0' : this.indexText(first, depth);
    if (rest.length === 0 || firstText !== '0') {
      // Pointer arithmetic over whole objects: p[i].
      if (isObject && type?.kind === 'array' && llvmType.kind !== 'array') type = type.element();
      text = `${text}[${firstText}]`;
      arrow = false;
    }
    // Clang leaves out a member at offset 0: `s.first[2]` is an element of an array that begins where `s` does.
    while (rest.length > 0 && type?.kind === 'struct' && type.bits > layout.sizeOf(llvmType) * 8) {
      const member = memberAt(type, 0);
      if (member === undefined) break;
      if (member.name !== '') {
        text = `${text}${arrow ? '->' : '.'}${member.name}`;
        arrow = false;
      }
      type = member.type;
    }
    for (const index of rest) {
      if (llvmType.kind === 'struct') {
        const number = index.kind === 'int' ? Number(index.value) : 0;
        const member = memberAt(type, layout.offsetOf(llvmType, number) * 8);
        type = member?.type;
        llvmType = layout.resolve(llvmType.fields[number] ?? { kind: 'void' });
        // A base class.
        if (member?.name === '') continue;
        text = `${text}${arrow ? '->' : '.'}${member?.name ?? `field${number}`}`;
      } else {
        if (arrow) text = `(*${text})`;
        text = `${text}[${this.indexText(index, depth)}]`;
        type = type?.kind === 'array' ? elementOf(type) : undefined;
        llvmType = layout.resolve(llvmType.kind === 'array' ? llvmType.element : { kind: 'void' });
      }
      arrow = false;
    }
    return { text, type };
  }

  private isAddressOfObject(base: LValue): boolean {
    if (base.kind === 'global' || base.kind === 'gep') return true;
    if (base.kind !== 'local') return false;
    const definition = this.definitions.get(base.name);
    return this.func.variables.has(base.name) || definition?.op === 'gep' || definition?.op === 'alloca';
  }

  /** The value of an expression, as the user would write it. */
  private value(value: LValue, depth: number): Expression | undefined {
    if (depth > MAX_DEPTH) return undefined;
    if (value.kind === 'int') return { text: String(value.value), type: undefined };
    if (value.kind === 'global') return { text: `&${this.object(value, depth + 1)!.text}`, type: undefined };
    if (value.kind !== 'local') return undefined;
    const definition = this.definitions.get(value.name);
    if (definition === undefined) {
      const variable = this.func.variables.get(value.name);
      return variable === undefined ? undefined : { text: variable.name, type: variable.type };
    }
    switch (definition.op) {
      case 'load':
        return this.object(definition.address, depth + 1);
      case 'cast':
        return this.value(definition.value, depth + 1);
      case 'gep': {
        const object = this.object(value, depth + 1);
        if (object === undefined) return undefined;
        // An array used as a pointer to its first element keeps its own name.
        return object.text.endsWith('[0]')
          ? { text: object.text.slice(0, -3), type: object.type }
          : { text: `&${object.text}`, type: undefined };
      }
      case 'binary': {
        const sign = BINARY_SIGNS[definition.operator];
        const [left, right] = [this.value(definition.left, depth + 1), this.value(definition.right, depth + 1)];
        if (sign === undefined || left === undefined || right === undefined) return undefined;
        return { text: `${bracketed(left.text)} ${sign} ${bracketed(right.text)}`, type: undefined };
      }
      default:
        return undefined;
    }
  }

  private indexText(index: LValue, depth: number): string {
    return this.value(index, depth + 1)?.text ?? '…';
  }
}

const BINARY_SIGNS: Readonly<Record<string, string>> = {
  add: '+',
  sub: '-',
  mul: '*',
  sdiv: '/',
  udiv: '/',
  srem: '%',
  urem: '%',
  and: '&',
  or: '|',
  xor: '^',
  shl: '<<',
};

/** For a pointer: the path from what it points to, down to its first scalar. */
export function pointeeOf(type: DType | undefined): string | undefined {
  return type?.kind === 'pointer' ? firstScalar({ text: '', type: type.target() }).text : undefined;
}

/** Accesses are to scalars: an access at the address of an array or a structure is to its first scalar. */
function firstScalar({ text, type }: Expression): Expression {
  let name = text;
  let inner = type;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (inner?.kind === 'array') {
      name = `${name}[0]`;
      inner = elementOf(inner);
    } else if (inner?.kind === 'struct') {
      const first = inner.members().find((m) => m.bitOffset === 0);
      if (first === undefined || first.name.startsWith('__')) break;
      const together = bitFieldsFrom(inner.members(), inner.members().indexOf(first));
      if (together.length > 1) return { text: withMember(name, bitFieldsName(together)), type: undefined };
      name = withMember(name, first.name);
      inner = first.type;
    } else break;
  }
  return { text: name, type: inner };
}

function targetOf(type: DType | undefined): DType | undefined {
  return type?.kind === 'pointer' ? type.target() : type?.kind === 'array' ? elementOf(type) : undefined;
}

function elementOf(type: DType & { kind: 'array' }): DType | undefined {
  return type.counts.length > 1 ? { ...type, counts: type.counts.slice(1) } : type.element();
}

function memberAt(type: DType | undefined, bitOffset: number): { name: string; type?: DType } | undefined {
  if (type?.kind !== 'struct' && type?.kind !== 'union') return undefined;
  return type
    .members()
    .find((m) => m.bitOffset === bitOffset || (m.bitOffset <= bitOffset && bitOffset < m.bitOffset + m.bits));
}

/** Part of an expression, in parentheses if it contains operators. */
function bracketed(text: string): string {
  return / [^ ]+ /.test(text) ? `(${text})` : text;
}
