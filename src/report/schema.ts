/**
 * report/: what people and programs read.
 *
 * The shape of `--json` output, version `fencepost/1`; `docs/report-format.md` describes it for users. Everything here
 * is plain JSON. Fields are added within a version, never renamed or removed.
 */
import type { CheckCommandReport } from './check-schema.ts';
import type { FixCommandReport } from './fix-schema.ts';
import type { HuntCommandReport } from './hunt-schema.ts';
import type { LitmusCommandReport } from './litmus-schema.ts';
import type { MonitorCommandReport } from './monitor-schema.ts';
import type { RobustCommandReport } from './robust-schema.ts';
import type { SuiteCommandReport } from './suite-schema.ts';

export type {
  CheckCommandReport,
  CheckInput,
  CheckReport,
  CoverageReport,
  GuaranteeReport,
  SourceHash,
} from './check-schema.ts';
export type {
  ChangeReport,
  FixCommandReport,
  FixReport,
  OrdersReport,
  UntouchedReport,
  WeakestReport,
} from './fix-schema.ts';
export type { HuntCommandReport, HuntCycleReport, HuntInput, HuntReport } from './hunt-schema.ts';
export type { LitmusCommandReport, LitmusReport } from './litmus-schema.ts';
export type { LoggedEventReport, MonitorCommandReport, MonitorReport, WitnessReport } from './monitor-schema.ts';
export type {
  CycleReport,
  ErrorReport,
  ProblemReport,
  RoundReport,
  SourcePlace,
  WarningReport,
} from './parts-schema.ts';
export { SCHEMA } from './parts-schema.ts';
export type { RobustCommandReport, RobustReport, StatisticsReport, ViolationReport } from './robust-schema.ts';
export type { SuiteCommandReport, SuiteReport } from './suite-schema.ts';

export type Report =
  | LitmusCommandReport
  | CheckCommandReport
  | RobustCommandReport
  | HuntCommandReport
  | FixCommandReport
  | MonitorCommandReport
  | SuiteCommandReport;
