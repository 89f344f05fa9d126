/**
 * Inline assembly: its instructions are translated exactly, or the program is refused.
 *
 *   assembly-text.ts          the text, as instructions and labels
 *   assembly-operands.ts      constraints; assembly-registers.ts what is known about registers
 *   assembly-translation.ts   registers, memory and labels, as instructions of the program
 *   assembly-flags.ts         flags and conditions
 *   assembly-barriers.ts      barriers of all processors, and instructions that only take time
 *   assembly-x86.ts, assembly-aarch64.ts, assembly-riscv.ts: one table of instructions each
 *   assembly-exclusives.ts    load-exclusive and store-exclusive
 */

import { int, reg } from '../../../program/builder.ts';
import type { Operand } from '../../../program/ir.ts';
import { bitsOf, isFloat, type Type } from '../../../program/types.ts';
import { lowerAArch64 } from './assembly-aarch64.ts';
import { barrierOf } from './assembly-barriers.ts';
import { condition } from './assembly-flags.ts';
import { type AssemblyCall, conditionOf } from './assembly-operands.ts';
import type { AssemblyOperand } from './assembly-registers.ts';
import { lowerRiscV } from './assembly-riscv.ts';
import { type AssemblyInstruction, isTrap } from './assembly-text.ts';
import { Translation } from './assembly-translation.ts';
import { lowerX86 } from './assembly-x86.ts';
import type { FunctionContext } from './function-context.ts';

export function lowerAssembly(into: FunctionContext, call: AssemblyCall): void {
  const t = new Translation(into, call);
  if (call.callee.isIntel === true) t.refuse('Intel syntax is not supported');
  t.run(
    (instruction) => lower(t, instruction),
    () => finish(t),
  );
}

function lower(t: Translation, instruction: AssemblyInstruction): void {
  const barrier = barrierOf(instruction);
  if (barrier !== undefined) {
    // A locked instruction also sets flags, whose values are not known here.
    if (instruction.isLocked) t.facts = { ...t.facts!, flags: '' };
    if (barrier === 'nothing') return;
    return 'refused' in barrier ? t.refuse(barrier.refused) : t.fence(barrier);
  }
  if (isTrap(instruction, t.architecture)) return t.abort();
  switch (t.architecture) {
    case 'x86':
      return lowerX86(t, instruction);
    case 'aarch64':
      return instruction.isLocked ? t.refuse('it cannot be locked') : lowerAArch64(t, instruction);
    case 'riscv':
      return instruction.isLocked ? t.refuse('it cannot be locked') : lowerRiscV(t, instruction);
    default:
      return t.refuse('only barriers are modelled for this target');
  }
}

/** Assigns the contents of their registers to the outputs. */
function finish(t: Translation): void {
  const { into } = t;
  // After an infinite loop nothing depends on the outputs, but they still need registers.
  const isReached = t.facts !== undefined;
  t.facts ??= t.registers.facts;
  const results: { readonly value: Operand; readonly type: Type }[] = [];
  for (const operand of t.registers.operands) {
    const { constraint, type, slot } = operand;
    if (!constraint.isOutput || slot === undefined) continue;
    const value = isReached ? output(t, operand) : int(0, type);
    if (!constraint.isIndirect) {
      results.push({ value, type: type! });
      continue;
    }
    if (t.isDry) continue;
    const { argument } = constraint;
    const address = into.address(argument!.value);
    into.locateAccess(argument!.value);
    into.storeTo(address, value, into.isPrivate(argument!.value));
  }
  if (results.length === 0 || t.isDry) return;
  into.moveParts(
    t.call,
    results.map(({ value }) => value),
    results.map(({ type }) => type),
  );
}

/** The final content of an output, in its C type. */
function output(t: Translation, { constraint, type, slot, upper }: AssemblyOperand): Operand {
  const name = conditionOf(constraint);
  if (name !== undefined) {
    const test = condition(t, name) ?? t.refuse('the condition of an output is not understood');
    return type === 'i1' ? test : t.cast('zext', type!, test);
  }
  if (isFloat(slot!.type)) {
    if (slot!.initial === 0) t.refuse('it has an output that is never set');
    return t.isDry ? int(0, type) : reg(slot!.cell!);
  }
  const bits = upper === undefined ? (type === 'i1' ? 8 : bitsOf(type!)) : 32;
  const known = [slot, upper].map((half) => (half === undefined ? 64 : (t.facts!.known[half.index] ?? 0)));
  for (const [n, half] of [slot!, upper].entries()) {
    if (half === undefined || known[n]! >= bits) continue;
    if (known[n] !== 0) t.refuse('not all bits of an operand are known');
    // For example, the status of a store-exclusive that is skipped.
    if (!half.isChanged) t.refuse('it has an output that is never set');
    half.isMaybeUnset = true;
  }
  if (t.isDry) return int(0, type);
  if (isFloat(type!)) {
    const integer: Type = type === 'f32' ? 'i32' : 'i64';
    return t.cast('bitcast', type!, t.fit(reg(slot!.cell!), slot!.type, integer));
  }
  const lower = t.fit(reg(slot!.cell!), slot!.type, type!);
  if (upper === undefined) return lower;
  const half = t.binary('shl', 'i64', t.fit(reg(upper.cell!), upper.type, 'i64'), int(32, 'i64'));
  return t.binary('or', 'i64', lower, half);
}
