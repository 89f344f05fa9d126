/** A C program that we do not accept: what, where, and what to do about it. Exit code 3. */
import type { Place } from './module.ts';

export class FrontendError extends Error {
  override readonly name = 'FrontendError';
  readonly place: Place;
  readonly reason: string;
  /** clang's warnings about the program. */
  diagnostics = '';

  constructor(place: Place, reason: string) {
    // Debug info does not have a column for everything.
    super(`${place.file}:${place.line}${place.column > 0 ? `:${place.column}` : ''}: ${reason}`);
    this.place = place;
    this.reason = reason;
  }
}
