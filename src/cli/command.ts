/** The `fencepost` command, bundled into one script (`main.ts`). */
import { fstatSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';
import { isWorkerData, runWorker } from '../workers/worker.ts';
import { runCommand } from './run.ts';
import { ourFault } from './run-with.ts';
import { EXIT_INCONCLUSIVE, EXIT_USAGE } from './shared/exit-codes.ts';

/** A check of `fencepost serve`: the server reads both streams, and has gone if it reads one no more. */
const isOfServer = process.send !== undefined;

// Progress and notes are no result: without a reader, the command goes on to its verdict.
process.stderr.on('error', () => {
  if (isOfServer || isOnePipe()) leave();
});

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return leave();
  // For example, the disk is full. A verdict that could not be written does not count.
  process.stderr.write(`fencepost: cannot write the report: ${error.code}\n`);
  process.exit(EXIT_USAGE);
});

/**
 * `fencepost … | head`: the reader has seen enough. A command that has a verdict sets its exit code before the next turn
 * of the event loop; one that is still searching has none, and its verdict would not be read.
 */
function leave(): void {
  setImmediate(() => process.exit(process.exitCode ?? EXIT_INCONCLUSIVE));
}

/** `fencepost … 2>&1 | head`: where nobody reads one stream, nobody reads the other. */
function isOnePipe(): boolean {
  const [out, err] = [fstatSync(1), fstatSync(2)];
  return out.isFIFO() && out.ino === err.ino && out.dev === err.dev;
}

// Worker threads run this script too.
if (!isMainThread && isWorkerData(workerData)) runWorker(workerData);
else {
  // Node's own exit code, 1, would mean a violation.
  process.on('uncaughtException', (error) => process.exit(ourFault(error)));
  void runCommand(process.argv.slice(2), (exit) => {
    process.exitCode = exit;
  });
}
