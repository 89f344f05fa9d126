/**
 * Reads in loops that prepare a node and publish it by a compare-exchange:
 * `do { old = top; n->next = old; } while (!CAS(&top, &old, n));`. A superset is fine: whether such a read begins a
 * retry is decided when it is about to run (`run/retries.ts`).
 */
import { readRegisters, successorsOf, writtenRegisters } from '../../program/flow.ts';
import type { Func, Instruction, Program } from '../../program/ir.ts';
import { usesOperation } from '../../program/uses.ts';
import type { Code } from './code.ts';
import { isPure } from './idle-reads.ts';
import { LiveWords } from './live-words.ts';
import { isVisible } from './loops.ts';
import * as op from './opcodes.ts';

const READING: ReadonlySet<Instruction['op']> = new Set(['load', 'cmpxchg']);

/** Many machines are made for the same program. */
const known = new WeakMap<Program, RetryReads>();

/** By pc, of code with `idle` marks. */
export function retryReads(code: Code): RetryReads {
  const found = known.get(code.program) ?? new RetryReads(code);
  known.set(code.program, found);
  return found;
}

export class RetryReads {
  /** Their places in the code. */
  readonly places: ReadonlySet<number>;
  private readonly code: Code;
  private readonly shapes = new Map<number, Shape>();
  private readonly live: LiveWords;
  private readonly stores = new Map<number, number>();
  private readonly paths = new Map<string, boolean>();

  constructor(code: Code) {
    this.code = code;
    this.live = new LiveWords(code);
    this.places = this.find();
  }

  private find(): ReadonlySet<number> {
    const { program, functions, words, sites } = this.code;
    const found = new Set<number>();
    const allocates = usesOperation(program, 'allocate');
    if (!allocates) return found;
    functions.forEach(({ entry, end }, func) => {
      if (!mayRetry(program.functions[func]!)) return;
      const shape = this.shape(func);
      for (let pc = entry; pc < end; pc += op.lengthAt(words, pc)) {
        if (words[pc]! < op.VISIBLE) continue;
        const { block, instruction } = sites[words[pc + op.SITE]!]!;
        if (READING.has(instruction.op) && shape.isInRetry(block)) found.add(pc);
      }
    });
    return found;
  }

  /** The words of the frame that are live before the operation at `pc`. */
  liveAt(pc: number): readonly number[] {
    return this.live.at(pc);
  }

  /** Whether these operations are in one function and all local instructions on paths between them are pure. */
  isPure(from: number, to: number): boolean {
    const key = `${from} ${to}`;
    let answer = this.paths.get(key);
    if (answer === undefined) {
      const [start, end] = [this.site(from), this.site(to)];
      answer = start.func === end.func && this.shape(start.func).isPure(start.block, start.index, end.block);
      this.paths.set(key, answer);
    }
    return answer;
  }

  /**
   * How many stores follow the load at `pc`, whatever it reads: in its block, before any other visible operation, at
   * addresses that do not depend on it. 0 if the block ends before another visible operation.
   */
  storesAfter(pc: number): number {
    let count = this.stores.get(pc);
    if (count === undefined) {
      const { func, block, index } = this.site(pc);
      count = storesBehind(this.code.program.functions[func]!.blocks[block]!.body, index);
      this.stores.set(pc, count);
    }
    return count;
  }

  private site(pc: number): Code['sites'][number] {
    return this.code.sites[this.code.words[pc + op.SITE]!]!;
  }

  private shape(func: number): Shape {
    const shape = this.shapes.get(func) ?? new Shape(this.code.program.functions[func]!);
    this.shapes.set(func, shape);
    return shape;
  }
}

function storesBehind(body: readonly Instruction[], load: number): number {
  const depends = new Set(writtenRegisters(body[load]!));
  let count = 0;
  for (const instruction of body.slice(load + 1)) {
    if (instruction.op === 'store') {
      const { address } = instruction;
      if (address.kind === 'register' && depends.has(address.index)) return 0;
      count++;
    } else if (isVisible(instruction)) return count;
    else if (!isPure(instruction)) return 0;
    const isTainted = readRegisters(instruction).some((register) => depends.has(register));
    for (const register of writtenRegisters(instruction)) {
      if (isTainted) depends.add(register);
      else depends.delete(register);
    }
  }
  return 0;
}

function mayRetry({ blocks }: Func): boolean {
  return (['cmpxchg', 'store'] as const).every((wanted) =>
    blocks.some(({ body }) => body.some((i) => i.op === wanted)),
  );
}

class Shape {
  readonly func: Func;
  private readonly successors: readonly (readonly number[])[];
  /** Per block: the blocks that can be reached from its end. */
  private readonly reached: readonly ReadonlySet<number>[];

  constructor(func: Func) {
    this.func = func;
    this.successors = successorsOf(func);
    this.reached = func.blocks.map((_, block) => {
      const found = new Set(this.successors[block]);
      for (const next of found) for (const target of this.successors[next]!) found.add(target);
      return found;
    });
  }

  /** Whether some cycle through the block has a compare-exchange and a store. */
  isInRetry(block: number): boolean {
    const cycle = this.func.blocks.flatMap(({ body }, other) =>
      this.reached[block]!.has(other) && this.reached[other]!.has(block) ? body : [],
    );
    return cycle.some((i) => i.op === 'cmpxchg') && cycle.some((i) => i.op === 'store');
  }

  /** Whether all local instructions from this one to those of block `to` are pure. */
  isPure(from: number, index: number, to: number): boolean {
    const { func, reached } = this;
    const isClean = (i: Instruction): boolean => isVisible(i) || isPure(i);
    if (!func.blocks[from]!.body.slice(index).every(isClean)) return false;
    return func.blocks.every(
      ({ body }, block) =>
        !(reached[from]!.has(block) && (block === to || reached[block]!.has(to))) || body.every(isClean),
    );
  }
}
