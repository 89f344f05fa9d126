/** `fix`: which fences and orders a program lacks or does not need, as a proved patch. */
import { CHANGE_KINDS, type Costs, DEFAULT_COSTS } from '../fix/candidates.ts';
import { FixRefusal } from '../fix/refusal.ts';
import { isCxxFile } from '../frontend/llvm/clang/source-kinds.ts';
import { type FixModel, hasMonitors, isLanguage } from '../models/index.ts';
import { CHECK, type CheckOptions } from '../options/check.ts';
import type { CommandChoices } from '../options/command-choices.ts';
import { COMPILE, type CompileChoices } from '../options/compile.ts';
import { FIX, type FixChoices } from '../options/fix.ts';
import { defaultsOf, forApi } from '../options/option.ts';
import { fix as findFix } from '../pipelines/fix/fix.ts';
import { type CheckInput, type FixCommandReport, type ProblemReport, SCHEMA } from '../report/schema.ts';
import { sourceLines } from '../report/source-lines.ts';
import { Executions } from '../report/story/executions.ts';
import { reportFix } from '../report/story/fix-report.ts';
import { Caller } from './caller.ts';
import { InputError, UsageError } from './errors.ts';
import { isGiven, readApiOptions, type WorkOptions } from './options.ts';
import { compileOptions, inputOf, inputProblem, loadProgram, type ProgramInput, withFiles } from './program.ts';
import { withRoom } from './room.ts';

type Choices = CompileChoices & Omit<FixChoices, keyof CommandChoices>;

export type FixCallOptions = Partial<Choices> & WorkOptions & { readonly costs?: Partial<Costs> };

const OPTIONS = { ...COMPILE, ...forApi<FixChoices>(FIX) };

/** The search of `fix` is exact, so the seed does not matter. */
const SEED = 1;

/** Changes no file: the patch is in the report. Throws a `UsageError` or an `InputError`. */
export function fix(program: ProgramInput, options: FixCallOptions = {}): Promise<FixCommandReport> {
  return withFiles(program, 'program.c', async (files, folder) => {
    const { costs: asked, ...others } = options;
    const read = readApiOptions<Choices>(others, OPTIONS);
    const given = { ...read, write: false };
    const choices = isGiven(options, 'models') ? given : { ...given, models: fixModels(given) };
    const problem = fixProblem(files, choices);
    if (problem !== undefined) throw new UsageError(problem);
    const costs = asked === undefined ? DEFAULT_COSTS : costsOf(asked);
    if (typeof costs === 'string') throw new UsageError(`costs: ${costs}`);
    return withRoom(choices, (chosen) => fixFiles(files, chosen, costs, { ...options, here: folder }));
  });
}

async function fixFiles(
  files: readonly string[],
  choices: CompileChoices & FixChoices,
  costs: Costs,
  { here, ...options }: WorkOptions & { readonly here: string },
): Promise<FixCommandReport> {
  const loaded = await loadProgram(files, choices);
  const caller = new Caller(options, choices.timeout);
  const result = await findFix(
    files,
    loaded.program,
    { ...choices, costs, compile: compileOptions(files, choices), check: fixChecks(choices), here },
    (task, describe) => caller.run(task, () => ({ command: 'fix', text: describe() })),
  ).catch((error: unknown) => {
    throw refusal(files[0]!, error);
  });
  const report = reportFix(files.join(' '), new Executions(loaded.program, sourceLines(), loaded), result, here);
  return fixReport(inputOf(files, choices, searchInput(choices), loaded), [report], []);
}

function refusal(file: string, error: unknown): unknown {
  if (error instanceof FixRefusal) {
    return new InputError({ file, ...error.place, message: error.reason }, error.diagnostics);
  }
  const found = inputProblem(file, error);
  return found === undefined ? error : new InputError(found.problem, found.diagnostics);
}

/** Default models that the goal does not fit are dropped. */
export function fixModels({ models, goal }: FixChoices): readonly FixModel[] {
  return goal === 'robust' ? models.filter(hasMonitors) : models;
}

function notRobust(model: FixModel): string {
  if (!isLanguage(model)) return `--goal robust needs monitors, and ${model} has none; use --goal safe`;
  return `--goal robust compares schedules of a machine with those of sc, and ${model} has none; use --goal safe`;
}

/** Why the request is invalid, if it is. */
export function fixProblem(files: readonly string[], choices: CompileChoices & FixChoices): string | undefined {
  const odd = files.find((file) => !file.endsWith('.c') && !isCxxFile(file));
  if (odd !== undefined) return `${odd}: fix only accepts sources in C and C++ (.c, .cpp, .cc, .cxx, .C)`;
  if (choices.optimise !== undefined) return NOT_OPTIMISED;
  const unmonitored = choices.models.find((model) => !hasMonitors(model));
  return choices.goal === 'robust' && unmonitored !== undefined ? notRobust(unmonitored) : undefined;
}

const NOT_OPTIMISED =
  'fix takes no --optimise: it adds fences between statements, and an optimiser moves code across those; ' +
  'check the patched program with check --optimise';

/** The options for each check that `fix` makes; all others have their defaults. */
export function fixChecks(choices: FixChoices): CheckOptions {
  return { ...defaultsOf(CHECK), ...choices, seed: SEED, monitors: false };
}

export function searchInput({ strategy }: FixChoices): Pick<CheckInput, 'strategy' | 'seed'> {
  return { strategy, seed: SEED };
}

/** The given costs, with defaults for the rest; or what is wrong with them. */
export function costsOf(given: unknown): Costs | string {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'expected an object of costs';
  const names: readonly string[] = [...CHANGE_KINDS, 'inLoop'];
  for (const [name, cost] of Object.entries(given)) {
    if (!names.includes(name)) return `unknown cost "${name}"; expected one of ${names.join(', ')}`;
    if (typeof cost !== 'number' || !(cost > 0) || cost > 1e6) {
      return `the cost of ${name} must be a number above 0, up to 1000000`;
    }
  }
  return { ...DEFAULT_COSTS, ...given };
}

export function fixReport(
  input: CheckInput,
  results: FixCommandReport['results'],
  problems: readonly ProblemReport[],
): FixCommandReport {
  return { schema: SCHEMA, command: 'fix', input, results, problems };
}
