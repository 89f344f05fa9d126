/** The result of a program under one model, and the progress of its search. */
import type { Bound } from '../explore/bound.ts';
import type { Estimate } from '../explore/estimate.ts';
import type { BlockedCounts, FoundError } from '../explore/explore.ts';
import type { PctGuarantee } from '../explore/pct.ts';
import type { Model } from '../models/index.ts';
import type { Checked } from '../options/check.ts';
import type { CoverageResult } from './coverage.ts';
import type { Verdict } from './result.ts';
import type { CycleDescription } from './robustness.ts';
import type { Round } from './rounds.ts';
import type { SearchedLoop } from './searched-loops.ts';
import type { WhyEnumerated } from './strategies.ts';
import type { Warning } from './warnings.ts';

export interface ModelResult {
  readonly model: Model;
  readonly verdict: Verdict;
  /**
   * How it was decided: by exploring this model, because the model has only SC executions here, or because the program
   * fails under SC; or, for SC, because a model that has all its executions was explored (`subsetOf`).
   */
  readonly how: 'explored' | 'robust' | 'sc' | 'subset';
  readonly subsetOf?: Model;
  /** Why the executions were enumerated, if another exact strategy was asked for. */
  readonly enumerated?: WhyEnumerated;
  readonly executions: number;
  readonly blocked: number;
  readonly blockedBy: BlockedCounts;
  /**
   * With `source`: further executions, abandoned because all enabled steps were in the sleep set. `optimal` has none.
   */
  readonly givenUp?: number;
  readonly errors: readonly FoundError[];
  readonly boundedBy: readonly Bound[];
  /** The bounds in words. */
  readonly bounds: readonly string[];
  /** Races, unless `races` makes them errors, and leaks. */
  readonly warnings: readonly Warning[];
  /** What there was nothing of to check. */
  readonly unchecked?: readonly Unchecked[];
  /** What was checked, if not everything. */
  readonly only?: readonly Checked[];
  readonly seconds: number;
  /** Whether all traces are SC traces; `null` if that was not requested, or not determined. */
  readonly robust: boolean | null;
  /** Whether some loop iterations that only wait were omitted. */
  readonly cutsIdleLoops: boolean;
  /** Waiting loops that were searched iteration by iteration. */
  readonly loops: readonly SearchedLoop[];
  /** On request: how many traces SC does not allow, and a cycle in one of them. */
  readonly beyondSc?: number;
  readonly cycle?: CycleDescription;
  /** With `bounded` and `delays`: a row per number of preemptions or delays. */
  readonly rounds?: readonly Round[];
  /** With `random`, `pct` and `pos`: how much the runs covered. */
  readonly coverage?: CoverageResult;
  /** With `pct`: its guarantee. */
  readonly guarantee?: PctGuarantee;
}

/** No second thread was created in any execution explored; or the program cannot fail an assertion, since it has none. */
export type Unchecked = 'threads' | 'assertions';

export interface CheckProgress {
  readonly model: Model;
  readonly executions: number;
  readonly blocked: number;
  /** Steps of the current execution. */
  readonly depth: number;
  /**
   * An estimate of the total number of executions; absent where it would be meaningless. Computing it takes a moment.
   */
  readonly estimate: Estimate | undefined;
  /** Since the start of this model. */
  readonly seconds: number;
}
