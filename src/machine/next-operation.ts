/** What a runnable thread is about to do, as far as a search needs to know. */

import { delaysStores } from '../models/model.ts';
import * as op from './code/opcodes.ts';
import type { Machine } from './machine.ts';
import { T_PC } from './state/layout.ts';
import type { Threads } from './state/thread.ts';

/** Other threads can observe it, or it has several choices. */
export const VISIBLE_NEXT = 0;
/** Invisible: it changes nothing that others can see, and is never disabled once enabled. */
export const INVISIBLE_NEXT = 1;
/** Also invisible, and other threads are unlikely to wait for it. */
export const JOIN_NEXT = 3;
/** It ends the program. */
export const EXIT_NEXT = 2;

/** By operation. */
function kinds(isBuffered: boolean): Uint8Array {
  const table = new Uint8Array(op.OPERATIONS).fill(VISIBLE_NEXT);
  for (const operation of [op.FENCE, op.SPAWN, op.ENDATOMIC]) table[operation] = INVISIBLE_NEXT;
  // They enter the thread's own buffer, if it has one.
  for (const operation of [op.STORE, op.FREE]) table[operation] = isBuffered ? INVISIBLE_NEXT : VISIBLE_NEXT;
  // It waits for the buffers of others, if they have any.
  if (!isBuffered) table[op.DRAIN] = INVISIBLE_NEXT;
  table[op.JOIN] = JOIN_NEXT;
  table[op.EXIT] = EXIT_NEXT;
  return table;
}

export class NextOperations {
  private readonly code: Int32Array;
  private readonly threads: Threads;
  private readonly kinds: Uint8Array;

  /** Without `hidesInvisible`, invisible operations and joins count as visible. */
  constructor({ code, threads, description }: Machine, hidesInvisible = true) {
    this.code = code.words;
    this.threads = threads;
    this.kinds = kinds(delaysStores(description));
    if (hidesInvisible) return;
    for (const [operation, kind] of this.kinds.entries()) if (kind !== EXIT_NEXT) this.kinds[operation] = VISIBLE_NEXT;
  }

  of(thread: number): number {
    return this.kinds[this.code[this.threads.get(thread, T_PC)]!]!;
  }
}
