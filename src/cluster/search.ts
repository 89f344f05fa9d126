/**
 * A search whose jobs are done by workers on other machines. The keeper is here, in memory; the queue has the jobs that
 * are handed out. A job's result counts once: the queue takes one result per job, from the worker that holds the job's
 * lock, and a job that has been handed over is forgotten here. Whatever Redis loses is put back. As with threads, what
 * is left is merged into one job where workers would spend their time asking (`turns.ts`).
 */
import { hostname } from 'node:os';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { HandedOut, Keeper } from '../explore/frontier/keeper.ts';
import type { PartResult, SavedTogether, SharedWork, Together } from '../pipelines/together.ts';
import { Bell } from '../workers/bell.ts';
import { Collected } from '../workers/collected.ts';
import { type Moment, Pace } from '../workers/pace.ts';
import { Turns, type WatchedPace } from '../workers/turns.ts';
import { type AnsweredThere, type AskedThere, type JobResult, programHash } from './exchange.ts';
import type { RedisServer } from './redis.ts';
import { BEAT, codeVersion, keysOf, newId, QUEUE, Registry } from './registry.ts';
import { fromText, toText } from './wire.ts';

/** How often to look at the queue, in milliseconds. */
const LOOK = 25;
/** How often to look at the workers, in milliseconds. */
const LOOK_AT_WORKERS = 500;
/** Jobs in the queue beyond those that are being done, so that no thread waits for its next job. */
const AHEAD = 2;
/** How often a job is tried. It can fail because its worker has too little memory, for example. */
const ATTEMPTS = 3;
/** In milliseconds: how long to be without workers, or without Redis, before telling the user. */
const LONELY = 10_000;
/** In milliseconds: how long to clean up at the end. */
const CLEANING = 3000;
/**
 * Executions are known only when jobs are handed over, so the pace is judged this many times more slowly than with
 * threads.
 */
const SLOWER = 4;

/** `alone`: executions per second of one thread, if known. */
export function clusterPace(alone = 0): Pace {
  return new Pace({ seconds: 0, cpu: 0, executions: 0 }, alone * SLOWER);
}

export class ClusterSearch implements Together {
  state: Together['state'] = 'running';
  why: string | undefined;
  readonly id: string = newId();
  private readonly server: RedisServer;
  private readonly keeper: Keeper;
  private readonly found: Collected<string>;
  private readonly work: SharedWork;
  private readonly sha256: string;
  private readonly say: (note: string) => void;
  private readonly keys: ReturnType<typeof keysOf>;
  private readonly redis: Redis;
  /** A separate connection, since it blocks while it waits. */
  private readonly hears: Redis;
  private readonly registry: Registry;
  private readonly queue: Queue;
  private readonly handedOut = new Map<number, HandedOut>();
  private readonly bell = new Bell();
  private readonly started = performance.now();
  readonly isAnew: boolean;
  /** The threads of the workers that take part in this search; and how many of them are idle. */
  private threads = 0;
  private idle = 0;
  private lastBeat = Number.NEGATIVE_INFINITY;
  private lastLook = Number.NEGATIVE_INFINITY;
  private lonelySince: number = performance.now();
  private awaySince: number | undefined;
  /** In seconds: how long there have been workers; and how long their threads have had jobs, added up. */
  private present = 0;
  private busy = 0;
  private lastRound: number = performance.now();
  /** If the search continues alone, one thread of a worker does. */
  readonly turns: Turns;

  constructor(
    server: RedisServer,
    work: SharedWork,
    keeper: Keeper,
    say: (note: string) => void,
    before?: Omit<SavedTogether, 'frontier'>,
    pace: WatchedPace = clusterPace(),
  ) {
    this.isAnew = before?.isAnew === true;
    this.server = server;
    this.work = work;
    this.sha256 = programHash(work.program);
    this.keeper = keeper;
    this.say = say;
    this.found = new Collected(before);
    this.turns = new Turns(work, this.isAnew, keeper, this.found, pace);
    this.keys = keysOf(this.id);
    this.redis = server.connect();
    this.hears = server.connect();
    this.registry = new Registry(this.redis, say);
    this.queue = new server.packages.Queue(QUEUE, { connection: this.redis, prefix: this.keys.prefix });
    this.queue.on('error', () => {});
    void this.run();
    void this.answerQuestions();
  }

  /** Proposals so far, and how many were appended. */
  get proposals(): { readonly proposed: number; readonly appended: number } {
    const { proposed, appended } = this.keeper;
    return { proposed, appended };
  }

