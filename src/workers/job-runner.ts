/** Does one job of a search after another, each in pieces. */
import type { Proposals } from '../explore/dpor/job.ts';
import type { SearchLevel } from '../explore/dpor/search-state.ts';
import type { HandedOut } from '../explore/frontier/keeper.ts';
import { ModelSearch } from '../pipelines/model-search.ts';
import { RaceFreedom } from '../pipelines/race-freedom.ts';
import type { PartResult, SharedWork } from '../pipelines/together.ts';

/** In milliseconds: how long a piece takes; and how long to work before sharing with idle workers. */
const PIECE = 10;
const SHARE = 40;
/**
 * In milliseconds: how long to work before handing over, which limits what can be lost. If handing over takes long,
 * `TIMES` as long as that.
 */
const SLICE = 1000;
const TIMES = 20;
/** The same for a part that cannot be divided. */
const PART_SLICE = 10_000;

/** What has been done of a job, and what is left of it. */
export interface DoneJob {
  readonly id: number;
  readonly left: readonly SearchLevel[];
  readonly part: PartResult;
}

export class JobRunner {
  private readonly search: ModelSearch;
  private readonly proposals: Proposals;
  private readonly piece: number;
  private id = 0;
  private started = 0;
  /** Executions in the next piece. */
  private size = 16;
  private slice = SLICE;
  /** Whether other workers could do part of the job. */
  private isDivisible = true;
  private isAlone = false;
  private news: number;

  /** `piece`: how long a piece takes, in milliseconds. */
  constructor(work: SharedWork, proposals: Proposals, piece: number = PIECE) {
    this.piece = piece;
    const { program, model, options, commuting, nested, merging, monitoring, freedom } = work;
    this.search = new ModelSearch(program, model, options, {
      commuting,
      nested,
      merging,
      ...(freedom ? { freedom: new RaceFreedom() } : {}),
      ...(monitoring === undefined ? {} : { watched: { ...monitoring, firstOnly: true } }),
    });
    this.proposals = proposals;
    this.news = this.search.news;
  }

  take({ id, job }: HandedOut): void {
    this.id = id;
    this.isDivisible = job.orders === undefined && !this.isAlone;
    this.search.take(job, this.proposals);
    this.started = performance.now();
  }

  /** From the next job on: whether this thread works alone, so that no other thread waits for its answers. */
  workAlone(isAlone: boolean): void {
    this.isAlone = isAlone;
  }

  /** Executions in the present job. */
  get executions(): number {
    return this.search.counts.executions;
  }

  /** Works for one piece. Returns what has been done of the job once it is time to hand it over. */
  advance(isHungry: () => boolean): DoneJob | undefined {
    const { search, started } = this;
    const begun = performance.now();
    const isDone = search.advanceJob(this.size);
    const now = performance.now();
    this.size = Math.max(
      1,
      Math.min(
        100_000,
        Math.round(this.size * Math.min(2, (this.isAlone ? PIECE : this.piece) / Math.max(0.01, now - begun))),
      ),
    );
    const shares = this.isDivisible && now - started > SHARE && isHungry();
    const slice = this.isDivisible ? this.slice : Math.max(PART_SLICE, this.slice);
    if (!isDone && !shares && now - started < slice && search.news === this.news) return undefined;
    return this.handOver();
  }

  /** What has been done of the job, and what is left of it. */
  handOver(): DoneJob {
    const { id, search } = this;
    const begun = performance.now();
    this.news = search.news;
    const done = { id, left: search.left, part: search.part };
    this.slice = Math.max(SLICE, TIMES * (performance.now() - begun));
    return done;
  }
}
