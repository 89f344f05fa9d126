/** What a program has none of, so that a verdict says nothing about it. */
import type { Machine } from '../machine/machine.ts';
import type { Program } from '../program/ir.ts';
import type { ModelResult, Unchecked } from './model-result.ts';

interface Searched {
  /** Other machines searched too: whether a thread was created is not known. */
  readonly isPartly: boolean;
  /** It compared the results of operations, so more than assertions can fail. */
  readonly judges: boolean;
}

/** After a search by this machine. */
export function uncheckedIn(machine: Machine, { isPartly, judges }: Searched): Pick<ModelResult, 'unchecked'> {
  const unchecked: Unchecked[] = [];
  // Slots are kept, so this is the largest number of threads in any execution.
  if (machine.processes.threadCount < 2 && !isPartly) unchecked.push('threads');
  if (!judges && !asserts(machine.program)) unchecked.push('assertions');
  return unchecked.length === 0 ? {} : { unchecked };
}

/** Whether an assertion of the program may fail: one that `NDEBUG` removed is not there. */
function asserts({ functions }: Program): boolean {
  return functions.some(({ blocks }) =>
    blocks.some(({ body }) =>
      body.some((i) => i.op === 'assert' && i.misuse !== true && i.notModelled !== true && i.refuses !== true),
    ),
  );
}
