/** Which words of a frame are live before an instruction: those that its function may still read. */
import { successorsOf } from '../../program/flow.ts';
import { liveAtStart } from '../../program/live-registers.ts';
import type { Code } from './code.ts';
import { liveBefore, wordsOf } from './idle-reads.ts';
import * as op from './opcodes.ts';

interface Flow {
  readonly successors: readonly (readonly number[])[];
  readonly live: readonly ReadonlySet<number>[];
}

export class LiveWords {
  private readonly code: Code;
  private readonly flows = new Map<number, Flow>();
  private readonly known = new Map<number, readonly number[]>();

  constructor(code: Code) {
    this.code = code;
  }

  /** The live words of its function's frame before the instruction at `pc`. */
  at(pc: number): readonly number[] {
    let words = this.known.get(pc);
    if (words === undefined) {
      const { program, functions, sites } = this.code;
      const { func, block, index } = sites[this.code.words[pc + op.SITE]!]!;
      const { successors, live } = this.flow(func);
      const registers = liveBefore(program.functions[func]!, successors, live, block, index);
      words = wordsOf(program.functions[func]!, functions[func]!.offsets, registers);
      this.known.set(pc, words);
    }
    return words;
  }

  private flow(index: number): Flow {
    let flow = this.flows.get(index);
    if (flow === undefined) {
      const func = this.code.program.functions[index]!;
      const successors = successorsOf(func);
      flow = { successors, live: liveAtStart(func, successors) };
      this.flows.set(index, flow);
    }
    return flow;
  }
}
