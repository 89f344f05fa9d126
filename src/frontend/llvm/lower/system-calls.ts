/**
 * System calls. Membarriers change how a program is searched: only programs that name them get the part of our library
 * for them.
 */
import type { Module } from '../ir/module.ts';

/** Defined in our library. */
export const MEMBARRIER = '__fencepost_membarrier';
/**
 * The call's numbers in Linux on various processors. If a program means another call by one of them, it is only
 * searched more slowly.
 */
const NUMBERS: readonly bigint[] = [324n, 375n, 283n];

/** Which platform's futexes a program may rely on (`--futex`): `linux` makes every call a full fence. */
export const FUTEXES = ['portable', 'linux'] as const;
export type Futexes = (typeof FUTEXES)[number];

export function callsMembarrier({ functions }: Module): boolean {
  for (const { blocks } of functions.values()) {
    for (const { body } of blocks) {
      for (const i of body) {
        if (i.op !== 'call' || i.callee.kind !== 'global' || i.callee.name !== 'syscall') continue;
        const number = i.arguments[0]?.value;
        if (number?.kind === 'int' && NUMBERS.includes(number.value)) return true;
      }
    }
  }
  return false;
}
