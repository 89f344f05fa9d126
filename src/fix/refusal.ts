/** Why a fix cannot be found for, or written into, these sources: a message for the user, who can change them. */
import { type Location, printLocation } from '../program/location.ts';

export class FixRefusal extends Error {
  override readonly name = 'FixRefusal';
  readonly place: Location | undefined;
  readonly reason: string;
  /** What clang reported, if that is the reason. */
  readonly diagnostics: string;

  constructor(place: Location | undefined, reason: string, diagnostics = '') {
    super(place === undefined ? reason : `${printLocation(place)}: ${reason}`);
    this.place = place;
    this.reason = reason;
    this.diagnostics = diagnostics;
  }
}
