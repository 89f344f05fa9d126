/** A separate Redis with a password, and workers in processes that can be killed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { bundled } from '../../bench/bundled.mjs';
import { RedisServer } from '../../src/cluster/redis.ts';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
if (!isInstalled && process.env['CI'] !== 'true') process.stderr.write('no redis-server: the cluster is not tested\n');
export const hasRedis: boolean = isInstalled || process.env['CI'] === 'true';

const PASSWORD = 'sesame';

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export class TestCluster {
  readonly url: string;
  server!: RedisServer;
  /** What workers have said. */
  said = '';
  private readonly port: number;
  /** What workers run. */
  private readonly script: string;
  private redis: ChildProcess | undefined;
  private readonly workers: ChildProcess[] = [];

  private constructor(port: number, script: string) {
    this.port = port;
    this.script = script;
    this.url = `redis://:${PASSWORD}@127.0.0.1:${port}`;
  }

  static async start(workers: number): Promise<TestCluster> {
    const script = await bundled(new URL('./cluster-worker.ts', import.meta.url).href);
    const cluster = new TestCluster(await freePort(), fileURLToPath(script));
    cluster.startRedis();
    cluster.server = await RedisServer.reach(cluster.url);
    for (let n = 0; n < workers; n++) cluster.hire();
    return cluster;
  }

  /** It stores nothing on disk: a restarted one is empty. */
  startRedis(): void {
    const flags = [
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--requirepass',
      PASSWORD,
    ];
    this.redis = spawn('redis-server', flags, { stdio: 'ignore' });
  }

  async killRedis(): Promise<void> {
    this.redis!.kill('SIGKILL');
    await ended(this.redis!);
  }

  hire(): void {
    const worker = spawn(process.execPath, [this.script, 'env:TEST_REDIS', '1500'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TEST_REDIS: this.url },
    });
    worker.stdout!.on('data', (text: Buffer) => {
      this.said += text.toString();
    });
    this.workers.push(worker);
  }

  /** Kills the worker that has been there longest. */
  async killWorker(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const worker = this.workers.shift()!;
    worker.kill(signal);
    await ended(worker);
  }

  async end(): Promise<void> {
    while (this.workers.length > 0) await this.killWorker();
    await this.killRedis();
  }
}
