/**
 * Follows the recipe "Add a memory model" of CONTRIBUTING.md: copies of built-in models under other names, with nothing
 * else changed. Importing this registers them, so that tests that take their models from the registry run them too.
 */
import { type Model, modelNames, registerModel } from '../../src/models/index.ts';
import type { ModelDescription } from '../../src/models/model.ts';
import { PSO } from '../../src/models/pso.ts';
import { RC11 } from '../../src/models/rc11.ts';
import { TSO } from '../../src/models/tso.ts';

function copy(model: ModelDescription): Model {
  const name = `copied-${model.name}` as Model;
  if (!modelNames().includes(name)) registerModel({ ...model, name }, model.name as Model);
  return name;
}

export const COPIED_TSO: Model = copy(TSO);
export const COPIED_PSO: Model = copy(PSO);
export const COPIED_RC11: Model = copy(RC11);

/** Each copy with its original. */
export const COPIES: readonly (readonly [copied: Model, original: Model])[] = [
  [COPIED_TSO, TSO.name],
  [COPIED_PSO, PSO.name],
  [COPIED_RC11, RC11.name],
];
