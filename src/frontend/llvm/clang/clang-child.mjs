/**
 * Runs the clang of the npm package in a separate process, where V8 gets flags that suit only this program; and there
 * in a thread, because only a thread can have a stack as large as clang needs. Plain JavaScript: Node runs it directly.
 *
 * Messages in: { package, headers, jobs: string[][] }, the folder of the package, where its headers should appear, and
 * clang's arguments. Messages out, one per job: { ok, text, crash? }. The process ends when its parent does, or after
 * some seconds without a job: until then, the next job finds the module compiled.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { runClang, unpackHeaders } from './clang-run.mjs';

/** Several times the stack of native programs: frames of baseline code are large. */
const STACK_MB = 64;

/** A fifth of a gigabyte is kept for so long. */
const IDLE_MS = 10_000;

if (isMainThread) {
  let worker;
  let waiting = 0;
  let idle;
  process.on('message', ({ package: folder, headers, jobs }) => {
    clearTimeout(idle);
    waiting += jobs.length;
    worker ??= startWorker({ folder, headers });
    worker.postMessage(jobs);
  });
  process.on('disconnect', () => process.exit());
  const startWorker = (workerData) => {
    const worker = new Worker(fileURLToPath(import.meta.url), {
      workerData,
      resourceLimits: { stackSizeMb: STACK_MB },
    });
    worker.on('message', (answer) => {
      process.send(answer);
      if (--waiting === 0) idle = setTimeout(() => process.disconnect(), IDLE_MS);
    });
    return worker;
  };
} else {
  const { folder, headers: place } = workerData;
  const module = await WebAssembly.compile(await readFile(join(folder, 'gen', 'llvm.core.wasm')));
  const headers = unpackHeaders(readFileSync(join(folder, 'gen', 'llvm-resources.tar')), place);
  let last = Promise.resolve();
  parentPort.on('message', (jobs) => {
    last = last.then(async () => {
      for (const args of jobs) parentPort.postMessage(await runClang(module, headers, args));
    });
  });
}
