/** Connects to the Redis server that a command names. */
import { ClusterProblem, RedisServer } from '../../cluster/redis.ts';

/** The server, or why it cannot be reached. */
export async function reached(url: string | undefined): Promise<RedisServer | string> {
  if (url === undefined) return 'missing option --redis URL, for example --redis redis://localhost:6379';
  try {
    return await RedisServer.reach(url);
  } catch (error) {
    if (error instanceof ClusterProblem) return error.message;
    throw error;
  }
}
