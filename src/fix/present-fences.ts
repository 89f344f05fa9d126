/**
 * The fences that a program has, each to be kept, made weaker or left out: the same question as which to add to the program
 * without them. Only statements that are nothing but a fence count, `STORE_LOAD();` for example if that is one; of the
 * fences only those that order stores, since TSO and PSO have no use for others, but other machines do.
 */
import type { Instruction, Program } from '../program/ir.ts';
import {
  type Candidates,
  type Change,
  type ChangeKind,
  type Costs,
  forEachInstruction,
  makeCandidates,
  type Place,
  type Position,
} from './candidates.ts';
import { Loops } from './loops.ts';
import { orderOf, spellOrder } from './orders.ts';
import type { FileEdits, SourceFile } from './source-file.ts';
import type { CallStatement } from './statements.ts';
import type { TextEdit } from './text.ts';

interface PresentFence {
  readonly file: SourceFile;
  readonly call: CallStatement;
  readonly kind: ChangeKind;
  /** The instructions it is. */
  readonly positions: readonly Position[];
  /** How it is made a store–store fence, if it is a full one and that can be done. */
  readonly weaker: TextEdit | undefined;
}

export class PresentFences {
  /** Without any of them; the changes put them back. */
  readonly candidates: Candidates;
  private readonly fences: readonly PresentFence[];

  constructor(program: Program, files: readonly SourceFile[], costs: Costs) {
    this.fences = findFences(program, files);
    const { program: bare, moved } = without(
      program,
      this.fences.flatMap(({ positions }) => positions),
    );
    const loops = new Loops(program);
    const places = this.fences.map(
      ({ file, call, kind, positions, weaker }): Place => ({
        kind: 'point',
        positions: positions.map(moved),
        location: file.locate(call.start),
        isInLoop: positions.some((position) => loops.has(position)),
        kinds: weaker === undefined ? [kind] : ['full-fence', 'store-fence'],
      }),
    );
    this.candidates = makeCandidates(bare, places, costs);
  }

  /** What is different if only these are kept: each fence that goes or becomes weaker. */
  removed(
    kept: readonly Change[],
  ): readonly { readonly place: Place; readonly before: ChangeKind; readonly after: ChangeKind | undefined }[] {
    return this.fences.flatMap(({ kind }, place) => {
      const after = kept.find((change) => change.place === place)?.kind;
      return after === kind ? [] : [{ place: this.candidates.places[place]!, before: kind, after }];
    });
  }

  editsOf(kept: readonly Change[]): FileEdits {
    const edits = new Map<SourceFile, TextEdit[]>();
    for (const [place, { file, call, kind, weaker }] of this.fences.entries()) {
      const after = kept.find((change) => change.place === place)?.kind;
      if (after === kind) continue;
      const edit = after === undefined ? removal(file, call) : weaker!;
      edits.set(file, [...(edits.get(file) ?? []), edit]);
    }
    return edits;
  }
}

/** Statements that are nothing but a fence which orders stores. */
function findFences(program: Program, files: readonly SourceFile[]): readonly PresentFence[] {
  const found = new Map<string, { instructions: Instruction[]; positions: Position[] }>();
  forEachInstruction(program, (instruction, position) => {
    const { location } = instruction;
    if (location === undefined || IDLE.has(instruction.op)) return;
    const key = `${location.file}:${location.line}:${location.column}`;
    const there = found.get(key) ?? { instructions: [], positions: [] };
    found.set(key, there);
    there.instructions.push(instruction);
    there.positions.push(position);
  });
  const fences: PresentFence[] = [];
  for (const file of files) {
    for (const call of file.statements.calls) {
      const { line, column } = file.locate(call.start);
      const { instructions, positions } = found.get(`${file.name}:${line}:${column}`) ?? NOTHING;
      const kinds = new Set(instructions.map(kindOf));
      const [kind] = kinds;
      if (kind === undefined || kinds.size > 1) continue;
      fences.push({ file, call, kind, positions, weaker: kind === 'full-fence' ? weaken(file, call) : undefined });
    }
  }
  return fences;
}

const NOTHING: { readonly instructions: readonly Instruction[]; readonly positions: readonly Position[] } = {
  instructions: [],
  positions: [],
};

/** Instructions that a fence may come with. */
const IDLE: ReadonlySet<string> = new Set(['move', 'cast', 'jump']);

function kindOf(instruction: Instruction): ChangeKind | undefined {
  if (instruction.op !== 'fence' || instruction.order === 'acquire') return undefined;
  return instruction.order === 'seq_cst' ? 'full-fence' : 'store-fence';
}

/** The program without some instructions, and where the place before an instruction is then. */
function without(
  program: Program,
  taken: readonly Position[],
): { program: Program; moved: (position: Position) => Position } {
  const gone = (func: number, block: number): readonly number[] =>
    taken.filter((t) => t.func === func && t.block === block).map(({ index }) => index);
  const functions = program.functions.map((f, func) => ({
    ...f,
    blocks: f.blocks.map((b, block) => {
      const indices = gone(func, block);
      return indices.length === 0 ? b : { ...b, body: b.body.filter((_, index) => !indices.includes(index)) };
    }),
  }));
  return {
    program: { ...program, functions },
    moved: ({ func, block, index }) => {
      return { func, block, index: index - gone(func, block).filter((i) => i < index).length };
    },
  };
}

/** The whole line if nothing else is on it; an empty statement where there must be one. */
function removal({ text }: SourceFile, { start, end, isBody }: CallStatement): TextEdit {
  if (isBody || /:\s*$/.test(text.slice(0, start))) return { start, end, text: ';' };
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  const lineEnd = newline < 0 ? text.length : newline + 1;
  const isAlone = text.slice(lineStart, start).trim() === '' && text.slice(end, lineEnd).trim() === '';
  if (isAlone) return { start: lineStart, end: lineEnd, text: '' };
  const space = /^[ \t]*/.exec(text.slice(end))![0].length;
  return { start, end: end + (text[end + space] === '\n' ? 0 : space), text: '' };
}

function weaken({ statements, text }: SourceFile, { name, start, end }: CallStatement): TextEdit | undefined {
  if (name === '__sync_synchronize') {
    return { start, end, text: '__atomic_thread_fence(__ATOMIC_RELEASE);' };
  }
  const tokens = statements.tokens.filter((token) => token.start >= start && token.end <= end);
  const token = tokens.find((t) => orderOf(t.text) === 'seq_cst');
  if (token === undefined || !/^(?:__)?atomic_thread_fence$/.test(name)) return undefined;
  return { start: token.start, end: token.end, text: spellOrder('release', text.slice(token.start, token.end)) };
}
