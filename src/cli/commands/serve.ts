/** `fencepost serve`: the viewer in a browser, for a folder of runs and programs. */
import { statSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { packaged } from '../../platform/package-folder.ts';
import { ViewerServer } from '../../serve/server.ts';
import { EXIT_USAGE, EXIT_VERIFIED } from '../shared/exit-codes.ts';

const DEFAULT_PORT = 4747;

interface ServeFlags {
  readonly port: number;
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65535)) throw new InvalidArgumentError('Expected a port from 0 to 65535; 0 is any that is free.');
  return port;
}

export function addServeCommand(program: Command, finish: (exit: number) => void): void {
  program
    .command('serve')
    .summary('look at runs and explore programs in a browser')
    .description(
      'Shows the kept runs and the programs of a folder in a browser: step through executions, pick any next step ' +
        'yourself, run checks. Listens on this machine only, until it is interrupted.',
    )
    .argument('[folder]', 'folder with programs and runs', '.')
    .option('-p, --port <n>', 'port to listen on; 0 is any that is free', parsePort, DEFAULT_PORT)
    .addHelpText(
      'after',
      '\nExit code: 0 ended by Ctrl-C; 2 wrong usage: no such folder, port taken.\n\n' +
        'Example:\n  fencepost serve examples',
    )
    .action(async (folder: string, flags: ServeFlags) => {
      finish(await runServeCommand(folder, flags));
    });
}

async function runServeCommand(folder: string, { port }: ServeFlags): Promise<number> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    process.stderr.write(`fencepost: ${folder}: no such folder\n`);
    return EXIT_USAGE;
  }
  const command = packaged('dist/cli/main.js');
  // So that files are called in the explorer what the checks call them.
  process.chdir(folder);
  const server = new ViewerServer({ folder: '.', port, command });
  try {
    const address = await server.listen();
    process.stdout.write(`Serving ${folder} at ${address} (Ctrl-C ends it)\n`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? `port ${port} is taken; choose another one with --port` : message;
    process.stderr.write(`fencepost: cannot listen: ${why}\n`);
    return EXIT_USAGE;
  }
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  server.close();
  return EXIT_VERIFIED;
}
