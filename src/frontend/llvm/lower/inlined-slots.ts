/**
 * Removes stack slots for parameters of functions that clang has inlined (those of the C++ headers for atomic
 * operations, `include/c++`). Clang gives each parameter a slot, stores the argument there once and loads it where it
 * is used. Here the loads become the argument. So an address that is only passed to such a function does not escape,
 * and its variable can be a register; and a constant memory order stays a constant.
 *
 * Why the value of a load is that of the one store, v: the slot has no other store and its address goes nowhere else,
 * and the store is on every path to the load (it dominates it). A later v (in a loop) is stored before it can be
 * loaded: if a path from the definition of v to the load avoided the store, then, as v is defined before it is stored,
 * some path from the entry to the load would avoid it too.
 *
 * Only for variables of functions in system headers: the user's own have names, which reports show.
 */

import { dominates, immediateDominators } from '../../../program/dominators.ts';
import { successorsOf } from '../ir/block-targets.ts';
import type { LBlock, LFunction, LInstruction, LType, LValue, Module } from '../ir/module.ts';

export function withoutSlots(module: Module): Module {
  const functions = new Map(Array.from(module.functions, ([name, func]) => [name, removeSlots(func)]));
  return { ...module, functions };
}

interface Site {
  readonly block: number;
  readonly index: number;
  readonly value: LValue;
  readonly type: LType;
}

function removeSlots(func: LFunction): LFunction {
  const stores = new Map<string, Site>();
  const slots = new Set<string>();
  for (const { body } of func.blocks) {
    for (const i of body)
      if (i.op === 'alloca' && i.result !== undefined && isInlined(i.result, func)) slots.add(i.result);
  }
  if (slots.size === 0) return func;
  const loads: (Omit<Site, 'value'> & { readonly slot: string; readonly result: string })[] = [];
  func.blocks.forEach(({ body }, block) => {
    body.forEach((i, index) => {
      const slot = slotOf(i);
      for (const name of localsIn(i)) {
        const isStored = i.op === 'store' && i.value.value.kind === 'local' && i.value.value.name === name;
        if (slots.has(name) && (name !== slot || isStored)) slots.delete(name);
      }
      if (slot === undefined || !slots.has(slot)) return;
      if (i.op === 'load') loads.push({ slot, result: i.result!, type: i.type, block, index });
      else if (i.op !== 'store' || stores.has(slot)) slots.delete(slot);
      else stores.set(slot, { block, index, ...i.value });
    });
  });
  const dominators = immediateDominators(successorsOf(func.blocks), 0);
  for (const { slot, type, block, index } of loads) {
    const store = stores.get(slot);
    // A value stored as one type and loaded as another would need a conversion.
    const isBefore =
      store !== undefined &&
      JSON.stringify(store.type) === JSON.stringify(type) &&
      (store.block === block ? store.index < index : dominates(dominators, store.block, block));
    if (!isBefore) slots.delete(slot);
  }
  const values = new Map<string, LValue>();
  for (const { slot, result } of loads) if (slots.has(slot)) values.set(result, stores.get(slot)!.value);
  const isGone = (i: LInstruction): boolean =>
    (i.op === 'alloca' && i.result !== undefined && slots.has(i.result)) || slots.has(slotOf(i) ?? '');
  const blocks = func.blocks.map(
    ({ name, body }): LBlock => ({ name, body: body.filter((i) => !isGone(i)).map((i) => replace(i, values)) }),
  );
  return { ...func, blocks };
}

function isInlined(alloca: string, { variables }: LFunction): boolean {
  return variables.get(alloca)?.isInlined === true;
}

/** The slot that a plain load or store accesses. */
function slotOf(i: LInstruction): string | undefined {
  const isAccess = (i.op === 'load' || i.op === 'store') && !i.volatile && i.order === undefined;
  return isAccess && i.address.kind === 'local' ? i.address.name : undefined;
}

/** The names of the values that an instruction uses; a field of the same shape with another purpose does no harm. */
function localsIn(i: LInstruction): readonly string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === 'object' && node !== null) {
      const { kind, name } = node as { kind?: unknown; name?: unknown };
      if (kind === 'local') found.push(name as string);
      else for (const [key, inner] of Object.entries(node)) if (key !== 'place' && key !== 'type') visit(inner);
    }
  };
  visit(i);
  return found;
}

function replace(i: LInstruction, values: ReadonlyMap<string, LValue>): LInstruction {
  const mapped = <T>(node: T): T => {
    if (Array.isArray(node)) return node.map(mapped) as T;
    if (typeof node !== 'object' || node === null) return node;
    const { kind, name } = node as { kind?: unknown; name?: unknown };
    if (kind === 'local') {
      let value = values.get(name as string);
      // The stored value may itself have been loaded from such a slot.
      for (let next = value; next !== undefined; next = next.kind === 'local' ? values.get(next.name) : undefined)
        value = next;
      return (value ?? node) as T;
    }
    return Object.fromEntries(
      Object.entries(node).map(([key, inner]) => [key, key === 'place' || key === 'type' ? inner : mapped(inner)]),
    ) as T;
  };
  return localsIn(i).some((name) => values.has(name)) ? mapped(i) : i;
}
