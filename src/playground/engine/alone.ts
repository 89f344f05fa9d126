/**
 * Replaces `workers/team.ts`, `workers/pool.ts`, `cluster/helpers.ts` and `cluster/redis.ts`: in a browser one thread
 * does all the searching.
 */
import type { Helpers } from '../../pipelines/helpers.ts';

export class RedisServer {}

/** Never constructed, since there is only one thread. */
export class Pool {}

export class ClusterProblem extends Error {}

export function threadsOf(): number {
  return 1;
}

export function helpersOf(): Helpers | undefined {
  return undefined;
}

export { helpersOf as clusterHelpers, helpersOf as resumingHelpers };
