/** The public surface, by name; docs/api.md describes it. `fencepost/internals` has more, but is not stable. */
export { type CheckCallOptions, check } from './api/check.ts';
export { InputError, ReplayError, UsageError } from './api/errors.ts';
export { type FixCallOptions, fix } from './api/fix.ts';
export { type Format, format } from './api/format.ts';
export { type HuntCallOptions, hunt } from './api/hunt.ts';
export { type LitmusCallOptions, litmus } from './api/litmus.ts';
export { type Matchers, matchers, type VerifiedOptions } from './api/matchers.ts';
export type { Progress, WorkOptions } from './api/options.ts';
export type { ProgramInput, SourceText } from './api/program.ts';
export { type ReplayCallOptions, replay } from './api/replay.ts';
export { type RobustCallOptions, robust } from './api/robust.ts';
export type { Model } from './models/index.ts';
export type {
  CheckCommandReport,
  CheckReport,
  ErrorReport,
  FixCommandReport,
  FixReport,
  HuntCommandReport,
  HuntReport,
  LitmusCommandReport,
  LitmusReport,
  Report,
  RobustCommandReport,
  RobustReport,
} from './report/schema.ts';
