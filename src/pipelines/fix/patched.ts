/**
 * Patched sources: compiled, and checked from scratch. A fence has two names, and a name's meaning in a file is known
 * only once it is compiled: C11 names are tried first, then those of the compiler.
 */

import type { Bound } from '../../explore/bound.ts';
import type { Spelling } from '../../fix/orders.ts';
import { makePatches, type Patches } from '../../fix/patch.ts';
import { FixRefusal } from '../../fix/refusal.ts';
import { differences, type Shapes, shapesOf } from '../../fix/shape.ts';
import type { FileEdits, SourceFile } from '../../fix/source-file.ts';
import type { TextEdit } from '../../fix/text.ts';
import type { CProgramOptions } from '../../frontend/llvm/c-program.ts';
import { loadChanged } from '../../frontend/llvm/changed-files.ts';
import { CompileError } from '../../frontend/llvm/clang/compile-error.ts';
import { type FixModel, hasMonitors, type StoreBufferModel } from '../../models/index.ts';
import { causalMonitoring } from '../../monitor/monitors.ts';
import type { CheckOptions } from '../../options/check.ts';
import type { Goal } from '../../options/fix.ts';
import type { Program } from '../../program/ir.ts';
import { CheckRun } from '../check.ts';
import type { Helpers } from '../helpers.ts';
import { type Verdict, verdictWithoutViolation } from '../result.ts';
import { RobustRun } from '../robust.ts';
import { hasSections } from '../strategies.ts';
import type { Task } from '../task.ts';

/** Runs a task to its end, or stops it; `describe` gives its progress in words. */
export type Drive = (task: Task, describe: () => string) => Promise<void>;

export interface ProofOptions {
  readonly goal: Goal;
  readonly models: readonly FixModel[];
  readonly check: CheckOptions;
  readonly compile: CProgramOptions;
  /** The folder that the patch's paths are relative to; by default the current one. */
  readonly here?: string;
  /** Take part in long searches. */
  readonly helpers?: Helpers | undefined;
}

/** The results for the patched sources, under one model. */
export interface Proof {
  readonly model: FixModel;
  readonly verdict: Verdict;
  readonly executions: number;
  readonly boundedBy: readonly Bound[];
}

const SPELLINGS: readonly Spelling[] = ['c11', 'builtin'];

/** The patches of the first spelling that compiles to a program of these `shapes`, or at least to a correct one. */
export async function provePatched(
  files: readonly string[],
  editsOf: (spelling: Spelling) => FileEdits,
  shapes: Shapes | undefined,
  options: ProofOptions,
  drive: Drive,
): Promise<Patches & { readonly proofs: readonly Proof[] }> {
  const others: Compiled[] = [];
  let diagnostics: string | undefined;
  let hasCompiled = false;
  const proved = async ({ program, ...patches }: Compiled) => {
    const proofs = await prove(program, options, drive);
    return proofs.every(({ verdict }) => verdict.kind !== 'violation') ? { ...patches, proofs } : undefined;
  };
  for (const spelling of SPELLINGS) {
    try {
      const compiled = await compilePatched(files, editsOf(spelling), options);
      hasCompiled = true;
      if (shapes !== undefined && !(await hasShapes(files, compiled, shapes, options.compile))) others.push(compiled);
      else {
        const result = await proved(compiled);
        if (result !== undefined) return result;
      }
    } catch (error) {
      // The names are unknown in this file, or mean something else.
      if (!(error instanceof CompileError)) throw error;
      diagnostics = error.diagnostics;
    }
  }
  for (const compiled of others) {
    const result = await proved(compiled);
    if (result !== undefined) return result;
  }
  throw refusal(editsOf('builtin'), hasCompiled ? undefined : diagnostics);
}

type Compiled = Patches & { readonly program: Program };

async function compilePatched(
  files: readonly string[],
  edits: FileEdits,
  { compile, here }: Pick<ProofOptions, 'compile' | 'here'>,
): Promise<Compiled> {
  const patches = makePatches(edits, here);
  return { ...patches, program: (await loadChanged(files, compile, textsOf(patches))).program };
}

function textsOf({ patches }: Patches): ReadonlyMap<string, string> {
  return new Map(patches.map(({ file, after }) => [file, after]));
}

async function hasShapes(
  files: readonly string[],
  patches: Patches,
  shapes: Shapes,
  compile: CProgramOptions,
): Promise<boolean> {
  const { program } = await loadChanged(files, { ...compile, asWritten: true }, textsOf(patches));
  return differences(shapesOf(program), shapes).size === 0;
}

function refusal(edits: FileEdits, diagnostics: string | undefined): FixRefusal {
  const [file, [edit]] = [...edits][0]! as [SourceFile, readonly TextEdit[]];
  const why =
    diagnostics === undefined
      ? 'does not have the intended effect there: its names must be redefined in this file'
      : 'does not compile there';
  const reason = `a fix was found, but cannot be expressed in the source: ${edit!.text.trim()} ${why}`;
  return new FixRefusal(file.locate(edit!.start), reason, diagnostics);
}

/** Checks the program from scratch, as `check` and `robust` do. */
async function prove(
  program: Program,
  { goal, models, check, helpers }: ProofOptions,
  drive: Drive,
): Promise<readonly Proof[]> {
  if (goal === 'safe') {
    const run = new CheckRun(program, { ...check, models, monitors: true }, helpers);
    await drive(run, () => `patched sources, ${run.progress?.executions ?? 0} executions`);
    return run.results.map(({ model, verdict, executions, boundedBy }) => ({
      model: model as FixModel,
      verdict,
      executions,
      boundedBy,
    }));
  }
  if (hasSections(program)) {
    const run = new CheckRun(program, { ...check, models, monitors: false, robust: true }, helpers);
    await drive(run, () => `patched sources, ${run.progress?.executions ?? 0} executions`);
    return run.results.map(({ model, robust, bounds, boundedBy, executions }) => {
      const verdict: Verdict = robust === false ? { kind: 'violation' } : verdictWithoutViolation(bounds);
      return { model: model as FixModel, verdict, executions, boundedBy };
    });
  }
  const { strategy, ...rest } = check;
  if (strategy !== 'optimal' && strategy !== 'source') throw new Error(`strategy ${strategy} proves no robustness`);
  const run = new RobustRun(program, { ...rest, strategy, ...causalMonitoring(monitored(models)) }, helpers);
  await drive(run, () => `patched sources, ${run.progress.executions} executions`);
  return run.results.map(({ model, verdict, executions, boundedBy }) => ({ model, verdict, executions, boundedBy }));
}

/** No model is left out: that would be a proof without it. */
function monitored(models: readonly FixModel[]): readonly StoreBufferModel[] {
  const known = models.filter(hasMonitors);
  if (known.length < models.length) throw new Error(`robustness is not defined for all of ${models.join(', ')}`);
  return known;
}
