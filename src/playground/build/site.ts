/**
 * Builds the site: the page, the engine, and the packs that the engine loads. All are static files, which any server
 * can serve.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { hashFiles } from '../../frontend/llvm/clang/clang-identity.ts';
import { NPM_CLANG } from '../../frontend/llvm/clang/clang-npm.ts';
import { unpackHeaders } from '../../frontend/llvm/clang/clang-run.mjs';
import { libcxxHeaders } from '../../frontend/llvm/clang/libcxx.ts';
import { hash } from '../../platform/hash.ts';
import { packaged } from '../../platform/package-folder.ts';
import { readBundle } from '../../report/writers/html.ts';
import { CLANG_HEADERS, LIBCXX_HEADERS } from '../engine/clang.ts';
import { type Manifest, type Part, pack } from '../engine/packs.ts';
import { EXAMPLES, type Example } from '../examples.ts';
import { PACKAGE } from '../node/process.ts';
import { engineConfig, pageConfig } from './bundle.ts';

/** Keeps between builds what is slow to make and rarely changes: clang, compressed, and the IR of the library. */
const CACHE = packaged('node_modules/.fencepost-playground');

type File = readonly [path: string, bytes: Uint8Array];

interface SiteOptions {
  readonly outDir: string;
  /** The examples that need no clang in the browser, because they are compiled now. */
  readonly examples?: readonly Example[];
  /** The level of compression of clang and the headers. */
  readonly level?: number;
}

export async function buildSite({ outDir, examples = EXAMPLES, level = 9 }: SiteOptions): Promise<void> {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  mkdirSync(CACHE, { recursive: true });
  const folder = dirname(dirname(createRequire(import.meta.url).resolve(NPM_CLANG)));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const [code, archive] = ['llvm.core.wasm', 'llvm-resources.tar'].map((name) => join(folder, 'gen', name)) as [
    string,
    string,
  ];
  const id = hashFiles([code, archive]);
  const bundle = readBundle();
  const part = (name: string, data: Uint8Array): Part => {
    const file = `${name}-${hash(data).slice(0, 12)}.gz`;
    writeFileSync(join(outDir, file), data);
    return { file, bytes: data.length };
  };
  const ours = [...filesIn('include'), ...filesIn('lib')];
  const headers = pack(headersIn(readFileSync(archive)));
  const viewer = pack([textFile('viewer.js', bundle.script), textFile('viewer.css', bundle.style)]);
  const clang = { name: `clang ${version} (npm ${NPM_CLANG})`, id };
  await build(engineConfig(outDir));
  const ir = await compileAll(outDir, { viewer, headers, c: pack(ours), clang, code: readFileSync(code) }, examples);
  const manifest: Manifest = {
    packs: {
      viewer: part('viewer', gzipSync(viewer, { level: 9 })),
      c: part('c', gzipSync(pack([...ours, ...ir]), { level: 9 })),
      headers: part('headers', gzipSync(headers, { level })),
    },
    clang: { ...part('clang.wasm', compressed(code, id, level)), ...clang },
  };
  writeFileSync(join(outDir, 'manifest.json'), JSON.stringify(manifest));
  const worker = readdirSync(outDir).find((name) => /^worker-.*\.js$/.test(name))!;
  await build(pageConfig(worker, bundle, outDir));
}

function textFile(name: string, text: string): File {
  return [`${PACKAGE}/dist/viewer/bundle/${name}`, Buffer.from(text)];
}

/** Files of this package, under the paths where the engine looks for them. */
function filesIn(folder: string): File[] {
  return readdirSync(packaged(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [`${PACKAGE}/${file.slice(packaged('').length).replaceAll('\\', '/')}`, readFileSync(file)]);
}

function* headersIn(archive: Buffer): Generator<File> {
  for (const [path, bytes] of unpackHeaders(archive, '') as Map<string, Buffer>)
    yield [CLANG_HEADERS + path.replace('/include', ''), bytes];
  for (const [name, text] of libcxxHeaders(archive)) yield [`${LIBCXX_HEADERS}/${name}`, Buffer.from(text, 'latin1')];
}

function compressed(file: string, id: string, level: number): Uint8Array {
  const kept = join(CACHE, `clang-${id.slice(0, 16)}-${level}.gz`);
  if (existsSync(kept)) return readFileSync(kept);
  const data = gzipSync(readFileSync(file), { level });
  writeFileSync(kept, data);
  return data;
}

interface Loaded {
  readonly viewer: Uint8Array;
  readonly headers: Uint8Array;
  readonly c: Uint8Array;
  readonly code: Uint8Array;
  readonly clang: { readonly name: string; readonly id: string };
}

/**
 * The IR of the library and the examples. The engine itself makes it, so it is what the engine would make in the
 * browser.
 */
async function compileAll(outDir: string, loaded: Loaded, examples: readonly Example[]): Promise<readonly File[]> {
  const kept = join(CACHE, `ir-${examples.length}.pack`);
  const known = existsSync(kept) ? readFileSync(kept) : undefined;
  const programs = examples.flatMap(({ path, options, fixed }) =>
    [options, ...(fixed === undefined ? [] : [fixed])].map((words) => ({
      name: basename(path),
      text: readFileSync(packaged(path), 'utf8'),
      args: ['check', basename(path), ...words.split(' ').filter((word) => word !== ''), '--max-executions', '1'],
    })),
  );
  // As in the command: baseline code, compiled only for functions that run, on a large stack.
  for (const flag of ['--liftoff-only', '--wasm-lazy-validation']) setFlagsFromString(flag);
  const [script, manifest] = [join(outDir, 'seed.js'), join(outDir, 'package.json')];
  // Makes Node treat the scripts as modules.
  writeFileSync(manifest, '{ "type": "module" }');
  const files = await inThread(script, { loaded, known, programs });
  for (const file of [script, manifest]) rmSync(file);
  writeFileSync(kept, pack(files));
  return files;
}

function inThread(script: string, data: object): Promise<readonly File[]> {
  const worker = new Worker(new URL('seed-thread.mjs', import.meta.url), {
    workerData: { script: pathToFileURL(script).href, ...data },
    resourceLimits: { stackSizeMb: 64, maxOldGenerationSizeMb: 4096 },
  });
  return new Promise((fulfil, reject) => {
    worker.on('message', fulfil);
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the thread that compiles has ended')));
  });
}
