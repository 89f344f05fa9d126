/** Takes the place of `workers/team.ts`, `workers/pool.ts`, `cluster/helpers.ts` and `cluster/redis.ts`: one thread searches here. */
import type { Helpers } from '../../pipelines/helpers.ts';

export class RedisServer {}

/** Never made: there is one thread. */
export class Pool {}

export class ClusterProblem extends Error {}

export function threadsOf(): number {
  return 1;
}

export function helpersOf(): Helpers | undefined {
  return undefined;
}

export { helpersOf as clusterHelpers, helpersOf as resumingHelpers };
