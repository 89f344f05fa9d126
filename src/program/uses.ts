import type { Instruction, Program } from './ir.ts';

/** Whether the program has an instruction of this kind anywhere. */
export function usesOperation(program: Program, op: Instruction['op']): boolean {
  return program.functions.some((f) => f.blocks.some((b) => b.body.some((i) => i.op === op)));
}
