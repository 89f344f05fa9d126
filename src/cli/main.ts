#!/usr/bin/env node
/** The `fencepost` command. */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.ts';
import { acceptClangSpelling } from './args.ts';
import { EXIT_INCONCLUSIVE, EXIT_OUR_FAULT, EXIT_USAGE } from './exit-codes.ts';

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
  .description('Checks concurrent programs on machines with store buffers: SC, TSO (x86, SPARC) and PSO.')
  .version(VERSION, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print help')
  .helpCommand('help [command]', 'print help for a command')
  .showHelpAfterError('(try fencepost --help)')
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(`fencepost: ${text.replace(/^error: /, '')}`) });

type AddCommand = (program: Command, finish: (exit: number) => void) => void;

/** In the order of the help. To load all takes longer than most runs. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  check: async () => (await import('./commands/check.ts')).addCheckCommand,
  fix: async () => (await import('./commands/fix.ts')).addFixCommand,
  hunt: async () => (await import('./commands/hunt.ts')).addHuntCommand,
  litmus: async () => (await import('./commands/litmus.ts')).addLitmusCommand,
  replay: async () => (await import('./commands/replay.ts')).addReplayCommand,
  robust: async () => (await import('./commands/robust.ts')).addRobustCommand,
  monitor: async () => (await import('./commands/monitor.ts')).addMonitorCommand,
  serve: async () => (await import('./commands/serve.ts')).addServeCommand,
};

const named = Object.keys(COMMANDS).filter((name) => name === process.argv[2]);
for (const name of named.length > 0 ? named : Object.keys(COMMANDS)) (await COMMANDS[name]!())(program, finish);

try {
  if (process.argv.length <= 2) {
    program.outputHelp({ error: true });
    finish(EXIT_USAGE);
  } else {
    await program.parseAsync(acceptClangSpelling(process.argv));
  }
} catch (error) {
  if (error instanceof CommanderError) {
    // Asking for help or the version is no mistake; everything else that commander throws is wrong usage.
    finish(error.exitCode === 0 ? 0 : EXIT_USAGE);
  } else {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`fencepost: internal error, please report it with the input that caused it\n${text}\n`);
    finish(EXIT_OUR_FAULT);
  }
}
