import type { Func } from './ir.ts';

/** The name of a function in reports. */
export function titleOf(func: Func): string {
  return func.title ?? func.name;
}
