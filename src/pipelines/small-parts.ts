/**
 * Whether the branches of a search are too small to hand out. Optimal-DPOR appends a branch where a race could be reversed, often far above
 * where the search is. In some programs that is how nearly every execution is found: then there are as many branches as executions, and each is
 * a single one.
 */
import type { Branch, SearchLevel } from '../explore/dpor/search-state.ts';

/** Fewer branches are worth trying, and so are those of which each stands for as many executions that were explored. */
const FEW = 200;
const SMALL = 20;

export function haveSmallParts(levels: readonly SearchLevel[], executions: number): boolean {
  let ends = 0;
  for (const { branches } of levels) ends += endsOf(branches);
  return ends >= FEW && ends * SMALL > executions;
}

/** How many executions are prescribed. */
function endsOf(branches: readonly Branch[]): number {
  let ends = 0;
  for (const { children } of branches) ends += children.length === 0 ? 1 : endsOf(children);
  return ends;
}
