/** `fencepost worker`: runs jobs of searches started elsewhere. */
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { Host } from '../../cluster/host.ts';
import { RedisServer } from '../../cluster/redis.ts';
import type { Described } from '../../options/option.ts';
import { JOBS, REDIS } from '../../options/search.ts';
import { printable } from '../../report/text.ts';
import { EXIT_VERIFIED } from '../shared/exit-codes.ts';
import { addHelpEnd, type HelpEnd } from '../shared/help.ts';
import { addOptions, readOptions } from '../shared/options.ts';
import { usage } from '../shared/program.ts';
import { reached } from '../shared/reached.ts';

interface Choices {
  readonly redis?: string;
  readonly jobs?: number;
}

const OPTIONS: Described<Choices> = {
  redis: {
    ...REDIS,
    help: 'the Redis server of the searches: redis://, rediss://, or env:NAME to read the URL from a variable',
  },
  jobs: JOBS,
};

const HELP: HelpEnd = {
  notes: 'Joins only searches of the same build of Fencepost.',
  exit: '0 stopped; 2 wrong usage, or Redis cannot be reached.',
  examples: [
    ['On every machine that helps:', 'fencepost worker --redis redis://queue.local:6379'],
    ['With two threads, reading the URL from a variable:', 'fencepost worker --redis env:REDIS_URL -j 2'],
    ['Start a search for them:', 'fencepost check driver.c --redis redis://queue.local:6379'],
  ],
  manual: ['docs/cluster.md'],
};

export function addWorkerCommand(program: Command, finish: (exit: number) => void): void {
  const command = program
    .command('worker')
    .summary('join searches started by check --redis')
    .description(
      'Waits for searches that `fencepost check --redis URL` starts anywhere, and takes part in them, until Ctrl-C. It receives ' +
        'programs in internal form, never files. You can kill it at any time: another worker takes over its job.',
    );
  addHelpEnd(addOptions(command, OPTIONS), HELP).action(async (flags: Record<string, unknown>) => {
    finish(await runWorkerCommand(readOptions<Choices>(flags, OPTIONS)));
  });
}

async function runWorkerCommand({ redis, jobs = availableParallelism() }: Choices): Promise<number> {
  const server = await reached(redis);
  if (!(server instanceof RedisServer)) return usage(server);
  const say = (note: string): void => void process.stderr.write(`fencepost: ${printable(note)}\n`);
  const host = new Host(server, jobs, say);
  let isAsked = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // The second signal ends the worker at once.
      if (isAsked) process.exit(130);
      isAsked = true;
      host.stop();
    });
  }
  say(`worker ${host.id} with ${jobs} ${jobs === 1 ? 'thread' : 'threads'} waits for searches on ${server.name}`);
  await host.run();
  // Exits explicitly: without Redis, the queue would keep trying to reach it.
  process.exit(EXIT_VERIFIED);
}
