/**
 * Lets Node run the sources directly: `node --import ./bench/typescript.mjs file.ts`. Types are stripped file by file;
 * modules stay modules, so that the measured code runs as fast as the output of `npm run build`. Stripped files are
 * cached in `node_modules`, by settings, path and contents.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// Hooks run in their own thread, which loads this file again.
if (isMainThread) {
  register(import.meta.url);
  // As the command does.
  (await import('../src/platform/inlining.ts')).raiseInliningBudget();
}

const cache = new URL('../node_modules/.fencepost-stripped/', import.meta.url);
// Class compilation depends on it.
const settings = await readFile(new URL('../tsconfig.json', import.meta.url), 'utf8');
let transform;

/** Our own modules are imported by their exact path, so there is nothing to resolve. */
export function resolve(specifier, context, nextResolve) {
  const isOurs = /^\.\.?\/.*\.ts$/.test(specifier) && context.parentURL?.startsWith('file:');
  if (!isOurs) return nextResolve(specifier, context);
  return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
}

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const file = fileURLToPath(url);
  // All of them are small: an asynchronous read would take longer.
  const text = readFileSync(file, 'utf8');
  const kept = new URL(`${createHash('sha256').update(`${settings}\n${file}\n${text}`).digest('hex')}.js`, cache);
  const source = readKept(kept) ?? (await strip(file, text, kept));
  return { format: 'module', source, shortCircuit: true };
}

function readKept(kept) {
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    return undefined;
  }
}

async function strip(file, text, kept) {
  transform ??= (await import('vite')).transformWithEsbuild;
  const { code } = await transform(text, file, { target: 'es2022', sourcemap: 'inline' });
  await mkdir(cache, { recursive: true });
  // Several processes may do this at once, hence the rename.
  const part = new URL(`${kept.href}.${process.pid}`);
  await writeFile(part, code);
  await rename(part, kept);
  return code;
}
