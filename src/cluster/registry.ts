/**
 * The searches and workers that are present, each as a key that expires unless it is renewed. A search's other keys
 * share a prefix.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Redis } from 'ioredis';
import type { Model } from '../models/index.ts';
import { VERSION } from '../platform/version.ts';

const SEARCHES = 'fencepost:searches';
const WORKERS = 'fencepost:workers';
/** In seconds: how long a search or worker counts as present after it was last renewed. */
const PRESENT = 20;
/** In milliseconds: how often they renew their keys. */
export const BEAT = 4000;

export interface SearchInfo {
  readonly id: string;
  readonly version: string;
  readonly program: string;
  readonly model: Model;
  /** Of the program. A worker must have read what was sent. */
  readonly sha256: string;
  readonly host: string;
  /** The number of idle threads. */
  readonly idle: number;
  readonly executions: number;
  readonly jobs: number;
  readonly seconds: number;
}

export interface WorkerInfo {
  readonly id: string;
  readonly version: string;
  readonly host: string;
  readonly threads: number;
  /** The search that it works on. */
  readonly search?: string;
  /** Jobs that it has done. */
  readonly jobs: number;
}

/** The name of a new search or worker. */
export const newId = (): string => randomUUID().slice(0, 13);

export const keysOf = (search: string) => ({
  prefix: `fencepost:${search}`,
  work: `fencepost:${search}:work`,
  questions: `fencepost:${search}:questions`,
  answers: (asker: string) => `fencepost:${search}:answers:${asker}`,
});

export const QUEUE = 'jobs';

let known: string | undefined;

/** The version of the code, not only of the package: a search must not be divided among different versions. */
export function codeVersion(): string {
  known ??= `${VERSION}+${codeHash()}`;
  return known;
}

/** All code is one script, unless it runs from the sources. */
function codeHash(): string {
  const here = import.meta.url;
  if (!here.endsWith('.cjs')) return 'sources';
  return createHash('sha256')
    .update(readFileSync(fileURLToPath(here)))
    .digest('hex')
    .slice(0, 12);
}

export class Registry {
  private readonly redis: Redis;

  constructor(redis: Redis) {
    this.redis = redis;
  }

  async showSearch(info: SearchInfo): Promise<void> {
    await this.show(SEARCHES, infoKey(info.id), info);
  }

  async showWorker(info: WorkerInfo): Promise<void> {
    await this.show(WORKERS, workerKey(info.id), info);
  }

  private async show(set: string, key: string, info: { readonly id: string }): Promise<void> {
    await this.redis.multi().sadd(set, info.id).set(key, JSON.stringify(info), 'EX', PRESENT).exec();
  }

  /** The searches that are present. Removes what is left of others. */
  async searches(): Promise<readonly SearchInfo[]> {
    const { present, gone } = await this.list<SearchInfo>(SEARCHES, infoKey);
    for (const id of gone) await this.removeSearch(id);
    return present;
  }

  async search(id: string): Promise<SearchInfo | undefined> {
    const text = await this.redis.get(infoKey(id));
    return text === null ? undefined : (JSON.parse(text) as SearchInfo);
  }

  async workers(): Promise<readonly WorkerInfo[]> {
    const { present, gone } = await this.list<WorkerInfo>(WORKERS, workerKey);
    for (const id of gone) await this.removeWorker(id);
    return present;
  }

  private async list<Info>(
    set: string,
    keyOf: (id: string) => string,
  ): Promise<{ readonly present: readonly Info[]; readonly gone: readonly string[] }> {
    const ids = await this.redis.smembers(set);
    const texts = ids.length === 0 ? [] : await this.redis.mget(ids.map(keyOf));
    return {
      present: texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Info])),
      gone: ids.filter((_, i) => texts[i] === null),
    };
  }

  async removeWorker(id: string): Promise<void> {
    await this.redis.multi().srem(WORKERS, id).del(workerKey(id)).exec();
  }

  /** Removes a search with everything that it has in Redis. */
  async removeSearch(id: string): Promise<void> {
    const { redis } = this;
    await redis.multi().srem(SEARCHES, id).del(infoKey(id)).exec();
    for (let cursor = '0'; ; ) {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${keysOf(id).prefix}:*`, 'COUNT', 500);
      if (keys.length > 0) await redis.unlink(...keys);
      if (next === '0') return;
      cursor = next;
    }
  }
}

const infoKey = (id: string): string => `fencepost:search:${id}`;
const workerKey = (id: string): string => `fencepost:worker:${id}`;
