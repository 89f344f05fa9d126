/**
 * Which local variables other threads can reach. Clang gives every variable of a function a place on the stack (an
 * `alloca`) and loads and stores it; most of these can be registers, and are then invisible to other threads.
 *
 *   register   a scalar that is only ever loaded and stored as a whole
 *   private    addressed, but every use of its address is a direct load, store, copy or comparison: no other thread can
 *              have the address, so accesses are local
 *   shared     everything else: its address is stored, passed on or merged with others. Accesses are visible, and its
 *              end of life is an event.
 *
 * Argument lists (`va_list`) are private wherever their addresses go. So are, in our library, structures whose names
 * begin with `private_`: code outside the library never sees one. They are not passed or returned by value.
 *
 * A variable whose address is passed to a function stays private if that function does not keep it (`confined.ts`),
 * that is, uses its parameter only in the ways above.
 *
 * The analysis follows addresses through `getelementptr`, and parameters through the local variables in which clang
 * puts them. It errs towards `shared`, which is always sound and costs only steps.
 */

import type { LFunction, LInstruction, LType, LValue } from '../ir/module.ts';
import { operandsOf } from '../ir/operands-of.ts';
import { isAssembly, useOfArgument } from './assembly-operands.ts';
import type { DataLayout } from './data-layout.ts';
import { findLives, type Lives, NO_LIVES } from './lives.ts';
import { oddWidth } from './odd-integers.ts';

/**
 * Whether accesses through an address are invisible to other threads; `fleeting` if what they access is
 * (`fleeting.ts`).
 */
export type Privacy = boolean | 'fleeting';

export type Storage = 'register' | 'private' | 'shared';

type Alloca = LInstruction & { op: 'alloca' };

/** Functions with the same effect on memory as the intrinsics of the same name, unless the program defines its own. */
export function isMemoryFunction(name: string): boolean {
  return name === 'memcpy' || name === 'memmove' || name === 'memset';
}

/** Arguments of library functions that are only read, or that the caller writes for them (`lower-call.ts`). */
const NOT_KEPT: Readonly<Record<string, readonly number[]>> = {
  pthread_create: [0],
  nanosleep: [0],
  clock_nanosleep: [2],
  thrd_sleep: [0],
};

/** Whether this is a structure that only our library uses. */
export function isLibraryPrivate(type: LType): boolean {
  return type.kind === 'named' && type.name.startsWith('struct.private_');
}

/** Whether this is an argument list, which functions pass on by address. Threads do not use each other's lists. */
export function isArgumentList(type: LType): boolean {
  if (type.kind === 'array') return type.count === 1 && isArgumentList(type.element);
  return type.kind === 'named' && (type.name === 'struct.__va_list_tag' || type.name === 'struct.__va_list');
}

interface StorageOptions {
  readonly layout: DataLayout;
  /** Which functions the user defines. */
  readonly isDefined: (name: string) => boolean;
  readonly isLibrary: boolean;
  /** Where to find the beginnings and ends of variables (`lives.ts`). */
  readonly lives: 'none' | 'marks' | 'declarations';
  /** Whether a function of this name keeps its argument number `place`. */
  readonly keeps: (name: string, place: number) => boolean;
}

export interface Classified {
  /** For every alloca of the function, and for what each parameter points to (never `register`), by name. */
  readonly storage: ReadonlyMap<string, Storage>;
  /**
   * Addresses inside an alloca, or inside what a parameter points to: maps the name of the address to the alloca or
   * parameter.
   */
  readonly derived: ReadonlyMap<string, string>;
  /** Those of them that point to its beginning. */
  readonly exact: ReadonlySet<string>;
  readonly lives: Lives;
}

