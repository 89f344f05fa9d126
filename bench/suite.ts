/**
 * bench/: measures speed, and checks that counts have not changed.
 *
 * A suite is one file that exports a `Suite` and has a line in `suites.ts`. `run.ts` measures each of its cases in a
 * separate process, so that neither memory nor the engine's optimisations carry over, prints a table with the
 * ratios to the last recorded results, and records them under `results/`. Counts must not change; rates are only
 * reported and compared.
 */
import type { Case } from './results.ts';

export interface Measurement {
  /** Depend only on the program, such as executions; a change is a failure. */
  readonly counts: Readonly<Record<string, number>>;
  /** Depend on the machine; more is better. */
  readonly rates: Readonly<Record<string, number>>;
  /** Anything else worth a column. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** The C program of a case, in the form for other tools. */
export interface Input {
  /** Relative to `programs/`. */
  readonly files: readonly string[];
  readonly defines: readonly string[];
  readonly model: string;
}

export interface Suite {
  readonly name: string;
  readonly about: string;
  readonly cases: readonly string[];
  measure(name: string): Promise<Measurement>;
  /** For `--peer`: the inputs for another tool, one for each model of the case. */
  inputs?(name: string): readonly Input[];
  /** Why it has no inputs for other tools. */
  readonly alone?: string;
  /** Describes what is wrong with the cases taken together; called if all of them were measured. */
  verify?(cases: readonly Case[]): readonly string[];
}
