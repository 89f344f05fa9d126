/**
 * Which operations a thread may repeat while it waits: reads after which, with nothing but local instructions and
 * fences in between, it may come back to the head of a waiting loop (`loops.ts`) or to the same read. A superset is
 * fine: whether such a read is idle is decided when it is about to run (`run/idle-waits.ts`).
 *
 * Two reads are the same if they are equal and followed by equal instructions up to the same jump: there is one in
 * `a = x; while (a) a = x;`.
 */
import { addressTaken } from '../../program/calls.ts';
import { readRegisters, successorsOf, writtenRegisters } from '../../program/flow.ts';
import type { Func, Instruction, Program } from '../../program/ir.ts';
import { liveAtStart } from '../../program/live-registers.ts';
import { sizeOf } from '../../program/types.ts';
import type { Code } from './code.ts';
import { isVisible, loopsOf } from './loops.ts';
import * as op from './opcodes.ts';

/** Operations that read, and may leave memory unchanged. */
const READING: ReadonlySet<Instruction['op']> = new Set(['load', 'rmw', 'cmpxchg', 'await', 'trylock']);

export interface IdleRead {
  /** The same number for reads that are the same. */
  readonly class: number;
  /** Words of the frame that are live before the read. */
  readonly live: readonly number[];
  /** Between its visible operations, the function only computes with registers. */
  readonly isPure: boolean;
}

/** Local instructions that depend on registers alone, and change nothing else. */
const PURE: ReadonlySet<Instruction['op']> = new Set([
  'move',
  'binary',
  'unary',
  'compare',
  'cast',
  'select',
  'assert',
  'assume',
  'jump',
  'branch',
  'switch',
  'return',
  'unreachable',
]);

export function isPure({ op }: Instruction): boolean {
  return PURE.has(op);
}

/** Many machines are made for the same program. */
const known = new WeakMap<Program, ReadonlyMap<number, IdleRead>>();

/** By pc, of code with `idle` marks. */
export function idleReads(code: Code): ReadonlyMap<number, IdleRead> {
  const found = known.get(code.program) ?? findReads(code);
  known.set(code.program, found);
  return found;
}

function findReads({ program, words, functions, sites }: Code): ReadonlyMap<number, IdleRead> {
  const flows = program.functions.map((func) => new Flow(func));
  findReturns(program, flows);
  const classes = new Map<string, number>();
  const found = new Map<number, IdleRead>();
  functions.forEach(({ entry, end, offsets }, func) => {
    const flow = flows[func]!;
    for (let pc = entry; pc < end; pc += op.lengthAt(words, pc)) {
      // This machine may run an exchange as a store.
      if (words[pc]! < op.VISIBLE || words[pc] === op.STORE) continue;
      const { block, index, instruction } = sites[words[pc + op.SITE]!]!;
      if (!READING.has(instruction.op) || !flow.mayRepeat(block, index)) continue;
      const key = `${func} ${flow.rest(block, index)}`;
      if (!classes.has(key)) classes.set(key, classes.size);
      const live = wordsOf(flow.func, offsets, flow.liveBefore(block, index));
      found.set(pc, { class: classes.get(key)!, live, isPure: flow.isPure });
    }
  });
  return found;
}

/** The words of the frame that hold these registers. */
export function wordsOf(func: Func, offsets: readonly number[], registers: readonly number[]): readonly number[] {
  return registers.flatMap((register) => {
    const wide = sizeOf(func.registers[register]!.type) === 8;
    return wide ? [offsets[register]!, offsets[register]! + 1] : [offsets[register]!];
  });
}

/** Where a function can go from each instruction without a visible operation. */
class Flow {
  readonly func: Func;
  private readonly successors: readonly (readonly number[])[];
  /** Computed on demand: few functions wait. */
  private live: readonly ReadonlySet<number>[] | undefined;
  /** Per block: an edge leads back to the head of a waiting loop. */
  private readonly isTail: readonly boolean[];
  /** Per block: from its start, the thread may come back to a head. */
  private back: boolean[] = [];
  /** A return may lead back to the head of a loop of a caller. */
  returnsToLoop = false;
  readonly isPure: boolean;

  constructor(func: Func) {
    this.func = func;
    this.successors = successorsOf(func);
    const loops = loopsOf(func).filter(({ isCounted }) => !isCounted);
    this.isTail = func.blocks.map((_, block) => loops.some(({ tails }) => tails.has(block)));
    this.isPure = func.blocks.every(({ body }) => {
      // A call that never returns ends the program or the thread.
      const ends = body.at(-1)!.op === 'unreachable';
      return body.every((i) => isVisible(i) || PURE.has(i.op) || (ends && i.op === 'call'));
    });
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

  mayRepeat(block: number, index: number): boolean {
    return this.leadsBack(block, index + 1) || this.leadsToSame(block, index);
  }

  /** Whether the thread may come back to a head from instruction `from` of the block. */
  leadsBack(block: number, from: number): boolean {
    const { body } = this.func.blocks[block]!;
    if (this.nextVisible(block, from) < body.length) return false;
    if (this.isTail[block]) return true;
    if (body.at(-1)!.op === 'return') return this.returnsToLoop;
    return this.successors[block]!.some((target) => this.back[target]);
  }

  private leadsToSame(block: number, index: number): boolean {
    if (this.nextVisible(block, index + 1) < this.func.blocks[block]!.body.length) return false;
    const key = this.rest(block, index);
    const reached = new Set(this.successors[block]);
    for (const next of reached) {
      const visible = this.nextVisible(next, 0);
      if (visible === this.func.blocks[next]!.body.length)
        for (const target of this.successors[next]!) reached.add(target);
      else if (this.rest(next, visible) === key) return true;
    }
    return false;
  }

  /** The first visible operation from `from` on that is not a fence; the length of the block if there is none. */
  private nextVisible(block: number, from: number): number {
    const { body } = this.func.blocks[block]!;
    let i = from;
    while (i < body.length && (!isVisible(body[i]!) || body[i]!.op === 'fence')) i++;
    return i;
  }

  /** What the function does from this instruction on, as text: two places with the same text are equivalent. */
  rest(block: number, index: number): string {
    const { body } = this.func.blocks[block]!;
    // Without a jump at its end, a block equals no other.
    if (body.at(-1)!.op !== 'jump') return `${block} ${index}`;
    return JSON.stringify(body.slice(index), (key, value: unknown) =>
      key === 'location' ? undefined : typeof value === 'bigint' ? `${value}n` : value,
    );
  }

  liveBefore(block: number, index: number): readonly number[] {
    this.live ??= liveAtStart(this.func, this.successors);
    return liveBefore(this.func, this.successors, this.live, block, index);
  }
}

/** Registers that are live before an instruction. `live`: those at the start of each block. */
export function liveBefore(
  func: Func,
  successors: readonly (readonly number[])[],
  live: readonly ReadonlySet<number>[],
  block: number,
  index: number,
): readonly number[] {
  const { body } = func.blocks[block]!;
  const found = new Set(successors[block]!.flatMap((target) => [...live[target]!]));
  for (let i = body.length - 1; i >= index; i--) {
    for (const register of writtenRegisters(body[i]!)) found.delete(register);
    for (const register of readRegisters(body[i]!)) found.add(register);
  }
  return [...found].sort((a, b) => a - b);
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