export function classify(
  func: LFunction,
  { layout, isDefined, isLibrary, lives: sayLives, keeps }: StorageOptions,
): Classified {
  const allocas = new Map<string, Alloca>();
  const storage = new Map<string, Storage>();
  /**
   * Addresses inside an alloca, or inside what a parameter points to: maps the name of the address to the alloca or
   * parameter.
   */
  const derived = new Map<string, string>();
  const parameters = new Set<string>();
  /** Maps allocas that hold only addresses derived from one parameter to that parameter. */
  const holders = new Map<string, string>();
  for (const { name, type, byval } of func.parameters) {
    if (byval !== undefined || layout.resolve(type).kind !== 'ptr') continue;
    parameters.add(name);
    derived.set(name, name);
    storage.set(name, 'private');
  }
  for (const block of func.blocks) {
    for (const i of block.body) {
      if (i.op !== 'alloca' || i.result === undefined) continue;
      allocas.set(i.result, i);
      derived.set(i.result, i.result);
      const isScalar = i.count === undefined && layout.scalar(i.type) !== undefined;
      storage.set(i.result, isScalar ? 'register' : 'private');
    }
  }
  const weaken = (name: string | undefined, to: Storage): void => {
    if (name === undefined) return;
    const now = storage.get(name)!;
    const type = allocas.get(name)?.type;
    if (type !== undefined && (isArgumentList(type) || (isLibrary && isLibraryPrivate(type)))) return;
    if (now === 'register' || (now === 'private' && to === 'shared')) storage.set(name, to);
  };
  const owner = (value: LValue): string | undefined => (value.kind === 'local' ? derived.get(value.name) : undefined);

  // In block order definitions precede uses, except in loops; so repeat until a pass finds no new derived address.
  for (let known = -1; known !== derived.size + holders.size; ) {
    known = derived.size + holders.size;
    for (const block of func.blocks) for (const i of block.body) visit(i);
  }
  const lives = sayLives === 'none' ? NO_LIVES : findLives(func, ownAddresses(), sayLives);
  // Only for shared variables are accesses checked and ends known.
  for (const name of lives.usedLate) weaken(name, 'shared');
  for (const [holder, parameter] of holders) if (storage.get(holder) !== 'register') weaken(parameter, 'shared');
  return { storage, derived, exact: beginnings(), lives };

  /** Addresses inside variables of fixed size. */
  function ownAddresses(): ReadonlyMap<string, string> {
    const isOwn = (name: string): boolean => allocas.has(name) && allocas.get(name)!.count === undefined;
    return new Map([...derived].filter(([, name]) => isOwn(name)));
  }

  function beginnings(): ReadonlySet<string> {
    const exact = new Set([...allocas.keys(), ...parameters]);
    const moved = new Set<string>();
    const all = func.blocks.flatMap(({ body }) => body);
    for (const i of all) {
      if (i.op !== 'store' || i.address.kind !== 'local') continue;
      const isParameter = i.value.value.kind === 'local' && i.value.value.name === holders.get(i.address.name);
      if (!isParameter) moved.add(i.address.name);
    }
    for (const i of all) {
      const from = i.op === 'load' && i.address.kind === 'local' ? i.address.name : '';
      if (i.result !== undefined && holders.has(from) && !moved.has(from)) exact.add(i.result);
    }
    return exact;
  }

  function visit(i: LInstruction): void {
    switch (i.op) {
      case 'load': {
        const held = i.address.kind === 'local' ? holders.get(i.address.name) : undefined;
        if (held !== undefined && i.result !== undefined) derived.set(i.result, held);
        return access(i.address, i.type, i.order !== undefined);
      }
      case 'store':
        if (!holds(i)) weaken(owner(i.value.value), 'shared');
        return access(i.address, i.value.type, i.order !== undefined);
      case 'gep': {
        const base = owner(i.base.value);
        weaken(base, 'private');
        if (base !== undefined && i.result !== undefined) derived.set(i.result, base);
        for (const index of i.indices) weaken(owner(index.value), 'shared');
        return;
      }
      case 'icmp':
        weaken(owner(i.left), 'private');
        weaken(owner(i.right), 'private');
        return;
      case 'alloca':
        return;
      case 'call':
        return call(i);
      default:
        for (const value of operandsOf(i)) weaken(owner(value), 'shared');
    }
  }

  /** Whether the store puts an address derived from a parameter into a variable that holds no others. */
  function holds({ address, value }: LInstruction & { op: 'store' }): boolean {
    if (address.kind !== 'local' || !allocas.has(address.name)) return false;
    const stored = owner(value.value);
    const parameter = stored !== undefined && parameters.has(stored) ? stored : undefined;
    const held = holders.get(address.name);
    if (held === undefined && parameter !== undefined) holders.set(address.name, parameter);
    // It may hold another address, too: then its content is not known.
    else if (held !== parameter) for (const one of [held, parameter]) weaken(one, 'shared');
    return parameter !== undefined;
  }

  function access(address: LValue, type: LType, isAtomic: boolean): void {
    const name = owner(address);
    if (name === undefined) return;
    const variable = allocas.get(name);
    const direct = address.kind === 'local' && address.name === name;
    if (!direct || variable === undefined || !isWhole(type, variable.type)) weaken(name, 'private');
    // A local that is accessed atomically is meant to be shared; the order of its accesses must be kept.
    if (isAtomic) weaken(name, 'shared');
  }

  /** Whether an access of this type covers the whole of a variable, so that it can be in a register. */
  function isWhole(type: LType, variable: LType): boolean {
    const scalar = layout.scalar(type);
    if (scalar === undefined || scalar !== layout.scalar(variable)) return false;
    return layout.storedBytes(type) === layout.storedBytes(variable) && oddWidth(type) === oddWidth(variable);
  }

  function call(i: LInstruction & { op: 'call' }): void {
    const name = i.callee.kind === 'global' ? i.callee.name : '';
    if (/^llvm\.(dbg|lifetime)\./.test(name)) return;
    if (isAssembly(i)) {
      for (const [place, argument] of i.arguments.entries()) {
        const use = useOfArgument(i, place);
        if (use !== 'none') weaken(owner(argument.value), use);
      }
      return;
    }
    const copies = isMemoryFunction(name) && !isDefined(name);
    if (copies && i.result !== undefined) {
      const to = owner(i.arguments[0]?.value ?? { kind: 'null' });
      if (to !== undefined) derived.set(i.result, to);
    }
    const keepsPrivate = copies || /^llvm\.(memcpy|memmove|memset|va_start|va_end|va_copy)/.test(name);
    const notKept = Object.hasOwn(NOT_KEPT, name) && !isDefined(name) ? NOT_KEPT[name] : undefined;
    for (const [place, argument] of i.arguments.entries()) {
      // A structure passed by value is copied by the caller.
      const staysHere =
        keepsPrivate ||
        argument.byval !== undefined ||
        notKept?.includes(place) === true ||
        (name !== '' && !keeps(name, place));
      weaken(owner(argument.value), staysHere ? 'private' : 'shared');
    }
    weaken(owner(i.callee), 'shared');
  }
}
