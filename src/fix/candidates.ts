/**
 * fix/: finds changes that make a program hold, and the edits of its text that make them.
 *
 *   candidates.ts      what could be changed, where, and at what cost
 *   apply.ts           changes in the program form; probes, which show the places that an execution passes
 *   execution-graph.ts an execution as a graph of what must come before what
 *   constraint.ts, graph-constraint.ts   from a bad execution: the changes of which every fix needs one
 *   hitting-set.ts     the cheapest set with one change of each constraint
 *   synthesis.ts       the loop: check, learn a constraint, choose again
 *   reached.ts         which places executions can reach
 *   tokens.ts, conditionals.ts, definitions.ts, statements.ts   where the statements in C text are
 *   marks.ts, orders.ts   from places in C text to places in the program form, and back
 *   shape.ts           whether a changed text is still the intended program
 *   additions.ts, present-fences.ts      what could be added to a text; what it already has
 *   patch.ts           edits of the text as patches
 *
 * Knows `program/`, `models/`, `machine/`, `trace/` and `explore/`. The caller says what a fix must achieve
 * (`Checker`).
 */
import type { Instruction, Program } from '../program/ir.ts';
import type { Location } from '../program/location.ts';
import { acquires, isAtomic, releases } from '../program/types.ts';

/** An instruction of a program, or the place before it. */
export interface Position {
  readonly func: number;
  readonly block: number;
  readonly index: number;
}

/**
 * Where a change could be: a *point*, between two statements, for a fence; or an *access*, whose order can be made
 * stronger. One place in the text may have several positions in the program form, for example in a function in a
 * header.
 */
export interface Place {
  readonly kind: 'point' | 'access';
  readonly positions: readonly Position[];
  readonly location: Location | undefined;
  /** The statement right before a point, if the point is named after that one and not after the one that follows. */
  readonly behind?: Location;
  readonly isInLoop: boolean;
  /** The changes possible there. */
  readonly kinds: readonly ChangeKind[];
}

/**
 * - `full-fence`: the thread's stores reach memory before it continues
 * - `store-fence`: a store–store barrier, as a release fence is
 * - `release`: on a store, a store–store barrier before it; a read-modify-write waits for all stores of the thread
 * - `seq_cst`: on a store, a store–store barrier before it and a full fence after it
 *
 * In the model of the language they are the orders of C11: a full fence is a seq_cst fence, a store–store fence a
 * release fence. The language has more kinds, which have no effect on the machines:
 *
 * - `acquire-fence`
 * - `acquire`: on a load or read-modify-write; on a compare-exchange, its order for success
 * - `acquire-failure`: the order of a compare-exchange for failure
 *
 * Changes at the same place add up: `release` and `acquire` on a read-modify-write make it acq_rel.
 */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export const CHANGE_KINDS = [
  'full-fence',
  'store-fence',
  'acquire-fence',
  'release',
  'acquire',
  'acquire-failure',
  'seq_cst',
] as const;

/** Which models the changes are for: machines with store buffers only, or the language as well. */
export type Target = 'machines' | 'language';

export function isFenceKind(kind: ChangeKind): boolean {
  return FENCES.language.includes(kind);
}

export interface Change {
  readonly kind: ChangeKind;
  /** Index into `places`. */
  readonly place: number;
  readonly cost: number;
}

/** A program and the possible changes to it. */
export interface Candidates {
  readonly program: Program;
  readonly places: readonly Place[];
  readonly changes: readonly Change[];
}

/** What each change costs; `inLoop` is a factor. All greater than 0. */
export type Costs = Readonly<Record<ChangeKind | 'inLoop', number>>;

/**
 * Rough costs on today's machines: a full fence waits for the store buffer, the others mostly constrain the compiler
 * and the order of the buffer. A fence costs a little more than the order of an access with the same effect, because it
 * orders more than necessary. A full fence costs a little less than a seq_cst store, because it is easier to see in the
 * text.
 */
export const DEFAULT_COSTS: Costs = {
  'full-fence': 8,
  'store-fence': 3,
  'acquire-fence': 3,
  release: 2,
  acquire: 2,
  'acquire-failure': 2,
  seq_cst: 9,
  inLoop: 4,
};

/** All possible changes at these places, with their costs. */
export function makeCandidates(program: Program, places: readonly Place[], costs: Costs): Candidates {
  const changes = places.flatMap(({ kinds, isInLoop }, place) =>
    kinds.map((kind): Change => ({ kind, place, cost: costs[kind] * (isInLoop ? costs.inLoop : 1) })),
  );
  return { program, places, changes };
}

/** The fences that can be added. */
export const FENCES: Readonly<Record<Target, readonly ChangeKind[]>> = {
  machines: ['full-fence', 'store-fence'],
  language: ['full-fence', 'store-fence', 'acquire-fence'],
};

/** What the order of an access could become. */
export function strongerOrders(instruction: Instruction, target: Target = 'machines'): readonly ChangeKind[] {
  if (target === 'language') return strongerInLanguage(instruction);
  switch (instruction.op) {
    case 'store':
      if (instruction.order === 'relaxed') return ['release', 'seq_cst'];
      return instruction.order === 'release' ? ['seq_cst'] : [];
    case 'rmw':
    case 'cmpxchg':
      return instruction.order === 'relaxed' || instruction.order === 'acquire' ? ['release'] : [];
    default:
      return [];
  }
}

/** A change is possible only if the order does not include it yet. */
function strongerInLanguage(instruction: Instruction): readonly ChangeKind[] {
  if (!('order' in instruction) || !isAtomic(instruction.order) || instruction.op === 'fence') return [];
  const { op, order } = instruction;
  const kinds: ChangeKind[] = [];
  if (op !== 'load' && !releases(order)) kinds.push('release');
  if (op !== 'store' && !acquires(order)) kinds.push('acquire');
  if (op === 'cmpxchg' && !acquires(instruction.failureOrder)) kinds.push('acquire-failure');
  const isWhole = order === 'seq_cst' && (op !== 'cmpxchg' || instruction.failureOrder === 'seq_cst');
  return isWhole ? kinds : [...kinds, 'seq_cst'];
}

export function instructionAt({ functions }: Program, { func, block, index }: Position): Instruction {
  return functions[func]!.blocks[block]!.body[index]!;
}

export function forEachInstruction(
  program: Program,
  visit: (instruction: Instruction, position: Position) => void,
): void {
  for (const [func, { blocks }] of program.functions.entries()) {
    for (const [block, { body }] of blocks.entries()) {
      for (const [index, instruction] of body.entries()) visit(instruction, { func, block, index });
    }
  }
}
