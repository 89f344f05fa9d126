/**
 * Whether a program may have optimistic reads (`run/optimistic-reads.ts`): a loop may start over after a load, and a
 * loaded value is compared with another. A superset is fine: whether a load begins an optimistic read is decided when
 * it is about to run.
 */
import type { Func, Instruction, Operand } from '../../program/ir.ts';
import { usesOperation } from '../../program/uses.ts';
import type { Code } from './code.ts';
import type { IdleRead } from './idle-reads.ts';
import * as op from './opcodes.ts';

export function mayReadOptimistically({ program, words }: Code, reads: ReadonlyMap<number, IdleRead>): boolean {
  // A thread in an atomic section would wait for readers that cannot continue.
  if (usesOperation(program, 'beginatomic')) return false;
  if (![...reads.keys()].some((pc) => words[pc] === op.LOAD)) return false;
  return program.functions.some((func) => func.isLibrary !== true && comparesLoads(func));
}

function comparesLoads(func: Func): boolean {
  const isEquality = (i: Instruction): boolean => i.op === 'compare' && (i.predicate === 'eq' || i.predicate === 'ne');
  if (!func.blocks.some(({ body }) => body.some(isEquality))) return false;
  const known = loadedIn(func);
  const isLoaded = (operand: Operand): boolean => operand.kind === 'register' && known.has(operand.index);
  return func.blocks.some(({ body }) =>
    body.some((i) => isEquality(i) && i.op === 'compare' && isLoaded(i.left) && isLoaded(i.right)),
  );
}

/** The registers that may hold a loaded value, whether loaded here, by a caller or by a callee. */
function loadedIn(func: Func): ReadonlySet<number> {
  const found = new Set(Array.from({ length: func.parameters }, (_, register) => register));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { body } of func.blocks)
      for (const instruction of body) {
        const dest = loads(instruction, found);
        if (dest !== undefined) found.add(dest);
      }
  }
  return found;
}

function loads(instruction: Instruction, found: ReadonlySet<number>): number | undefined {
  const has = (operand: Operand): boolean => operand.kind === 'register' && found.has(operand.index);
  switch (instruction.op) {
    case 'load':
    case 'call':
      return instruction.dest;
    case 'move':
    case 'cast':
      return has(instruction.value) ? instruction.dest : undefined;
    case 'select':
      return has(instruction.ifTrue) || has(instruction.ifFalse) ? instruction.dest : undefined;
    default:
      return undefined;
  }
}
