/**
 * Whether a program may have optimistic reads (`run/optimistic-reads.ts`): a loop may start over after a load, and a
 * loaded value is compared with another. A superset is fine: whether a load begins an optimistic read is decided when
 * it is about to run.
 */
import { successorsOf } from '../../program/flow.ts';
import type { Func, Instruction, Operand } from '../../program/ir.ts';
import { usesOperation } from '../../program/uses.ts';
import type { Code } from './code.ts';
import type { IdleRead } from './idle-reads.ts';
import { isVisible } from './loops.ts';
import * as op from './opcodes.ts';
import { orderCode } from './order.ts';

const RELAXED = orderCode('relaxed');

export function mayReadOptimistically({ program, words }: Code, reads: ReadonlyMap<number, IdleRead>): boolean {
  // A thread in an atomic section would wait for readers that cannot continue.
  if (usesOperation(program, 'beginatomic')) return false;
  if (![...reads.keys()].some((pc) => words[pc] === op.LOAD)) return false;
  return program.functions.some((func) => func.isLibrary !== true && comparesLoads(func));
}

/**
 * The atomic loads, by pc, that may come back to themselves by loads, fences, calls, returns and local instructions
 * alone. Again a superset.
 */
export function loadsInVain({ program, words, functions, sites }: Code): ReadonlySet<number> {
  const ways = program.functions.map((func) => new Ways(func));
  const returning = returningToLoops(ways);
  const found = new Set<number>();
  functions.forEach(({ entry, end }, index) => {
    const way = ways[index]!;
    if (way.func.isLibrary === true) return;
    for (let pc = entry; pc < end; pc += op.lengthAt(words, pc)) {
      if (words[pc] !== op.LOAD || words[pc + op.LOAD_ORDER]! < RELAXED) continue;
      const { block, index: at } = sites[words[pc + op.SITE]!]!;
      if (way.comesBack(block, at) || (returning.has(index) && way.returns(block, at))) found.add(pc);
    }
  });
  return found;
}

/** The functions from which a thread may return into a loop that calls them again. */
function returningToLoops(ways: readonly Ways[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [index, way] of ways.entries())
      way.func.blocks.forEach(({ body }, block) => {
        body.forEach((i, at) => {
          if (i.op !== 'call' || i.callee.kind !== 'function' || found.has(i.callee.index)) return;
          if (way.comesBack(block, at) || (found.has(index) && way.returns(block, at))) found.add(i.callee.index);
        });
      });
  }
  return found;
}

/** Where a function can go from each instruction by loads, fences, calls and local instructions. */
class Ways {
  readonly func: Func;
  private readonly successors: readonly (readonly number[])[];

  constructor(func: Func) {
    this.func = func;
    this.successors = successorsOf(func);
  }

  comesBack(block: number, at: number): boolean {
    const { body } = this.func.blocks[block]!;
    return this.reached(block, at).includes(block) && body.slice(0, at).every(canPass);
  }

  /** Whether it can return. */
  returns(block: number, at: number): boolean {
    const { blocks } = this.func;
    const returnsAt = (from: number): boolean => blocks[from]!.body.at(-1)!.op === 'return';
    if (!blocks[block]!.body.slice(at).every(canPass)) return false;
    const isPassed = (next: number): boolean => blocks[next]!.body.every(canPass);
    return returnsAt(block) || this.reached(block, at).some((next) => returnsAt(next) && isPassed(next));
  }

  /** The blocks whose beginnings it can reach. */
  private reached(block: number, at: number): readonly number[] {
    const { blocks } = this.func;
    if (!blocks[block]!.body.slice(at).every(canPass)) return [];
    const reached = new Set(this.successors[block]);
    for (const next of reached)
      if (blocks[next]!.body.every(canPass)) for (const target of this.successors[next]!) reached.add(target);
    return [...reached];
  }
}

function canPass(i: Instruction): boolean {
  return !isVisible(i) || i.op === 'load' || i.op === 'fence';
}

function comparesLoads(func: Func): boolean {
  const isEquality = (i: Instruction): boolean => i.op === 'compare' && (i.predicate === 'eq' || i.predicate === 'ne');
  if (!func.blocks.some(({ body }) => body.some(isEquality))) return false;
  const known = loadedIn(func);
  const isLoaded = (operand: Operand): boolean => operand.kind === 'register' && known.has(operand.index);
  return func.blocks.some(({ body }) =>
    body.some((i) => isEquality(i) && i.op === 'compare' && isLoaded(i.left) && isLoaded(i.right)),
  );
}

/** The registers that may hold a loaded value, whether loaded here, by a caller or by a callee. */
function loadedIn(func: Func): ReadonlySet<number> {
  const found = new Set(Array.from({ length: func.parameters }, (_, register) => register));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { body } of func.blocks)
      for (const instruction of body) {
        const dest = loads(instruction, found);
        if (dest !== undefined) found.add(dest);
      }
  }
  return found;
}

function loads(instruction: Instruction, found: ReadonlySet<number>): number | undefined {
  const has = (operand: Operand): boolean => operand.kind === 'register' && found.has(operand.index);
  switch (instruction.op) {
    case 'load':
    case 'call':
      return instruction.dest;
    case 'move':
    case 'cast':
      return has(instruction.value) ? instruction.dest : undefined;
    case 'select':
      return has(instruction.ifTrue) || has(instruction.ifFalse) ? instruction.dest : undefined;
    default:
      return undefined;
  }
}
