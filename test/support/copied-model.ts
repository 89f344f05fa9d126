/**
 * Follows the recipe "Add a memory model" of CONTRIBUTING.md: a copy of PSO under another name. Importing this
 * registers it, so that tests that take their models from the registry run it too.
 */
import { type Model, modelNames, registerModel } from '../../src/models/index.ts';
import type { ModelDescription } from '../../src/models/model.ts';
import { PSO } from '../../src/models/pso.ts';

const DESCRIPTION: ModelDescription = {
  ...PSO,
  name: 'copied-pso',
  // There is no monitor for it.
  capabilities: { ...PSO.capabilities, monitors: false },
};

export const COPIED_PSO: Model = DESCRIPTION.name as Model;

if (!modelNames().includes(COPIED_PSO)) registerModel(DESCRIPTION);
