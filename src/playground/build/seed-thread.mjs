/**
 * The thread of `site.ts` that compiles: runs the engine from the bundle. Plain JavaScript, since Node runs it
 * directly.
 */
import { parentPort, workerData } from 'node:worker_threads';

const { script, loaded, known, programs } = workerData;
const { compileAll } = await import(script);
const parts = Object.fromEntries(['viewer', 'headers', 'c'].map((name) => [name, { file: name, bytes: 0 }]));

const store = {
  manifest: async () => ({ packs: parts, clang: { file: 'code', bytes: 0, ...loaded.clang } }),
  read: async ({ file }) => loaded[file],
};
parentPort.postMessage(await compileAll(store, known, programs));
process.exit(0);
