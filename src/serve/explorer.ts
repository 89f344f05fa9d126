/** A program after any schedule, and what could come next. Keeps no state but the programs compiled last. */
import { statSync } from 'node:fs';
import { parseSchedule, printSchedule, ScheduleError, scheduleOf } from '../explore/schedule.ts';
import { LitmusError } from '../frontend/litmus/error.ts';
import { parseLitmus } from '../frontend/litmus/litmus.ts';
import { loadCProgram } from '../frontend/llvm/c-program.ts';
import { CompileError } from '../frontend/llvm/compile-error.ts';
import { LlvmError } from '../frontend/llvm/error.ts';
import { FrontendError } from '../frontend/llvm/frontend-error.ts';
import { HEADERS } from '../frontend/llvm/library.ts';
import { describeEvent } from '../machine/describe.ts';
import { printError } from '../machine/error.ts';
import * as ev from '../machine/event.ts';
import { Machine } from '../machine/machine.ts';
import { MODELS } from '../machine/memory/index.ts';
import type { Model } from '../machine/memory/memory.ts';
import type { Step } from '../machine/process.ts';
import type { Program } from '../program/ir.ts';
import { traceExecution } from '../report/execution.ts';
import { pageData } from '../report/html.ts';
import type { ExploreRequest, ExploreState, StepChoice } from '../report/serve-api.ts';
import type { ServedFolder } from './folder.ts';

/** What the user asked for cannot be had; the message says why. */
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

export class Explorer {
  private readonly folder: ServedFolder;
  /** By file, time of its last change and macros; the least recently used first. Names are relative to the folder. */
  private readonly programs = new Map<string, Promise<Program>>();

  constructor(folder: ServedFolder) {
    this.folder = folder;
  }

  async state({ file: wanted, model, defines, schedule }: ExploreRequest): Promise<ExploreState> {
    const file = this.folder.nameOf(wanted);
    if (file === undefined) throw new Refusal(404, `${wanted}: no such file in the folder that is served`);
    const isLitmus = file.endsWith('.litmus');
    const models = isLitmus ? MODELS : MODELS.filter((m) => m !== 'pslo');
    if (!models.includes(model as Model))
      throw new Refusal(400, `"${model}" is no memory model here; there are ${models.join(', ')}`);
    const program = await this.load(file, defines);
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
      throw new Refusal(409, `step ${trace.events.length + 1} of the schedule, ${wrong}, is not possible there`);
    }
    machine.enabled();
    const { outcome, error } = machine;
    const report = { command: 'explore', results: [{ file, model, trace }] };
    return {
      trace: { ...trace, schedule: printSchedule(machine, scheduleOf(machine)) },
      taken: steps.map((step) => printSchedule(machine, [step])),
      choices: choicesOf(machine),
      outcome,
      ...(error === undefined ? {} : { error: printError(error) }),
      models,
      sources: pageData(report, this.folder.read).sources,
    };
  }

  private parse(machine: Machine, schedule: string): readonly Step[] {
    try {
      const steps = parseSchedule(machine, schedule);
      if (steps.length > MAX_STEPS) throw new Refusal(400, `a schedule of ${steps.length} steps; at most ${MAX_STEPS}`);
      return steps;
    } catch (error) {
      if (error instanceof ScheduleError) throw new Refusal(400, error.message);
      throw error;
    }
  }

  private load(file: string, defines: readonly string[]): Promise<Program> {
    const key = JSON.stringify([file, statSync(this.folder.resolve(file)!).mtimeMs, defines]);
    const known = this.programs.get(key) ?? this.compile(file, defines);
    this.programs.delete(key);
    this.programs.set(key, known);
    known.catch(() => this.programs.delete(key));
    const [oldest] = this.programs.keys();
    if (this.programs.size > MAX_PROGRAMS) this.programs.delete(oldest!);
    return known;
  }

  private async compile(file: string, defines: readonly string[]): Promise<Program> {
    try {
      if (file.endsWith('.litmus')) return parseLitmus(this.folder.read(file) ?? '', file).program;
      const options = {
        undefines: [],
        includePaths: [],
        includes: [],
        cache: true,
        headers: HEADERS,
        entry: 'main',
        arguments: [],
      };
      return (await loadCProgram([file], { ...options, defines })).program;
    } catch (error) {
      if (error instanceof CompileError) throw new Refusal(422, `${error.message}\n${error.diagnostics}`);
      if (error instanceof LitmusError || error instanceof FrontendError || error instanceof LlvmError) {
        throw new Refusal(422, error.message);
      }
      throw error;
    }
  }
}

/** Takes each step that is possible, looks, and goes back. */
function choicesOf(machine: Machine): readonly StepChoice[] {
  machine.enabled();
  const { depth } = machine;
  const steps = Array.from({ length: machine.steps.length }, (_, i) => machine.steps.get(i));
  return steps.map((step): StepChoice => {
    machine.enabled();
    machine.step(step);
    const { thread, effect, source } = describeEvent(machine, depth);
    const isCommit = machine.events.get(depth, ev.E_KIND) === ev.UPDATE_EVENT;
    const wrong = machine.error === undefined ? '' : `; ${printError(machine.error)}`;
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
