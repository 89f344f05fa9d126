/** Chooses the consistency predicate of a model by its description. */
import { type Buffers, isUsual, type ModelDescription, requireCapability } from '../../models/model.ts';
import { StoreBuffers } from './buffers.ts';
import type { Consistency } from './consistency.ts';
import type { Graph } from './graph.ts';
import { Rc11 } from './rc11.ts';
import { SequentialConsistency } from './sc.ts';

export type Axioms = (graph: Graph) => Consistency;

const OF_BUFFERS: Readonly<Record<Buffers, Axioms>> = {
  none: (graph) => new SequentialConsistency(graph),
  thread: (graph) => new StoreBuffers(graph, false),
  location: (graph) => new StoreBuffers(graph, true),
};

const AXIOMS: Readonly<Record<ModelDescription['axioms'], (model: ModelDescription) => Axioms>> = {
  buffers: (model) => {
    if (!isUsual(model))
      throw new Error(`${model.name} has no graph: no axioms are known for what its description says`);
    return OF_BUFFERS[model.buffers];
  },
  rc11: () => (graph) => new Rc11(graph),
};

/** Throws if the axioms of the model are not known. */
export function axiomsOf(model: ModelDescription): Axioms {
  requireCapability(model, 'graph');
  const found = AXIOMS[model.axioms] as ((of: ModelDescription) => Axioms) | undefined;
  if (found === undefined) throw new Error(`${model.name} has unknown axioms: ${model.axioms}`);
  return found(model);
}
