/**
 * Runs the clang of the npm package in a separate process, because V8 gets flags there that suit only this program,
 * and there in a thread, because only a thread can have a stack as large as clang expects. Plain JavaScript:
 * Node runs it in place.
 *
 * Message in: { package, headers, jobs: string[][] }, the folder of the package, where its headers should appear, and
 * clang's arguments. Messages out, one per job: { ok, text, crash? }.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Wasi } from './clang-wasi.mjs';

/** Several times what native programs have: frames of baseline code are large. */
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
  for (const args of jobs) parentPort.postMessage(await run(module, headers, args));
}

async function run(module, headers, args) {
  const wasi = new Wasi({ args: ['llvm', 'clang', ...args], headers, toReal });
  try {
    const ok = (await wasi.run(module)) === 0;
    wasi.save();
    return { ok, text: wasi.text };
  } catch (error) {
    // A trap: an assertion failed in clang, or the stack was still too small for the program.
    return { ok: false, text: wasi.text, crash: String(error) };
  }
}

/** `clang-npm.ts` maps drive `C:` to the folder `/c`. */
function toReal(path) {
  return process.platform === 'win32' ? path.replace(/^\/([a-z])(?=\/|$)/, '$1:/') : path;
}

/** `include/*.h` of the package's archive; the folders beside them are for C++ and other machines. */
function unpackHeaders(archive, place) {
  const headers = new Map();
  for (const { name, data } of tarFiles(archive)) {
    const match = /^(?:\.\/)?include\/([^/]+\.h)$/.exec(name);
    if (match !== null) headers.set(`${place}/include/${match[1]}`, data);
  }
  return headers;
}

/** Plain files of a tar archive, without the extensions for long names. */
function* tarFiles(archive) {
  const BLOCK = 512;
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const text = (offset, length) =>
      archive.toString('latin1', at + offset, at + offset + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12), 8) || 0;
    const isFile = ['', '0'].includes(text(156, 1));
    if (isFile) yield { name: text(0, 100), data: archive.subarray(at + BLOCK, at + BLOCK + size) };
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}
