/** Runs the search over execution graphs on a program, and collects the graphs that it visits. */
import { type ExplorationResult, explore } from '../../src/explore/explore.ts';
import type { Consistency } from '../../src/explore/graph/consistency.ts';
import * as g from '../../src/explore/graph/fields.ts';
import type { Graph } from '../../src/explore/graph/graph.ts';
import { Rc11 } from '../../src/explore/graph/rc11.ts';
import { SequentialConsistency } from '../../src/explore/graph/sc.ts';
import { type GraphOptions, GraphSearch } from '../../src/explore/graph/search.ts';
import { Machine, type Outcome } from '../../src/machine/machine.ts';
import type { Program } from '../../src/program/ir.ts';
import { ifLast, locationName, locationsOf, type Op, type Sketch } from './sketch.ts';

export interface VisitedGraphs {
  /** The keys of all executions that did not end in an error, in the order visited. */
  readonly keys: readonly string[];
  readonly result: ExplorationResult;
}

/** Which graphs are consistent. */
export type Axioms = (graph: Graph) => Consistency;

export const RC11: Axioms = (graph) => new Rc11(graph);
export const SC: Axioms = (graph) => new SequentialConsistency(graph);

export function visitGraphs(
  program: Program,
  key: (search: GraphSearch, machine: Machine, outcome: Outcome) => string,
  axioms: Axioms = RC11,
  options: GraphOptions = {},
): VisitedGraphs {
  const limits = program.roots.length === 1 ? { threads: 6 } : {};
  const machine = new Machine(program, 'rc11', limits, { patience: 1 });
  const search = new GraphSearch(machine, axioms, options);
  const keys: string[] = [];
  const result = explore(machine, search, {
    keepGoing: true,
    onExecution: (_, outcome) => {
      if (outcome !== 'error') keys.push(key(search, machine, outcome));
    },
  });
  return { keys, result };
}

/** Names executions as the oracles do; the name for RC11 also has the order of atomic sections. */
export function keyOfSketch(sketch: Sketch, hasSections = false): (search: GraphSearch, machine: Machine) => string {
  const locations = locationsOf(sketch);
  return ({ graph, slots }, machine) => {
    const address = locations.map((_, x) => machine.layout.globals[x]!);
    const name = (e: number): string => {
      if (e < 0) return 'init';
      let access = -1;
      for (let f = 0; f < graph.length; f++) {
        const isOwn =
          graph.get(f, g.THREAD) === graph.get(e, g.THREAD) && graph.get(f, g.INDEX) <= graph.get(e, g.INDEX);
        if (isOwn && graph.get(f, g.LOCATION) >= 0 && graph.get(f, g.PART) === 0) access++;
      }
      return `${slots[graph.get(e, g.THREAD)]}.${access}`;
    };
    const reads: string[] = [];
    for (let e = 0; e < graph.length; e++) {
      if (graph.get(e, g.KIND) === g.READ) reads.push(`${name(e)}<${name(graph.get(e, g.SOURCE))}`);
    }
    // Atomic sections are one lock, at address 0.
    if (hasSections) address.push(0);
    const mo = address.map((_, x) => {
      const writes: number[] = [];
      for (let e = 0; e < graph.length; e++) {
        if (graph.get(e, g.KIND) === g.WRITE && graph.get(e, g.ADDRESS) === address[x]) writes.push(e);
      }
      writes.sort((a, b) => graph.rank(a) - graph.rank(b));
      return `${locationName(x)}:${writes.map(name).join(',')}`;
    });
    return `${reads.sort().join(',')};${mo.join(';')}`;
  };
}

/** Makes plain accesses relaxed, because they nearly always race; those to the first location can be kept plain. */
export function withoutPlain(sketch: Sketch, keeps = false): Sketch {
  const change = (op: Op): Op => {
    if (op.op === 'ifLast') return ifLast(op.value, op.then.map(change), op.else.map(change));
    if ((op.op === 'store' || op.op === 'load') && op.order === 'plain' && !(keeps && op.location === 0))
      return { ...op, order: 'relaxed' };
    return op;
  };
  return sketch.map((ops) => ops.map(change));
}
