/**
 * The `va_list` of each target. All arguments of `...` are in one block (`lower-call.ts`), in the order and with the
 * alignment of arguments on the stack. So a list says that the registers are used up, and clang's code for `va_arg`
 * takes everything from the stack.
 */
import { int, reg } from '../../../program/builder.ts';
import type { Dest, Operand } from '../../../program/ir.ts';
import type { LValue } from '../ir/module.ts';
import type { FunctionContext } from './function-context.ts';

/** A part of a list: its offset, and its value: the address of the block, or a number. */
type Member = readonly [offset: number, value: 'block' | number];

/** x86-64: offsets past the ends of the areas for registers, and the stack. The register save area is not needed. */
const X86_64: readonly Member[] = [
  [0, 48],
  [4, 176],
  [8, 'block'],
];
/**
 * AArch64: the stack, and offsets past the ends of the areas for registers. The addresses of these ends are not needed.
 */
const AARCH64: readonly Member[] = [
  [0, 'block'],
  [24, 0],
  [28, 0],
];
/** A pointer to the next argument. */
const POINTER: readonly Member[] = [[0, 'block']];

function listOf(triple: string): { readonly members: readonly Member[]; readonly words: number } {
  if (/^(?:x86_64|amd64)/.test(triple)) return { members: X86_64, words: 3 };
  if (/^(?:aarch64|arm64)/.test(triple) && !/apple|darwin|windows/.test(triple)) return { members: AARCH64, words: 4 };
  return { members: POINTER, words: 1 };
}

export function lowerVaStart(into: FunctionContext, list: LValue, block: Dest): void {
  const [address, isPrivate] = [into.address(list), into.isPrivate(list)];
  for (const [offset, value] of listOf(into.context.module.triple).members) {
    const operand: Operand = value === 'block' ? into.toPointer(reg(block)) : int(value);
    into.storeTo(into.offset(address, offset), operand, isPrivate);
  }
}

export function lowerVaCopy(into: FunctionContext, to: LValue, from: LValue): void {
  const { words } = listOf(into.context.module.triple);
  const [source, target] = [into.address(from), into.address(to)];
  for (let word = 0; word < words; word++) {
    const value = into.temporary(into.pointer);
    into.loadFrom(value, into.offset(source, word * into.slot), into.isPrivate(from));
    into.storeTo(into.offset(target, word * into.slot), reg(value), into.isPrivate(to));
  }
}
