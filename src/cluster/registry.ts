/**
 * The searches and workers that are present, each as a key that expires unless it is renewed. A search's other keys
 * share a prefix.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Redis } from 'ioredis';
import { isModel, type Model } from '../models/index.ts';
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

/** The form of names, whoever wrote them. Names are parts of keys, and of patterns that select keys to be removed. */
const ID = /^[\w-]{1,40}$/;

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

/** Whether this is an entry of a search with this name. */
function isSearch(value: Readonly<Record<string, unknown>>): boolean {
  const { model } = value;
  return (
    hasAll(value, 'string', ['version', 'program', 'model', 'sha256', 'host']) &&
    hasAll(value, 'number', ['idle', 'executions', 'jobs', 'seconds']) &&
    isModel(model as string)
  );
}

function isWorker(value: Readonly<Record<string, unknown>>): boolean {
  const { search } = value;
  return (
    hasAll(value, 'string', ['version', 'host']) &&
    hasAll(value, 'number', ['threads', 'jobs']) &&
    (search === undefined || typeof search === 'string')
  );
}

function hasAll(
  value: Readonly<Record<string, unknown>>,
  type: 'string' | 'number',
  names: readonly string[],
): boolean {
  return names.every((name) => typeof value[name] === type);
}

/** The entry, if the text is one of this name: anything may be in a Redis that others use. */
function parseEntry<Info extends SearchInfo | WorkerInfo>(
  text: string,
  id: string,
  isSound: (value: Readonly<Record<string, unknown>>) => boolean,
): Info | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const entry = value as Readonly<Record<string, unknown>>;
    return entry['id'] === id && isSound(entry) ? (value as Info) : undefined;
  } catch {
    return undefined;
  }
}

export class Registry {
  private readonly redis: Redis;
  private readonly say: (note: string) => void;
  /** Bad entries that the user has been told of. */
  private readonly told = new Set<string>();

  /** `say` gets one note for each bad entry, which is passed over. */
  constructor(redis: Redis, say: (note: string) => void) {
    this.redis = redis;
    this.say = say;
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
    const { present, gone } = await this.list<SearchInfo>(SEARCHES, 'search', infoKey, isSearch);
    for (const id of gone) await this.removeSearch(id);
    return present;
  }

  async search(id: string): Promise<SearchInfo | undefined> {
    const key = infoKey(id);
    const [text] = await this.textsOf([key]);
    return text === null ? undefined : this.read<SearchInfo>(text!, id, 'search', key, isSearch);
  }

  async workers(): Promise<readonly WorkerInfo[]> {
    const { present, gone } = await this.list<WorkerInfo>(WORKERS, 'worker', workerKey, isWorker);
    for (const id of gone) await this.removeWorker(id);
    return present;
  }

  private async list<Info extends SearchInfo | WorkerInfo>(
    set: string,
    what: string,
    keyOf: (id: string) => string,
    isSound: (value: Readonly<Record<string, unknown>>) => boolean,
  ): Promise<{ readonly present: readonly Info[]; readonly gone: readonly string[] }> {
    const ids: string[] = [];
    for (const id of await this.membersOf(set)) {
      if (ID.test(id)) ids.push(id);
      else {
        this.tell(`${set} ${id}`, `"${id}" in the registry is not the name of a ${what}: removed`);
        await this.redis.srem(set, id);
      }
    }
    const texts = await this.textsOf(ids.map(keyOf));
    const read = await Promise.all(
      ids.map(async (id, i) =>
        texts[i] === null ? undefined : this.read<Info>(texts[i]!, id, what, keyOf(id), isSound),
      ),
    );
    return { present: read.filter((info) => info !== undefined), gone: ids.filter((_, i) => texts[i] === null) };
  }

  /** The names in the set; none if the key holds something else. */
  private async membersOf(set: string): Promise<readonly string[]> {
    const type = await this.redis.type(set);
    if (type === 'set') return this.redis.smembers(set);
    if (type !== 'none') this.tell(set, `the key ${set} of the registry is of type ${type}, not a set`);
    return [];
  }

  /** The texts of the keys: null without a key, empty for a key that holds something else. */
  private async textsOf(keys: readonly string[]): Promise<readonly (string | null)[]> {
    const texts = keys.length === 0 ? [] : await this.redis.mget([...keys]);
    const types = await Promise.all(
      texts.map((text, i) => (text === null ? this.redis.type(keys[i]!) : Promise.resolve('string'))),
    );
    return texts.map((text, i) => text ?? (types[i] === 'none' ? null : ''));
  }

  /** The entry; `undefined` for a bad one, which is reported, and expires if nobody renews it. */
  private async read<Info extends SearchInfo | WorkerInfo>(
    text: string,
    id: string,
    what: string,
    key: string,
    isSound: (value: Readonly<Record<string, unknown>>) => boolean,
  ): Promise<Info | undefined> {
    const info = parseEntry<Info>(text, id, isSound);
    if (info !== undefined) return info;
    this.tell(key, `the entry of ${what} ${id} in the registry cannot be read: passed over`);
    if ((await this.redis.ttl(key)) < 0) await this.redis.expire(key, PRESENT);
    return undefined;
  }

  private tell(key: string, note: string): void {
    if (this.told.has(key)) return;
    this.told.add(key);
    this.say(note);
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
