/** The public surface, by name. */

export { Enumerator } from './explore/enumerator.ts';
export { Exhaustive } from './explore/exhaustive.ts';
export { type ExplorationResult, type ExploreOptions, explore } from './explore/explore.ts';
export { Random } from './explore/random.ts';
export { Replay } from './explore/replay.ts';
export { parseSchedule, printSchedule, type Schedule } from './explore/schedule.ts';
export type { Strategy } from './explore/strategy.ts';
export { LitmusError } from './frontend/litmus/error.ts';
export { type LitmusTest, parseLitmus } from './frontend/litmus/litmus.ts';
export { type CProgram, type CProgramOptions, loadCProgram } from './frontend/llvm/c-program.ts';
export { Machine } from './machine/machine.ts';
export type { Model } from './models/index.ts';
export { type CheckOptions, CheckRun, type ModelResult, type StrategyName } from './pipelines/check.ts';
export { type FixOptions, type FixResult, fix } from './pipelines/fix/fix.ts';
export { HuntRun } from './pipelines/hunt/hunt.ts';
export { HUNT_DEFAULTS, type HuntOptions } from './pipelines/hunt/options.ts';
export type { HuntResult } from './pipelines/hunt/result.ts';
export { type LitmusResult, LitmusRun } from './pipelines/litmus.ts';
export type { Verdict } from './pipelines/result.ts';
export { ProgramBuilder } from './program/builder.ts';
export type { Program } from './program/ir.ts';
export { printProgram } from './program/print.ts';
export { validate } from './program/validate.ts';
export type { Report } from './report/schema.ts';
export { findCycle, isAcyclic } from './trace/cycle.ts';
export { ShashaSnirTrace } from './trace/shasha-snir.ts';
