/** The runtime of recorded programs, made by the compiler that makes the program. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, makeFolder } from '../../platform/cache-folder.ts';
import { hash } from '../../platform/hash.ts';
import { packaged } from '../../platform/package-folder.ts';
import type { Runtime } from './recording-line.ts';

const FLAGS = ['-x', 'c', '-std=gnu11', '-O2', '-fPIC', '-fexceptions', '-w', '-c'];
/** What gcc links first, and from where, when it is told to link its own runtime into the program. */
const FIRST_OBJECT = 'libtsan_preinit.o';
const EMPTY_ARCHIVE = 'libtsan.a';

/**
 * Compiles it, which takes a second, into a folder that stays: lines that were printed refer to it. `log` is where programs
 * write when nothing else is said. Returns what is wrong, if it cannot be done.
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
    // Complete or not at all, whoever else writes the same.
    renameSync(fresh, object);
    writeFileSync(join(folder, EMPTY_ARCHIVE), '!<arch>\n');
    return { folder, object };
  } catch (error) {
    return { problem: `the runtime cannot be written: ${(error as NodeJS.ErrnoException).message}` };
  }
}
