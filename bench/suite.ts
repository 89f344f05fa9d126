/**
 * bench/: how fast it is, and that it still does the same.
 *
 * A suite is one file that exports a `Suite` and has a line in `suites.ts`. `run.ts` measures each of its cases in a
 * process of its own, so that neither memory nor what the engine has learnt is carried over, prints a table with the
 * ratios to the last recorded results, and records them under `results/`. Counts must be what they were; rates are only
 * reported and compared.
 */
import type { Case } from './results.ts';

export interface Measurement {
  /** Depend on the program alone, such as executions; a change is a failure. */
  readonly counts: Readonly<Record<string, number>>;
  /** Depend on the machine; more is better. */
  readonly rates: Readonly<Record<string, number>>;
  /** Anything else that is worth a column. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** The C program of a case, as other tools would be given it. */
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
  /** For `--peer`: what another tool is to look at. */
  input?(name: string): Input;
  /** What is wrong with the cases taken together, in words; called if all of them were measured. */
  verify?(cases: readonly Case[]): readonly string[];
}