  // ---- at regular intervals

  private async run(): Promise<void> {
    while (this.state === 'running') {
      try {
        await this.beat();
        await this.countWorkers();
        await this.collect();
        this.watchPace();
        await this.handOut();
      } catch (error) {
        // Redis is away, or a connection is closing: everything is tried again. Our own errors must not be.
        if (!isOfRedis(error)) this.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  }

  /** Announces this search, and puts back what Redis has lost. */
  private async beat(): Promise<void> {
    const now = performance.now();
    if (now - this.lastBeat < BEAT) return;
    const { redis, keys, queue } = this;
    if ((await redis.exists(keys.work)) === 0) await redis.set(keys.work, toText(this.work));
    await this.show();
    for (const handed of this.handedOut.values()) {
      // The job is lost, or it is in none of the queue's lists because part of Redis's data is gone.
      if ((await queue.getJobState(jobName(handed.id))) !== 'unknown') continue;
      await queue.remove(jobName(handed.id));
      await this.enqueue(handed);
    }
    this.lastBeat = now;
  }

  private async show(): Promise<void> {
    const { work, found, keeper, idle } = this;
    const { location } = work.program.functions.flatMap(({ blocks }) => blocks[0]?.body ?? []).at(0) ?? {};
    await this.registry.showSearch({
      id: this.id,
      version: codeVersion(),
      program: location?.file ?? 'a program',
      model: work.model,
      sha256: this.sha256,
      host: hostname(),
      idle,
      executions: found.executions,
      jobs: keeper.size,
      seconds: Math.round((performance.now() - this.started) / 1000),
    });
  }

  private async countWorkers(): Promise<void> {
    const now = performance.now();
    if (now - this.lastLook < LOOK_AT_WORKERS) return;
    this.lastLook = now;
    const workers = await this.registry.workers();
    this.threads = workers.reduce((sum, { search, threads }) => sum + (search === this.id ? threads : 0), 0);
    // If one thread continues alone, no other waits for a part of its job.
    const idle = this.turns.mode === 'alone' ? 0 : Math.max(0, this.threads - this.handedOut.size);
    if (idle !== this.idle) {
      this.idle = idle;
      await this.show();
    }
    if (this.threads > 0) this.lonelySince = Number.POSITIVE_INFINITY;
    else if (this.lonelySince === Number.POSITIVE_INFINITY) this.lonelySince = now;
    if (now - this.lonelySince < LONELY) return;
    this.lonelySince = now + 60_000;
    const others = workers.filter(({ version }) => version !== codeVersion());
    const versions = [...new Set(others.map(({ version }) => version))];
    this.say(
      `no worker on ${this.server.name} takes part in this search; start some: fencepost worker --redis URL` +
        (others.length === 0 ? '' : ` (${others.length} there have another version: ${versions.join(', ')})`),
    );
  }

  // ---- together or alone

  private watchPace(): void {
    const now = performance.now();
    const seconds = (now - this.lastRound) / 1000;
    this.lastRound = now;
    if (this.state !== 'running' || this.threads === 0 || this.redis.status !== 'ready') return;
    this.present += seconds;
    this.busy += seconds * Math.max(1, Math.min(this.threads, this.handedOut.size));
    // With one thread there is no point in dividing.
    if (this.turns.mode === 'alone' && this.threads === 1) return;
    if (this.turns.watch(this.moment) === 'merge') this.goOnAlone('its parts have become too small');
  }

  private get moment(): Moment {
    const { present, busy, executions } = this;
    return { seconds: present / SLOWER, cpu: busy / SLOWER, executions };
  }

  private goOnAlone(why: string): void {
    if (this.turns.beginMerge() === 'give up') this.fail(why);
  }

  /** Whether there should be more jobs than there are. */
  private get divides(): boolean {
    const { turns, keeper, threads } = this;
    return turns.mode === 'together' && threads > 1 && keeper.size < threads + AHEAD;
  }

  // ---- jobs

  private async handOut(): Promise<void> {
    const { keeper, handedOut, turns } = this;
    if (turns.mode === 'merging') {
      if (this.state !== 'running' || handedOut.size > 0) return;
      if (!turns.merge(this.moment, this.threads > 1)) return this.fail('its parts are too small');
    }
    const most = turns.mode === 'alone' ? 1 : this.threads + AHEAD;
    while (this.state === 'running' && handedOut.size < most) {
      const id = keeper.largest;
      if (id === undefined) return;
      const handed = keeper.take(id);
      handedOut.set(id, handed);
      await this.enqueue(handed);
    }
  }

  private async enqueue(handed: HandedOut): Promise<void> {
    await this.queue.add('job', handed, {
      jobId: jobName(handed.id),
      attempts: ATTEMPTS,
      removeOnComplete: false,
      removeOnFail: false,
    });
  }

  /** Takes the results that have arrived. */
  private async collect(): Promise<void> {
    const { redis, queue } = this;
    for (const name of await redis.zrange(queue.toKey('completed'), 0, -1)) {
      const text = await redis.hget(queue.toKey(name), 'returnvalue');
      if (this.state !== 'running') return;
      if (text !== null) this.take(idOf(name), fromText(JSON.parse(text) as string) as JobResult);
      if (this.state !== 'running') return;
      await queue.remove(name);
    }
    for (const name of await redis.zrange(queue.toKey('failed'), 0, -1)) {
      const why = await redis.hget(queue.toKey(name), 'failedReason');
      if (this.handedOut.has(idOf(name))) return this.fail(`a worker could not continue: ${why ?? 'unknown'}`);
      await queue.remove(name);
    }
  }

  private take(id: number, result: JobResult): void {
    // The job was done before, and put back by a Redis that was restored from an older snapshot.
    if (!this.handedOut.has(id)) return;
    if ('gaveUp' in result) return this.fail(result.gaveUp);
    this.handedOut.delete(id);
    this.keeper.handOver(id, result.left, this.divides);
    this.found.add(result.thread, result.part, result.number);
    if (this.keeper.isDone) return this.end('done');
    if (this.found.areSmall && !this.keeper.isList) this.goOnAlone('its parts are too small');
  }

  private async answerQuestions(): Promise<void> {
    const { hears, keys, keeper } = this;
    while (this.state === 'running') {
      try {
        const asked = await hears.brpop(keys.questions, 1);
        if (asked === null || this.state !== 'running') continue;
        const { asker, number, job, node, known, actions } = JSON.parse(asked[1]) as AskedThere;
        const isWanted = this.handedOut.has(job) && keeper.has(node);
        const answer: AnsweredThere = {
          number,
          ...(isWanted ? { answer: keeper.propose(node, known, actions) } : {}),
        };
        await hears.multi().rpush(keys.answers(asker), JSON.stringify(answer)).expire(keys.answers(asker), 60).exec();
      } catch (error) {
        if (!isOfRedis(error)) this.fail(String(error));
        else await new Promise((resolve) => setTimeout(resolve, LOOK));
      }
    }
  }

  // ---- for the caller

  get results(): readonly PartResult[] {
    return this.found.results;
  }

  get executions(): number {
    return this.found.executions;
  }

  save(): SavedTogether {
    const { keeper, results, found, isAnew } = this;
    return { frontier: keeper.save(), results, jobs: found.jobs, ...(isAnew ? { isAnew } : {}) };
  }

  async wait(): Promise<void> {
    if (this.state !== 'running') return;
    this.noteAbsence();
    await this.bell.wait();
  }

  private noteAbsence(): void {
    const now = performance.now();
    if (this.redis.status === 'ready') this.awaySince = undefined;
    else this.awaySince ??= now;
    if (this.awaySince === undefined || now - this.awaySince < LONELY) return;
    this.awaySince = Number.POSITIVE_INFINITY;
    this.say(`Redis at ${this.server.name} is away; the search waits for it`);
  }

  private fail(why: string): void {
    if (this.state !== 'running') return;
    this.why = why;
    this.end('failed');
  }

  private end(state: 'done' | 'failed'): void {
    this.state = state;
    this.bell.ring();
    void this.clean();
  }

  stop(): void {
    if (this.state === 'running') this.end('failed');
  }

  /** Removes the search from Redis, so that workers see that it is gone. */
  private async clean(): Promise<void> {
    const late = new Promise((resolve) => setTimeout(resolve, CLEANING).unref());
    const isAway = this.redis.status !== 'ready';
    if (!isAway) await Promise.race([this.registry.removeSearch(this.id).catch(() => {}), late]);
    this.hears.disconnect();
    this.redis.disconnect();
  }
}

const jobName = (id: number): string => `j${id}`;
const idOf = (name: string): number => Number(name.slice(1));

/**
 * Whether an error comes from the connection, or from Redis itself, which may have just started and still be loading.
 */
function isOfRedis(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'ReplyError' || 'code' in error || /connection|closed|stream|missing key/i.test(error.message);
}
