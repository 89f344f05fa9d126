/**
 * The fences and seq_cst stores that a program has, each to be kept, weakened or removed. This is the same question as
 * which of them to add to the program without them. Only fences that order stores are considered: others have no effect
 * under TSO and PSO, but other machines may need them. For the same reason a store that need not be seq_cst stays
 * release.
 */
import { type Bound, printBound } from '../explore/bound.ts';
import type { Instruction, Program } from '../program/ir.ts';
import type { Location } from '../program/location.ts';
import type { FenceOrder } from '../program/types.ts';
import { findAccesses, type WrittenAccess } from './accesses.ts';
import {
  type Candidates,
  type Change,
  type ChangeKind,
  type Costs,
  FENCES,
  forEachInstruction,
  makeCandidates,
  type Place,
  type Position,
} from './candidates.ts';
import {
  type FenceStatement,
  fenceFunctions,
  findFenceStatements,
  findUncompiledFences,
  kindOfFence,
} from './fence-statements.ts';
import { Loops } from './loops.ts';
import { orderOf, type Spelling, spellFence, spellOrder } from './orders.ts';
import type { Reached } from './reached.ts';
import type { FileEdits, SourceFile } from './source-file.ts';
import type { CallStatement } from './statements.ts';
import type { TextEdit } from './text.ts';

/** A fence or store that is left as it is without checking whether it is needed, and why. */
export interface Untouched {
  readonly location: Location;
  readonly what: string;
  readonly why: string;
}

/** A fence, to be kept, weakened or removed; or a seq_cst store, to be kept or made a release store. */
interface Present {
  readonly file: SourceFile;
  readonly start: number;
  readonly kind: ChangeKind;
  readonly positions: readonly Position[];
  /** What it becomes if none of `kinds` is kept; `undefined` if it is removed. */
  readonly least: ChangeKind | undefined;
  readonly kinds: readonly ChangeKind[];
  /** The edits that change it to another kind. */
  readonly become: (kind: ChangeKind | undefined, spelling: Spelling) => readonly TextEdit[];
}

export class PresentFences {
  /** The program with all of them removed or weakened; the changes restore them. */
  readonly candidates: Candidates;
  readonly untouched: readonly Untouched[];
  private readonly present: readonly Present[];

  /** Those of `all` that no execution reaches stay, since nothing is known about them. */
  constructor(
    program: Program,
    files: readonly SourceFile[],
    all: readonly Present[],
    { left, bounds }: Pick<Reached, 'left' | 'bounds'>,
    costs: Costs,
  ) {
    const present = all.filter((_, i) => !left.has(i));
    this.present = present;
    const [stores, fences] = [present.filter(isStore), present.filter((one) => !isStore(one))];
    const { program: bare, moved } = without(program, positionsOf(fences), positionsOf(stores), release);
    const loops = new Loops(program);
    const places = this.present.map(
      ({ file, start, positions, kinds, least }): Place => ({
        kind: least === undefined ? 'point' : 'access',
        positions: positions.map(moved),
        location: file.locate(start),
        isInLoop: positions.some((position) => loops.has(position)),
        kinds,
      }),
    );
    this.candidates = makeCandidates(bare, places, costs);
    const never = notReached([]);
    const unreached = [
      ...all.filter((_, i) => left.has(i)).map((one) => ({ ...one, why: notReached(bounds) })),
      ...findUncompiledFences(program, files).map((one) => ({ ...one, positions: [], why: never })),
    ];
    this.untouched = findUntouched(program, files, positionsOf(present), unreached);
  }

  /** The fences and stores that are removed or weakened if only these changes are kept. */
  removed(
    kept: readonly Change[],
  ): readonly { readonly place: Place; readonly before: ChangeKind; readonly after: ChangeKind | undefined }[] {
    return this.present.flatMap(({ kind }, place) => {
      const after = this.after(kept, place);
      return after === kind ? [] : [{ place: this.candidates.places[place]!, before: kind, after }];
    });
  }

  editsOf(kept: readonly Change[], spelling: Spelling): FileEdits {
    const edits = new Map<SourceFile, TextEdit[]>();
    for (const [place, { file, kind, become }] of this.present.entries()) {
      const after = this.after(kept, place);
      if (after === kind) continue;
      edits.set(file, [...(edits.get(file) ?? []), ...become(after, file.spelled(spelling))]);
    }
    return edits;
  }

  private after(kept: readonly Change[], place: number): ChangeKind | undefined {
    return kept.find((change) => change.place === place)?.kind ?? this.present[place]!.least;
  }
}

/** All fences and seq_cst stores of a program that can be changed. */
export function findPresent(program: Program, files: readonly SourceFile[]): readonly Present[] {
  const stores = files.flatMap((file) =>
    findAccesses(program, file)
      .filter(({ order, written }) => order === 'seq_cst' && written.ops.includes('store'))
      .map((access) => presentStore(file, access)),
  );
  return [...findFenceStatements(program, files).map(presentFence), ...stores];
}

function isStore({ kind }: Present): boolean {
  return kind === 'seq_cst';
}

function positionsOf(list: readonly Pick<Present, 'positions'>[]): readonly Position[] {
  return list.flatMap(({ positions }) => positions);
}

