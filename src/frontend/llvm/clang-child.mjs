/**
 * Runs the clang of the npm package, once per job, in a process of its own: compiling takes seconds of undivided
 * attention, and V8 gets flags that only suit this program. Plain JavaScript, because Node starts it from src/ and from
 * dist/ alike.
 *
 * Message in: { wasm, preopens, jobs: [{ args, diagnostics }] }. Messages out, one per job: { ok, crash? }.
 */
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

process.once('message', async ({ wasm, preopens, jobs }) => {
  const module = await WebAssembly.compile(await readFile(wasm));
  for (const job of jobs) process.send(await run(module, preopens, job));
  process.disconnect();
});

async function run(module, preopens, { args, diagnostics }) {
  const stderr = openSync(diagnostics, 'w');
  try {
    const wasi = new WASI({ version: 'preview1', args, preopens, stdout: stderr, stderr, returnOnExit: true });
    const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
    return { ok: wasi.start(instance) === 0 };
  } catch (error) {
    // A trap: clang failed an assertion of its own, or the stack was too small for the program.
    return { ok: false, crash: String(error) };
  } finally {
    closeSync(stderr);
  }
}
