/**
 * The pipeline of `fix`: a C program that fails under a relaxed model → the cheapest changes that fix it, proved, as a
 * patch.
 *
 *   sources → marked, compiled → what could be changed → synthesis → patched sources → compiled, checked from scratch
 *
 * SC comes first: no fence can fix a failure there.
 */

import { type Bound, Bounds } from '../../explore/bound.ts';
import { Additions } from '../../fix/additions.ts';
import { applyChanges } from '../../fix/apply.ts';
import { AskedBy } from '../../fix/asked-by.ts';
import type { Candidates, Change, ChangeKind, Costs, Place, Position, Target } from '../../fix/candidates.ts';
import { type Explanation, explainChange, explainImpossible } from '../../fix/explain.ts';
import { MARK, MARK_SOURCE } from '../../fix/marks.ts';
import { findObstacle, type Obstacle, UNORDERED } from '../../fix/obstacle.ts';
import type { Spelling } from '../../fix/orders.ts';
import type { Patch } from '../../fix/patch.ts';
import { findPresent, PresentFences, type Untouched } from '../../fix/present-fences.ts';
import { findPresentOrders, PresentOrders, type WeakenedOrder } from '../../fix/present-orders.ts';
import { Reached } from '../../fix/reached.ts';
import { type Shapes, shapesOf } from '../../fix/shape.ts';
import { type FileEdits, readMacroFiles, readSource, readSources, type SourceFile } from '../../fix/source-file.ts';
import { type Learnt, Synthesis } from '../../fix/synthesis.ts';
import type { CProgramOptions } from '../../frontend/llvm/c-program.ts';
import { loadChanged } from '../../frontend/llvm/changed-files.ts';
import { CompileError } from '../../frontend/llvm/clang/compile-error.ts';
import { isCxxFile } from '../../frontend/llvm/clang/source-kinds.ts';
import { type FixModel, isLanguage, weakest } from '../../models/index.ts';
import { SC } from '../../models/sc.ts';
import type { Goal } from '../../options/fix.ts';
import type { Program } from '../../program/ir.ts';
import type { Location } from '../../program/location.ts';
import { CheckRun } from '../check.ts';
import type { ModelResult } from '../model-run.ts';
import { checkerFor } from './goals.ts';
import { type Drive, type Proof, type ProofOptions, provePatched } from './patched.ts';

export interface FixOptions extends ProofOptions {
  readonly costs: Costs;
  /** List up to this many cheapest sets. */
  readonly solutions: number;
  /** Instead of adding fences, remove those that are not needed. */
  readonly minimise: boolean;
}

export interface ChangeResult {
  readonly kind: ChangeKind;
  readonly place: Place;
  readonly cost: number;
  /** Only for changes of the chosen set. */
  readonly why?: Explanation | undefined;
  /** If the model of the language is one of several: those under which the change is needed. */
  readonly askedBy?: readonly FixModel[];
}

/** An existing fence: its kind before and now, if it is still there. */
interface RemovalResult {
  readonly place: Place;
  readonly before: ChangeKind;
  readonly after: ChangeKind | undefined;
}

interface Common {
  readonly goal: Goal;
  readonly minimise: boolean;
  readonly models: readonly FixModel[];
  readonly sc: ModelResult;
  readonly boundedBy: readonly Bound[];
  /** With `minimise`: fences that were not examined. */
  readonly untouched: readonly Untouched[];
}

export type FixResult = Common &
  (
    | { readonly kind: 'sc' }
    /** Stopped before anything was found. */
    | { readonly kind: 'stopped' }
    /** Nothing to add, or with `minimise` nothing to remove. */
    | {
        readonly kind: 'unneeded';
        /** As for `fixed`; all of them are needed. */
        readonly orders: readonly WeakenedOrder[];
      }
    | {
        readonly kind: 'impossible';
        readonly learnt: Learnt;
        /** Two accesses that nothing keeps in order; absent if SC allows the execution. */
        readonly between: (Explanation & Obstacle) | undefined;
      }
    | {
        readonly kind: 'fixed';
        /** What is added; with `minimise`, what stays. */
        readonly changes: readonly ChangeResult[];
        readonly removed: readonly RemovalResult[];
        /** With `minimise`, under the model of the language: every access and fence that was examined. */
        readonly orders: readonly WeakenedOrder[];
        readonly cost: number;
        /** Other sets of the same cost. */
        readonly others: readonly (readonly ChangeResult[])[];
        readonly hasMore: boolean;
        readonly patches: readonly Patch[];
        /** The folder in which the patches apply. */
        readonly folder: string;
        readonly proofs: readonly Proof[];
        /** Number of executions that the synthesis learnt from. */
        readonly learnt: number;
      }
  );

