/**
 * Read-modify-writes that commute: `x += 1` and `x -= 2` in either order leave the same value, and if neither result is
 * used, the orders are indistinguishable to every thread. docs/decisions/0027-commuting-operations.md has the argument.
 *
 * Operations of the same class on the same bytes commute. Whether an addition or an exclusive or changes anything
 * depends on its operand alone. For `and` and `or` it depends on the order, and it matters to a loop that waits: they
 * commute only where threads do not sleep in loops.
 */
import { readRegisters, successorsOf, writtenRegisters } from '../../program/flow.ts';
import type { Func, Instruction } from '../../program/ir.ts';
import { liveAtStart } from '../../program/live-registers.ts';
import type { RmwOperator } from '../../program/operators.ts';
import type { Code } from './code.ts';
import * as op from './opcodes.ts';

/** Bits beside `READS` and `WRITES` of `events/effects.ts`: the class of an operation that commutes, or 0. */
export const COMMUTES: number = 7 << 4;
export const ADDS: number = 1 << 4;
const TOGGLES: number = 2 << 4;
export const CLEARS: number = 3 << 4;
export const SETS: number = 4 << 4;

const CLASSES: Readonly<Partial<Record<RmwOperator, number>>> = {
  add: ADDS,
  sub: ADDS,
  xor: TOGGLES,
  and: CLEARS,
  or: SETS,
};

/** How a machine treats loops that wait. */
interface Waiting {
  /** Threads that only wait go to sleep. */
  readonly sleeps: boolean;
  /** Whether a thread may wait in front of the operation at this place of the code. */
  readonly mayBeIdle: (pc: number) => boolean;
}

/** By site: the class of its read-modify-write if that commutes, else 0. */
export function commutingSites({ program, sites, functions, words }: Code, { sleeps, mayBeIdle }: Waiting): Uint8Array {
  const classes = new Uint8Array(sites.length);
  functions.forEach(({ entry, end }, number) => {
    const unused = unusedResults(program.functions[number]!);
    if (unused.size === 0) return;
    for (let pc = entry; pc < end; pc += op.lengthAt(words, pc)) {
      if (words[pc] !== op.RMW) continue;
      const site = words[pc + op.SITE]!;
      const { instruction } = sites[site]!;
      if (instruction.op !== 'rmw' || !unused.has(instruction)) continue;
      // One that changes nothing may be all that a loop does while it waits.
      if (mayBeIdle(pc) && !changes(instruction.value)) continue;
      const found = CLASSES[instruction.operator] ?? 0;
      if (!sleeps || found === ADDS || found === TOGGLES) classes[site] = found;
    }
  });
  return classes;
}

function changes(value: Extract<Instruction, { op: 'rmw' }>['value']): boolean {
  return value.kind === 'constant' && BigInt(value.value) !== 0n;
}

/** The read-modify-writes whose result no instruction reads before the register is overwritten. */
function unusedResults(func: Func): ReadonlySet<Instruction> {
  const found = new Set<Instruction>();
  if (!func.blocks.some(({ body }) => body.some((i) => i.op === 'rmw'))) return found;
  const successors = successorsOf(func);
  const atStart = liveAtStart(func, successors);
  func.blocks.forEach(({ body }, block) => {
    const live = new Set(successors[block]!.flatMap((target) => [...atStart[target]!]));
    for (const instruction of body.toReversed()) {
      if (instruction.op === 'rmw' && !live.has(instruction.dest)) found.add(instruction);
      for (const register of writtenRegisters(instruction)) live.delete(register);
      for (const register of readRegisters(instruction)) live.add(register);
    }
  });
  return found;
}
