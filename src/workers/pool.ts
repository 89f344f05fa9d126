/** Threads that do independent jobs. The owner puts the answers in order. */
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { Bell } from './bell.ts';
import {
  type PoolAnswers,
  type PoolData,
  type PoolJobs,
  type PoolKind,
  type PoolNews,
  type PoolSetups,
  STOPPED,
} from './pool-messages.ts';
import { startThread } from './thread.ts';

interface PoolOwner<Job, Answer, News = never> {
  /** The next job for an idle thread; `undefined` if there is none now. */
  next(): Job | undefined;
  hear(job: Job, answer: Answer): void;
  /** A job is still running. */
  note?(job: Job, news: News): void;
}

/** What a thread reports about its job. */
type PoolMessage<K extends PoolKind> =
  | { readonly done: PoolAnswers[K] }
  | { readonly news: PoolNews[K] }
  | { readonly why: string };

interface Member<Job> {
  readonly worker: Worker;
  readonly port: MessagePort;
  job: Job | undefined;
}

export class Pool<K extends PoolKind> {
  /** Why the pool has failed, if a thread could not continue. Jobs that have no answer yet will not get one. */
  why: string | undefined;
  private readonly owner: PoolOwner<PoolJobs[K], PoolAnswers[K], PoolNews[K]>;
  private readonly words = new Int32Array(new SharedArrayBuffer(4));
  private readonly members: Member<PoolJobs[K]>[] = [];
  private readonly bell = new Bell();

  constructor(
    kind: K,
    setup: PoolSetups[K],
    threads: number,
    owner: PoolOwner<PoolJobs[K], PoolAnswers[K], PoolNews[K]>,
  ) {
    this.owner = owner;
    for (let n = 0; n < threads; n++) this.hire({ kind, setup });
  }

  private hire(asked: Pick<PoolData, 'kind' | 'setup'>): void {
    const { port1: port, port2 } = new MessageChannel();
    const data: PoolData = { isFencepostWorker: true, ...asked, port: port2, words: this.words };
    const worker = startThread(data, [port2]);
    const member: Member<PoolJobs[K]> = { worker, port, job: undefined };
    this.members.push(member);
    port.on('message', (answer: PoolMessage<K>) => {
      const { job } = member;
      if (!this.members.includes(member) || job === undefined) return;
      if ('why' in answer) return this.fail(answer.why);
      if ('news' in answer) return this.owner.note?.(job, answer.news);
      member.job = undefined;
      this.owner.hear(job, answer.done);
      this.handOut();
      this.bell.ring();
    });
    worker.on('error', (error) => this.fail(error.message));
    worker.on('exit', () => this.fail('a worker has ended'));
  }

  /** Gives jobs to idle threads. */
  handOut(): void {
    for (const member of this.members) {
      if (member.job !== undefined) continue;
      const job = this.isStopped ? undefined : this.owner.next();
      if (job === undefined) return;
      member.job = job;
      member.port.postMessage(job);
    }
  }

  /** How many threads have a job. */
  get busy(): number {
    return this.members.filter(({ job }) => job !== undefined).length;
  }

  get isStopped(): boolean {
    return Atomics.load(this.words, STOPPED) !== 0;
  }

  /** Asks threads to hand over what they have done of their jobs, and gives out no more jobs. */
  stopJobs(): void {
    Atomics.store(this.words, STOPPED, 1);
  }

  private fail(why: string): void {
    if (this.members.length === 0) return;
    this.why = why;
    this.end();
    this.bell.ring();
  }

  /** Ends all threads. */
  end(): void {
    for (const { worker, port } of this.members.splice(0)) {
      port.close();
      void worker.terminate();
    }
  }

  /** Resolves when there is an answer, but after a short time at the latest. */
  wait(): Promise<void> {
    return this.members.length > 0 ? this.bell.wait() : Promise.resolve();
  }
}
