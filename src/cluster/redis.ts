/**
 * Searches on many machines. The process that checks has the [keeper](../explore/frontier/keeper.ts) in memory. Its
 * jobs go through a queue in Redis to [workers](./host.ts) anywhere, whose questions and results come back the same
 * way. Redis holds no state that matters if it is lost: whatever is missing there is put back. See
 * [decision 31](../../docs/decisions/0031-cluster.md).
 *
 * This file loads the two packages that a cluster needs, only when it is used, and makes connections.
 */
import { createRequire } from 'node:module';
import type { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { packaged } from '../platform/package-folder.ts';

interface Packages {
  readonly Queue: typeof Queue;
  readonly Worker: typeof Worker;
  readonly Redis: typeof Redis;
}

/** Why a cluster cannot be used, in words for the user. */
export class ClusterProblem extends Error {}

const MISSING = '--redis needs two packages that are not installed here: npm install bullmq ioredis';

/** In milliseconds: how long to try to reach Redis at the start. Later, it may be away for any length of time. */
const PATIENCE = 5000;

/** `require`: from where this package is installed. */
export function loadPackages(require: (name: string) => unknown = createRequire(packaged('package.json'))): Packages {
  try {
    const { Queue: queue, Worker: worker } = require('bullmq') as Pick<Packages, 'Queue' | 'Worker'>;
    const { Redis: redis } = require('ioredis') as Pick<Packages, 'Redis'>;
    return { Queue: queue, Worker: worker, Redis: redis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') throw new ClusterProblem(MISSING);
    throw error;
  }
}

/** Makes connections to one Redis. */
export class RedisServer {
  readonly packages: Packages;
  /** Without the password. */
  readonly name: string;
  private readonly url: string;

  private constructor(packages: Packages, url: string, name: string) {
    this.packages = packages;
    this.url = url;
    this.name = name;
  }

  /** `env:NAME` takes the address from the environment, so that no password shows in the list of processes. */
  static async reach(given: string): Promise<RedisServer> {
    const variable = given.startsWith('env:') ? given.slice('env:'.length) : undefined;
    const url = variable === undefined ? given : (process.env[variable] ?? '');
    const name = nameOf(url);
    if (name === undefined) {
      const what = variable === undefined ? '--redis' : `the variable ${variable}, named by --redis,`;
      throw new ClusterProblem(`${what} must be an address such as redis://host:6379 or rediss://:password@host`);
    }
    const server = new RedisServer(loadPackages(), url, name);
    await server.check();
    return server;
  }

  /** A connection that waits for Redis whenever it is away. */
  connect(): Redis {
    const redis = new this.packages.Redis(this.url, {
      maxRetriesPerRequest: null,
      retryStrategy: (times) => Math.min(2000, 50 * times),
    });
    // Without a listener, every failed attempt would be printed.
    redis.on('error', () => {});
    return redis;
  }

  private async check(): Promise<void> {
    let why = `no answer within ${PATIENCE / 1000} s`;
    const redis = this.connect();
    redis.on('error', (error: NodeJS.ErrnoException) => {
      why = error.code ?? error.message;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, PATIENCE, undefined);
    });
    try {
      const answer = await Promise.race([redis.ping(), late]);
      if (answer === undefined) throw new ClusterProblem(`cannot reach Redis at ${this.name}: ${why}`);
    } catch (error) {
      if (error instanceof ClusterProblem) throw error;
      throw new ClusterProblem(`cannot use Redis at ${this.name}: ${(error as Error).message}`);
    } finally {
      clearTimeout(timer);
      redis.disconnect();
    }
  }
}

/** The host and port of an address. */
function nameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return (protocol === 'redis:' || protocol === 'rediss:') && host !== '' ? host : undefined;
}
