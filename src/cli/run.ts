/** The `fencepost` command with all its subcommands. */
import type { Command } from 'commander';
import { addCheckCommand } from './commands/check.ts';
import { addClusterCommand } from './commands/cluster.ts';
import { addFixCommand } from './commands/fix.ts';
import { addHuntCommand } from './commands/hunt.ts';
import { addInitCommand } from './commands/init.ts';
import { addLitmusCommand } from './commands/litmus.ts';
import { addMonitorCommand } from './commands/monitor.ts';
import { addRecordCommand } from './commands/record.ts';
import { addReplayCommand } from './commands/replay.ts';
import { addRobustCommand } from './commands/robust.ts';
import { addServeCommand } from './commands/serve.ts';
import { addWorkerCommand } from './commands/worker.ts';
import { type Commands, type Finish, programWith, runWith } from './run-with.ts';

const COMMANDS: Required<Commands> = {
  check: addCheckCommand,
  fix: addFixCommand,
  hunt: addHuntCommand,
  litmus: addLitmusCommand,
  replay: addReplayCommand,
  robust: addRobustCommand,
  record: addRecordCommand,
  monitor: addMonitorCommand,
  serve: addServeCommand,
  worker: addWorkerCommand,
  cluster: addClusterCommand,
  init: addInitCommand,
};

/**
 * `args` are the arguments after `fencepost` itself. The exit code is also passed to `finish` as soon as it is known.
 */
export function runCommand(args: readonly string[], finish?: Finish): Promise<number> {
  return runWith(COMMANDS, args, finish);
}

export function makeProgram(asked: string | undefined, finish: Finish): Command {
  return programWith(COMMANDS, asked, finish);
}
