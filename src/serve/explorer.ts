/**
 * A program after any schedule, and its possible next steps. Keeps no state except the most recently compiled programs.
 */

import { consistentSteps, isConsistent, unmodelledIn } from '../explore/graph/consistent-steps.ts';
import { judgeGraphRaces } from '../explore/graph/rebuild.ts';
import { parseSchedule, printSchedule, ScheduleError, scheduleOf } from '../explore/schedule.ts';
import { LitmusError } from '../frontend/litmus/error.ts';
import { parseLitmus } from '../frontend/litmus/litmus.ts';
import { loadCProgram } from '../frontend/llvm/c-program.ts';
import { CompileError } from '../frontend/llvm/clang/compile-error.ts';
import { FileHashes, isUnchanged } from '../frontend/llvm/clang/inputs.ts';
import { HEADERS } from '../frontend/llvm/clang/library.ts';
import { LlvmError } from '../frontend/llvm/ir/error.ts';
import { FrontendError } from '../frontend/llvm/ir/frontend-error.ts';
import type { ProgramError } from '../machine/code/error.ts';
import { describeEvent } from '../machine/describe/describe.ts';
import { Naming } from '../machine/describe/naming.ts';
import { programError } from '../machine/describe/program-error.ts';
import { isUpdate } from '../machine/events/effects.ts';
import { Machine } from '../machine/machine.ts';
import type { Step } from '../machine/state/process.ts';
import { isLanguage, type Model, modelNamed, modelsWith } from '../models/index.ts';
import { COMPILE, type CompileChoices, findsUninitialised } from '../options/compile.ts';
import { defaultsOf } from '../options/option.ts';
import { printError } from '../program/error-text.ts';
import type { Program } from '../program/ir.ts';
import type { ExploreRequest, ExploreState, StepChoice } from '../report/serve-api.ts';
import { traceExecution } from '../report/story/execution.ts';
import { pageData } from '../report/writers/html.ts';
import { withoutCode } from '../util/code-text.ts';
import type { ServedFolder } from './folder.ts';

/** The request cannot be answered; the message says why. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const MAX_PROGRAMS = 16;
const MAX_STEPS = 20_000;
/** The most requests that may be queued. */
const MAX_WAITING = 32;

/** A program, and whether it still matches its files. */
interface Loaded {
  readonly program: Program;
  /** Those that it can be run under. */
  readonly models: readonly Model[];
  readonly isCurrent: () => boolean;
}

export class Explorer {
  private readonly folder: ServedFolder;
  /** By file and macros, least recently used first. File names are relative to the folder. */
  private readonly programs = new Map<string, Loaded>();
  private waiting = 0;
  /**
   * Settles when the previous request has been answered: requests run one at a time, since each may need a compiler,
   * and memory.
   */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(folder: ServedFolder) {
    this.folder = folder;
  }

  async state(request: ExploreRequest): Promise<ExploreState> {
    if (this.waiting >= MAX_WAITING) throw new Refusal(503, 'too many requests at once; try again');
    this.waiting++;
    const answer = this.turn.then(() => this.explore(request)).finally(() => this.waiting--);
    this.turn = answer.catch(() => undefined);
    return answer;
  }

  private async explore({ file: wanted, model, defines, schedule }: ExploreRequest): Promise<ExploreState> {
    const file = this.folder.nameOf(wanted);
    if (file === undefined) throw new Refusal(404, `${wanted}: no such file in the served folder`);
    const { program, models } = await this.load(file, defines);
    if (!models.includes(model as Model))
      throw new Refusal(400, `memory model "${model}" is not supported here; expected one of ${models.join(', ')}`);
    const machine = new Machine(program, model as Model);
    const steps = this.parse(machine, schedule);
    const lines = new Map<string, readonly string[]>();
    const trace = traceExecution(machine, schedule, (name, line) => {
      let text = lines.get(name);
      if (text === undefined) {
        text = this.folder.read(name)?.split(/\r?\n/) ?? [];
        lines.set(name, text);
      }
      return text[line - 1];
    });
    if (trace.events.length < steps.length) {
      const wrong = printSchedule(machine, [steps[trace.events.length]!]);
      throw new Refusal(409, `step ${trace.events.length + 1} of the schedule, ${wrong}, is not enabled`);
    }
    const { isAxiomatic } = modelNamed(machine.model);
    if (isAxiomatic) refuseUnmodelled(machine, schedule);
    machine.enabled();
    const { outcome } = machine;
    const error = errorOf(machine);
    const report = { command: 'explore', results: [{ file, model, trace }] };
    return {
      trace: { ...trace, schedule: printSchedule(machine, scheduleOf(machine)) },
      taken: steps.map((step) => printSchedule(machine, [step])),
      choices: choicesOf(machine),
      outcome,
      ...(error === undefined ? {} : { error: withoutCode(printError(error)) }),
      models,
      sources: pageData(report, this.folder.read).sources,
    };
  }

