/**
 * Which local variables other threads can reach. clang gives every variable of a function a place on the stack (an
 * `alloca`) and loads and stores it; most of these can be registers, and are then invisible to other threads.
 *
 *   register   a scalar that is only ever loaded and stored as a whole
 *   private    addressed, but every use of its address is a direct load, store, copy or comparison: no other thread can
 *              have the address, so accesses are local
 *   shared     everything else: its address is stored, passed on or merged with others. Accesses are visible, and its
 *              end of life is an event.
 *
 * Lists of arguments (`va_list`) are private too, wherever their addresses go. In our library, structures whose names begin with `private_` are private wherever their addresses go: nothing outside
 * the library ever sees one. They are not passed or returned by value.
 *
 * The analysis looks at one function at a time and follows addresses through `getelementptr` only, so it errs towards
 * `shared`, which is always sound and costs only steps.
 */

import type { LFunction, LInstruction, LType, LValue } from '../ir/module.ts';
import { isAssembly, useOfArgument } from './assembly-operands.ts';
import type { DataLayout } from './data-layout.ts';

export type Storage = 'register' | 'private' | 'shared';

type Alloca = LInstruction & { op: 'alloca' };

/** Functions with the same effect on memory as the intrinsics of the same names, unless the program defines its own. */
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

/** Whether this is a structure that our library keeps to itself. */
export function isLibraryPrivate(type: LType): boolean {
  return type.kind === 'named' && type.name.startsWith('struct.private_');
}

/** Whether this is a list of arguments, which functions pass on by address. No thread uses one of another thread. */
export function isArgumentList(type: LType): boolean {
  if (type.kind === 'array') return type.count === 1 && isArgumentList(type.element);
  return type.kind === 'named' && (type.name === 'struct.__va_list_tag' || type.name === 'struct.__va_list');
}

/** Storage of every alloca of the function, by name. `isDefined` says which functions the user defines. */
export function classifyAllocas(
  func: LFunction,
  layout: DataLayout,
  isDefined: (name: string) => boolean,
  isLibrary: boolean,
): ReadonlyMap<string, Storage> {
  const allocas = new Map<string, Alloca>();
  const storage = new Map<string, Storage>();
  /** Addresses inside an alloca: the name of the value → the alloca's. */
  const derived = new Map<string, string>();
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
    const { type } = allocas.get(name)!;
    if (isArgumentList(type) || (isLibrary && isLibraryPrivate(type))) return;
    if (now === 'register' || (now === 'private' && to === 'shared')) storage.set(name, to);
  };
  const owner = (value: LValue): string | undefined => (value.kind === 'local' ? derived.get(value.name) : undefined);

  // Definitions precede uses in block order, except in loops; two passes see every derived address.
  for (let pass = 0; pass < 2; pass++) {
    for (const block of func.blocks) for (const i of block.body) visit(i);
  }
  return storage;

  function visit(i: LInstruction): void {
    switch (i.op) {
      case 'load':
        return access(i.address, layout.scalar(i.type), i.order !== undefined);
      case 'store':
        weaken(owner(i.value.value), 'shared');
        return access(i.address, layout.scalar(i.value.type), i.order !== undefined);
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

  function access(address: LValue, type: string | undefined, isAtomic: boolean): void {
    const name = owner(address);
    if (name === undefined) return;
    const direct = address.kind === 'local' && address.name === name;
    if (!direct || type === undefined || type !== layout.scalar(allocas.get(name)!.type)) weaken(name, 'private');
    // A local that is accessed atomically is meant to be shared; the order of its accesses must not be lost.
    if (isAtomic) weaken(name, 'shared');
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
    const notKept = isDefined(name) ? undefined : NOT_KEPT[name];
    for (const [place, argument] of i.arguments.entries()) {
      // A structure passed by value is copied by the caller.
      const staysHere = keepsPrivate || argument.byval !== undefined || notKept?.includes(place) === true;
      weaken(owner(argument.value), staysHere ? 'private' : 'shared');
    }
    weaken(owner(i.callee), 'shared');
  }
}

/** Every value an instruction uses, for those that the analysis knows nothing special about. */
function operandsOf(i: LInstruction): readonly LValue[] {
  switch (i.op) {
    case 'cmpxchg':
      return [i.address, i.expected.value, i.desired.value];
    case 'atomicrmw':
      return [i.address, i.value.value];
    case 'binary':
    case 'fcmp':
      return [i.left, i.right];
    case 'cast':
    case 'fneg':
    case 'freeze':
      return [i.value];
    case 'select':
      return [i.condition.value, i.ifTrue.value, i.ifFalse.value];
    case 'phi':
      return i.incoming.map((incoming) => incoming.value);
    case 'extractvalue':
      return [i.aggregate.value];
    case 'insertvalue':
      return [i.aggregate.value, i.value.value];
    case 'va_arg':
      return [i.list.value];
    case 'ret':
      return i.value === undefined ? [] : [i.value.value];
    case 'condbr':
      return [i.condition];
    case 'switch':
      return [i.value.value];
    case 'indirectbr':
      return [i.address];
    default:
      return [];
  }
}
