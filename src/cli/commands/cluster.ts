/** `fencepost cluster status`: which searches and workers there are. */
import { Argument, type Command } from 'commander';
import { RedisServer } from '../../cluster/redis.ts';
import { codeVersion, Registry } from '../../cluster/registry.ts';
import type { Described } from '../../options/option.ts';
import { REDIS } from '../../options/search.ts';
import { alignColumns, plural, printable } from '../../report/text.ts';
import { EXIT_VERIFIED } from '../shared/exit-codes.ts';
import { addHelpEnd, type HelpEnd } from '../shared/help.ts';
import { addOptions, readOptions } from '../shared/options.ts';
import { usage } from '../shared/program.ts';
import { reached } from '../shared/reached.ts';

interface Choices {
  readonly redis?: string;
}

const OPTIONS: Described<Choices> = {
  redis: {
    ...REDIS,
    help: 'the Redis server to ask: redis://, rediss://, or env:NAME to read the URL from a variable',
  },
};

const HELP: HelpEnd = {
  exit: '0 shown; 2 wrong usage, or Redis cannot be reached.',
  examples: [
    ['What is running?', 'fencepost cluster status --redis redis://queue.local:6379'],
    ['Reading the URL from a variable:', 'fencepost cluster status --redis env:REDIS_URL'],
    ['Again every five seconds:', "watch -n 5 'fencepost cluster status --redis env:REDIS_URL'"],
  ],
  manual: ['docs/cluster.md'],
};

export function addClusterCommand(program: Command, finish: (exit: number) => void): void {
  const command = program
    .command('cluster')
    .summary('show searches and workers of a cluster')
    .description('Shows the searches that `fencepost check --redis URL` has started, and the connected workers.')
    .addArgument(new Argument('<what>', 'what to show').choices(['status']));
  addHelpEnd(addOptions(command, OPTIONS), HELP).action(async (_: string, flags: Record<string, unknown>) => {
    finish(await runStatus(readOptions<Choices>(flags, OPTIONS)));
  });
}

async function runStatus({ redis: url }: Choices): Promise<number> {
  const server = await reached(url);
  if (!(server instanceof RedisServer)) return usage(server);
  const redis = server.connect();
  const registry = new Registry(redis, (note) => process.stderr.write(`fencepost: ${printable(note)}\n`));
  const [searches, workers] = await Promise.all([registry.searches(), registry.workers()]).finally(() =>
    redis.disconnect(),
  );
  const note = (version: string): string => (version === codeVersion() ? '' : `another version: ${version}`);
  const lines = [
    `${searches.length} ${searches.length === 1 ? 'search' : 'searches'} on ${server.name}`,
    ...alignColumns(
      searches.map(({ id, program, model, executions, jobs, seconds, host, version }) => [
        `  ${id}`,
        `${printable(program)} under ${model}`,
        `${plural(executions, 'execution')}`,
        `${plural(jobs, 'job')} left`,
        `${seconds} s`,
        `from ${printable(host)}`,
        note(version),
      ]),
    ),
    plural(workers.length, 'worker'),
    ...alignColumns(
      workers.map(({ id, host, threads, jobs, search, version }) => [
        `  ${id}`,
        printable(host),
        plural(threads, 'thread'),
        search === undefined ? 'idle' : `search ${search}`,
        `${plural(jobs, 'job')} done`,
        note(version),
      ]),
    ),
  ];
  process.stdout.write(`${lines.map((line) => line.trimEnd()).join('\n')}\n`);
  return EXIT_VERIFIED;
}
