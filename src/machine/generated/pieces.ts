/**
 * A function's code cut into pieces, for `generate.ts`. A piece is a run of local instructions that is entered only at
 * its start: the function's entry, the place after a visible operation or a call, or the target of a jump. It ends
 * before a visible operation, or with an instruction that jumps elsewhere.
 */
import type { FunctionCode } from '../code/code.ts';
import * as op from '../code/opcodes.ts';

interface Piece {
  readonly start: number;
  /** Its local instructions; empty if it starts with a visible operation. */
  readonly instructions: readonly number[];
  /** Pieces of one chunk become one JavaScript function. */
  readonly chunk: number;
}

export interface Pieces {
  readonly byStart: ReadonlyMap<number, Piece>;
  /** Starts of the pieces that are reached from outside, by more than one jump, or by a jump from another chunk. */
  readonly labelled: ReadonlySet<number>;
  readonly chunks: number;
  /** A jump leads back to the entry. */
  readonly entryIsTarget: boolean;
}

/** Whether the operation is always the last of its piece. */
export function endsPiece(operation: number): boolean {
  switch (operation) {
    case op.JUMP:
    case op.BRANCH:
    case op.SWITCH:
    case op.CALL:
    case op.RETURN:
    case op.EXITTHREAD:
    case op.UNREACHABLE:
      return true;
    default:
      return false;
  }
}

function targetsOf(words: Int32Array, pc: number): number[] {
  switch (words[pc]) {
    case op.JUMP:
      return [words[pc + op.JUMP_TARGET]!];
    case op.BRANCH:
      return [words[pc + op.BRANCH_IF_TRUE]!, words[pc + op.BRANCH_IF_FALSE]!];
    case op.SWITCH:
      return [
        words[pc + op.SWITCH_OTHERWISE]!,
        ...Array.from(
          { length: words[pc + op.SWITCH_COUNT]! },
          (_, i) => words[pc + op.SWITCH_LIST + op.SWITCH_EACH * i + op.SWITCH_EACH_TARGET]!,
        ),
      ];
    default:
      return [];
  }
}

/**
 * `chunkSize`: instructions after which a new chunk begins. `runsOn`: whether generated code runs the visible operation
 * at this pc together with the code that follows it.
 */
export function cutIntoPieces(
  words: Int32Array,
  { entry, end }: FunctionCode,
  chunkSize: number,
  runsOn: (pc: number) => boolean,
): Pieces {
  const starts = new Set([entry]);
  const labelled = new Set([entry]);
  let entryIsTarget = false;
  for (let pc = entry; pc < end; pc += op.lengthAt(words, pc)) {
    for (const target of targetsOf(words, pc)) {
      starts.add(target);
      entryIsTarget ||= target === entry;
    }
    if (words[pc]! < op.VISIBLE && words[pc] !== op.CALL) continue;
    const next = pc + op.lengthAt(words, pc);
    starts.add(next);
    if (!runsOn(pc)) labelled.add(next);
  }
  const byStart = new Map<number, Piece>();
  let chunk = 0;
  let size = 0;
  for (const start of [...starts].sort((a, b) => a - b)) {
    const instructions: number[] = [];
    for (let pc = start; words[pc]! < op.VISIBLE; pc += op.lengthAt(words, pc)) {
      instructions.push(pc);
      if (endsPiece(words[pc]!)) break;
    }
    byStart.set(start, { start, instructions, chunk });
    size += instructions.length + 1;
    if (size >= chunkSize) {
      chunk++;
      size = 0;
    }
  }
  for (const start of sharedTargets(words, byStart, runsOn)) labelled.add(start);
  return { byStart, labelled, chunks: chunk + 1, entryIsTarget };
}

function sharedTargets(
  words: Int32Array,
  pieces: ReadonlyMap<number, Piece>,
  runsOn: (pc: number) => boolean,
): number[] {
  const ways = new Map<number, number>();
  for (const piece of pieces.values()) {
    const last = piece.instructions.at(-1);
    for (const target of last === undefined ? [] : targetsOf(words, last)) {
      const isNear = pieces.get(target)!.chunk === piece.chunk;
      ways.set(target, (ways.get(target) ?? 0) + (isNear ? 1 : 2));
    }
  }
  // The operation before a piece leads to it as well.
  for (const piece of pieces.values()) {
    const last = piece.instructions.at(-1);
    const end = last === undefined ? piece.start : last + op.lengthAt(words, last);
    const isOperation = (last === undefined || !endsPiece(words[last]!)) && words[end]! >= op.VISIBLE && runsOn(end);
    if (!isOperation) continue;
    const next = end + op.lengthAt(words, end);
    ways.set(next, (ways.get(next) ?? 0) + 1);
  }
  return [...ways.keys()].filter((start) => ways.get(start)! > 1);
}
