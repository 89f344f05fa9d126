/**
 * Bundles a script of the sources and everything it imports into one file that Node runs directly: a worker thread that
 * loads hundreds of modules, each through the hooks of `typescript.mjs`, takes seconds to start. The bundle is kept in
 * `node_modules` with the list of its sources, and rebuilt when the contents of one of these have changed.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const cache = new URL('../node_modules/.fencepost-stripped/', import.meta.url);
/** Class compilation depends on the settings, the bundle on this file. */
const SETTINGS = ['../tsconfig.json', './bundled.mjs'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** @type {(files: readonly string[]) => Promise<string>} */
async function hashOf(files) {
  const hash = createHash('sha256');
  const texts = await Promise.all([...SETTINGS, ...files].map((file) => readFile(file)));
  for (const text of texts) hash.update(`${text.length}\n`).update(text);
  return hash.digest('hex');
}

/** The address of the file for the script at this address. */
export async function bundled(/** @type {string} */ url) {
  const script = fileURLToPath(url);
  const name = createHash('sha256').update(script).digest('hex').slice(0, 16);
  const list = new URL(`${name}.json`, cache);
  try {
    /** @type {string[]} */
    const files = JSON.parse(await readFile(list, 'utf8'));
    const known = new URL(`${name}-${await hashOf(files)}.mjs`, cache);
    await readFile(known);
    return known.href;
  } catch {
    return await bundle(script, name, list);
  }
}

/** @type {(script: string, name: string, list: URL) => Promise<string>} */
async function bundle(script, name, list) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    entryPoints: [script],
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    packages: 'external',
    metafile: true,
    write: false,
    plugins: [
      {
        // Each module keeps its own `import.meta.url`.
        name: 'addresses',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            const contents = await readFile(path, 'utf8');
            const address = JSON.stringify(pathToFileURL(path).href);
            return { contents: contents.replaceAll('import.meta.url', address), loader: 'ts' };
          }),
      },
    ],
  });
  const files = Object.keys(metafile.inputs).map((path) => fileURLToPath(new URL(`../${path}`, import.meta.url)));
  await mkdir(cache, { recursive: true });
  const made = new URL(`${name}-${await hashOf(files)}.mjs`, cache);
  await write(made, outputFiles[0].contents);
  await write(list, JSON.stringify(files));
  return made.href;
}

/** Several threads may do this at once, hence the rename. */
async function write(/** @type {URL} */ file, /** @type {string | Uint8Array} */ contents) {
  const part = new URL(`${file.href}.${process.pid}.${Math.random().toString(36).slice(2)}`);
  await writeFile(part, contents);
  await rename(part, file);
}
