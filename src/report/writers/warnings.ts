/** Warnings of several models: each once, whatever models it applies to; not the races that are errors under one of them. */
import { racingPlaces } from '../../program/error-text.ts';
import { printLocation } from '../../program/location.ts';
import { listText } from '../../util/list-text.ts';
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

/** More races than this are told in one warning: which variables, and in which lines. */
const MAX_RACES = 2;

export function warningTexts(warnings: readonly WarningReport[]): readonly string[] {
  const races = warnings.filter(({ kind }) => kind === 'race');
  if (races.length <= MAX_RACES) return warnings.map(({ message }) => message);
  const others = warnings.filter(({ kind }) => kind !== 'race').map(({ message }) => message);
  return [racesText(races), ...others];
}

/** ``data races on `x` (lines 3 and 5) and `y` (line 9) …``. */
function racesText(races: readonly WarningReport[]): string {
  const isOfFiles = new Set(races.flatMap(({ places }) => places.map(({ file }) => file))).size > 1;
  const byName = new Map<string, Set<string>>();
  for (const { message, places } of races) {
    const name = /^data race on (`.*?`):/s.exec(message)?.[1] ?? 'memory';
    const lines = byName.get(name) ?? new Set();
    byName.set(name, lines);
    for (const { file, line } of places) lines.add(isOfFiles ? `${file.split('/').at(-1)}:${line}` : String(line));
  }
  const texts = [...byName].map(([name, set]) => {
    const lines = [...set].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    return `${name} (${isOfFiles ? '' : lines.length === 1 ? 'line ' : 'lines '}${listText(lines)})`;
  });
  return `${races.length} data races, on ${listText(texts)}: two threads can access these at the same time (\`--json\` has them one by one)`;
}
