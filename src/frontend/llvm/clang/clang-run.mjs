/**
 * Runs the npm package's clang, wherever its WebAssembly module was compiled. Plain JavaScript, like `clang-child.mjs`.
 */
import { Wasi } from './clang-wasi.mjs';

/** Runs clang once, with the arguments after its name; returns { ok, text, crash? }. */
export async function runClang(module, headers, args) {
  const wasi = new Wasi({ args: ['llvm', 'clang', ...args], headers, toReal });
  try {
    const ok = (await wasi.run(module)) === 0;
    wasi.save();
    return { ok, text: wasi.text };
  } catch (error) {
    // A trap: an assertion in clang failed, or the stack was still too small for the program.
    return { ok: false, text: wasi.text, crash: String(error) };
  }
}

/** `clang-npm.ts` maps drive `C:` to the folder `/c`. */
function toReal(path) {
  return process.platform === 'win32' ? path.replace(/^\/([a-z])(?=\/|$)/, '$1:/') : path;
}

/** `include/*.h` in the package's archive; its subfolders are for C++ and other machines. */
export function unpackHeaders(archive, place) {
  const headers = new Map();
  for (const { name, data } of tarFiles(archive)) {
    const match = /^(?:\.\/)?include\/([^/]+\.h)$/.exec(name);
    if (match !== null) headers.set(`${place}/include/${match[1]}`, data);
  }
  return headers;
}

/** Regular files in a tar archive, without the extensions for long names. */
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
