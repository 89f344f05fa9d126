/**
 * Random runs that workers make. A run depends on its number alone, and with PCT on the longest one before it. So any
 * worker can make it; results are added in the order of numbers. Most runs add only counts. A run that shows anything
 * else (an error, a bound, a warning, a loop) is made again by the search itself when its turn comes, so the results do
 * not depend on who made the runs.
 */
import type { SavedCounts } from '../explore/counts.ts';
import type { Exploration, FoundError } from '../explore/explore.ts';
import type { KnownOfRuns, NumberedRuns } from '../explore/numbered-runs.ts';
import { Tally } from '../explore/tally.ts';
import type { Coverage } from './coverage.ts';
import type { SearchedLoops } from './searched-loops.ts';

/** Workers could not make the runs: the search must start over, alone. */
export class NotTogether extends Error {
  override readonly name = 'NotTogether';
}

/** Runs `from` … `to`-1, and what is known from those before. */
export interface RunsJob {
  readonly from: number;
  readonly to: number;
  readonly known: KnownOfRuns;
}

/** Runs that add only counts. */
interface QuietRuns {
  readonly from: number;
  readonly to: number;
  readonly counts: SavedCounts;
  /** The hashes of their traces. */
  readonly hashes: readonly number[];
  /** What is known after them. */
  readonly known: KnownOfRuns;
}

export interface RunsPart {
  /** The end of the part, which may come early, after an error. */
  readonly to: number;
  /** What was taken to be known from the runs before. */
  readonly before: KnownOfRuns;
  readonly after: KnownOfRuns;
  /** In the order of numbers. The runs between them must be made again. */
  readonly quiet: readonly QuietRuns[];
  readonly errors: readonly FoundError[];
}

/** Workers that make runs. */
export interface RunsTogether {
  /** Whether they cannot continue. */
  readonly hasFailed: boolean;
  /** Runs that have been made but not taken. */
  readonly executions: number;
  /** Errors in these, in the order of runs. */
  readonly errors: readonly FoundError[];
  /** The part that begins with this run, if it has been made. */
  take(from: number): RunsPart | undefined;
  /** Makes the runs from there on again, with what is now known from those before. */
  again(from: number, known: KnownOfRuns): void;
  /** Ends all threads. */
  stop(): void;
  wait(): Promise<void>;
}

/** What a search offers to those that make its runs. */
export interface RunsSearch {
  readonly numbered: NumberedRuns;
  readonly coverage: Coverage;
  readonly loops: SearchedLoops;
  readonly exploration: Exploration;
  /** A number that grows whenever something other than a count is found. */
  readonly findings: number;
  /** Starts over, after an error. */
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
    // Everything up to the run before.
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

/** Whether this run is examined for long loops ([searched-loops.ts](searched-loops.ts)). */
function isLookedAt(number: number): boolean {
  return ((number + 1) & number) === 0;
}

/** Adds the next runs that workers have made. True once the search has ended. */
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
      covered: a.blockedBy.covered - b.blockedBy.covered,
      unroll: a.blockedBy.unroll - b.blockedBy.unroll,
      spin: a.blockedBy.spin - b.blockedBy.spin,
    },
  };
}
