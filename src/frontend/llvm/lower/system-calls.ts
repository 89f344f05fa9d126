/** System calls that change how a program is searched: only programs that name them have our library's part for them. */
import type { Module } from '../ir/module.ts';

/** Of our library. */
export const MEMBARRIER = '__fencepost_membarrier';
/** The numbers that Linux gives it on one processor or another. A program that means another call is searched more slowly. */
const NUMBERS: readonly bigint[] = [324n, 375n, 283n];

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