function presentFence({ file, call, kind, positions }: FenceStatement): Present {
  const become = (after: ChangeKind | undefined, spelling: Spelling): readonly TextEdit[] => [
    replaceFence(file, call, after === undefined ? undefined : 'release', spelling),
  ];
  const kinds = kind === 'full-fence' ? FENCES.machines : [kind];
  return { file, start: call.start, kind, positions, least: undefined, kinds, become };
}

function presentStore(file: SourceFile, { written, positions }: WrittenAccess): Present {
  const become = (_: ChangeKind | undefined, spelling: Spelling): readonly TextEdit[] =>
    written.respell({ order: 'release' }, spelling);
  return { file, start: written.call, kind: 'seq_cst', positions, least: 'release', kinds: ['seq_cst'], become };
}

/** The reason given for places that no execution reached within these bounds. */
function notReached(bounds: readonly Bound[]): string {
  const upTo = bounds.length === 0 ? '' : ` up to the bound (${bounds.map(printBound).join('; ')})`;
  return `no execution${upTo} reaches it, so nothing is known`;
}

const NOT_ALONE = 'it is not a separate statement; make it one, outside macros and expressions';
const LOADS_ONLY = 'it orders only loads, which tso and pso never reorder but other machines do';
const NO_ORDER = 'its order is implicit; write atomic_store_explicit(…, memory_order_seq_cst)';

const WHAT: Readonly<Record<ChangeKind, string>> = {
  'full-fence': 'full fence',
  'store-fence': 'store-store fence',
  'acquire-fence': 'acquire fence',
  release: 'seq_cst store',
  acquire: 'seq_cst store',
  'acquire-failure': 'seq_cst store',
  seq_cst: 'seq_cst store',
};

function findUntouched(
  program: Program,
  files: readonly SourceFile[],
  touched: readonly Position[],
  unreached: readonly (Pick<Present, 'file' | 'start' | 'kind' | 'positions'> & Pick<Untouched, 'why'>)[],
): readonly Untouched[] {
  const known = new Set(
    [...touched, ...positionsOf(unreached)].map(({ func, block, index }) => `${func} ${block} ${index}`),
  );
  const functions = fenceFunctions(program);
  const found = new Map<string, Untouched>();
  for (const { file, start, kind, why } of unreached) {
    const location = file.locate(start);
    found.set(`${file.name}:${location.line}:${location.column}`, { location, what: WHAT[kind], why });
  }
  forEachInstruction(program, (instruction, { func, block, index }) => {
    const { location } = instruction;
    const file = location && files.find(({ names }) => names.has(location.file));
    if (file === undefined || program.functions[func]!.isLibrary === true) return;
    const called = instruction.op === 'call' && instruction.callee.kind === 'function' && instruction.callee.index;
    const kind = called === false ? kindOfFence(instruction) : functions.get(called);
    if (functions.has(func) || known.has(`${func} ${block} ${index}`)) return;
    const add = (what: Untouched['what'], why: string): void => {
      const { line, column } = location!;
      found.set(`${file.name}:${line}:${column} ${what}`, { location: { ...location!, file: file.name }, what, why });
    };
    if (kind !== undefined) add(WHAT[kind], NOT_ALONE);
    else if (instruction.op === 'fence') add('acquire fence', LOADS_ONLY);
    else if (instruction.op === 'store' && instruction.order === 'seq_cst') add('seq_cst store', NO_ORDER);
  });
  return [...found.values()].sort(
    ({ location: a }, { location: b }) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column,
  );
}

function release(store: Instruction): Instruction {
  return { ...store, order: 'release' } as Instruction;
}

/** The program with some instructions removed and others weakened, and where each position has moved. */
export function without(
  program: Program,
  taken: readonly Position[],
  weaker: readonly Position[],
  weaken: (instruction: Instruction) => Instruction,
): { program: Program; moved: (position: Position) => Position } {
  const indices = (list: readonly Position[], func: number, block: number): readonly number[] =>
    list.filter((t) => t.func === func && t.block === block).map(({ index }) => index);
  const functions = program.functions.map((f, func) => ({
    ...f,
    blocks: f.blocks.map((b, block) => {
      const gone = indices(taken, func, block);
      const released = indices(weaker, func, block);
      if (gone.length === 0 && released.length === 0) return b;
      const body = b.body.flatMap((instruction, index): readonly Instruction[] => {
        if (gone.includes(index)) return [];
        return [released.includes(index) ? weaken(instruction) : instruction];
      });
      return { ...b, body };
    }),
  }));
  return {
    program: { ...program, functions },
    moved: ({ func, block, index }) => {
      return { func, block, index: index - indices(taken, func, block).filter((i) => i < index).length };
    },
  };
}

/** Removes the whole line if nothing else is on it; leaves an empty statement where one is required. */
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

/** A fence of this order in place of another one, or none. */
export function replaceFence(
  file: SourceFile,
  call: CallStatement,
  order: FenceOrder | undefined,
  spelling: Spelling,
): TextEdit {
  if (order === undefined) return removal(file, call);
  const { name, start, end } = call;
  const tokens = file.statements.tokens.filter((token) => token.start >= start && token.end <= end);
  const token = tokens.find((t) => orderOf(t.text) !== undefined);
  if (token === undefined || !/^(?:__)?atomic_thread_fence$/.test(name)) {
    return { start, end, text: spellFence(order, spelling) };
  }
  return { start: token.start, end: token.end, text: spellOrder(order, token.text, spelling) };
}
