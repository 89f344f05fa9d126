/** The common content of all machine-readable formats: for every command, one case per question, with its findings. */
import type { ErrorReport, ProblemReport, SourcePlace } from '../schema.ts';
import type { TraceReport } from '../trace-schema.ts';
import type { LineEdit } from './line-edits.ts';

export type FindingKind =
  | ErrorReport['kind']
  | 'condition'
  | 'expectation'
  | 'leak'
  | 'robustness'
  | 'fence'
  | 'unneeded-fence'
  | 'inconclusive';

/** `open`: the question has not been answered. */
export type Level = 'error' | 'warning' | 'note' | 'open';

export interface Finding {
  readonly kind: FindingKind;
  readonly level: Level;
  /** One line. */
  readonly message: string;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** Other places that the message names. */
  readonly related?: readonly Omit<SourcePlace, 'variable' | 'text'>[];
  /** What to replace, sorted by file and line. */
  readonly edits?: readonly LineEdit[];
  readonly id?: string;
  readonly schedule?: string;
  readonly trace?: TraceReport;
}

/** One question and its answer. */
export interface Case {
  /** The input. */
  readonly file: string;
  readonly name: string;
  readonly model: string;
  readonly seconds?: number;
  readonly verdict: 'violation' | 'verified' | 'inconclusive';
  /** What was found, if the verdict is about an expectation. */
  readonly answer?: string;
  /** The program already fails under SC, and the case of SC describes the failure. */
  readonly isRepeated: boolean;
  readonly findings: readonly Finding[];
}

interface KindText {
  readonly title: string;
  /** What to do about it. */
  readonly help: string;
  /** The page in docs/ that explains it. */
  readonly page: string;
}

const REPLAY = 'Run the execution again, step by step: `fencepost replay`.';
const ERRORS = 'verdicts.md#kinds-of-error';

export const KINDS: Readonly<Record<FindingKind, KindText>> = {
  assertion: {
    title: 'An assertion fails, or the program aborts',
    help: `If it holds under sc, a fence or a stronger memory order is missing: \`fencepost fix\` finds it. ${REPLAY}`,
    page: ERRORS,
  },
  deadlock: {
    title: 'Threads wait for each other forever',
    help: `Take locks in one order everywhere, and signal while holding the mutex. ${REPLAY}`,
    page: ERRORS,
  },
  liveness: {
    title: 'A thread waits in a loop for something that never happens',
    help: `The awaited thread must be able to make progress regardless of the others. ${REPLAY}`,
    page: ERRORS,
  },
  memory: {
    title: 'An invalid memory access',
    help: `Often an object is freed, or not yet published, while another thread uses it. ${REPLAY}`,
    page: ERRORS,
  },
  misuse: { title: 'A thread or synchronisation object is misused', help: REPLAY, page: ERRORS },
  race: {
    title: 'A data race',
    help: 'Make the accesses atomic, or hold the same mutex around both. In C a data race is undefined behaviour.',
    page: 'verdicts.md#warnings',
  },
  leak: {
    title: 'Memory is never freed, and nothing points to it',
    help: 'Free it, or keep a pointer to it.',
    page: 'verdicts.md#warnings',
  },
  uninitialised: {
    title: 'Something depends on a value that was never written',
    help: 'Initialise the memory before any thread reads it.',
    page: ERRORS,
  },
  condition: {
    title: 'The condition of a litmus test fails',
    help: '`fencepost litmus --traces` shows an execution for each final state.',
    page: 'verdicts.md#what-a-litmus-test-can-answer',
  },
  expectation: {
    title: 'A verdict is not the one that the suite expects',
    help: 'Correct the program, or the expectation.',
    page: 'suites.md',
  },
  robustness: {
    title: 'Store buffers allow an execution that is impossible under SC',
    help: 'A full fence between the store and the later load keeps them in order: `fencepost fix --goal robust` finds a cheapest set.',
    page: 'robust.md',
  },
  fence: {
    title: 'A fence or a stronger memory order is missing',
    help: 'Apply the patch that `fencepost fix` prints, as a whole; `fencepost fix --write` does it.',
    page: 'fix.md',
  },
  'unneeded-fence': {
    title: 'A fence is stronger than needed, or not needed at all',
    help: 'Apply the patch that `fencepost fix --minimise` prints, as a whole; `--write` does it.',
    page: 'fix.md',
  },
  inconclusive: {
    title: 'A bound was reached before the search was exhaustive',
    help: 'Raise the bound that the message names, or make the program smaller.',
    page: 'verdicts.md#bounds',
  },
};

export function problemText({ file, line, column, message }: ProblemReport): string {
  return `${file}${line === undefined ? '' : `:${line}:${column}`}: ${message}`;
}
