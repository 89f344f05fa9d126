/**
 * Load-exclusive and store-exclusive (ARM's `ldxr` and `stxr`, RISC-V's `lr` and `sc`).
 *
 * Between the two, the statement only computes. So a load-exclusive is a load, and the store-exclusive a
 * compare-exchange whose expected value is the one loaded. If another thread has written in between but the value is
 * the same again, the processor's store-exclusive fails where ours succeeds. The difference cannot be observed: ours is
 * the execution in which load and store both happened later. Only the failure itself is missing, and it looks like a
 * spurious one; those happen with `--spurious`, as often as for weak compare-exchanges.
 *
 * A loop that only retries until the store-exclusive succeeds is a read-modify-write: nothing depends on the value read
 * by a failed attempt, nor on the number of failures. So it becomes one, if the program form has its operator. A loop
 * that also ends when a comparison fails does not: its last load waits for no store, but a compare-exchange of ours
 * would.
 */
import type { Operand } from '../../../program/ir.ts';
import { acquires, type Order, releases, type Type } from '../../../program/types.ts';
import type { AssemblyInstruction } from './assembly-text.ts';
import type { Memory, Translation } from './assembly-translation.ts';

export function loadExclusive(t: Translation, place: Memory, type: Type, order: Order): Operand {
  const value = t.load(place, type, order);
  t.reserve(place, type, order, value);
  return value;
}

/** Whether it succeeds, as an `i1`. */
export function storeExclusive(t: Translation, place: Memory, type: Type, value: Operand, order: Order): Operand {
  const { value: expected, order: before } = t.reserved(place, type);
  const orders = [joined(before, order), acquires(before) ? 'acquire' : 'relaxed'] as const;
  return t.unlessSpurious(() => t.compareExchange(place, type, [expected, value], orders).success);
}

/** The order of a read-modify-write whose load and store have these orders. */
export function joined(load: Order, store: Order): Order {
  if (acquires(load)) return releases(store) ? 'acq_rel' : 'acquire';
  return releases(store) ? 'release' : 'relaxed';
}

/** A loop of four instructions, or three for an exchange: load, compute, store, branch back. */
export interface Retry {
  readonly load: AssemblyInstruction;
  /** None for an exchange. */
  readonly compute: AssemblyInstruction | undefined;
  readonly store: AssemblyInstruction;
  readonly branch: AssemblyInstruction;
}

/** The operands of a retry loop: equal strings are equal registers, numbers or places. */
export interface RetryNames {
  readonly old: string;
  readonly place: string;
  readonly storePlace: string;
  readonly status: string;
  /** What is stored. */
  readonly stored: string;
  /** What the branch tests. */
  readonly tested: string;
  readonly target: string;
  /** What `compute` assigns, and its operands. */
  readonly computed?: readonly [result: string, left: string, right: string];
}

/** The loop that begins with the current instruction, if there is one. */
export function retryAt(
  t: Translation,
  is: { load: RegExp; compute: RegExp; store: RegExp; branch: RegExp },
  nameOf: (retry: Retry) => RetryNames,
): { readonly retry: Retry; readonly names: RetryNames } | undefined {
  const [load, ...rest] = t.instructions.slice(t.at, t.at + 4);
  if (load === undefined || load.labels.length === 0 || !is.load.test(load.name)) return undefined;
  const isExchange = is.store.test(rest[0]?.name ?? '');
  const [compute, store, branch] = isExchange ? [undefined, ...rest] : rest;
  if (store === undefined || branch === undefined) return undefined;
  if (!is.store.test(store.name) || !is.branch.test(branch.name)) return undefined;
  if (compute !== undefined && !(is.compute.test(compute.name) && compute.operands.length === 3)) return undefined;
  if (load.operands.length !== 2 || store.operands.length !== 3 || branch.operands.length !== 2) return undefined;
  if ([compute, store, branch].some((one) => one !== undefined && one.labels.length > 0)) return undefined;
  const retry = { load, compute, store, branch };
  const names = nameOf(retry);
  const { old, place, storePlace, status, stored, tested, target, computed } = names;
  if (place !== storePlace || tested !== status || !/^\d+b$|\D/.test(target)) return undefined;
  if (!load.labels.includes(target.replace(/^(\d+)b$/, '$1'))) return undefined;
  // The computation depends on nothing that the loop changes, except for the old value.
  const changed = computed === undefined ? [old, status] : [old, status, computed[0]];
  const [base, other] = computed === undefined ? [undefined, stored] : [computed[1], computed[2]];
  if (base !== undefined && (base !== old || stored !== computed![0])) return undefined;
  return changed.includes(other) ? undefined : { retry, names };
}
