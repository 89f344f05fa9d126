/** What workers are told of a search: its program, and how it is searched. */
import type { Model } from '../models/index.ts';
import type { CheckOptions } from '../options/check.ts';
import type { Program } from '../program/ir.ts';
import type { ModelRunParts } from './model-parts.ts';
import type { SharedWork } from './together.ts';

export function sharedWork(program: Program, model: Model, options: CheckOptions, parts: ModelRunParts): SharedWork {
  const { watched } = parts;
  return {
    program,
    model,
    options,
    commuting: parts.commuting !== false,
    nested: parts.nested !== false,
    merging: parts.merging !== false,
    freedom: parts.freedom !== undefined,
    ...(watched === undefined ? {} : { monitoring: { monitors: watched.monitors, models: watched.models } }),
  };
}
