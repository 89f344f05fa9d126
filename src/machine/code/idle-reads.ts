/**
 * Which operations a thread may repeat while it waits: reads after which it may come back to the head of a waiting loop
 * (`loops.ts`) with nothing but local instructions and fences in between, perhaps by returning from the function. A
 * superset is fine: whether such a read is idle is decided when it is about to run (`run/idle-waits.ts`).
 */
import { successorsOf } from '../../program/flow.ts';
import type { Func, Instruction, Program } from '../../program/ir.ts';
import type { Code } from './code.ts';
import { findLoops, isVisible } from './loops.ts';
import * as op from './opcodes.ts';

/** Operations that read, and may write nothing. */
const READING: ReadonlySet<Instruction['op']> = new Set(['load', 'rmw', 'cmpxchg', 'await', 'trylock']);

/** By pc: 1 if the operation there may be such a read. */
export function idleReads({ program, words, functions, sites }: Code): Uint8Array {
  const flows = program.functions.map((func) => new Flow(func));
  findReturns(program, flows);
  const found = new Uint8Array(words.length);
  for (const { entry, end } of functions) {
    for (let pc = entry; pc < end; pc += op.lengthAt(words, pc)) {
      if (words[pc]! < op.VISIBLE) continue;
      const { func, block, index, instruction } = sites[words[pc + op.SITE]!]!;
      if (READING.has(instruction.op) && flows[func]!.leadsBack(block, index + 1)) found[pc] = 1;
    }
  }
  return found;
}

/** Where a function can go from each instruction without a visible operation. */
class Flow {
  readonly func: Func;
  private readonly successors: readonly (readonly number[])[];
  /** Per block: the heads of waiting loops to which an edge leads back. */
  private readonly isTail: readonly boolean[];
  /** Per block: from its start, the thread may come back to a head. */
  private back: boolean[] = [];
  /** A return may lead back to the head of a loop of a caller. */
  returnsToLoop = false;

  constructor(func: Func) {
    this.func = func;
    this.successors = successorsOf(func);
    const loops = findLoops(func).filter(({ isCounted }) => !isCounted);
    this.isTail = func.blocks.map((_, block) => loops.some(({ tails }) => tails.has(block)));
    this.solve();
  }

  solve(): void {
    const { func } = this;
    this.back = func.blocks.map(() => false);
    for (let changed = true; changed; ) {
      changed = false;
      for (let block = func.blocks.length - 1; block >= 0; block--) {
        if (this.back[block] || !this.leadsBack(block, 0)) continue;
        this.back[block] = true;
        changed = true;
      }
    }
  }

  /** Whether the thread may come back to a head from instruction `from` of the block. */
  leadsBack(block: number, from: number): boolean {
    const { body } = this.func.blocks[block]!;
    for (let i = from; i < body.length; i++) if (isVisible(body[i]!) && body[i]!.op !== 'fence') return false;
    if (this.isTail[block]) return true;
    if (body.at(-1)!.op === 'return') return this.returnsToLoop;
    return this.successors[block]!.some((target) => this.back[target]);
  }
}

/** Finds the functions from which a thread may return into a waiting loop. */
function findReturns(program: Program, flows: readonly Flow[]): void {
  const calls = flows.flatMap((flow) =>
    flow.func.blocks.flatMap(({ body }, block) =>
      body.flatMap((i, index) => (i.op === 'call' ? [{ flow, block, index, callee: i.callee }] : [])),
    ),
  );
  const calledAnywhere = addressTaken(program);
  for (let changed = true; changed; ) {
    changed = false;
    for (const { flow, block, index, callee } of calls) {
      if (!flow.leadsBack(block, index + 1)) continue;
      const targets = callee.kind === 'function' ? [callee.index] : calledAnywhere;
      for (const target of targets) {
        if (flows[target]!.returnsToLoop) continue;
        flows[target]!.returnsToLoop = true;
        flows[target]!.solve();
        changed = true;
      }
    }
  }
}

/** Functions whose address is used other than in a call by name. */
function addressTaken(program: Program): readonly number[] {
  const taken = new Set<number>();
  for (const { relocations = [] } of program.globals) {
    for (const { target } of relocations) if (target.kind === 'function') taken.add(target.index);
  }
  for (const { blocks } of program.functions) {
    for (const { body } of blocks) for (const instruction of body) noteAddresses(instruction, taken);
  }
  return [...taken];
}

function noteAddresses(instruction: Instruction, taken: Set<number>): void {
  const note = (value: unknown): void => {
    const operand = value as { readonly kind?: string; readonly index?: number } | undefined;
    if (operand?.kind === 'function') taken.add(operand.index!);
  };
  for (const [name, value] of Object.entries(instruction)) {
    if (name === 'callee' && instruction.op === 'call') continue;
    if (Array.isArray(value)) value.forEach(note);
    else note(value);
  }
}
