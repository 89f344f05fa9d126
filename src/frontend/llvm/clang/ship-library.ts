/**
 * `npm run build` runs this: it makes what `shipped-library.ts` reads, unless that is up to date. It uses npm's clang,
 * in the version in package.json, so the package is the same whoever builds it. Arguments: the machines, or none for
 * the default one. (`prepack` asks for all of them; each takes about ten seconds of CPU time.)
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type { Clang, Host } from './clang-job.ts';
import { findNpmClang, NPM_CLANG } from './clang-npm.ts';
import { readUnits, runUnits } from './clang-units.ts';
import { joinInputs } from './inputs.ts';
import { HEADERS, LIBRARY_FLAGS, libraryFiles } from './library.ts';
import { libraryOptions, packLibrary, shippedBy, shippedFile } from './shipped-library.ts';
import { DEFAULT_TARGET, TARGETS, type Target } from './targets.ts';

export async function makeShipped(target: Target, clang: Clang, host: Host): Promise<Uint8Array> {
  const files = libraryFiles();
  const units = readUnits(files, libraryOptions(target, HEADERS, true), LIBRARY_FLAGS, host);
  const parts = Math.min(availableParallelism(), 4);
  const made = await Promise.all(
    Array.from({ length: parts }, (_, part) =>
      runUnits(
        units.filter((_, i) => i % parts === part),
        clang,
        host,
        true,
      ),
    ),
  );
  const all = files.map((file, i) => ({ file, ...made[i % parts]![Math.floor(i / parts)]! }));
  const inputs = all.map((module) => {
    if (module.inputs === undefined) throw new Error(`${module.file}: a file changed while it was compiled`);
    return module.inputs;
  });
  return packLibrary({ target, modules: all, inputs: joinInputs(inputs), clang: clang.name });
}

/** A library that cannot be shipped, because of where the package is, is compiled when it is needed. */
async function tryMake(target: Target, clang: Clang, host: Host): Promise<Uint8Array | undefined> {
  try {
    return await makeShipped(target, clang, host);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`No library is shipped for ${target}: ${why}. The first check will compile it.\n`);
    return undefined;
  }
}

async function main(targets: readonly Target[]): Promise<void> {
  const host = { env: process.env, cwd: process.cwd() };
  const clang = await findNpmClang(host, undefined);
  if (clang === undefined) {
    process.stderr.write(`No library is shipped: ${NPM_CLANG} is not installed. The first check will compile it.\n`);
    return;
  }
  for (const target of targets) {
    const path = shippedFile(target);
    if (shippedBy(target) === clang.name) continue;
    mkdirSync(dirname(path), { recursive: true });
    const made = await tryMake(target, clang, host);
    if (made === undefined) continue;
    // Other processes may read or make it at the same time.
    const part = `${path}.${process.pid}`;
    writeFileSync(part, made);
    renameSync(part, path);
  }
}

if (import.meta.filename === process.argv[1]) {
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => !(TARGETS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`no machine ${unknown}: ${TARGETS.join(', ')}`);
  await main(asked.length === 0 ? [DEFAULT_TARGET] : (asked as Target[]));
}
