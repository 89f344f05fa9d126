/**
 * What could be added to a program's sources: fences between statements, and stronger orders where an order is written.
 * The text is marked (`marks.ts`), compiled by the caller, and the marks are then found in the compiled program.
 */
import { resolve } from 'node:path';
import type { Instruction, Program } from '../program/ir.ts';
import type { Location } from '../program/location.ts';
import { findAccesses } from './accesses.ts';
import { fenceOrder, strengthen } from './apply.ts';
import {
  type Candidates,
  type Change,
  type ChangeKind,
  type Costs,
  FENCES,
  instructionAt,
  makeCandidates,
  type Place,
  type Position,
  strongerOrders,
  type Target,
} from './candidates.ts';
import { type LineOf, readComplaints } from './complaints.ts';
import { Loops } from './loops.ts';
import { fillGaps, MARK, markGaps, readMarks } from './marks.ts';
import { joinedOrder, type NewOrders, type Spelling, spellFence, type WrittenOrder } from './orders.ts';
import { differences, type Shapes, shapesOf } from './shape.ts';
import type { FileEdits, SourceFile } from './source-file.ts';
import type { Gap } from './statements.ts';
import { applyEdits, insertion, lineAndColumn, type TextEdit } from './text.ts';

/** Where a candidate place is in the text. */
type Origin =
  | { readonly file: SourceFile; readonly gap: Gap }
  | { readonly file: SourceFile; readonly written: WrittenOrder; readonly instruction: Instruction };

export class Additions {
  private readonly files: readonly SourceFile[];
  /** By number. */
  private readonly gaps: { readonly file: SourceFile; readonly gap: Gap; readonly line: number }[] = [];
  private readonly refused = new Set<number>();
  private readonly origins: Origin[] = [];

  /** With `inMacros`, fences may also go into the bodies of macros. */
  constructor(files: readonly SourceFile[], inMacros = false) {
    this.files = files;
    for (const file of files) {
      const { gaps, macroGaps } = file.statements;
      for (const gap of inMacros ? [...gaps, ...macroGaps] : gaps) {
        this.gaps.push({ file, gap, line: lineAndColumn(file.text, gap.offset).line });
      }
    }
  }

  /** The files with marks, to be compiled together with `MARK_SOURCE`. */
  markedFiles(): ReadonlyMap<string, string> {
    this.added.clear();
    return new Map(this.files.map((file) => [file.name, applyEdits(file.plainText, this.marksOf(file))]));
  }

  private marksOf(file: SourceFile): readonly TextEdit[] {
    const numbers = new Map<Gap, number>();
    for (const [number, { file: owner, gap }] of this.gaps.entries()) {
      if (owner === file && !this.refused.has(number)) numbers.set(gap, number);
    }
    return markGaps(numbers, file.isCxx);
  }

  /** Removes the marks that must have caused clang's errors. False if none can have. */
  refuse(diagnostics: string): boolean {
    const complaints = readComplaints(diagnostics);
    // Errors in macros one at a time: one may cause the next.
    if (complaints.some(({ macros }) => macros.some((line) => this.refuseNearest(line, true)))) return true;
    // Of the errors on lines without marks only the first: it may cause the others.
    const atOnce = complaints.filter((place) => this.refuseNearest(place, false, true));
    return atOnce.length > 0 || complaints.some((place) => this.refuseNearest(place, false));
  }

  /**
   * Refuses the marks on the line. If it has none, refuses the last ones before it (unless `onLine`), which may be the
   * cause. For a line in a macro, only the marks of that macro.
   */
  private refuseNearest({ file, line: markedLine }: LineOf, inMacro: boolean, onLine = false): boolean {
    const source = this.files.find(({ names }) => [...names].some((name) => resolve(name) === resolve(file)));
    if (source === undefined) return false;
    const line = markedLine - this.linesBefore(source, markedLine);
    const at = source.offsetOf({ file, line, column: 1 });
    const next = source.offsetOf({ file, line: line + 1, column: 1 });
    const isMeant = ({ macro }: Gap): boolean =>
      inMacro ? macro !== undefined && macro.start < next && at < macro.end : macro === undefined;
    const own = [...this.gaps.entries()].filter(([number, { file: owner, gap }]) => {
      return owner === source && !this.refused.has(number) && isMeant(gap);
    });
    const lines = own.map(([, gap]) => gap.line);
    const meant = onLine ? lines.find((l) => l === line) : (lines.filter((l) => l <= line).at(-1) ?? lines[0]);
    for (const [number, gap] of own) if (gap.line === meant) this.refused.add(number);
    return meant !== undefined;
  }

  /** Removes all marks; false if there were none. */
  refuseAll(): boolean {
    const before = this.refused.size;
    for (const number of this.gaps.keys()) this.refused.add(number);
    return this.refused.size > before;
  }

