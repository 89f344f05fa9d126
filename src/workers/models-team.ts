/** Threads that each search a program under one model ([models-elsewhere.ts](../pipelines/models-elsewhere.ts)). */
import type { Model } from '../models/index.ts';
import type { CheckProgress, ModelResult } from '../pipelines/model-result.ts';
import type {
  ModelAnswer,
  ModelJob,
  ModelNews,
  ModelsElsewhere,
  ModelsWork,
  Pauses,
} from '../pipelines/models-elsewhere.ts';
import type { SavedModelRun } from '../pipelines/together.ts';
import { Pool } from './pool.ts';

const PAUSES: Pauses = { note: 1000, keep: 5000 };

export class ModelsTeam implements ModelsElsewhere {
  private readonly pool: Pool<'models'>;
  private readonly left: ModelJob[];
  private readonly running = new Set<Model>();
  private readonly results = new Map<Model, ModelResult>();
  private readonly news = new Map<Model, ModelNews>();
  private readonly kept = new Map<Model, SavedModelRun>();

  constructor(work: ModelsWork, jobs: readonly ModelJob[], threads: number, pauses: Pauses = PAUSES) {
    this.left = [...jobs];
    this.pool = new Pool('models', { ...work, pauses }, Math.min(threads, jobs.length), {
      next: () => this.next(),
      hear: ({ model }, answer) => this.hear(model, answer),
      note: ({ model }, news) => this.note(model, news),
    });
    this.pool.handOut();
  }

  private next(): ModelJob | undefined {
    const job = this.left.shift();
    if (job !== undefined) this.running.add(job.model);
    return job;
  }

  private hear(model: Model, answer: ModelAnswer): void {
    this.running.delete(model);
    if ('saved' in answer) this.kept.set(model, answer.saved);
    else this.results.set(model, answer.result);
  }

  private note(model: Model, news: ModelNews): void {
    this.news.set(model, news);
    if (news.saved !== undefined) this.kept.set(model, news.saved);
  }

  private get hasFailed(): boolean {
    return this.pool.why !== undefined;
  }

  get isBusy(): boolean {
    return !this.hasFailed && this.running.size > 0;
  }

  isRunning(model: Model): boolean {
    return !this.hasFailed && this.running.has(model);
  }

  claim(model: Model): void {
    const place = this.left.findIndex((job) => job.model === model);
    if (place >= 0) this.left.splice(place, 1);
  }

  result(model: Model): ModelResult | undefined {
    return this.results.get(model);
  }

  saved(model: Model): SavedModelRun | undefined {
    return this.kept.get(model);
  }

  get progress(): CheckProgress | undefined {
    const [first] = this.running;
    return first === undefined ? undefined : this.news.get(first)?.progress;
  }

  callBack(): void {
    this.pool.stopJobs();
  }

  end(): void {
    this.running.clear();
    this.pool.end();
  }

  wait(): Promise<void> {
    return this.pool.wait();
  }
}
