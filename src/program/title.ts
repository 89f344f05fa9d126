import type { Func } from './ir.ts';

/** What reports call a function. */
export function titleOf(func: Func): string {
  return func.title ?? func.name;
}
