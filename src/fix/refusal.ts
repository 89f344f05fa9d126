/** Why a fix cannot be found, or written down, in these sources: said to the user, who can change them. */
import { type Location, printLocation } from '../program/location.ts';

export class FixRefusal extends Error {
  override readonly name = 'FixRefusal';
  readonly place: Location | undefined;
  readonly reason: string;
  /** What clang had to say, if that is why. */
  readonly diagnostics: string;

  constructor(place: Location | undefined, reason: string, diagnostics = '') {
    super(place === undefined ? reason : `${printLocation(place)}: ${reason}`);
    this.place = place;
    this.reason = reason;
    this.diagnostics = diagnostics;
  }
}
