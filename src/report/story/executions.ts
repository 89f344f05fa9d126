/** The executions of one program that reports show. Each is replayed once, however many results refer to it. */
import type { FoundError } from '../../explore/explore.ts';
import { findGraphRace, happensBeforeEdges } from '../../explore/graph/rebuild.ts';
import { countSteps } from '../../explore/schedule.ts';
import { Machine, type MachineOptions } from '../../machine/machine.ts';
import type { Model } from '../../models/index.ts';
import { replayOptions } from '../../pipelines/shrink.ts';
import type { Program } from '../../program/ir.ts';
import { chronologicalEdges } from '../../trace/chronological.ts';
import { findRace } from '../../trace/race.ts';
import { asCode, sentenceParts } from '../../util/code-text.ts';
import { MAX_GRAPH_EVENTS } from '../graph.ts';
import { errorId } from '../ids.ts';
import type { ErrorReport } from '../schema.ts';
import type { SourceLines } from '../source-lines.ts';
import type { TraceReport } from '../trace-schema.ts';
import { finish, type Told, tellSchedule } from './execution.ts';
import { MAX_SHOWN_STEPS } from './longest.ts';

/** An error, and the execution that ends in it, unless it is too long to show. */
interface Failure {
  readonly error: ErrorReport;
  readonly trace?: TraceReport;
}

interface ExecutionOptions {
  /** Whether the report is for a page, which also draws the chronological trace. */
  readonly forPage?: boolean;
  /** The program before simplification, for the values of local variables. */
  readonly asWritten?: () => Program;
}

/** Whether the execution is short enough for a trace. */
export function isShown(schedule: string): boolean {
  return countSteps(schedule) <= MAX_SHOWN_STEPS;
}

export class Executions {
  readonly source: SourceLines | undefined;
  private readonly program: Program;
  private readonly known = new Map<string, TraceReport>();
  private readonly options: ExecutionOptions;

  constructor(program: Program, source?: SourceLines, options: ExecutionOptions = {}) {
    this.program = program;
    this.source = source;
    this.options = options;
  }

  /** `file`, the name of the input, is part of the error's identity. */
  error(file: string, model: Model, { error, schedule, original }: FoundError): ErrorReport {
    return {
      ...error,
      schedule,
      ...(original === undefined ? {} : { originalSchedule: original }),
      id: errorId(file, model, error),
    };
  }

  failure(file: string, model: Model, found: FoundError): Failure {
    const error = this.error(file, model, found);
    const trace = this.traceFailure(model, found);
    if (trace === undefined) return { error: { ...error, steps: countSteps(found.schedule) } };
    return { error: nameRace(error, trace), trace };
  }

  /** The execution event by event, unless it has too many. `told`: it has just been replayed. */
  traceFailure(model: Model, { error, schedule }: FoundError, told?: Told): TraceReport | undefined {
    if (!isShown(schedule)) return undefined;
    const { kind, thread, message, file, line } = error;
    const key = JSON.stringify([model, schedule, kind, message, thread, file, line]);
    return this.once(key, () => {
      const options = replayOptions(kind, false);
      const now = told ?? this.tell(model, schedule, options);
      const { asWritten } = this.options;
      const trace = this.finish(now, schedule, asWritten && new Machine(asWritten(), model, {}, options));
      if (kind === 'race') return markRace(now.machine, trace);
      // The machine does not detect this error itself, so the trace has no end for it yet.
      if (trace.ends.length > 0 || thread === undefined || file === undefined || line === undefined) return trace;
      const text = this.source?.(file, line)?.trim();
      return { ...trace, ends: [{ thread, what: message, file, line, ...(text === undefined ? {} : { text }) }] };
    });
  }

  /** An execution that need not end in an error. */
  trace(model: Model, schedule: string): TraceReport {
    return this.once(JSON.stringify([model, schedule]), () => this.finish(this.tell(model, schedule), schedule));
  }

  private tell(model: Model, schedule: string, options: MachineOptions = {}): Told {
    return tellSchedule(new Machine(this.program, model, {}, options), schedule, this.source);
  }

  private finish(told: Told, schedule: string, asWritten?: Machine): TraceReport {
    const { machine } = told;
    const trace = finish(told, schedule, asWritten);
    const { dpor } = machine.description.capabilities;
    if (this.options.forPage !== true || trace.events.length > MAX_GRAPH_EVENTS) return trace;
    if (machine.description.isAxiomatic) {
      const happensBefore = happensBeforeEdges(machine).map((edge) => ({ ...edge, relation: 'happens-before' }));
      return { ...trace, happensBefore };
    }
    if (!dpor) return trace;
    return { ...trace, chronological: chronologicalEdges(machine) };
  }

  private once(key: string, replay: () => TraceReport): TraceReport {
    const trace = this.known.get(key) ?? replay();
    this.known.set(key, trace);
    return trace;
  }
}

/**
 * Races are told apart by the program's name for the place, `flag[me]`. This puts in the place's own name, as in the
 * story: `flag[0]`.
 */
function nameRace(error: ErrorReport, { events }: TraceReport): ErrorReport {
  const location = events.find(({ races }) => races !== undefined)?.location;
  if (error.kind !== 'race' || location === undefined) return error;
  const [name] = sentenceParts(error.message);
  const rest = name?.isCode === true ? error.message.slice(asCode(name.text).length) : undefined;
  return rest === undefined ? error : { ...error, message: asCode(location) + rest };
}

/** Marks the two accesses of the race. */
function markRace(machine: Machine, trace: TraceReport): TraceReport {
  const { isAxiomatic } = machine.description;
  const race = isAxiomatic ? findGraphRace(machine) : findRace(machine.events, machine.processes);
  if (race === undefined) return trace;
  const other = new Map([
    [race.first, race.second],
    [race.second, race.first],
  ]);
  const marked = trace.events.map((row, e) =>
    other.has(e) ? { ...row, races: trace.events[other.get(e)!]!.event } : row,
  );
  return { ...trace, events: marked };
}
