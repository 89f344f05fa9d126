/** `fix` on C files, in tests. */

import { readFileSync } from 'node:fs';
import { type Costs, DEFAULT_COSTS } from '../../src/fix/candidates.ts';
import type { Patch } from '../../src/fix/patch.ts';
import { type CProgramOptions, loadCProgram } from '../../src/frontend/llvm/c-program.ts';
import { loadChanged } from '../../src/frontend/llvm/changed-files.ts';
import { HEADERS } from '../../src/frontend/llvm/clang/library.ts';
import { type FixModel, hasMonitors } from '../../src/models/index.ts';
import type { CheckOptions } from '../../src/options/check.ts';
import type { Goal } from '../../src/options/fix.ts';
import { CheckRun } from '../../src/pipelines/check.ts';
import { type FixOptions, type FixResult, fix } from '../../src/pipelines/fix/fix.ts';
import { RobustRun } from '../../src/pipelines/robust.ts';
import { hasSections } from '../../src/pipelines/strategies.ts';
import type { Program } from '../../src/program/ir.ts';
// For the cache of the tests.
import './c.ts';

export interface FixInTest {
  readonly goal?: Goal;
  readonly models?: readonly FixModel[];
  readonly defines?: readonly string[];
  readonly costs?: Partial<Costs>;
  readonly solutions?: number;
  readonly minimise?: boolean;
  readonly check?: Partial<CheckOptions>;
}

const CHECK: CheckOptions = {
  models: [],
  strategy: 'optimal',
  preemptions: 0,
  seed: 1,
  maxExecutions: undefined,
  maxSteps: undefined,
  maxStates: 1_000_000,
  keepGoing: false,
  races: false,
};

export const COMPILE: CProgramOptions = {
  defines: [],
  undefines: [],
  includePaths: [],
  includes: [],
  cache: true,
  headers: HEADERS,
  entry: 'main',
  arguments: [],
};

function compileOptions({ defines = [] }: FixInTest): CProgramOptions {
  return { ...COMPILE, defines };
}

export function fixFile(file: string, options: FixInTest = {}): Promise<FixResult> {
  return fixFiles([file], options);
}

export async function fixFiles(files: readonly string[], options: FixInTest = {}): Promise<FixResult> {
  const { goal = 'safe', models = ['tso', 'pso'], costs = {}, solutions = 1, minimise = false } = options;
  const compile = compileOptions(options);
  const { program } = await loadCProgram(files, compile);
  const all: FixOptions = {
    goal,
    models,
    compile,
    costs: { ...DEFAULT_COSTS, ...costs },
    solutions,
    minimise,
    check: { ...CHECK, ...options.check },
  };
  return fix(files, program, all, async (task) => {
    while (!task.advance(1_000_000));
  });
}

/** The program with these files in place of those on disk. */
export async function loadPatched(
  files: readonly string[],
  changed: readonly Patch[],
  options: FixInTest = {},
): Promise<Program> {
  const texts = new Map(changed.map((patch) => [patch.file, patch.after]));
  return (await loadChanged(files, compileOptions(options), texts)).program;
}

/** Variants of the patches, each with one part of the difference undone. */
export function withoutOne(patches: readonly Patch[]): readonly (readonly Patch[])[] {
  return patches.flatMap((patch, i) =>
    parts(patch.diff).map((_, part) => patches.with(i, { ...patch, after: applyDiff(patch, part) })),
  );
}

type Part = { readonly line: number; readonly removed: number; readonly added: readonly string[] };

/** The runs of `-` and `+` lines of a unified diff, by the line of the old file at which they start. */
function parts(diff: string): readonly Part[] {
  const found: Part[] = [];
  let line = 0;
  let current: { line: number; removed: number; added: string[] } | undefined;
  for (const text of diff.split('\n').slice(2, -1)) {
    const hunk = /^@@ -(\d+),/.exec(text);
    if (hunk !== null) line = Number(hunk[1]);
    if (!/^[-+]/.test(text)) current = undefined;
    else {
      if (current === undefined) {
        current = { line, removed: 0, added: [] };
        found.push(current);
      }
      if (text.startsWith('-')) current.removed++;
      else current.added.push(text.slice(1));
    }
    if (hunk === null && !text.startsWith('+')) line++;
  }
  return found;
}

/** The old text with all parts of the difference but one. */
export function applyDiff({ before, diff }: Patch, left?: number): string {
  const lines = before.split('\n');
  const all = parts(diff);
  for (const [i, { line, removed, added }] of [...all.entries()].reverse()) {
    if (i !== left) lines.splice(line - 1, removed, ...added);
  }
  return lines.join('\n');
}

/** Whether the goal is reached under all these models, as `check` and `robust` determine it. */
export function holds(program: Program, goal: Goal, models: readonly FixModel[]): boolean {
  if (goal === 'safe' || hasSections(program)) {
    const run = new CheckRun(program, { ...CHECK, models, monitors: goal === 'safe', robust: goal === 'robust' });
    while (!run.advance(1_000_000));
    return run.results.every(
      ({ verdict, robust }) => verdict.kind === 'verified' && (goal === 'safe' || robust === true),
    );
  }
  const machines = models.filter(hasMonitors);
  const monitors = machines.map((model) => `causal-${model}` as const);
  const run = new RobustRun(program, { ...CHECK, strategy: 'optimal', models: machines, monitors });
  while (!run.advance(1_000_000));
  return run.results.every(({ verdict }) => verdict.kind === 'verified');
}

export function readBytes(file: string): string {
  return readFileSync(file, 'latin1');
}
