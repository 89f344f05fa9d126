/**
 * Whether two texts compile to the same program: compares the instructions of each function. Locations may differ, and
 * so may constants among the arguments of calls, since `assert` passes its line number.
 */
import type { Func, Instruction, Operand, Program } from '../program/ir.ts';

/** By function name: a string for what the function does. Functions with the same name share one. */
export type Shapes = ReadonlyMap<string, string>;

/** The shapes of all functions except our library's and the one called `ignored`. */
export function shapesOf(program: Program, ignored?: string): Shapes {
  const shapes = new Map<string, string>();
  for (const func of program.functions) {
    if (func.isLibrary !== true && func.name !== ignored)
      shapes.set(func.name, (shapes.get(func.name) ?? '') + shapeOf(func, program));
  }
  return shapes;
}

/** The names of functions that differ. */
export function differences(some: Shapes, others: Shapes): ReadonlySet<string> {
  const names = [...some.keys(), ...others.keys()];
  return new Set(names.filter((name) => some.get(name) !== others.get(name)));
}

function shapeOf(func: Func, program: Program): string {
  return func.blocks.map(({ body }) => body.map((one) => instructionText(one, program)).join('\n')).join('\n\n');
}

function instructionText(instruction: Instruction, { functions }: Program): string {
  const isCall = instruction.op === 'call';
  return JSON.stringify(instruction, (key, value: unknown) => {
    if (key === 'location') return undefined;
    if (typeof value === 'bigint') return `${value}n`;
    const operand = typeof value === 'object' && value !== null && 'kind' in value ? (value as Operand) : undefined;
    // A function's number depends on how many others there are.
    if (operand?.kind === 'function') return functions[operand.index]!.name;
    return isCall && operand?.kind === 'constant' ? operand.type : value;
  });
}
