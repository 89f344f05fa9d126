/** A C program that we do not accept: why, where, and what to do about it. Exit code 3. */
import type { Place } from './module.ts';

export class FrontendError extends Error {
  override readonly name = 'FrontendError';
  readonly place: Place;
  readonly reason: string;
  /** Clang's warnings about the program. */
  diagnostics = '';

  constructor(place: Place, reason: string) {
    // Debug info does not always have a column.
    super(`${place.file}:${place.line}${place.column > 0 ? `:${place.column}` : ''}: ${reason}`);
    this.place = place;
    this.reason = reason;
  }
}
