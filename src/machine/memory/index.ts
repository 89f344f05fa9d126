/** The memory that implements the description of a model. */
import type { ModelDescription } from '../../models/model.ts';
import { PSLO } from '../../models/pslo.ts';
import { PSLO_UNLOCK } from '../../models/pslo-unlock.ts';
import { PSO } from '../../models/pso.ts';
import { RC11 } from '../../models/rc11.ts';
import { SC } from '../../models/sc.ts';
import { TSO } from '../../models/tso.ts';
import { GraphMemory } from './graph.ts';
import type { Memory, Parts } from './memory.ts';
import { PsloMemory } from './pslo.ts';
import { PsoMemory } from './pso.ts';
import { ScMemory } from './sc.ts';
import { TsoMemory } from './tso.ts';

type MemoryClass = new (parts: Parts) => Memory;

/** Each memory with the model that it implements. */
const MEMORIES: readonly { readonly of: ModelDescription; readonly memory: MemoryClass }[] = [
  { of: SC, memory: ScMemory },
  { of: TSO, memory: TsoMemory },
  { of: PSO, memory: PsoMemory },
  { of: PSLO_UNLOCK, memory: PsloMemory },
  { of: PSLO, memory: PsloMemory },
  { of: RC11, memory: GraphMemory },
];

/** Compares descriptions apart from the name, which does not affect behaviour. */
export function memoryOf(model: ModelDescription): MemoryClass {
  const found = MEMORIES.find(
    ({ of }) =>
      of.buffers === model.buffers &&
      of.atomicsWaitFor === model.atomicsWaitFor &&
      of.heedsBarriers === model.heedsBarriers &&
      of.loadsMayBeStale === model.loadsMayBeStale &&
      of.unlockOrdersLoads === model.unlockOrdersLoads &&
      of.isAxiomatic === model.isAxiomatic,
  );
  if (found === undefined) throw new Error(`${model.name} has no memory: nothing in machine/memory does what it says`);
  return found.memory;
}
