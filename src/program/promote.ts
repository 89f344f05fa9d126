/**
 * Local objects become registers: the parts of an `alloca` that are only ever read and written as wholes, at constant
 * offsets, by instructions that name the object. Registers of this form may be written many times, so no SSA form is
 * needed. docs/decisions/0047-pauses.md has the argument.
 */
import { Addresses, type Based } from './addresses.ts';
import { repeatedBlocks } from './cycles.ts';
import { successorsOf } from './flow.ts';
import {
  type Block,
  type Func,
  type Instruction,
  type LocalVariable,
  type Program,
  type Register,
  typeOf,
} from './ir.ts';
import { junkOf } from './junk.ts';
import { isFloat, sizeOf, type Type } from './types.ts';

/** Larger objects stay in memory: of those, there may be too many for a stack, which is an error. */
const MAX_BYTES = 512;
const MAX_PARTS = 64;

type Alloca = Instruction & { op: 'alloca' };

/** A part of an object, and its register. */
interface Part {
  readonly offset: number;
  readonly type: Type;
  readonly register: number;
}

export function promote(program: Program): Program {
  return { ...program, functions: program.functions.map((func) => (func.isLibrary === true ? func : promoteIn(func))) };
}

/** The same function if it has no such objects. */
function promoteIn(func: Func): Func {
  const addresses = new Addresses(func);
  const objects = findObjects(func, addresses);
  if (objects.size === 0) return func;
  const registers: Register[] = [...func.registers];
  const parts = new Map<Alloca, readonly Part[]>();
  /** Objects without other parts. */
  const gone = new Set<Alloca>();
  for (const [object, types] of objects) {
    const found = separate(types).map(({ offset, type }): Part => {
      const name = `${object.location?.variable ?? registers[object.dest]!.name}+${offset}`;
      // Like other variables, it has a word of its own: an address in it is known to the program.
      const variable: LocalVariable = { name, kind: isFloat(type) ? 'float' : 'signed' };
      return { offset, type, register: registers.push({ name, type, variable }) - 1 };
    });
    if (found.length === 0 || found.length > MAX_PARTS) continue;
    parts.set(object, found);
    if (found.length === types.size) gone.add(object);
  }
  if (parts.size === 0) return func;
  const partOf = (based: Based): Part | undefined =>
    based.base.op === 'alloca' ? parts.get(based.base)?.find(({ offset }) => offset === based.offset) : undefined;
  const change = (i: Instruction): readonly Instruction[] => {
    if (i.op === 'alloca') {
      const fresh = (parts.get(i) ?? []).map((part) => fill(i, part, i));
      return gone.has(i) ? fresh : [i, ...fresh];
    }
    if (i.op !== 'peek' && i.op !== 'poke' && i.op !== 'refresh') return [i];
    const based = addresses.of(i.address);
    if (based === undefined || based.base.op !== 'alloca') return [i];
    if (i.op === 'refresh') {
      const undefined_ = (parts.get(based.base) ?? []).map((part) => fill({ isUndefined: true }, part, based.base));
      return gone.has(based.base) ? undefined_ : [i, ...undefined_];
    }
    const part = partOf(based);
    if (part === undefined) return [i];
    const { location } = i;
    const there = location === undefined ? {} : { location };
    const { register: index } = part;
    if (i.op === 'peek') return [{ ...copy(registers, i.dest, { kind: 'register', index }), ...there }];
    return [{ ...copy(registers, index, i.value), ...there }];
  };
  const blocks = func.blocks.map(({ name, body }): Block => ({ name, body: body.flatMap(change) }));
  return { ...func, registers, blocks };
}

/** Objects that nobody else can have the address of, each with the types of the accesses at each offset. */
function findObjects(func: Func, addresses: Addresses): ReadonlyMap<Alloca, Map<number, Type>> {
  const objects = new Map<Alloca, Map<number, Type>>();
  const repeated = repeatedBlocks(successorsOf(func));
  func.blocks.forEach(({ body }, block) => {
    for (const i of body) {
      // In a loop, a register could still have the address of an earlier round's object.
      if (i.op !== 'alloca' || i.size > MAX_BYTES || addresses.escapes(i)) continue;
      if (!repeated.has(block)) objects.set(i, new Map());
    }
  });
  if (objects.size === 0) return objects;
  for (const { body } of func.blocks) {
    for (const i of body) {
      if (!('address' in i)) continue;
      const based = addresses.of(i.address);
      if (based === undefined || based.base.op !== 'alloca') continue;
      const types = objects.get(based.base);
      if (types === undefined) continue;
      const type = accessType(func, i);
      const isInside =
        type !== undefined &&
        type !== 'i1' &&
        based.offset >= 0 &&
        based.offset % sizeOf(type) === 0 &&
        based.offset + sizeOf(type) <= based.base.size;
      // A `refresh` is of the whole object.
      if (i.op === 'refresh' ? based.offset !== 0 : !isInside) objects.delete(based.base);
      else if (type !== undefined) {
        const known = types.get(based.offset) ?? type;
        types.set(based.offset, known);
        if (sizeOf(known) !== sizeOf(type)) objects.delete(based.base);
      }
    }
  }
  return objects;
}

function accessType(func: Func, i: Instruction): Type | undefined {
  if (i.op === 'peek') return func.registers[i.dest]?.type;
  return i.op === 'poke' ? typeOf(func, i.value) : undefined;
}

/** The parts that overlap with no other. */
function separate(types: ReadonlyMap<number, Type>): readonly { offset: number; type: Type }[] {
  const all = [...types].map(([offset, type]) => ({ offset, type })).sort((a, b) => a.offset - b.offset);
  const ends = (part: { offset: number; type: Type }): number => part.offset + sizeOf(part.type);
  return all.filter((part, k) => {
    const isAfter = all.slice(0, k).every((before) => ends(before) <= part.offset);
    return isAfter && (k + 1 === all.length || ends(part) <= all[k + 1]!.offset);
  });
}

/** What a part contains before it is written. */
function fill(how: { isJunk?: boolean; isUndefined?: boolean }, part: Part, { location }: Instruction): Instruction {
  const { register: dest, type } = part;
  const there = location === undefined ? {} : { location };
  if (how.isUndefined === true) return { op: 'undefine', dest, ...there };
  const zero = type === 'i64' ? 0n : 0;
  const value = how.isJunk === true ? junkOf(type) : zero;
  return { op: 'move', dest, value: { kind: 'constant', type, value }, ...there };
}

/** A part may be a number in one access and a float in another. */
function copy(registers: readonly Register[], dest: number, value: Parameters<typeof typeOf>[1]): Instruction {
  const [to, from] = [registers[dest]!.type, typeOf({ registers } as unknown as Func, value)!];
  return isFloat(to) === isFloat(from) ? { op: 'move', dest, value } : { op: 'cast', operator: 'bitcast', dest, value };
}
