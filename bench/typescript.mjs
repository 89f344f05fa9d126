/**
 * Lets Node run the sources as they are: `node --import ./bench/typescript.mjs file.ts`. Types are stripped file by
 * file; modules stay modules, so that the measured code runs as fast as the output of `npm run build`.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// Hooks run in a thread of their own, which loads this file again.
if (isMainThread) register(import.meta.url);

let transform;

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  transform ??= (await import('vite')).transformWithEsbuild;
  const file = fileURLToPath(url);
  const { code } = await transform(await readFile(file, 'utf8'), file, { target: 'es2022', sourcemap: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}
