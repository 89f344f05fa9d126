/** The runtime of recorded programs, compiled by the same compiler as the program. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, makeFolder } from '../../platform/cache-folder.ts';
import { hash } from '../../platform/hash.ts';
import { packaged } from '../../platform/package-folder.ts';
import type { Runtime } from './recording-line.ts';

const FLAGS = ['-x', 'c', '-std=gnu11', '-O2', '-fPIC', '-fexceptions', '-w', '-c'];
/** The files that gcc looks for when it links its own runtime into a program: the first object, and the archive. */
const FIRST_OBJECT = 'libtsan_preinit.o';
const EMPTY_ARCHIVE = 'libtsan.a';

/**
 * Compiles the runtime, which takes a second, into a folder that is kept, because printed command lines refer to it.
 * `log` is where programs write by default. If that fails, returns what is wrong.
 */
export function makeRuntime(compiler: string, log: string | undefined): Runtime | { readonly problem: string } {
  const source = packaged('runtime');
  const name = log === undefined ? [] : [`-DFENCEPOST_LOG_NAME=${JSON.stringify(log)}`];
  const texts = readdirSync(source).map((file) => readFileSync(join(source, file), 'utf8'));
  const parts = hash(JSON.stringify([compiler, name, texts])).slice(0, 16);
  const cache = cacheFolder(process.env);
  try {
    const folder = cache === undefined ? mkdtempSync(join(tmpdir(), 'fencepost-')) : join(cache, 'runtime', parts);
    makeFolder(folder);
    const object = join(folder, FIRST_OBJECT);
    const fresh = `${object}.${process.pid}.tmp`;
    const args = [...FLAGS, ...name, join(source, 'record.c'), '-o', fresh];
    const { status, stderr } = spawnSync(compiler, args, { encoding: 'utf8' });
    if (status !== 0) return { problem: `${compiler} cannot compile the runtime\n${stderr}`.trimEnd() };
    // Renaming makes the file appear in full or not at all, even if several processes write it.
    renameSync(fresh, object);
    writeFileSync(join(folder, EMPTY_ARCHIVE), '!<arch>\n');
    return { folder, object };
  } catch (error) {
    return { problem: `the runtime cannot be written: ${(error as NodeJS.ErrnoException).message}` };
  }
}
