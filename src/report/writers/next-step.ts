/** Suggests what to try when a bound cut a search short, with numbers. */
import { type Location, printLocation } from '../../program/location.ts';
import { asCode } from '../../util/code-text.ts';
import type { CheckReport } from '../schema.ts';

const TEN = 10;

/** For each kind of bound, the option that raises it. */
const OPTIONS: Readonly<Record<string, (limit: number) => string>> = {
  executions: (limit) => `--max-executions ${limit * TEN}`,
  'random runs': (limit) => `--max-executions ${limit * TEN}`,
  unroll: (limit) => `--unroll ${limit * 2}`,
  steps: (limit) => `--max-steps ${limit * TEN}`,
  states: (limit) => `--max-states ${limit * TEN}`,
  preemptions: (limit) => `--preemptions ${limit + 1}`,
  delays: (limit) => `--delays ${limit + 1}`,
};

/** One sentence for all results, if some result is inconclusive for a reason that an option can change. */
export function nextStep(results: readonly CheckReport[]): readonly string[] {
  const open = results.filter(({ verdict }) => verdict === 'inconclusive');
  const bounds = open.flatMap(({ boundedBy = [] }) => boundedBy as readonly RaisedBound[]);
  const endless = bounds.flatMap((bound) => bound.endless ?? []);
  if (endless.length > 0) return [endlessText(printLocation(endless[0]!))];
  if (open.length > 0 && open.every(isStuckBeforeThreads)) return [SMALLER];
  if (open.length > 0 && open.every(isStuckInLoop(results))) return [isRecursion(results) ? RECURRING : LOOPING];
  const [unroll] = bounds.filter(({ kind }) => kind === 'unroll');
  if (unroll?.limit !== undefined && open.every(isAllCut)) return [pollingText(unroll.limit)];
  if (open.length > 0 && open.every(runsOn)) return [RUNS_ON];
  const raised = bounds.flatMap(({ kind, limit, timeout }) => {
    if (timeout !== undefined) return [`--timeout ${timeout * TEN}`];
    return limit !== undefined && Object.hasOwn(OPTIONS, kind) ? [OPTIONS[kind]!(limit)] : [];
  });
  if (raised.length === 0) return [];
  const options = [...new Set(raised)].join(' ');
  const isSampled = bounds.some(({ kind }) => kind === 'random runs');
  const quick = isSampled
    ? ''
    : '; to look for errors only, `--strategy pct`, which samples executions and proves nothing';
  return [`Next: try ${asCode(options)}${quick}.`];
}

/** Whether the search did not get as far as the first thread. */
function isStuckBeforeThreads({ executions, unchecked = [], boundedBy = [] }: CheckReport): boolean {
  const isLong = (boundedBy as readonly RaisedBound[]).some(
    ({ kind, timeout }) => isLength(kind) || timeout !== undefined,
  );
  return executions === 0 && isLong && unchecked.includes('threads');
}

/** Whether the bound is one on the length of an execution. */
function isLength(kind: string): boolean {
  return kind === 'steps' || kind === 'unroll';
}

/** Whether every execution reached the bound on loops. */
function isAllCut({ executions, boundedBy = [] }: CheckReport): boolean {
  return (
    executions === 0 &&
    (boundedBy as readonly RaisedBound[]).every(({ kind }) => kind === 'unroll' || kind === 'vacuous')
  );
}

/** Whether the bound on steps is all that stopped the search, and a loop ran on up to it. */
function runsOn({ loops = [], boundedBy = [] }: CheckReport): boolean {
  const isOnlyLength =
    boundedBy.length > 0 && (boundedBy as readonly RaisedBound[]).every(({ kind }) => kind === 'steps');
  return isOnlyLength && loops.some(({ why, isRecursion }) => isRecursion !== true && why.startsWith('runs on'));
}

const RUNS_ON =
  'Next: a loop ran on up to the bound on steps. If it waits for another thread, more steps only make it wait longer: bound it in the ' +
  'driver (`for (int tries = 0; tries < 2; tries++)`), or check a smaller driver; to look for errors only, `--strategy pct`, ' +
  'which samples executions and proves nothing.';

function pollingText(limit: number): string {
  return `Next: every execution was cut in a loop. If it polls for what never comes, no number helps, but a smaller driver, in which another thread lets it end; if it counts, try \`--unroll ${limit * 2}\`.`;
}

const SMALLER =
  'Next: no thread was created before the search stopped: what runs before that is too long, or has no end. No option helps as much ' +
  'as a smaller driver, with less to set up: smaller tables, fewer elements.';

/** Whether no execution ended, and a loop ran many times. */
function isStuckInLoop(results: readonly CheckReport[]): (result: CheckReport) => boolean {
  const hasLong = results.some(({ loops = [] }) => loops.some(({ isLong }) => isLong));
  return ({ executions, blocked }) => hasLong && executions + blocked === 0;
}

function isRecursion(results: readonly CheckReport[]): boolean {
  return results.every(({ loops = [] }) => loops.every((loop) => loop.isRecursion));
}

const RECURRING =
  'Next: no execution has ended. If that recursion has no end, neither has the search: bound its depth in the program.';

const LOOPING =
  'Next: no execution has ended. If that loop has no end, neither has the search: bound the loop in the program, or cut it with ' +
  '`--unroll 10`.';

function endlessText(place: string): string {
  return `Next: look at ${place}: there a thread loops without touching anything that another thread could see. If that loop has no end, no option helps.`;
}

interface RaisedBound {
  readonly kind: string;
  readonly limit?: number;
  readonly timeout?: number;
  readonly endless?: Location;
}
