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
  /** How it is made a store–store fence, if it is a full one and that can be done. */
  readonly weaker: TextEdit | undefined;
}

export class PresentFences {
  /** Without any of them; the changes put them back. */
  readonly candidates: Candidates;
  private readonly fences: PresentFence[] = [];

  constructor(program: Program, files: readonly SourceFile[], costs: Costs) {
    const statements = new Map<
      string,
      { file: SourceFile; call: CallStatement; found: Position[]; isFence: boolean }
    >();
    for (const file of files) {
      for (const call of file.statements.calls) {
        const { line, column } = file.locate(call.start);
        statements.set(`${file.name}:${line}:${column}`, { file, call, found: [], isFence: true });
      }
    }
    const statementOf = ({ location }: Instruction) =>
      location === undefined ? undefined : statements.get(`${location.file}:${location.line}:${location.column}`);
    const orders = new Map<object, string>();
    forEachInstruction(program, (instruction, position) => {
      const statement = statementOf(instruction);
      if (statement === undefined) return;
      if (instruction.op !== 'fence') {
        statement.isFence &&= LOCAL.has(instruction.op);
        return;
      }
      statement.isFence &&= (orders.get(statement) ?? instruction.order) === instruction.order;
      orders.set(statement, instruction.order);
      statement.found.push(position);
    });
    const isTaken = (position: Position): boolean => {
      const { func, block, index } = position;
      const instruction = program.functions[func]!.blocks[block]!.body[index]!;
      const statement = instruction.op === 'fence' ? statementOf(instruction) : undefined;
      return statement?.isFence === true && orders.get(statement) !== 'acquire';
    };
    const { program: bare, moved } = without(program, isTaken);
    const loops = new Loops(program);
    const places: Place[] = [];
    for (const statement of statements.values()) {
      const { file, call, found, isFence } = statement;
      const order = orders.get(statement);
      if (!isFence || order === undefined || order === 'acquire') continue;
      const kind: ChangeKind = order === 'seq_cst' ? 'full-fence' : 'store-fence';
      const weaker = kind === 'full-fence' ? weaken(file, call) : undefined;
      places.push({
        kind: 'point',
        positions: found.map((position) => moved(position)),
        location: file.locate(call.start),
        isInLoop: found.some((position) => loops.has(position)),
        kinds: weaker === undefined ? [kind] : ['full-fence', 'store-fence'],
      });
      this.fences.push({ file, call, kind, weaker });
    }
    this.candidates = makeCandidates(bare, places, costs);
  }

  get count(): number {
    return this.fences.length;
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

/** Instructions that a fence may come with. */
const LOCAL: ReadonlySet<string> = new Set(['move', 'cast', 'jump']);

/** The program without some instructions, and where the place before an instruction is then. */
function without(
  program: Program,
  isTaken: (position: Position) => boolean,
): { program: Program; moved: (position: Position) => Position } {
  const taken = new Map<string, number[]>();
  const functions = program.functions.map((f, func) => ({
    ...f,
    blocks: f.blocks.map((b, block) => {
      const gone = [...b.body.keys()].filter((index) => isTaken({ func, block, index }));
      if (gone.length === 0) return b;
      taken.set(`${func} ${block}`, gone);
      return { ...b, body: b.body.filter((_, index) => !gone.includes(index)) };
    }),
  }));
  return {
    program: { ...program, functions },
    moved: ({ func, block, index }) => {
      const before = (taken.get(`${func} ${block}`) ?? []).filter((gone) => gone < index).length;
      return { func, block, index: index - before };
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
