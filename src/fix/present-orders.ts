/**
 * The memory orders that a program has, for the model of the language: how much of each access's and each fence's order
 * the program needs. This is the same question as which orders to add to the program with every access relaxed and all
 * fences removed. Unlike in `present-fences.ts`, nothing is kept for the sake of other machines: every order counts
 * here.
 */
import { type Bound, printBound } from '../explore/bound.ts';
import type { Instruction, Program } from '../program/ir.ts';
import { acquires, type FenceOrder, isAtomic, type Order, releases } from '../program/types.ts';
import { findAccesses, type WrittenAccess } from './accesses.ts';
import { fenceOrder, strengthen } from './apply.ts';
import {
  type Candidates,
  type Change,
  type ChangeKind,
  type Costs,
  forEachInstruction,
  instructionAt,
  makeCandidates,
  type Place,
  type Position,
} from './candidates.ts';
import { type FenceStatement, findFenceStatements } from './fence-statements.ts';
import { Loops } from './loops.ts';
import { joinedOrder, type Spelling } from './orders.ts';
import { replaceFence, type Untouched, without } from './present-fences.ts';
import type { Reached } from './reached.ts';
import type { FileEdits, SourceFile } from './source-file.ts';
import type { TextEdit } from './text.ts';

/** What an access or fence is (`now`) and what would suffice (`could`); `undefined` if it is not needed. */
export interface WeakenedOrder {
  readonly place: Place;
  readonly what: string;
  readonly now: string;
  readonly could: string | undefined;
}

interface PresentOrder {
  readonly file: SourceFile;
  readonly start: number;
  readonly positions: readonly Position[];
  readonly kinds: readonly ChangeKind[];
  readonly what: string;
  /** The access; absent for a fence. */
  readonly access: Instruction | undefined;
  /** Its order in words, with these kinds kept. */
  readonly after: (kept: readonly ChangeKind[]) => string | undefined;
  readonly become: (kept: readonly ChangeKind[], spelling: Spelling) => readonly TextEdit[];
}

/** All accesses and fences whose orders could be weaker and are written in the text. */
export function findPresentOrders(program: Program, files: readonly SourceFile[]): readonly PresentOrder[] {
  return [
    ...findFenceStatements(program, files, orderOfFence).map(presentFence),
    ...files.flatMap((file) => findAccesses(program, file).flatMap((access) => presentAccess(program, file, access))),
  ];
}

export class PresentOrders {
  /** The program with all of them as weak as possible; the changes restore them. */
  readonly candidates: Candidates;
  readonly untouched: readonly Untouched[];
  private readonly present: readonly PresentOrder[];

  /** Those of `all` that no execution reaches stay, since nothing is known about them. */
  constructor(
    program: Program,
    files: readonly SourceFile[],
    all: readonly PresentOrder[],
    { left, bounds }: Pick<Reached, 'left' | 'bounds'>,
    costs: Costs,
  ) {
    this.present = all.filter((_, i) => !left.has(i));
    const [accesses, fences] = [this.present.filter(isAccess), this.present.filter((one) => !isAccess(one))];
    const { program: bare, moved } = without(program, positionsOf(fences), positionsOf(accesses), relax);
    const loops = new Loops(program);
    const places = this.present.map(
      ({ file, start, positions, kinds, access }): Place => ({
        kind: access === undefined ? 'point' : 'access',
        positions: positions.map(moved),
        location: file.locate(start),
        isInLoop: positions.some((position) => loops.has(position)),
        kinds,
      }),
    );
    this.candidates = makeCandidates(bare, places, costs);
    this.untouched = [
      ...all.filter((_, i) => left.has(i)).map((one) => unreached(one, bounds)),
      ...findUnwritten(program, files, positionsOf(all)),
    ].sort(
      ({ location: a }, { location: b }) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column,
    );
  }

  /** What became of each that was examined, if only these changes are kept. */
  weakened(kept: readonly Change[]): readonly WeakenedOrder[] {
    return this.present.map(({ what, kinds, after }, number) => ({
      place: this.candidates.places[number]!,
      what,
      now: after(kinds)!,
      could: after(this.keptAt(kept, number)),
    }));
  }

  editsOf(kept: readonly Change[], spelling: Spelling): FileEdits {
    const edits = new Map<SourceFile, TextEdit[]>();
    for (const [number, { file, kinds, after, become }] of this.present.entries()) {
      const own = this.keptAt(kept, number);
      if (after(own) === after(kinds)) continue;
      edits.set(file, [...(edits.get(file) ?? []), ...become(own, file.spelled(spelling))]);
    }
    return edits;
  }

  private keptAt(kept: readonly Change[], place: number): readonly ChangeKind[] {
    return kept.filter((change) => change.place === place).map(({ kind }) => kind);
  }
}

function isAccess({ access }: PresentOrder): boolean {
  return access !== undefined;
}

function positionsOf(list: readonly PresentOrder[]): readonly Position[] {
  return list.flatMap(({ positions }) => positions);
}

function orderOfFence(instruction: Instruction): FenceOrder | undefined {
  return instruction.op === 'fence' ? instruction.order : undefined;
}

