/**
 * fix/: which changes make a program hold, and what they are in its text.
 *
 *   candidates.ts      what could be changed, where, at which cost
 *   apply.ts           changes in the program form; probes, which show where an execution comes past
 *   execution-graph.ts an execution as what must come before what
 *   constraint.ts      from an execution that must not be, the changes of which any fix needs one
 *   hitting-set.ts     the cheapest set with one of each
 *   synthesis.ts       the loop: check, learn a constraint, choose again
 *   reached.ts         which places executions come to
 *   tokens.ts, conditionals.ts, definitions.ts, statements.ts   where in C text there are statements
 *   marks.ts, orders.ts   between places in C text and places in the program form
 *   shape.ts           whether a changed text is still the program that is meant
 *   additions.ts, present-fences.ts      what could be added to a text; what is there already
 *   patch.ts           changes of the text as patches
 *
 * Knows `program/`, `machine/`, `trace/` and `explore/`. What a fix must achieve is handed in (`Checker`).
 */
import type { Instruction, Program } from '../program/ir.ts';
import type { Location } from '../program/location.ts';

/** An instruction of a program, or the place before it. */
export interface Position {
  readonly func: number;
  readonly block: number;
  readonly index: number;
}

/**
 * Where a change could be: a *point*, between two statements, for a fence; or an *access*, whose order can be made
 * stronger. One place in the text may be several in the program form, as a function in a header is.
 */
export interface Place {
  readonly kind: 'point' | 'access';
  readonly positions: readonly Position[];
  readonly location: Location | undefined;
  /** The statement that a point comes right behind, if it is not called after the one that follows. */
  readonly behind?: Location;
  readonly isInLoop: boolean;
  /** What can be done there. */
  readonly kinds: readonly ChangeKind[];
}

/**
 * - `full-fence`: the thread's stores reach memory before it goes on
 * - `store-fence`: a store–store barrier, as a release fence is
 * - `release`: of a store, a store–store barrier before it; a read-modify-write waits for all stores of the thread
 * - `seq_cst`: of a store, a store–store barrier before it and a full fence behind it
 */
export type ChangeKind = 'full-fence' | 'store-fence' | 'release' | 'seq_cst';

export const CHANGE_KINDS: readonly ChangeKind[] = ['full-fence', 'store-fence', 'release', 'seq_cst'];

export interface Change {
  readonly kind: ChangeKind;
  /** Index into `places`. */
  readonly place: number;
  readonly cost: number;
}

/** A program, and what could be changed in it. */
export interface Candidates {
  readonly program: Program;
  readonly places: readonly Place[];
  readonly changes: readonly Change[];
}

/** What each change costs; `inLoop` is a factor. All greater than 0. */
export type Costs = Readonly<Record<ChangeKind | 'inLoop', number>>;

/**
 * What the changes take on machines of today, roughly: a full fence waits for the store buffer, the others mostly keep
 * the compiler and the buffer in order. A fence costs a little more than the order of an access that does the same, because
 * it orders more than was asked for; a full fence a little less than a seq_cst store, because it can be seen in the text.
 */
export const DEFAULT_COSTS: Costs = { 'full-fence': 8, 'store-fence': 3, release: 2, seq_cst: 9, inLoop: 4 };

/** All changes that are possible at these places, with their costs. */
export function makeCandidates(program: Program, places: readonly Place[], costs: Costs): Candidates {
  const changes = places.flatMap(({ kinds, isInLoop }, place) =>
    kinds.map((kind): Change => ({ kind, place, cost: costs[kind] * (isInLoop ? costs.inLoop : 1) })),
  );
  return { program, places, changes };
}

export const FENCE_KINDS: readonly ChangeKind[] = ['full-fence', 'store-fence'];

/** What the order of an access could become. */
export function strongerOrders(instruction: Instruction): readonly ChangeKind[] {
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
