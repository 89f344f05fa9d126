/** Messages between a search and its workers, through Redis. */
import { createHash } from 'node:crypto';
import type { ProposalAnswer } from '../explore/dpor/job.ts';
import type { SearchLevel } from '../explore/dpor/search-state.ts';
import type { HandedOut } from '../explore/frontier/keeper.ts';
import type { PartResult } from '../pipelines/together.ts';
import type { Program } from '../program/ir.ts';
import { printProgram } from '../program/print.ts';

/** A job in the queue, and its result. Results are text: see `wire.ts`. */
export type QueuedJob = HandedOut;
export type JobResult =
  | {
      /** The thread. Its results, except for the counts, cover all its jobs so far. */
      readonly thread: string;
      /** Counts the thread's results: two that end in the same millisecond may arrive in the wrong order. */
      readonly number: number;
      readonly left: readonly SearchLevel[];
      readonly part: PartResult;
    }
  /** No worker can do the job; only a search alone can. */
  | { readonly gaveUp: string };

/**
 * A proposal to append to a shared node. Sent again if there is no answer; a repeated proposal is covered by the first.
 */
export interface AskedThere {
  readonly asker: string;
  /** The asker's number for the question. */
  readonly number: number;
  readonly job: number;
  readonly node: number;
  readonly known: number;
  readonly actions: readonly string[];
}

export interface AnsweredThere {
  readonly number: number;
  /** Absent if the job is no longer wanted: another worker has done it. */
  readonly answer?: ProposalAnswer;
}

export function programHash(program: Program): string {
  return createHash('sha256').update(printProgram(program)).digest('hex');
}
