/** What a thread that can run is about to do, as far as a search needs to know it. */

import { T_PC } from './layout.ts';
import type { Machine } from './machine.ts';
import * as op from './opcodes.ts';

/** Others can tell when it happens, or it can go on in several ways. */
export const VISIBLE_NEXT = 0;
/** Nobody can tell when it happens: it changes nothing that others can see, and once possible it stays so. */
export const INVISIBLE_NEXT = 1;
/** It ends the whole program. */
export const EXIT_NEXT = 2;

export function nextOperation(machine: Machine, thread: number): number {
  switch (machine.code.words[machine.threads.get(thread, T_PC)]) {
    case op.FENCE:
    case op.SPAWN:
    case op.JOIN:
    case op.ENDATOMIC:
      return INVISIBLE_NEXT;
    case op.STORE:
    case op.FREE:
      // Into the own buffer, if there is one.
      return machine.model === 'sc' ? VISIBLE_NEXT : INVISIBLE_NEXT;
    case op.EXIT:
      return EXIT_NEXT;
    default:
      return VISIBLE_NEXT;
  }
}
