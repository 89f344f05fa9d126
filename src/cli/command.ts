/** The `fencepost` command, bundled into one script (`main.ts`). */
import { isMainThread, workerData } from 'node:worker_threads';
import { isWorkerData, runWorker } from '../workers/worker.ts';
import { runCommand } from './run.ts';
import { ourFault } from './run-with.ts';
import { EXIT_INCONCLUSIVE, EXIT_USAGE } from './shared/exit-codes.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      // `fencepost … | head`: the reader has seen enough. A command that has a verdict sets its exit code before the
      // next turn of the event loop; one that is still searching has none, and its verdict would not be read.
      setImmediate(() => process.exit(process.exitCode ?? EXIT_INCONCLUSIVE));
      return;
    }
    // For example, the disk is full. A verdict that could not be written does not count.
    if (stream === process.stdout) process.stderr.write(`fencepost: cannot write the report: ${error.code}\n`);
    process.exit(EXIT_USAGE);
  });
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
