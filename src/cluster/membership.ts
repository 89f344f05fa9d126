/** A worker's part in one search. */
import type { Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { SharedWork } from '../pipelines/together.ts';
import { validate } from '../program/validate.ts';
import { IDLE, wordsFor } from '../workers/messages.ts';
import { type AnsweredThere, type AskedThere, type JobResult, programHash, type QueuedJob } from './exchange.ts';
import type { RedisServer } from './redis.ts';
import { keysOf, QUEUE, type Registry, type SearchInfo } from './registry.ts';
import { type Propose, Seat } from './seat.ts';
import { fromText, toText } from './wire.ts';

/**
 * In milliseconds. A worker that is silent for this long has lost its jobs, which other workers then get. It reports
 * from its main thread, which is usually idle.
 */
const LOCK = 12_000;
/** In milliseconds: how often to look whether other threads are idle, or the search has ended. */
const LOOK = 250;
/** In seconds: how long to wait for an answer before asking again. */
const ASK_AGAIN = 5;
/** A job may be lost any number of times: workers come and go. */
const ANY_NUMBER = 1_000_000_000;

interface Seats {
  readonly threads: number;
  /** In milliseconds: see `LOCK`. */
  readonly lock?: number;
}

const UNREADABLE = 'its program is not what was sent';

/** The work of this search; `undefined` if the text is something else. */
function readWork(text: string, { sha256 }: SearchInfo): SharedWork | undefined {
  try {
    const work = fromText(text) as SharedWork;
    return programHash(work.program) === sha256 && validate(work.program).length === 0 ? work : undefined;
  } catch {
    return undefined;
  }
}

export class Membership {
  readonly info: SearchInfo;
  /** The number of jobs that have been done. */
  jobs = 0;
  private readonly redis: Redis;
  private readonly registry: Registry;
  private readonly work: SharedWork;
  private readonly words: Int32Array;
  private readonly connections: Redis[] = [];
  private readonly server: RedisServer;
  private readonly queue: Worker;
  private readonly free: number[];
  private readonly seats = new Map<number, Seat>();
  /** Jobs that are being done, by their names in the queue. */
  private readonly busy = new Map<string, Seat>();
  private readonly asking = new Map<number, { readonly redis: Redis; number: number }>();
  private readonly timer: NodeJS.Timeout;
  /** How many looks at Redis in a row found the search gone. */
  private missing = 0;
  private isLeaving = false;

  private constructor(
    server: RedisServer,
    redis: Redis,
    registry: Registry,
    info: SearchInfo,
    work: SharedWork,
    { threads, lock = LOCK }: Seats,
  ) {
    this.server = server;
    this.redis = redis;
    this.registry = registry;
    this.info = info;
    this.work = work;
    this.words = new Int32Array(new SharedArrayBuffer(4 * wordsFor(threads)));
    this.free = Array.from({ length: threads }, (_, i) => i);
    this.queue = new server.packages.Worker(QUEUE, (job: Job<QueuedJob>) => this.process(job), {
      connection: this.connect(),
      prefix: keysOf(info.id).prefix,
      concurrency: threads,
      lockDuration: lock,
      stalledInterval: lock / 3,
      maxStalledCount: ANY_NUMBER,
    });
    this.queue.on('error', () => {});
    // Another worker may have the job by now. What this thread has found counts only with a result.
    this.queue.on('lockRenewalFailed', (names) => {
      for (const name of names) this.busy.get(name)?.abandon('the job was lost');
    });
    this.timer = setInterval(() => void this.look(), LOOK);
  }

  /** Joins a search, or says why it cannot. */
  static async join(
    server: RedisServer,
    redis: Redis,
    registry: Registry,
    info: SearchInfo,
    seats: Seats,
  ): Promise<Membership | string> {
    const key = keysOf(info.id).work;
    const type = await redis.type(key);
    if (type !== 'string' && type !== 'none') return UNREADABLE;
    const text = await redis.get(key);
    if (text === null) return 'it has not begun, or has just ended';
    const work = readWork(text, info);
    return work === undefined ? UNREADABLE : new Membership(server, redis, registry, info, work, seats);
  }

  private connect(): Redis {
    const redis = this.server.connect();
    this.connections.push(redis);
    return redis;
  }

  get isOver(): boolean {
    return this.missing > 3;
  }

  private async look(): Promise<void> {
    if (this.redis.status !== 'ready') return;
    try {
      const info = await this.registry.search(this.info.id);
      this.missing = info === undefined ? this.missing + 1 : 0;
      Atomics.store(this.words, IDLE, this.isLeaving ? 1 : (info?.idle ?? 0));
    } catch {
      // Redis is away. Running jobs continue.
    }
  }

  private async process(job: Job<QueuedJob>): Promise<string> {
    const index = this.free.pop();
    if (index === undefined) throw new Error('more jobs than threads');
    const seat = this.seatAt(index);
    this.busy.set(job.id!, seat);
    try {
      const result: JobResult = await seat.run(job.data);
      this.jobs++;
      return toText(result);
    } finally {
      this.busy.delete(job.id!);
      this.free.push(index);
    }
  }

  private seatAt(index: number): Seat {
    const there = this.seats.get(index);
    if (there !== undefined && !there.isOver) return there;
    const seat = new Seat(this.work, this.words, index, this.propose);
    this.seats.set(index, seat);
    return seat;
  }

  private readonly propose: Propose = async (seat, job, { node, known, actions }) => {
    const keys = keysOf(this.info.id);
    const asking = this.asking.get(seat.index) ?? { redis: this.connect(), number: 0 };
    this.asking.set(seat.index, asking);
    const number = ++asking.number;
    const question: AskedThere = { asker: seat.id, number, job, node, known, actions };
    while (!seat.isOver && !this.isOver) {
      try {
        await asking.redis.lpush(keys.questions, JSON.stringify(question));
        for (;;) {
          const got = await asking.redis.blpop(keys.answers(seat.id), ASK_AGAIN);
          if (got === null) break;
          const answered = JSON.parse(got[1]) as AnsweredThere;
          if (answered.number === number) return answered.answer;
        }
      } catch {
        // Redis is away, or this worker stops.
        await new Promise((resolve) => setTimeout(resolve, LOOK));
      }
    }
    return undefined;
  };

  /** Leaves the search. If `isPatient`, unfinished jobs are handed over first. */
  async leave(isPatient: boolean): Promise<void> {
    if (isPatient) {
      // Threads hand over as soon as they look. A thread that waits for an answer gives up only if the search is gone,
      // so `look` still runs.
      this.isLeaving = true;
      Atomics.store(this.words, IDLE, 1);
      await this.queue.close().catch(() => {});
    } else {
      for (const seat of this.busy.values()) seat.abandon('the worker stops');
      await this.queue.close(true).catch(() => {});
    }
    this.drop();
  }

  /** Ends at once, without telling anyone. */
  drop(): void {
    clearInterval(this.timer);
    for (const seat of this.seats.values()) seat.stop();
    for (const redis of this.connections) redis.disconnect();
  }
}