/** Candidates, and how to express sets of them in the text. */
interface Options {
  readonly candidates: Candidates;
  readonly editsOf: (changes: readonly Change[], spelling: Spelling) => FileEdits;
  /** What the patched sources must compile to, if that is known. */
  readonly shapes: (changes: readonly Change[]) => Shapes | undefined;
  readonly removed: (changes: readonly Change[]) => readonly RemovalResult[];
  readonly orders: (changes: readonly Change[]) => readonly WeakenedOrder[];
  readonly untouched: readonly Untouched[];
}

/** `program` is what the unchanged files compile to. */
export async function fix(
  files: readonly string[],
  program: Program,
  options: FixOptions,
  drive: Drive,
): Promise<FixResult> {
  const { goal, models, check, minimise, helpers } = options;
  const scRun = new CheckRun(program, { ...check, models: [SC.name], monitors: false }, helpers);
  await drive(scRun, () => `${scRun.progress?.executions ?? 0} sc executions`);
  const sc = scRun.results[0]!;
  const basis = { goal, minimise, models, sc, boundedBy: sc.boundedBy, untouched: [] };
  if (sc.errors.length > 0) return { ...basis, kind: 'sc' };

  const plain = await compilePlain(files, program, options.compile);
  const sources = readSources(plain, options.compile.headers, files.some(isCxxFile));
  const synthesize = async (inMacros: boolean) => {
    const found = minimise
      ? await findRemovable(plain, sources, options, drive)
      : await findPossible(files, inMacros ? [...sources, ...macroFiles] : sources, options, inMacros);
    const run = new Synthesis(found.candidates, models, checkerFor(goal, check, helpers), options.solutions);
    await drive(run, () => {
      const { sets, model, executions } = run.progress ?? { sets: 0, model: '', executions: 0 };
      return `set of changes ${sets}, ${executions} ${model} executions`;
    });
    return { possible: found, synthesis: run };
  };
  let macroFiles: readonly SourceFile[] = [];
  let { possible, synthesis } = await synthesize(false);
  if (synthesis.result.kind === 'impossible' && !minimise) {
    macroFiles = await findMacroFiles(files, sources, options.compile);
    const hasMacros = [...sources, ...macroFiles].some(({ statements }) => statements.macroGaps.length > 0);
    if (hasMacros) ({ possible, synthesis } = await synthesize(true));
  }
  const common = { ...basis, untouched: possible.untouched };
  const { result, learnt } = synthesis;
  if (result.kind === 'impossible') {
    const why = explainImpossible(result.learnt, possible.candidates);
    const between = why && { ...why, ...obstacleOf(why, sources) };
    return { ...common, kind: 'impossible', learnt: result.learnt, between };
  }
  const bounds = new Bounds();
  bounds.add(...sc.boundedBy, ...result.bounds);
  if (result.kind === 'stopped') return { ...common, kind: 'stopped', boundedBy: bounds.list };
  const { candidates } = possible;
  const [chosen, ...others] = result.solutions.map((set) => inTextOrder(set, candidates));
  const removed = possible.removed(chosen!).toSorted((a, b) => compareLocations(a.place, b.place));
  const orders = possible.orders(chosen!).toSorted((a, b) => compareLocations(a.place, b.place));
  const isWeaker = removed.length > 0 || orders.some(({ now, could }) => now !== could);
  const isChanged = minimise ? isWeaker : chosen!.length > 0;
  if (!isChanged) return { ...common, kind: 'unneeded', orders, boundedBy: bounds.list };

  const asked = new AskedBy(candidates, isAsked(models) ? chosen! : [], models, checkerFor(goal, check));
  await drive(asked, () => 'finding which model asks for which change');
  const { patches, folder, proofs } = await provePatched(
    files,
    (spelling) => possible.editsOf(chosen!, spelling),
    // The functions of <atomic> compile to more than the one instruction.
    files.some(isCxxFile) ? undefined : possible.shapes(chosen!),
    options,
    drive,
  );
  for (const { verdict, boundedBy } of proofs) if (verdict.kind === 'inconclusive') bounds.add(...boundedBy);
  return {
    ...common,
    kind: 'fixed',
    changes: chosen!.map((change) => ({
      ...describe(change, candidates),
      why: explainChange(change, chosen!, learnt, candidates),
      ...(isAsked(models) ? { askedBy: asked.of(change) } : {}),
    })),
    removed,
    orders,
    cost: result.cost,
    others: others.map((set) => set.map((change) => describe(change, candidates))),
    hasMore: result.hasMore,
    patches,
    folder,
    proofs,
    learnt: learnt.length,
    boundedBy: bounds.list,
  };
}

/** Whether to say which model asks for which change. */
function isAsked(models: readonly FixModel[]): boolean {
  return models.length > 1 && targetOf(models) === 'language';
}

