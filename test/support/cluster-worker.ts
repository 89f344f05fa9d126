/**
 * A worker of a cluster, from the sources: its arguments are the address, and how many milliseconds it may be silent.
 */
import { Host } from '../../src/cluster/host.ts';
import { RedisServer } from '../../src/cluster/redis.ts';

const [url, lock] = process.argv.slice(2);
const host = new Host(await RedisServer.reach(url!), 1, (note) => void process.stdout.write(`${note}\n`), Number(lock));
process.on('SIGTERM', () => host.stop());
await host.run();
// As the command does.
process.exit(0);
