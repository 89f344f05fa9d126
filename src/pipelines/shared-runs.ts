/**
 * Random runs that others make. A run depends on its number alone, and with PCT on the longest one before it. So anybody can make it; what it adds
 * to the results is added in the order of numbers. Most runs add only counts. One that shows anything else (an error, a bound, a warning, a
 * loop) is made again by the search itself when its turn comes, so the results are those of a search alone, whoever made the runs.
 */
import type { SavedCounts } from '../explore/counts.ts';
import type { Exploration, FoundError } from '../explore/explore.ts';
import type { KnownOfRuns, NumberedRuns } from '../explore/numbered-runs.ts';
import { Tally } from '../explore/tally.ts';
import type { Coverage } from './coverage.ts';
import type { SearchedLoops } from './searched-loops.ts';

/** Runs from one number up to another, and what is known from those before. */
export interface RunsJob {
  readonly from: number;
  readonly to: number;
  readonly known: KnownOfRuns;
}

/** Runs that add only counts. */
export interface QuietRuns {
  readonly from: number;
  readonly to: number;
  readonly counts: SavedCounts;
  /** Of their traces. */
  readonly hashes: readonly number[];
  /** After them. */
  readonly known: KnownOfRuns;
}

export interface RunsPart {
  /** It may end early, after an error. */
  readonly to: number;
  /** What was known from the runs before, if it was right. */
  readonly before: KnownOfRuns;
  readonly after: KnownOfRuns;
  /** In the order of numbers. What is between them must be made again. */
  readonly quiet: readonly QuietRuns[];
  readonly errors: readonly FoundError[];
}

/** Others who make runs. */
export interface RunsTogether {
  /** They cannot go on. */
  readonly hasFailed: boolean;
  /** Runs that have been made and not taken. */
  readonly executions: number;
  /** Errors in these, by number of the run. */
  readonly errors: readonly FoundError[];
  /** The part that begins with this run, if it has been made. */
  take(from: number): RunsPart | undefined;
  /** Begins anew from there: more is known than was thought. */
  again(from: number, known: KnownOfRuns): void;
  /** Ends all threads. */
  stop(): void;
  wait(): Promise<void>;
}

/** What a search lets others do, and see. */
export interface RunsSearch {
  readonly numbered: NumberedRuns;
  readonly coverage: Coverage;
  readonly loops: SearchedLoops;
  readonly exploration: Exploration;
  /** A number that grows whenever something is found that is no count. */
  readonly findings: number;
  /** Begins anew, after an error. */
  renew(): void;
}

/** Makes the runs of a job. */
export function makeRuns(search: RunsSearch, { from, to, known }: RunsJob): RunsPart {
  const { numbered, coverage } = search;
  const quiet: QuietRuns[] = [];
  numbered.next = from;
  numbered.known = known;
  coverage.collect();
  let start = from;
  let before = search.exploration.counts;
  const end = (number: number, after: SavedCounts): void => {
    const hashes = coverage.collect();
    if (number > start)
      quiet.push({ from: start, to: number, counts: minus(after, before), hashes, known: numbered.known });
  };
  let isOver = false;
  const errors = search.exploration.result.errors.length;
  for (let number = from; number < to && !isOver; number++) {
    const { findings } = search;
    const counts = search.exploration.counts;
    const { known: knownBefore } = numbered;
    const hashes = coverage.collected;
    isOver = search.exploration.advanceExecutions(1);
    if (search.findings === findings && !isOver && !isLookedAt(number)) continue;
    // All up to the run before.
    coverage.forget(hashes);
    const { known: knownAfter } = numbered;
    numbered.known = knownBefore;
    end(number, counts);
    numbered.known = knownAfter;
    start = number + 1;
    before = search.exploration.counts;
  }
  const reached = isOver ? start : to;
  if (!isOver) end(to, search.exploration.counts);
  const part = {
    to: reached,
    before: known,
    after: numbered.known,
    quiet,
    errors: search.exploration.result.errors.slice(errors),
  };
  if (isOver) search.renew();
  return part;
}

/** Runs that are looked at for long loops ([searched-loops.ts](searched-loops.ts)). */
function isLookedAt(number: number): boolean {
  return ((number + 1) & number) === 0;
}

/** Adds the next runs that others have made; true once the search has ended. */
export function addRuns(search: RunsSearch, together: RunsTogether): boolean {
  const { numbered, exploration, coverage, loops } = search;
  for (;;) {
    if (numbered.next === numbered.runs) {
      exploration.finish();
      return true;
    }
    const part = together.take(numbered.next);
    if (part === undefined) return false;
    if (part.before.steps !== numbered.known.steps) {
      together.again(numbered.next, numbered.known);
      return false;
    }
    for (let at = 0; numbered.next < part.to; ) {
      const quiet = part.quiet[at];
      if (quiet?.from !== numbered.next) {
        if (exploration.advanceExecutions(1)) return true;
        continue;
      }
      exploration.merge({ ...NOTHING, counts: quiet.counts });
      coverage.add(quiet.hashes);
      loops.skip(quiet.to - quiet.from);
      numbered.known = quiet.known;
      numbered.next = quiet.to;
      at++;
    }
  }
}

const NOTHING = new Tally().save();

function minus(a: SavedCounts, b: SavedCounts): SavedCounts {
  return {
    complete: a.complete - b.complete,
    erroneous: a.erroneous - b.erroneous,
    abandoned: a.abandoned - b.abandoned,
    steps: a.steps - b.steps,
    blockedBy: {
      assume: a.blockedBy.assume - b.blockedBy.assume,
      unroll: a.blockedBy.unroll - b.blockedBy.unroll,
      spin: a.blockedBy.spin - b.blockedBy.spin,
    },
  };
}
