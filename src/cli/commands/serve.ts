/** `fencepost serve`: the viewer in a browser, for a folder of runs and programs. */
import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { SERVE, type ServeChoices } from '../../options/others.ts';
import { packaged } from '../../platform/package-folder.ts';
import { ViewerServer } from '../../serve/server.ts';
import { EXIT_USAGE, EXIT_VERIFIED } from '../shared/exit-codes.ts';
import { addHelpEnd, type HelpEnd } from '../shared/help.ts';
import { addOptions, type Flags, readOptions } from '../shared/options.ts';

const HELP: HelpEnd = {
  exit: '0 ended by Ctrl-C; 2 wrong usage: no such folder, port in use.',
  examples: [
    ['The programs and runs of this folder:', 'fencepost serve'],
    ['Those of another one:', 'fencepost serve examples'],
    ['On a free port:', 'fencepost serve --port 0'],
  ],
  manual: ['docs/viewer.md'],
};

export function addServeCommand(program: Command, finish: (exit: number) => void): void {
  const command = program
    .command('serve')
    .summary('look at runs and explore programs in a browser')
    .description(
      'Shows the saved runs and the programs of a folder in a browser: step through executions, pick any next step ' +
        'yourself, run checks. Listens on this machine only, until interrupted.',
    )
    .argument('[folder]', 'folder with programs and runs', '.');
  addHelpEnd(addOptions(command, SERVE), HELP).action(async (folder: string, flags: Flags) => {
    finish(await runServeCommand(folder, readOptions(flags, SERVE)));
  });
}

async function runServeCommand(folder: string, { port }: ServeChoices): Promise<number> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    process.stderr.write(
      `fencepost: ${folder}: ${existsSync(folder) ? 'is a file, not a folder' : 'no such folder'}\n`,
    );
    return EXIT_USAGE;
  }
  const command = packaged('dist/cli/main.js');
  // With this, the explorer and the checks use the same file names.
  process.chdir(folder);
  const server = new ViewerServer({ folder: '.', port, command });
  try {
    const address = await server.listen();
    process.stdout.write(`Serving ${folder} at ${address} (Ctrl-C ends it)\n`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? `port ${port} is in use; choose another with --port` : message;
    process.stderr.write(`fencepost: cannot listen: ${why}\n`);
    return EXIT_USAGE;
  }
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  server.close();
  return EXIT_VERIFIED;
}