  private parse(machine: Machine, schedule: string): readonly Step[] {
    try {
      return parseSchedule(machine, schedule, MAX_STEPS);
    } catch (error) {
      if (error instanceof ScheduleError) throw new Refusal(400, error.message);
      throw error;
    }
  }

  private async load(file: string, defines: readonly string[]): Promise<Loaded> {
    const key = JSON.stringify([file, defines]);
    const known = this.programs.get(key);
    this.programs.delete(key);
    const loaded = known?.isCurrent() === true ? known : await this.compile(file, defines);
    this.programs.set(key, loaded);
    const [oldest] = this.programs.keys();
    if (this.programs.size > MAX_PROGRAMS) this.programs.delete(oldest!);
    return loaded;
  }

  private async compile(file: string, defines: readonly string[]): Promise<Loaded> {
    try {
      if (file.endsWith('.litmus')) {
        const text = this.folder.read(file) ?? '';
        const { program, arch } = parseLitmus(text, file);
        const models = modelsWith('litmus').filter((model) => arch === 'C' || !isLanguage(model));
        return { program, models, isCurrent: () => this.folder.read(file) === text };
      }
      const choices = defaultsOf<CompileChoices>(COMPILE);
      const options = { ...choices, uninitialised: findsUninitialised(choices), defines, headers: HEADERS };
      const { program, inputs } = await loadCProgram([file], options);
      const isCurrent = (): boolean => inputs !== undefined && isUnchanged(inputs, new FileHashes());
      return { program, models: modelsWith('check'), isCurrent };
    } catch (error) {
      if (error instanceof CompileError) throw new Refusal(422, `${error.message}\n${error.diagnostics}`);
      if (error instanceof LitmusError || error instanceof FrontendError || error instanceof LlvmError) {
        throw new Refusal(422, error.message);
      }
      throw error;
    }
  }
}

function stepsOf(machine: Machine): readonly Step[] {
  if (modelNamed(machine.model).isAxiomatic) return consistentSteps(machine);
  machine.enabled();
  return Array.from({ length: machine.steps.length }, (_, i) => machine.steps.get(i));
}

/** A race is an error where the model forbids races. */
function errorOf(machine: Machine): ProgramError | undefined {
  const error = programError(machine);
  return error === undefined && modelNamed(machine.model).isAxiomatic ? judgeGraphRaces(machine) : error;
}

/** Refuses executions that an axiomatic model forbids or does not cover. */
function refuseUnmodelled(machine: Machine, schedule: string): void {
  const { model } = machine;
  if (!isConsistent(machine))
    throw new Refusal(409, `${model} does not allow the execution of the schedule ${schedule}`);
  const missing = unmodelledIn(machine);
  if (missing !== undefined) throw new Refusal(422, `${model} does not cover ${missing}; choose another model`);
}

/** Takes each possible step, describes the result, and rolls back. */
function choicesOf(machine: Machine): readonly StepChoice[] {
  const { depth } = machine;
  return stepsOf(machine).map((step): StepChoice => {
    machine.enabled();
    machine.step(step);
    const { thread, effect, source } = describeEvent(machine, depth, new Naming(machine));
    const isCommit = isUpdate(machine.events, depth);
    const error = errorOf(machine);
    const wrong = error === undefined ? '' : `; ${withoutCode(printError(error))}`;
    machine.rollback(depth);
    return {
      step: printSchedule(machine, [step]),
      thread,
      isCommit,
      effect: `${effect}${wrong}`,
      ...(source === undefined ? {} : { line: source.line }),
      ...(source?.text === undefined ? {} : { text: source.text }),
    };
  });
}