  /**
   * For functions that the marks made different from `plain`, removes the marks that may be the cause: first those
   * whose braces may enclose a macro of several statements. False if there is no such function.
   */
  refuseChanged(marked: Program, plain: Shapes): boolean {
    const { program, points } = readMarks(marked);
    const changed = differences(shapesOf(program, MARK), plain);
    if (changed.size === 0) return false;
    const own = [...points].filter(([, positions]) => {
      return positions.some(({ func }) => changed.has(program.functions[func]!.name));
    });
    const bodies = own.filter(([number]) => this.gaps[number]!.gap.body !== undefined);
    for (const [number] of bodies.length > 0 ? bodies : own) this.refused.add(number);
    return own.length > 0 || this.refuseAll();
  }

  /** The possible changes, given the compiled marked files. */
  read(marked: Program, costs: Costs, target: Target): Candidates {
    const { program: shifted, points } = readMarks(marked);
    const program = withLocations(shifted, (location) => this.unmark(location));
    const loops = new Loops(program);
    const places: Place[] = [];
    for (const number of this.distinctPoints(program, points)) {
      const positions = points.get(number)!;
      const isInLoop = positions.some((position) => loops.has(position));
      const { file, gap } = this.gaps[number]!;
      const behind = gap.isLast && gap.body !== undefined ? { behind: file.locate(gap.body.start) } : {};
      const location = file.locate(gap.offset);
      places.push({ kind: 'point', positions, isInLoop, kinds: FENCES[target], location, ...behind });
      this.origins.push({ file, gap });
    }
    for (const file of this.files) this.addAccesses(program, loops, file, target, places);
    return makeCandidates(program, places, costs);
  }

  /** Of several points with nothing visible between them, the last, preferring those that need no added braces. */
  private distinctPoints(program: Program, points: ReadonlyMap<number, readonly Position[]>): readonly number[] {
    const chosen = new Map<string, number>();
    for (const [number, positions] of [...points].sort(([a], [b]) => a - b)) {
      const key = positions.map((position) => effectOf(program, position)).join();
      const known = chosen.get(key);
      if (known === undefined || rank(this.gaps[number]!.gap) <= rank(this.gaps[known]!.gap)) chosen.set(key, number);
    }
    const trouble = (number: number): number => rank({ ...this.gaps[number]!.gap, isLast: false });
    // Of sets with equal cost the first is chosen, so troublesome points come last.
    return [...chosen.values()].sort((a, b) => trouble(a) - trouble(b) || a - b);
  }

  private addAccesses(program: Program, loops: Loops, file: SourceFile, target: Target, places: Place[]): void {
    for (const { written, positions } of findAccesses(program, file)) {
      const instruction = instructionAt(program, positions[0]!);
      const kinds = strongerOrders(instruction, target).filter((kind) => isWritten(kind, instruction, written));
      if (kinds.length === 0) continue;
      const isInLoop = positions.some((position) => loops.has(position));
      places.push({ kind: 'access', positions, kinds, location: file.locate(written.call), isInLoop });
      this.origins.push({ file, written, instruction });
    }
  }

  /** The place in the original file. */
  private unmark(location: Location): Location {
    const file = this.files.find(({ names }) => names.has(location.file));
    if (file === undefined) return location;
    const line = location.line - this.linesBefore(file, location.line);
    if (location.column === 0) return { ...location, line };
    let { column } = location;
    for (const { column: at, length } of this.shiftsOf(file).get(line) ?? []) {
      if (column < at + length) break;
      column -= length;
    }
    return { ...location, line, column };
  }

  /** How many lines the marks add before a line of the marked text. */
  private linesBefore(file: SourceFile, line: number): number {
    return this.addedLines(file).filter((added) => added < line).length;
  }

  /** The lines of the marked text that end in a mark: the rest of the original line, a directive, is the next line. */
  private addedLines(file: SourceFile): readonly number[] {
    const known = this.added.get(file);
    if (known !== undefined) return known;
    const marks = this.marksOf(file).filter(({ text }) => text.endsWith('\n'));
    const lines = marks
      .toSorted((a, b) => a.start - b.start)
      .map(({ start }, i) => lineAndColumn(file.text, start).line + i);
    this.added.set(file, lines);
    return lines;
  }

  /** The added lines, for the marks compiled last. */
  private readonly added = new Map<SourceFile, readonly number[]>();

  private readonly shifts = new Map<SourceFile, ReadonlyMap<number, readonly { column: number; length: number }[]>>();

