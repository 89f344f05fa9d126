/** Warnings of several models: each once, whatever models it applies to; not the races that are errors under one of them. */
import { racingPlaces } from '../../program/error-text.ts';
import { printLocation } from '../../program/location.ts';
import type { CheckReport, WarningReport } from '../schema.ts';

/** For each result, the warnings that no earlier one has. */
export function firstWarnings(results: readonly CheckReport[]): readonly (readonly WarningReport[])[] {
  const errors = results.flatMap(({ error, otherErrors = [] }) => (error === undefined ? [] : [error, ...otherErrors]));
  const races = new Set(errors.filter(({ kind }) => kind === 'race').map((race) => racingPlaces(race).join()));
  const seen = new Set<string>();
  return results.map(({ warnings }) =>
    warnings.filter(({ kind, places, message }) => {
      const isError = kind === 'race' && races.has(places.map(printLocation).sort().join());
      // Threads and elements of arrays may be others.
      const key = places.length === 0 ? message : `${kind} ${places.map(printLocation).join(' ')}`;
      if (isError || seen.has(key)) return false;
      seen.add(key);
      return true;
    }),
  );
}
