/**
 * Which memory orders would prevent an error under the model of the language: a cheapest set of stronger orders with
 * which a short search no longer finds the error. There is no advice if orders alone do not help, so that the accesses
 * themselves must change, or if every access that could be stronger is in our library.
 */
import type { Stop } from '../explore/bound.ts';
import type { FoundError } from '../explore/explore.ts';
import { parseSchedule } from '../explore/schedule.ts';
import {
  type Candidates,
  type Change,
  type ChangeKind,
  DEFAULT_COSTS,
  forEachInstruction,
  instructionAt,
  makeCandidates,
  type Place,
  strongerOrders,
} from '../fix/candidates.ts';
import { DoesNotFit } from '../fix/constraint.ts';
import { type Checker, type Search, type SearchOutcome, Synthesis } from '../fix/synthesis.ts';
import type { ProgramError } from '../machine/code/error.ts';
import { Machine } from '../machine/machine.ts';
import type { FixModel } from '../models/index.ts';
import type { CheckOptions } from '../options/check.ts';
import { racingPlaces } from '../program/error-text.ts';
import type { Program } from '../program/ir.ts';
import { type Location, printLocation } from '../program/location.ts';
import { asCode } from '../util/code-text.ts';
import { listText } from '../util/list-text.ts';
import { ModelSearch } from './model-search.ts';

/**
 * Limits of each search, and on the sets of changes that are tried. Since the searches are cut short, advice may not be
 * enough.
 */
const MAX_EXECUTIONS = 500;
const MAX_SETS = 15;
const MAX_ERRORS = 5;
const MAX_STEPS = 1000;

const NO_STEPS = Number.POSITIVE_INFINITY;

/** The errors, the first of them with notes that say what would prevent each. */
export function withAdvice(
  program: Program,
  model: FixModel,
  errors: readonly FoundError[],
  options: CheckOptions,
): readonly FoundError[] {
  return errors.map((found, i) => {
    const notes =
      i < MAX_ERRORS && isShort(program, model, found) ? adviseOrders(program, model, found.error, options) : [];
    if (notes.length === 0) return found;
    return { ...found, error: { ...found.error, notes: [...(found.error.notes ?? []), ...notes] } };
  });
}

/** In longer executions, looking at every pair of events would take too long. */
function isShort(program: Program, model: FixModel, { schedule }: FoundError): boolean {
  return parseSchedule(new Machine(program, model), schedule).length <= MAX_STEPS;
}

function adviseOrders(
  program: Program,
  model: FixModel,
  error: ProgramError,
  options: CheckOptions,
): readonly string[] {
  const candidates = ordersOf(program);
  if (candidates.changes.length === 0) return [];
  const checker: Checker = (changed) => new SameErrorSearch(changed, model, error, options);
  const synthesis = new Synthesis(candidates, [model], checker, 1);
  try {
    while (!synthesis.advance(NO_STEPS)) if (synthesis.checked > MAX_SETS) return [];
  } catch (error) {
    if (error instanceof DoesNotFit) return [];
    throw error;
  }
  const { result } = synthesis;
  if (result.kind !== 'found' || result.cost === 0) return [];
  const changes = textsOf(candidates, result.solutions[0]!, error);
  return [`to ${error.kind === 'race' ? 'order them' : 'prevent it'}, make ${listText(together(changes))}`];
}

/**
 * All accesses of the program that could be stronger. Code inlined from our library has the location of a call, which
 * names no variable.
 */
function ordersOf(program: Program): Candidates {
  const places: Place[] = [];
  forEachInstruction(program, (instruction, position) => {
    const kinds = strongerOrders(instruction, 'language');
    const { location } = instruction;
    const isOurs = program.functions[position.func]!.isLibrary === true || location?.variable === undefined;
    if (isOurs || kinds.length === 0 || !Object.hasOwn(ACCESS, instruction.op)) return;
    const known = places.findIndex((place) => isSamePlace(place, location) && place.kinds.join() === kinds.join());
    if (known < 0) places.push({ kind: 'access', positions: [position], location, isInLoop: false, kinds });
    else places[known] = { ...places[known]!, positions: [...places[known]!.positions, position] };
  });
  return makeCandidates(program, places, DEFAULT_COSTS);
}

