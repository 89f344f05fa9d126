/** The accesses of a program whose orders stand in its text. */
import type { Program } from '../program/ir.ts';
import { forEachInstruction, type Position } from './candidates.ts';
import { findOrders, type WrittenOrder } from './orders.ts';
import type { SourceFile } from './source-file.ts';

export interface WrittenAccess {
  readonly written: WrittenOrder;
  /** The instructions it is: one in each function that has it. */
  readonly positions: readonly Position[];
}

/**
 * All in a file. Places in the arguments of a macro are those of the macro, so if a function has several such accesses at
 * one place, it cannot be told which of them the order is of: then it is none of them.
 */
export function findAccesses(program: Program, file: SourceFile): readonly WrittenAccess[] {
  const byPlace = new Map(
    findOrders(file.statements.tokens).map((written) => {
      const { line, column } = file.locate(written.call);
      return [`${line}:${column}`, { written, positions: [] as Position[] }];
    }),
  );
  forEachInstruction(program, (instruction, position) => {
    const { location } = instruction;
    if (location === undefined || !file.names.has(location.file)) return;
    const found = byPlace.get(`${location.line}:${location.column}`);
    if (found === undefined || !('order' in instruction)) return;
    const { order, ops } = found.written;
    if (instruction.order === order && ops.includes(instruction.op)) found.positions.push(position);
  });
  return [...byPlace.values()].filter(
    ({ positions }) => positions.length > 0 && new Set(positions.map(({ func }) => func)).size === positions.length,
  );
}