function obstacleOf({ model, late, early }: Explanation, sources: readonly SourceFile[]): Obstacle {
  return isLanguage(model) ? UNORDERED : findObstacle(late.source, early.source, sources);
}

/** Whether changes that order nothing on the machines may help. */
function targetOf(models: readonly FixModel[]): Target {
  return models.some(isLanguage) ? 'language' : 'machines';
}

function describe({ kind, place, cost }: Change, { places }: Candidates): ChangeResult {
  return { kind, cost, place: places[place]! };
}

function inTextOrder(set: readonly Change[], { places }: Candidates): readonly Change[] {
  return set.toSorted((a, b) => compareLocations(places[a.place]!, places[b.place]!));
}

const NOWHERE: Location = { file: '', line: 0, column: 0 };

function compareLocations({ location: a = NOWHERE }: Place, { location: b = NOWHERE }: Place): number {
  return a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column;
}

/** The existing fences that executions reach. Removing others changes no execution, so nothing is known about them. */
async function findRemovable(
  program: Program,
  sources: readonly SourceFile[],
  { models, check, costs }: FixOptions,
  drive: Drive,
): Promise<Options> {
  // The executions of TSO are among those of PSO, and both among those of the language.
  const model = weakest(models);
  const search = checkerFor('safe', check);
  const findReached = async (list: readonly { readonly positions: readonly Position[] }[]): Promise<Reached> => {
    const places = list.map(({ positions }) => positions);
    const reached = new Reached(program, places, (failing) => search(failing, model));
    await drive(reached, () => `finding fences reachable under ${model}, ${reached.left.size} left`);
    return reached;
  };
  if (targetOf(models) === 'language') {
    const all = findPresentOrders(program, sources);
    const present = new PresentOrders(program, sources, all, await findReached(all), costs);
    return {
      candidates: present.candidates,
      editsOf: (changes, spelling) => present.editsOf(changes, spelling),
      shapes: () => undefined,
      removed: () => [],
      orders: (changes) => present.weakened(changes),
      untouched: present.untouched,
    };
  }
  const all = findPresent(program, sources);
  const present = new PresentFences(program, sources, all, await findReached(all), costs);
  return {
    candidates: present.candidates,
    editsOf: (changes, spelling) => present.editsOf(changes, spelling),
    shapes: () => undefined,
    removed: (changes) => present.removed(changes),
    orders: () => [],
    untouched: present.untouched,
  };
}

async function findPossible(
  files: readonly string[],
  sources: readonly SourceFile[],
  options: FixOptions,
  inMacros: boolean,
): Promise<Options> {
  const additions = new Additions(sources, inMacros);
  const marked = await compileMarked(files, additions, sources, options.compile);
  const candidates = additions.read(marked, options.costs, targetOf(options.models));
  return {
    candidates,
    editsOf: (changes, spelling) => additions.editsOf(changes, spelling),
    shapes: (changes) => shapesOf(applyChanges(candidates, changes), MARK),
    removed: () => [],
    orders: () => [],
    untouched: [],
  };
}

/** Headers without code, whose macros have several statements. */
async function findMacroFiles(
  files: readonly string[],
  sources: readonly SourceFile[],
  options: CProgramOptions,
): Promise<readonly SourceFile[]> {
  const { inputs } = await loadChanged(files, options, new Map());
  const paths = inputs?.files.map(([path]) => path) ?? [];
  return readMacroFiles(paths, sources, options.headers, files.some(isCxxFile));
}

/** The program with locations as in the files, even where `#line` overrides them. */
async function compilePlain(files: readonly string[], program: Program, options: CProgramOptions): Promise<Program> {
  const texts = plainTexts([
    ...files.map((name) => readSource(name)),
    ...readSources(program, options.headers, files.some(isCxxFile)),
  ]);
  return texts.size === 0 ? program : (await loadChanged(files, options, texts)).program;
}

/** Texts of the files that have `#line`. */
function plainTexts(sources: readonly SourceFile[]): ReadonlyMap<string, string> {
  const changed = sources.filter(({ text, plainText }) => text !== plainText);
  return new Map(changed.map(({ name, plainText }) => [name, plainText]));
}

/**
 * Omits marks that clang rejects or that change the program, which happens where macros are not what they look like.
 */
async function compileMarked(
  files: readonly string[],
  additions: Additions,
  sources: readonly SourceFile[],
  compile: CProgramOptions,
): Promise<Program> {
  const options = { ...compile, asWritten: true };
  const plain = shapesOf((await loadChanged(files, options, plainTexts(sources))).program);
  for (;;) {
    try {
      const { program } = await loadChanged(files, options, additions.markedFiles(), MARK_SOURCE);
      if (!additions.refuseChanged(program, plain)) return program;
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      if (!additions.refuse(error.diagnostics) && !additions.refuseAll()) throw error;
    }
  }
}