function presentFence({ file, call, kind: order, positions }: FenceStatement<FenceOrder>): PresentOrder {
  const after = (kept: readonly ChangeKind[]): FenceOrder | undefined => joinedOrder(kept.map(fenceOrder));
  return {
    file,
    start: call.start,
    positions,
    kinds: [
      ...(order === 'seq_cst' ? (['full-fence'] as const) : []),
      ...(releases(order) ? (['store-fence'] as const) : []),
      ...(acquires(order) ? (['acquire-fence'] as const) : []),
    ],
    what: 'fence',
    access: undefined,
    after,
    become: (kept, spelling) => [replaceFence(file, call, after(kept), spelling)],
  };
}

function presentAccess(program: Program, file: SourceFile, { written, positions }: WrittenAccess): PresentOrder[] {
  const now = instructionAt(program, positions[0]!);
  const kinds = kindsOf(now);
  if (kinds === undefined || kinds.length === 0) return [];
  const afterwards = (kept: readonly ChangeKind[]): Instruction => kept.reduce(strengthen, relax(now));
  return [
    {
      file,
      start: written.call,
      positions,
      kinds,
      what: `${ACCESS[now.op]}${now.location?.variable === undefined ? '' : ` of ${now.location.variable}`}`,
      access: now,
      after: (kept) => orderText(afterwards(kept)),
      become: (kept, spelling) => written.respell(ordersOf(afterwards(kept)), spelling),
    },
  ];
}

const ACCESS: Readonly<Record<string, string>> = {
  load: 'load',
  store: 'store',
  rmw: 'read-modify-write',
  cmpxchg: 'compare-exchange',
};

function ordersOf(access: Instruction): { order: Order; failureOrder?: Order } {
  if (!('order' in access)) throw new Error(`${access.op} has no order`);
  return access.op === 'cmpxchg' ? { order: access.order, failureOrder: access.failureOrder } : { order: access.order };
}

function orderText(access: Instruction): string {
  const { order, failureOrder } = ordersOf(access);
  return failureOrder === undefined ? order : `${order}, ${failureOrder} if it fails`;
}

/** An access as weak as it can be. */
function relax(access: Instruction): Instruction {
  const failure = access.op === 'cmpxchg' ? { failureOrder: 'relaxed' as const } : {};
  return { ...access, order: 'relaxed', ...failure } as Instruction;
}

/** The kinds of change that turn the relaxed access into what it is now; `undefined` if none do. */
function kindsOf(access: Instruction): readonly ChangeKind[] | undefined {
  if (!('order' in access) || !Object.hasOwn(ACCESS, access.op) || !isAtomic(access.order)) return undefined;
  const { order } = access;
  const failure = access.op === 'cmpxchg' ? access.failureOrder : order;
  if ((order === 'seq_cst') !== (failure === 'seq_cst')) return undefined;
  return [
    ...(access.op !== 'load' && releases(order) ? (['release'] as const) : []),
    ...(access.op !== 'store' && acquires(order) ? (['acquire'] as const) : []),
    ...(access.op === 'cmpxchg' && acquires(failure) ? (['acquire-failure'] as const) : []),
    ...(order === 'seq_cst' ? (['seq_cst'] as const) : []),
  ];
}

function unreached({ file, start, what, kinds, after }: PresentOrder, bounds: readonly Bound[]): Untouched {
  const upTo = bounds.length === 0 ? '' : ` up to the bound (${bounds.map(printBound).join('; ')})`;
  return {
    location: { ...file.locate(start), file: file.name },
    what: `${after(kinds)} ${what}`,
    why: `no execution${upTo} reaches it, so nothing is known`,
  };
}

const UNWRITTEN = 'its order is not an argument that could be changed; write it out, outside macros';

/**
 * The user's accesses and fences that are stronger than relaxed, but whose order is not written where it could be
 * changed.
 */
function findUnwritten(
  program: Program,
  files: readonly SourceFile[],
  known: readonly Position[],
): readonly Untouched[] {
  const keys = new Set(known.map(({ func, block, index }) => `${func} ${block} ${index}`));
  const found = new Map<string, Untouched>();
  forEachInstruction(program, (instruction, { func, block, index }) => {
    const { location } = instruction;
    const file = location && files.find(({ names }) => names.has(location.file));
    if (file === undefined || program.functions[func]!.isLibrary === true || keys.has(`${func} ${block} ${index}`))
      return;
    const isStrong = 'order' in instruction && isAtomic(instruction.order) && instruction.order !== 'relaxed';
    const isOurs = instruction.op !== 'fence' && location!.variable === undefined;
    if (!isStrong || isOurs) return;
    const what = instruction.op === 'fence' ? 'fence' : ACCESS[instruction.op];
    if (what === undefined) return;
    const { line, column } = location!;
    const of = instruction.op === 'fence' ? '' : ` of ${location!.variable}`;
    const here = {
      location: { ...location!, file: file.name },
      what: `${instruction.order} ${what}${of}`,
      why: UNWRITTEN,
    };
    found.set(`${file.name}:${line}:${column} ${what}`, here);
  });
  return [...found.values()];
}
