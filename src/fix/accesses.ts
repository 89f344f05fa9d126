/** Finds the accesses of a program whose orders are written in its text. */
import type { Program } from '../program/ir.ts';
import type { Order } from '../program/types.ts';
import { forEachInstruction, type Position } from './candidates.ts';
import { findOrders, type WrittenOrder } from './orders.ts';
import type { SourceFile } from './source-file.ts';

export interface WrittenAccess {
  readonly written: WrittenOrder;
  readonly order: Order;
  /** Its instructions: one in each function that contains it. */
  readonly positions: readonly Position[];
}

/**
 * All such accesses in a file. Code in the arguments of a macro has the location of the macro, so if a function has
 * several accesses at one location, it is unknown which of them has this order, and none is returned.
 */
export function findAccesses(program: Program, file: SourceFile): readonly WrittenAccess[] {
  const byPlace = new Map(
    findOrders(file.statements.tokens).map((written) => {
      const { line, column } = file.locate(written.call);
      return [`${line}:${column}`, { written, positions: [] as Position[], orders: new Set<Order>() }];
    }),
  );
  forEachInstruction(program, (instruction, position) => {
    const { location } = instruction;
    if (location === undefined || !file.names.has(location.file)) return;
    const found = byPlace.get(`${location.line}:${location.column}`);
    if (found === undefined || !('order' in instruction)) return;
    const { order = instruction.order, ops } = found.written;
    if (instruction.order !== order || !ops.includes(instruction.op)) return;
    found.positions.push(position);
    found.orders.add(instruction.order);
  });
  return [...byPlace.values()].flatMap(({ written, positions, orders: [order, another] }) => {
    const isOne = another === undefined && new Set(positions.map(({ func }) => func)).size === positions.length;
    return order === undefined || !isOne ? [] : [{ written, order, positions }];
  });
}
