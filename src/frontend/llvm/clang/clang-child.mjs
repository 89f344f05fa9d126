/**
 * Runs the clang of the npm package in a separate process, where V8 gets flags that suit only this program; and there
 * in a thread, because only a thread can have a stack as large as clang needs. Plain JavaScript: Node runs it directly.
 *
 * Message in: { package, headers, jobs: string[][] }, the folder of the package, where its headers should appear, and
 * clang's arguments. Messages out, one per job: { ok, text, crash? }.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { runClang, unpackHeaders } from './clang-run.mjs';

/** Several times the stack of native programs: frames of baseline code are large. */
const STACK_MB = 64;

if (isMainThread) {
  process.once('message', (task) => {
    const options = { workerData: task, resourceLimits: { stackSizeMb: STACK_MB } };
    const worker = new Worker(fileURLToPath(import.meta.url), options);
    worker.on('message', (answer) => process.send(answer));
    worker.on('exit', () => process.disconnect());
  });
} else {
  const { package: folder, headers: place, jobs } = workerData;
  const module = await WebAssembly.compile(await readFile(join(folder, 'gen', 'llvm.core.wasm')));
  const headers = unpackHeaders(readFileSync(join(folder, 'gen', 'llvm-resources.tar')), place);
  for (const args of jobs) parentPort.postMessage(await runClang(module, headers, args));
}
