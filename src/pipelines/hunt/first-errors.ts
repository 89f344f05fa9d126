/**
 * The errors of a hunt, in the order in which a single thread finds them: round by round, and in a round one trial of
 * every cycle, then the next trial of every cycle, and so on.
 */
import { type FoundError, isKnown } from '../../explore/found-errors.ts';

/** The number of the round, of the trial in it, of the cycle in the round, and of the execution in the trial. */
export type ErrorPlace = readonly [round: number, trial: number, cycle: number, attempt: number];

export class FirstErrors {
  private readonly found: { readonly place: ErrorPlace; readonly error: FoundError }[] = [];

  /** Keeps only the first occurrence of an error. */
  add(place: ErrorPlace, error: FoundError): void {
    const known = this.found.findIndex((other) => isKnown([other.error], error.error));
    if (known >= 0 && compare(this.found[known]!.place, place) <= 0) return;
    if (known >= 0) this.found.splice(known, 1);
    this.found.push({ place, error });
    this.found.sort((a, b) => compare(a.place, b.place));
  }

  get placed(): readonly (readonly [ErrorPlace, FoundError])[] {
    return this.found.map(({ place, error }) => [place, error]);
  }

  get list(): readonly FoundError[] {
    return this.found.map(({ error }) => error);
  }
}

function compare(a: ErrorPlace, b: ErrorPlace): number {
  const i = a.findIndex((number, at) => number !== b[at]);
  return i < 0 ? 0 : a[i]! - b[i]!;
}
