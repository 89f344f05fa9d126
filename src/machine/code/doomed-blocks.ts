/**
 * Where a thread is bound to come back to the head of a waiting loop as it was there before: from a *doomed* block every
 * path only reads, stays in the loop, and changes no register that is live at the head. A test-and-test-and-set lock has
 * such blocks: after a failed exchange the thread looks at the lock until it is free, and then tries again.
 *
 * A thread that has only read since it was at the head, and enters a doomed block, may sleep at once
 * (docs/decisions/0024-idle-reads-wait.md).
 */
import { writtenRegisters } from '../../program/flow.ts';
import type { Block, Func, Instruction } from '../../program/ir.ts';

/** Instructions that read memory or nothing, cannot fail except by a bad address, and do not end the thread. */
const READS_ONLY: ReadonlySet<Instruction['op']> = new Set([
  'load',
  'fence',
  'move',
  'unary',
  'compare',
  'cast',
  'select',
  'jump',
  'branch',
  'switch',
]);

/** The doomed blocks of the loop that are entered from others. `live`: the registers that are live at its head. */
export function doomedEntries(
  func: Func,
  head: number,
  body: ReadonlySet<number>,
  live: ReadonlySet<number>,
  successors: readonly (readonly number[])[],
): readonly number[] {
  const doomed = new Set([...body].filter((block) => block !== head && isHarmless(func.blocks[block]!, live)));
  // The largest set from which no edge leads anywhere else.
  for (let before = -1; before !== doomed.size; ) {
    before = doomed.size;
    for (const block of doomed) {
      if (!successors[block]!.every((target) => target === head || doomed.has(target))) doomed.delete(block);
    }
  }
  return [...doomed].filter((block) =>
    successors.some((targets, from) => body.has(from) && !doomed.has(from) && targets.includes(block)),
  );
}

function isHarmless({ body }: Block, live: ReadonlySet<number>): boolean {
  return body.every(
    (instruction) =>
      (READS_ONLY.has(instruction.op) || isTotal(instruction)) &&
      writtenRegisters(instruction).every((register) => !live.has(register)),
  );
}

/** Whether it is arithmetic that cannot fail. */
function isTotal(instruction: Instruction): boolean {
  return instruction.op === 'binary' && !/div|rem/.test(instruction.operator);
}
