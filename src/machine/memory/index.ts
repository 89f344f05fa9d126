/** The table of memory models. */
import type { Memory, Model, Parts } from './memory.ts';
import { PsloMemory } from './pslo.ts';
import { PsoMemory } from './pso.ts';
import { ScMemory } from './sc.ts';
import { TsoMemory } from './tso.ts';

export const memories: Readonly<Record<Model, new (parts: Parts) => Memory>> = {
  sc: ScMemory,
  tso: TsoMemory,
  pso: PsoMemory,
  pslo: PsloMemory,
};

export const MODELS: readonly Model[] = ['sc', 'tso', 'pso', 'pslo'];
