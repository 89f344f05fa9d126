/** `--graph`: the chronological trace of an execution, in a file. */
import { writeFileSync } from 'node:fs';
import type { Machine } from '../../machine/machine.ts';
import { graphReport, MAX_GRAPH_EVENTS, printDot } from '../../report/graph.ts';
import type { TraceReport } from '../../report/trace-schema.ts';
import { chronologicalEdges } from '../../trace/chronological.ts';
import { TRACE_GRAPH, unwritable } from './unwritable.ts';

/** What is wrong with the file, if anything: its extension selects the format. */
export function graphProblem(file: string, run: string): string | undefined {
  return /\.(?:dot|gv|json)$/i.test(file)
    ? unwritable(file, [run], TRACE_GRAPH)
    : '--graph needs a file that ends in .dot, .gv or .json';
}

/** The machine must be at the end of the execution. Returns what went wrong, if anything. */
export function writeGraph(
  file: string,
  program: string,
  model: string,
  machine: Machine,
  trace: TraceReport,
): string | undefined {
  if (!machine.description.capabilities.dpor) {
    return `${model} has no happens-before, and so no chronological trace to draw`;
  }
  if (trace.events.length > MAX_GRAPH_EVENTS) {
    return `the execution has ${trace.events.length} events, too many for a graph (more than ${MAX_GRAPH_EVENTS})`;
  }
  const graph = graphReport(program, model, trace, chronologicalEdges(machine));
  try {
    writeFileSync(file, /\.json$/i.test(file) ? `${JSON.stringify(graph, null, 2)}\n` : printDot(graph));
    return undefined;
  } catch (error) {
    return `${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`;
  }
}