  /** By line: the lengths of the texts that marks insert, and before which column. */
  private shiftsOf(file: SourceFile): ReadonlyMap<number, readonly { column: number; length: number }[]> {
    const known = this.shifts.get(file);
    if (known !== undefined) return known;
    const shifts = new Map<number, { column: number; length: number }[]>();
    for (const { start, text } of this.marksOf(file).toSorted((a, b) => a.start - b.start)) {
      if (text.endsWith('\n')) continue;
      const { line, column } = lineAndColumn(file.text, start);
      const list = shifts.get(line) ?? [];
      shifts.set(line, list);
      list.push({ column, length: text.length });
    }
    this.shifts.set(file, shifts);
    return shifts;
  }

  /** The text edits that make these changes. */
  editsOf(changes: readonly Change[], spelling: Spelling): FileEdits {
    const edits = new Map<SourceFile, TextEdit[]>();
    const inline = new Map<SourceFile, Map<Gap, string>>();
    const add = (file: SourceFile, edit: TextEdit): void => {
      edits.set(file, [...(edits.get(file) ?? []), edit]);
    };
    for (const place of new Set(changes.map((change) => change.place))) {
      const own = changes.filter((change) => change.place === place);
      const origin = this.origins[place]!;
      const { file } = origin;
      if ('written' in origin) {
        const orders = ordersAfter(origin.instruction, own);
        for (const edit of origin.written.respell(orders, file.isCxx ? file.spelled(spelling) : spelling))
          add(file, edit);
        continue;
      }
      const fence = spellFence(joinedOrder(own.map(({ kind }) => fenceOrder(kind)))!, file.spelled(spelling));
      const line = lineOfItsOwn(file, origin.gap, fence);
      if (line !== undefined) add(file, line);
      else inline.set(file, (inline.get(file) ?? new Map()).set(origin.gap, `${fence} `));
    }
    for (const [file, codes] of inline) for (const edit of fillGaps(codes)) add(file, edit);
    return edits;
  }
}

/** Whether the order that a change of this kind affects is written in the text. */
function isWritten(kind: ChangeKind, instruction: Instruction, { hasFailure }: WrittenOrder): boolean {
  const isExchange = instruction.op === 'cmpxchg';
  return isExchange && (kind === 'acquire-failure' || kind === 'seq_cst') ? hasFailure : true;
}

/** The orders of an access after these changes. */
function ordersAfter(instruction: Instruction, changes: readonly Change[]): NewOrders {
  const after = changes.reduce((access, { kind }) => strengthen(access, kind), instruction);
  if (!('order' in after)) throw new Error(`${after.op} has no order`);
  return { order: after.order, ...(after.op === 'cmpxchg' ? { failureOrder: after.failureOrder } : {}) };
}

/** A new line before that of the gap, if the gap comes first on its line. */
function lineOfItsOwn(
  { text, newline }: SourceFile,
  { offset, behindPragma = offset, isLast, body, macro }: Gap,
  fence: string,
): TextEdit | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const indent = text.slice(text.lastIndexOf('\n', behindPragma - 1) + 1, behindPragma);
  if (body !== undefined || indent.trim() !== '') return undefined;
  // A macro continues after a backslash.
  const end = macro === undefined ? newline : ` \\${newline}`;
  // Before a closing brace: indented like the statement before it.
  const above = /(?:^|\n)([ \t]*)\S[^\n]*\n\s*$/.exec(text.slice(0, start))?.[1] ?? '';
  return insertion(start, `${isLast && above.length > indent.length ? above : indent}${fence}${end}`);
}

/** How undesirable a gap is: lower is better. */
function rank({ body, isLast, macro, isInExpression }: Gap): number {
  return (macro !== undefined ? 8 : isInExpression === true ? 4 : 0) + (body === undefined ? 0 : 2) + (isLast ? 1 : 0);
}

/** The earliest place in the block where a fence has the same effect: after the last operation or call before it. */
function effectOf({ functions }: Program, { func, block, index }: Position): string {
  const { body } = functions[func]!.blocks[block]!;
  let first = index;
  while (first > 0 && INVISIBLE.has(body[first - 1]!.op)) first--;
  return `${func} ${block} ${first}`;
}

/** Instructions that are neither steps nor calls that may contain steps. */
const INVISIBLE: ReadonlySet<string> = new Set([
  ...[
    'move',
    'undefine',
    'binary',
    'unary',
    'compare',
    'cast',
    'select',
    'alloca',
    'peek',
    'poke',
    'threadlocal',
    'self',
  ],
]);

function withLocations(program: Program, map: (location: Location) => Location): Program {
  const move = (instruction: Instruction): Instruction =>
    instruction.location === undefined ? instruction : { ...instruction, location: map(instruction.location) };
  const functions = program.functions.map((f) =>
    f.isLibrary === true ? f : { ...f, blocks: f.blocks.map((b) => ({ ...b, body: b.body.map(move) })) },
  );
  return { ...program, functions };
}
