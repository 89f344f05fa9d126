/** Workers of a cluster as helpers of a search. */
import { Keeper } from '../explore/frontier/keeper.ts';
import type { Helpers } from '../pipelines/helpers.ts';
import type { RedisServer } from './redis.ts';
import { ClusterSearch } from './search.ts';

/** `after`: how many seconds a search runs alone; `say`: notes for the user. */
export function clusterHelpers(server: RedisServer, say: (note: string) => void, after = 3): Helpers {
  return {
    after,
    begin: (work, left) => new ClusterSearch(server, work, Keeper.of(left), say),
    resume: (work, saved) => new ClusterSearch(server, work, Keeper.restore(saved.frontier), say, saved),
  };
}
