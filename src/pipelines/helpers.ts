/** Workers, as a search sees them. */
import type { Order } from '../explore/dpor/job.ts';
import type { SearchLevel } from '../explore/dpor/search-state.ts';
import type { ModelJob, ModelsElsewhere, ModelsWork } from './models-elsewhere.ts';
import type { RunsJob, RunsTogether } from './shared-runs.ts';
import type { SavedTogether, SharedWork, Together } from './together.ts';

export interface Helpers {
  /**
   * The seconds after which a search is divided if it will take much longer. 0: at once, whatever its forecast.
   * Infinity: never.
   */
  readonly after: number;
  /** Continues with the rest of a search. `pace`: its executions per second so far. */
  begin(work: SharedWork, left: readonly SearchLevel[], pace?: number): Together;
  /**
   * Searches from the beginning, in parts by orders ([decision 43](../../docs/decisions/0043-parts-by-orders.md)): at
   * least `parts`.
   */
  readonly parts?: number;
  beginParts?(work: SharedWork, parts: readonly (readonly Order[])[]): Together;
  /** Makes random runs. */
  beginRuns?(work: SharedWork, left: RunsJob): RunsTogether;
  /** Searches other models at the same time. */
  beginModels?(work: ModelsWork, jobs: readonly ModelJob[]): ModelsElsewhere;
  /** Resumes a saved search by several workers. */
  resume(work: SharedWork, saved: SavedTogether): Together;
}
