/** What the final state of a test consists of. */
import type { Global } from '../../program/ir.ts';
import type { Type } from '../../program/types.ts';
import type { Named } from './ast.ts';

export interface ObservedRegister {
  readonly kind: 'register';
  /** `0:EAX` */
  readonly label: string;
  /** Index of the thread among the program's roots. */
  readonly root: number;
  /** Index among the registers of the thread's function. */
  readonly register: number;
  /** May be narrower than the register (`0:al`, or `int 0:rax;`): then it is this many bits of it … */
  readonly type: Type;
  /** … from this one on (8 for `ah`, `bh`, `ch` and `dh`, else 0). */
  readonly shift: number;
  /** Whether addresses in it are to be shown, and compared, as names of locations. */
  readonly pointer: boolean;
}

export interface ObservedLocation {
  readonly kind: 'location';
  /** `x` or `a[1]` */
  readonly label: string;
  readonly global: number;
  readonly offset: number;
  readonly type: Type;
  readonly pointer: boolean;
}

export type Observed = ObservedRegister | ObservedLocation;

/** The test's name for the address `offset` bytes into a global; `undefined` if it has none. */
export function nameOfAddress({ name, size, element }: Global, offset: number): string | undefined {
  if (offset === 0) return name;
  const isElement = element !== undefined && offset > 0 && offset < size && offset % element === 0;
  return isElement ? `${name}[${offset / element}]` : undefined;
}

export function labelOf(named: Named): string {
  if (named.kind === 'register') return `${named.thread}:${named.part.name}`;
  return named.index === undefined ? named.name : `${named.name}[${named.index}]`;
}
