/** Workers of a cluster as helpers of a search. */
import { Keeper } from '../explore/frontier/keeper.ts';
import type { Helpers } from '../pipelines/helpers.ts';
import { hasListOfJobs } from '../pipelines/together.ts';
import type { RedisServer } from './redis.ts';
import { ClusterSearch, clusterPace } from './search.ts';

/** How many threads there will be is unknown. */
const PARTS = 128;

/** `after`: how many seconds a search runs alone first; `say`: notes for the user. */
export function clusterHelpers(server: RedisServer, say: (note: string) => void, after = 2): Helpers {
  return {
    after,
    begin: (work, left, pace) =>
      new ClusterSearch(server, work, Keeper.of(left, hasListOfJobs(work)), say, undefined, clusterPace(pace)),
    parts: PARTS,
    beginParts: (work, parts) =>
      new ClusterSearch(server, work, Keeper.inParts(parts), say, { results: [], jobs: 0, isAnew: true }),
    resume: (work, saved) => new ClusterSearch(server, work, Keeper.restore(saved.frontier), say, saved),
  };
}
