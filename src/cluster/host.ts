/** A worker process: takes part in one search after another, with some threads, until it is stopped. */
import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { Membership } from './membership.ts';
import type { RedisServer } from './redis.ts';
import { BEAT, codeVersion, newId, Registry, type SearchInfo, type WorkerInfo } from './registry.ts';

/** In milliseconds: how often to look for a search; and how long to stay with one while another has fewer workers. */
const LOOK = 500;
const STAY = 20_000;
/** In milliseconds: how long a worker that stops waits for a Redis that is away. */
const PATIENCE = 2000;

export class Host {
  readonly id: string = newId();
  private readonly server: RedisServer;
  private readonly threads: number;
  private readonly say: (note: string) => void;
  private readonly lock: number | undefined;
  private readonly redis: Redis;
  private readonly registry: Registry;
  private member: Membership | undefined;
  private joined = 0;
  /** The search that this worker left for another one. */
  private last: string | undefined;
  private jobs = 0;
  /** Refused searches, and errors, of which the user has been told. */
  private readonly refused = new Set<string>();
  private isStopped = false;
  private wake: () => void = () => {};
  /** Resolves when it is asked to stop. */
  private readonly stopping: Promise<void>;
  private lastBeat = Number.NEGATIVE_INFINITY;

  constructor(server: RedisServer, threads: number, say: (note: string) => void, lock?: number) {
    this.server = server;
    this.threads = threads;
    this.say = say;
    this.lock = lock;
    this.redis = server.connect();
    this.registry = new Registry(this.redis, say);
    this.stopping = new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  async run(): Promise<void> {
    while (!this.isStopped) {
      // If Redis goes away during this, it ends when Redis is back.
      if (this.redis.status === 'ready') await Promise.race([this.look().catch(this.report), this.stopping]);
      await Promise.race([after(LOOK), this.stopping]);
    }
    const { member } = this;
    await Promise.race([this.handOver().catch(() => {}), this.lackOfRedis()]);
    member?.drop();
    this.redis.disconnect();
  }

  /** Hands over unfinished jobs, and ends `run`. */
  stop(): void {
    this.isStopped = true;
    this.wake();
  }

  private async handOver(): Promise<void> {
    await this.leave(true);
    if (this.redis.status === 'ready') await this.registry.removeWorker(this.id);
  }

  /**
   * Resolves when Redis has been away for `PATIENCE`. Other workers then get the jobs, because this one is no longer
   * heard from.
   */
  private async lackOfRedis(): Promise<void> {
    for (let away = 0; away < PATIENCE; away = this.redis.status === 'ready' ? 0 : away + LOOK) await after(LOOK);
  }

  /** An error while Redis is there is not about the connection. Says each once, and goes on. */
  private readonly report = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error);
    if (this.redis.status !== 'ready' || this.refused.has(text)) return;
    this.refused.add(text);
    this.say(`the registry cannot be used: ${text}`);
  };

  private async look(): Promise<void> {
    const { member } = this;
    const now = performance.now();
    if (member?.isOver === true) await this.leave(false);
    if (this.member === undefined) await this.join();
    else if (now - this.joined > STAY) await this.reconsider(this.member);
    if (now - this.lastBeat >= BEAT) await this.beat();
  }

  private async beat(): Promise<void> {
    this.lastBeat = performance.now();
    await this.registry.showWorker({
      id: this.id,
      version: codeVersion(),
      host: `${hostname()}:${process.pid}`,
      threads: this.threads,
      jobs: this.jobs + (this.member?.jobs ?? 0),
      ...(this.member === undefined ? {} : { search: this.member.info.id }),
    });
  }

  private async join(): Promise<void> {
    const others = await this.others();
    const weight = (one: SearchInfo): number => threadsOn(others, one) + (one.id === this.last ? 0.5 : 0);
    for (const search of (await this.searches()).sort((a, b) => weight(a) - weight(b))) {
      const joined = await Membership.join(this.server, this.redis, this.registry, search, {
        threads: this.threads,
        ...(this.lock === undefined ? {} : { lock: this.lock }),
      });
      if (typeof joined === 'string') {
        this.refuse(search, joined);
        continue;
      }
      this.member = joined;
      this.joined = performance.now();
      await this.beat();
      this.say(`search ${search.id}: ${search.program} under ${search.model}, from ${search.host}`);
      return;
    }
  }

  /** Leaves the search if other workers give another search fewer threads. */
  private async reconsider({ info }: Membership): Promise<void> {
    this.joined = performance.now();
    const others = await this.others();
    const here = threadsOn(others, info);
    const isNeeded = (one: SearchInfo): boolean => {
      const there = threadsOn(others, one);
      return one.id !== info.id && (there === 0 || there < here);
    };
    if (!(await this.searches()).some(isNeeded)) return;
    this.last = info.id;
    await this.leave(true);
  }

  private async others(): Promise<readonly WorkerInfo[]> {
    return (await this.registry.workers()).filter(({ id }) => id !== this.id);
  }

  /** The searches of this version. Refuses the others. */
  private async searches(): Promise<SearchInfo[]> {
    const all = await this.registry.searches();
    for (const one of all) {
      if (one.version !== codeVersion())
        this.refuse(one, `it is of version ${one.version}, and this is ${codeVersion()}`);
    }
    return all.filter(({ version }) => version === codeVersion());
  }

  private refuse({ id }: SearchInfo, why: string): void {
    if (this.refused.has(id)) return;
    this.refused.add(id);
    this.say(`search ${id} refused: ${why}`);
  }

  private async leave(isPatient: boolean): Promise<void> {
    const { member } = this;
    if (member === undefined) return;
    this.member = undefined;
    await member.leave(isPatient);
    // The queue may have written something after the search was removed.
    if (member.isOver) await this.registry.removeSearch(member.info.id);
    this.jobs += member.jobs;
    this.say(`search ${member.info.id}: ${isPatient ? 'left' : 'ended'} after ${member.jobs} jobs`);
    if (!this.isStopped) await this.beat();
  }
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function threadsOn(workers: readonly WorkerInfo[], { id }: SearchInfo): number {
  return workers.reduce((sum, { search, threads }) => sum + (search === id ? threads : 0), 0);
}
