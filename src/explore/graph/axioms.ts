/** Chooses the consistency predicate of a model by its description. */
import type { ModelDescription } from '../../models/model.ts';
import { requireCapability } from '../../models/model.ts';
import { StoreBuffers } from './buffers.ts';
import type { Consistency } from './consistency.ts';
import type { Graph } from './graph.ts';
import { Rc11 } from './rc11.ts';
import { SequentialConsistency } from './sc.ts';

export type Axioms = (graph: Graph) => Consistency;

export function axiomsOf(model: ModelDescription): Axioms {
  requireCapability(model, 'graph');
  if (model.isAxiomatic) return (graph) => new Rc11(graph);
  if (model.buffers === 'none') return (graph) => new SequentialConsistency(graph);
  return (graph) => new StoreBuffers(graph, model.buffers === 'location');
}
