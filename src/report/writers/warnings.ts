/**
 * Warnings of several models, each once, whatever models it applies to, without races that are errors under one of
 * them.
 */
import { racingPlaces } from '../../program/error-text.ts';
import { printLocation } from '../../program/location.ts';
import { listText } from '../../util/list-text.ts';
import type { CheckReport, WarningReport } from '../schema.ts';
import { relevanceOf } from '../story/relevance.ts';

/** The parts of a report that are needed here. */
type Warned = Pick<CheckReport, 'model'> &
  Partial<Pick<CheckReport, 'verdict' | 'how' | 'error' | 'otherErrors' | 'trace' | 'warnings'>>;

/** For each result, the warnings that no earlier result has. */
export function firstWarnings(results: readonly Warned[]): readonly (readonly WarningReport[])[] {
  const errors = results.flatMap(({ error, otherErrors = [] }) => (error === undefined ? [] : [error, ...otherErrors]));
  const races = new Set(errors.filter(({ kind }) => kind === 'race').map((race) => racingPlaces(race).join()));
  const seen = new Set<string>();
  return results.map(({ warnings = [] }) =>
    warnings.filter((warning) => {
      const isError = warning.kind === 'race' && races.has(warning.places.map(printLocation).sort().join());
      if (isError || seen.has(keyOf(warning))) return false;
      seen.add(keyOf(warning));
      return true;
    }),
  );
}

/** Warnings that differ only in threads or array elements have the same key. */
function keyOf({ kind, places, message }: WarningReport): string {
  return places.length === 0 ? message : `${kind} ${places.map(printLocation).join(' ')}`;
}

/** More races than this are combined in one warning that lists the variables and lines. */
const MAX_RACES = 2;

/** The texts of warnings, with what each has to do with a failure in the same report. */
export function warningTexts(warnings: readonly WarningReport[], results: readonly Warned[]): readonly string[] {
  const told = placesOfFailures(results);
  const isFailing = results.some(({ error }) => error !== undefined);
  const isTold = ({ places }: WarningReport): boolean =>
    places.length > 0 && places.every((place) => told.has(printLocation(place)));
  const races = warnings.filter(({ kind }) => kind === 'race');
  const groups = [races.filter(isTold), races.filter((race) => !isTold(race))];
  const of = (group: readonly WarningReport[]): string =>
    group === groups[0] ? ' in the lines of the failure, ' : ' ';
  const others = warnings.filter(({ kind }) => kind !== 'race').map(({ message }) => message);
  return [
    ...groups.flatMap((group) =>
      group.length <= (races.length > MAX_RACES ? 1 : MAX_RACES)
        ? group.map((race) => race.message.replace(/^data race /, `data race${of(group)}`))
        : [racesText(group, of(group))],
    ),
    ...others.map((message) => (isFailing ? `${message}, in executions that do not fail` : message)),
  ];
}

/** The places of the steps that make up a failure: those that the explanation names, and the last ones. */
function placesOfFailures(results: readonly Warned[]): ReadonlySet<string> {
  const places = new Set<string>();
  for (const { error, trace } of results) {
    if (error === undefined || trace === undefined) continue;
    const { levels } = relevanceOf(trace);
    trace.events.forEach(({ file, line, column = 0 }, e) => {
      if (levels[e] === 0 && file !== undefined && line !== undefined)
        places.add(printLocation({ file, line, column }));
    });
  }
  return places;
}

/** If the verdicts are good in spite of the races. */
export function whatRacesAre(results: readonly Warned[]): readonly string[] {
  const isGood = results.every(({ error }) => error === undefined);
  const hasRace = results.some(({ warnings = [] }) => warnings.some(({ kind }) => kind === 'race'));
  return isGood && hasRace
    ? [
        'A data race is undefined behaviour in C even where no execution fails: make the variable atomic, or hold a lock. `--races` reports data races as errors.',
      ]
    : [];
}

/** ``data races on `x` (lines 3 and 5) and `y` (line 9) …``. */
function racesText(races: readonly WarningReport[], of: string): string {
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
  return `${races.length} data races${of === ' ' ? ', ' : of}on ${listText(texts)}: two threads can access these at the same time (\`--json\` has them one by one)`;
}