function isSamePlace({ location }: Place, other: NonNullable<Place['location']>): boolean {
  return location !== undefined && printLocation(location) === printLocation(other);
}

/** A text for each place, sorted by line. */
function textsOf(candidates: Candidates, changes: readonly Change[], error: ProgramError): readonly string[] {
  const places = [...new Set(changes.map(({ place }) => place))].map((number) => ({
    ...candidates.places[number]!,
    kinds: changes.filter(({ place }) => place === number).map(({ kind }) => kind),
  }));
  const told = places.map(({ location }) => location!);
  return places
    .toSorted(({ location: a }, { location: b }) => a!.line - b!.line || a!.column - b!.column)
    .flatMap(({ positions, location, kinds }) => {
      const access = instructionAt(candidates.program, positions[0]!);
      const where = `${asCode(location!.variable!)} (${placeText(location!, told, error)})`;
      const isFailure = (kind: ChangeKind): boolean => kind === 'acquire-failure';
      const orders = kinds.filter((kind) => !isFailure(kind));
      return [
        ...(orders.length === 0 ? [] : [`the ${ACCESS[access.op]} of ${where} ${orderText(orders)}`]),
        ...(kinds.some(isFailure) ? [`the failure order of the compare-exchange of ${where} an acquire`] : []),
      ];
    });
}

/** `a, b and c seq_cst`: an order that all changes share is named once. */
function together(changes: readonly string[]): readonly string[] {
  const order = /\) (seq_cst|acq_rel)$/.exec(changes[0]!)?.[1];
  if (order === undefined || !changes.every((change) => change.endsWith(`) ${order}`))) return changes;
  return changes.map((change, i) => (i === changes.length - 1 ? change : change.slice(0, -order.length - 1)));
}

/** `line 27`; with the file unless the error is in it, with the column if another place on the line is named. */
function placeText(location: Location, told: readonly Location[], { file }: ProgramError): string {
  const isOther = told.some(
    (l) => l.file === location.file && l.line === location.line && l.column !== location.column,
  );
  const line = `${location.line}${isOther ? `:${location.column}` : ''}`;
  const isThere = location.file === (file ?? told.find((l) => l.file !== location.file)?.file ?? location.file);
  return isThere ? `line ${line}` : `${location.file.split('/').at(-1)}:${line}`;
}

const ACCESS: Readonly<Record<string, string>> = {
  load: 'read',
  store: 'write',
  rmw: 'read-modify-write',
  cmpxchg: 'compare-exchange',
};

function orderText(kinds: readonly ChangeKind[]): string {
  if (kinds.includes('seq_cst')) return 'seq_cst';
  if (kinds.length > 1) return 'acq_rel';
  return kinds[0] === 'release' ? 'a release' : 'an acquire';
}

/** A short search for the same error; other errors do not count. */
class SameErrorSearch implements Search {
  private readonly search: ModelSearch;
  private readonly error: ProgramError;

  constructor(program: Program, model: FixModel, error: ProgramError, options: CheckOptions) {
    const { robust: _, ...rest } = options;
    this.error = error;
    this.search = new ModelSearch(program, model, { ...rest, keepGoing: true, maxExecutions: MAX_EXECUTIONS });
  }

  advance(): boolean {
    for (;;) if (this.search.advance(SLICE) || this.found !== undefined) return true;
  }

  stop(why: Stop): void {
    this.search.stop(why);
  }

  get counts(): { executions: number } {
    return this.search.counts;
  }

  private get found(): FoundError | undefined {
    return this.search.result.errors.find(({ error }) => isSame(error, this.error));
  }

  get outcome(): SearchOutcome {
    const { found } = this;
    const bounds = this.search.result.boundedBy;
    return found === undefined ? { bounds } : { bounds, schedule: found.schedule, error: found.error };
  }
}

/** Steps between two checks for the error. */
const SLICE = 2000;

/** Threads may have other names, and the two accesses of a race may come in either order. */
function isSame(a: ProgramError, b: ProgramError): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'race') return racingPlaces(a).join() === racingPlaces(b).join();
  return a.file === b.file && a.line === b.line && a.column === b.column;
}
