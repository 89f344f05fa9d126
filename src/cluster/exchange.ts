/** What a search and its workers say to each other through Redis. */
import { createHash } from 'node:crypto';
import type { ProposalAnswer } from '../explore/dpor/job.ts';
import type { SearchLevel } from '../explore/dpor/search-state.ts';
import type { HandedOut } from '../explore/frontier/keeper.ts';
import type { PartResult } from '../pipelines/together.ts';
import type { Program } from '../program/ir.ts';
import { printProgram } from '../program/print.ts';

/** A job in the queue, and what comes of it. Results are text: see `wire.ts`. */
export type QueuedJob = HandedOut;
export type JobResult =
  | {
      /** The thread, whose results, except for counts, are those of all its jobs so far. */
      readonly thread: string;
      readonly left: readonly SearchLevel[];
      readonly part: PartResult;
    }
  /** Nobody can do it, only a search alone. */
  | { readonly gaveUp: string };

/** To append to a shared node. Asked again if there is no answer; a proposal that comes twice is covered by the first. */
export interface AskedThere {
  readonly asker: string;
  /** Of the question, for the asker. */
  readonly number: number;
  readonly job: number;
  readonly node: number;
  readonly known: number;
  readonly actions: readonly string[];
}

export interface AnsweredThere {
  readonly number: number;
  /** Absent if the job is no longer wanted: somebody else has done it. */
  readonly answer?: ProposalAnswer;
}

export function programHash(program: Program): string {
  return createHash('sha256').update(printProgram(program)).digest('hex');
}
