/** The `fencepost` command: one script in the end (`main.ts`). */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../platform/version.ts';
import { addCheckCommand } from './commands/check.ts';
import { addFixCommand } from './commands/fix.ts';
import { addHuntCommand } from './commands/hunt.ts';
import { addLitmusCommand } from './commands/litmus.ts';
import { addMonitorCommand } from './commands/monitor.ts';
import { addRecordCommand } from './commands/record.ts';
import { addReplayCommand } from './commands/replay.ts';
import { addRobustCommand } from './commands/robust.ts';
import { addServeCommand } from './commands/serve.ts';
import { COMMAND_NAMES, type CommandName } from './shared/command-names.ts';
import { EXIT_INCONCLUSIVE, EXIT_OUR_FAULT, EXIT_USAGE } from './shared/exit-codes.ts';
import { acceptClangSpelling } from './shared/options.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      // `fencepost … | head`: the reader has seen enough. A command that has its verdict says it before the next turn of
      // the event loop; one that is still searching has none, and nobody is there to read it.
      setImmediate(() => process.exit(process.exitCode ?? EXIT_INCONCLUSIVE));
      return;
    }
    // A full disk, say. What could not be written is no verdict.
    if (stream === process.stdout) process.stderr.write(`fencepost: cannot write the report: ${error.code}\n`);
    process.exit(EXIT_USAGE);
  });
}

const finish = (exit: number): void => {
  process.exitCode = exit;
};

const program = new Command('fencepost')
  .description('Verifies concurrent programs under relaxed memory models: SC, TSO (x86, SPARC) and PSO.')
  .version(VERSION, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print help')
  .helpCommand('help [command]', 'print help for a command')
  .showHelpAfterError('(try fencepost --help)')
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(`fencepost: ${text.replace(/^error: /, '')}`) });

type AddCommand = (program: Command, finish: (exit: number) => void) => void;

const COMMANDS: Readonly<Record<CommandName, AddCommand>> = {
  check: addCheckCommand,
  fix: addFixCommand,
  hunt: addHuntCommand,
  litmus: addLitmusCommand,
  replay: addReplayCommand,
  robust: addRobustCommand,
  record: addRecordCommand,
  monitor: addMonitorCommand,
  serve: addServeCommand,
};

// To describe all of them takes time, and one is enough if it is named.
const named = COMMAND_NAMES.filter((name) => name === process.argv[2]);
for (const name of named.length > 0 ? named : COMMAND_NAMES) COMMANDS[name](program, finish);

async function run(): Promise<void> {
  if (process.argv.length <= 2) {
    program.outputHelp({ error: true });
    finish(EXIT_USAGE);
  } else {
    await program.parseAsync(acceptClangSpelling(process.argv));
  }
}

run().catch((error: unknown) => {
  if (error instanceof CommanderError) {
    // Asking for help or the version is no mistake; everything else that commander throws is wrong usage.
    finish(error.exitCode === 0 ? 0 : EXIT_USAGE);
  } else {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`fencepost: internal error, please report it with the input that caused it\n${text}\n`);
    finish(EXIT_OUR_FAULT);
  }
});
