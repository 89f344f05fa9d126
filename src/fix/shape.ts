/**
 * Whether two texts make the same program: the operations of each function with their orders, and where control goes. Not
 * constants, since `__LINE__` is one, nor places.
 */
import { successorsOf } from '../program/flow.ts';
import type { Func, Instruction, Program } from '../program/ir.ts';

/** By function, one string for what it does. Of two functions with one name, both. */
export type Shapes = ReadonlyMap<string, string>;

/** Without the function called `ignored`. */
export function shapesOf(program: Program, ignored?: string): Shapes {
  const shapes = new Map<string, string>();
  for (const func of program.functions) {
    if (func.isLibrary !== true && func.name !== ignored)
      shapes.set(func.name, (shapes.get(func.name) ?? '') + shapeOf(func, program));
  }
  return shapes;
}

/** The names of functions that are not the same in both. */
export function differences(some: Shapes, others: Shapes): ReadonlySet<string> {
  const names = [...some.keys(), ...others.keys()];
  return new Set(names.filter((name) => some.get(name) !== others.get(name)));
}

function shapeOf(func: Func, program: Program): string {
  const successors = successorsOf(func);
  const blocks = func.blocks.map(({ body }, i) => {
    return `${body.map((instruction) => operationOf(instruction, program)).join(' ')} → ${successors[i]!.join()}`;
  });
  return blocks.join('\n');
}

function operationOf(instruction: Instruction, { functions }: Program): string {
  const order = 'order' in instruction ? ` ${instruction.order}` : '';
  const isCall = instruction.op === 'call' && instruction.callee.kind === 'function';
  return `${instruction.op}${order}${isCall ? ` ${functions[instruction.callee.index]!.name}` : ''};`;
}
