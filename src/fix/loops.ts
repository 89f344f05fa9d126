/** Finds which places can run more than once, judging by the program form. */
import { successorsOf } from '../program/flow.ts';
import type { Func, Program } from '../program/ir.ts';
import type { Position } from './candidates.ts';

/**
 * The places to which control can return: those in a loop, and those in a function that is called from a loop or
 * recursive.
 */
export class Loops {
  private readonly program: Program;
  private readonly blocks: readonly ReadonlySet<number>[];
  private readonly repeated = new Set<number>();

  constructor(program: Program) {
    this.program = program;
    this.blocks = program.functions.map(blocksInLoops);
    for (const [func] of program.functions.entries()) {
      const reached = this.calledFrom(func, (block) => this.blocks[func]!.has(block));
      for (const callee of reached) this.repeat(callee);
      if (this.reaches(func)) this.repeat(func);
    }
  }

  has({ func, block }: Position): boolean {
    return this.repeated.has(func) || this.blocks[func]!.has(block);
  }

  private repeat(func: number): void {
    if (this.repeated.has(func)) return;
    this.repeated.add(func);
    for (const callee of this.calledFrom(func)) this.repeat(callee);
  }

  /** Whether a function calls itself, directly or through others. */
  private reaches(func: number): boolean {
    const seen = new Set<number>();
    for (const stack = this.calledFrom(func); stack.length > 0; ) {
      const callee = stack.pop()!;
      if (callee === func) return true;
      if (!seen.has(callee)) stack.push(...this.calledFrom(callee));
      seen.add(callee);
    }
    return false;
  }

  /** The functions that a function calls by name; calls through pointers are not followed. */
  private calledFrom(func: number, isMeant: (block: number) => boolean = () => true): number[] {
    const called: number[] = [];
    for (const [block, { body }] of this.program.functions[func]!.blocks.entries()) {
      if (!isMeant(block)) continue;
      for (const instruction of body) {
        if (instruction.op === 'call' && instruction.callee.kind === 'function') called.push(instruction.callee.index);
      }
    }
    return called;
  }
}

/** The blocks that can reach themselves. */
function blocksInLoops(func: Func): ReadonlySet<number> {
  const successors = successorsOf(func);
  const inLoops = new Set<number>();
  for (const start of successors.keys()) {
    const reached = new Set<number>();
    for (const stack = [...successors[start]!]; stack.length > 0; ) {
      const block = stack.pop()!;
      if (reached.has(block)) continue;
      reached.add(block);
      stack.push(...successors[block]!);
    }
    if (reached.has(start)) inLoops.add(start);
  }
  return inLoops;
}
