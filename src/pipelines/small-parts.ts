/**
 * Whether the branches of a search are too small to hand out, and how it is divided then. Optimal-DPOR appends a branch
 * where a race could be reversed, often far above the current position. Some programs get nearly every execution that
 * way: there are then as many branches as executions, and each branch stands for a single one.
 */
import type { Order } from '../explore/dpor/job.ts';
import { chooseOrders, partsOf } from '../explore/dpor/machine/choose-orders.ts';
import type { Branch, SearchLevel } from '../explore/dpor/search-state.ts';
import { ALL_SHORTCUTS } from '../explore/dpor/shortcuts.ts';
import type { Machine } from '../machine/machine.ts';
import { MAX_ORDERED_EVENTS } from '../trace/bit-rows.ts';
import type { Helpers } from './helpers.ts';
import type { Watched } from './model-parts.ts';

/** Branches are worth handing out if there are fewer than `FEW`, or at least `SMALL` explored executions for each. */
const FEW = 200;
const SMALL = 20;

export function haveSmallParts(levels: readonly SearchLevel[], executions: number): boolean {
  let ends = 0;
  for (const { branches } of levels) ends += endsOf(branches);
  return ends >= FEW && ends * SMALL > executions;
}

/** The number of leaves, each of which prescribes an execution. */
function endsOf(branches: readonly Branch[]): number {
  let ends = 0;
  for (const { children } of branches) ends += children.length === 0 ? 1 : endsOf(children);
  return ends;
}

/**
 * Parts of the whole search, which the workers restart ([decision 43](../../docs/decisions/0043-parts-by-orders.md)). A
 * single part if it cannot be divided.
 */
export function partsByOrders(
  newMachine: () => Machine,
  commuting: boolean,
  watched: Watched | undefined,
  { parts = 0, beginParts }: Helpers,
): readonly (readonly Order[])[] {
  if (beginParts === undefined || (watched !== undefined && watched.firstOnly !== true)) return [[]];
  const shortcuts = { ...ALL_SHORTCUTS, commuting };
  return partsOf(chooseOrders(newMachine(), shortcuts, Math.ceil(Math.log2(parts)), MAX_ORDERED_EVENTS));
}
