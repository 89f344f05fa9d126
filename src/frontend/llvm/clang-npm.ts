/**
 * The clang of the npm package `@yowasp/clang`: all of LLVM as one WebAssembly module, for machines without a clang.
 *
 * The package's own interface runs it on a tree of files in memory, made before the start. We run its module with
 * Node's WASI instead, so that it reads the real files: whatever it includes, it finds, as a native clang would. (One
 * difference: `..` after a folder that is a symbolic link goes to the folder of the link, not of its target.) Only
 * clang's own headers must be taken out of the package's archive first.
 */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClangCache } from './cache.ts';
import { argumentsOf, type Clang, type Host, type Job, type Outcome } from './clang-job.ts';
import { CompileError } from './compile-error.ts';

export const NPM_CLANG = '@yowasp/clang';

/** `undefined` if the package is not installed. `$FENCEPOST_YOWASP` names its folder if it is elsewhere. */
export async function findNpmClang(host: Host, cache: ClangCache | undefined): Promise<Clang | undefined> {
  const folder = host.env['FENCEPOST_YOWASP'] ?? resolvePackage();
  if (folder === undefined || !existsSync(join(folder, 'gen', 'llvm.core.wasm'))) return undefined;
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return new NpmClang(folder, manifest.version, host, cache);
}

function resolvePackage(): string | undefined {
  try {
    // …/@yowasp/clang/gen/bundle.js
    return dirname(dirname(createRequire(import.meta.url).resolve(NPM_CLANG)));
  } catch {
    return undefined;
  }
}

/** Baseline code only, of the functions that run only: most of the 75 MB are never used. */
const V8_FLAGS = ['--liftoff-only', '--wasm-lazy-validation'];

/** From src/frontend/llvm and from dist/frontend/llvm alike. */
const CHILD = fileURLToPath(new URL('../../../src/frontend/llvm/clang-child.mjs', import.meta.url));

/** Node's exit code for an option it does not know; V8's options come and go. */
const BAD_OPTION = 9;

interface ChildJob {
  readonly args: readonly string[];
  /** File for standard error. */
  readonly diagnostics: string;
}

interface ChildAnswer {
  readonly ok: boolean;
  readonly crash?: string;
}

class NpmClang implements Clang {
  readonly name: string;
  readonly id: string;
  private readonly folder: string;
  private readonly version: string;
  private readonly host: Host;
  private readonly cache: ClangCache | undefined;

  constructor(folder: string, version: string, host: Host, cache: ClangCache | undefined) {
    this.folder = folder;
    this.version = version;
    this.name = `clang ${version} (npm ${NPM_CLANG})`;
    this.id = this.name;
    this.host = host;
    this.cache = cache;
  }

  async run(jobs: readonly Job[], scratch: string): Promise<readonly Outcome[]> {
    const resources = await this.resources(scratch);
    const always = ['--no-default-config', `-working-directory=${toVirtual(this.host.cwd)}`];
    const childJobs = jobs.map((job, number): ChildJob => {
      const args = [...always, '-resource-dir', resources, ...argumentsOf(job)].map(toVirtual);
      return { args: ['llvm', 'clang', ...args], diagnostics: join(scratch, `${number}.txt`) };
    });
    const answers = (await this.talk(childJobs, V8_FLAGS)) ?? (await this.talk(childJobs, []));
    if (answers === undefined) throw new CompileError('clang', `cannot run ${this.name}`);
    return Promise.all(
      answers.map(async ({ ok, crash }, number) => {
        const diagnostics = await readFile(childJobs[number]!.diagnostics, 'utf8').catch(() => '');
        return { ok, diagnostics: crash === undefined ? diagnostics : `${diagnostics}${this.name}: ${crash}\n` };
      }),
    );
  }

  /** All jobs in one child, which compiles the module once; `undefined` if Node does not take the flags. */
  private talk(jobs: readonly ChildJob[], flags: readonly string[]): Promise<readonly ChildAnswer[] | undefined> {
    const { NODE_OPTIONS: _, ...env } = this.host.env;
    const child = fork(CHILD, {
      execArgv: ['--no-warnings', ...flags],
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    return new Promise((fulfil, reject) => {
      const answers: ChildAnswer[] = [];
      let complaint = '';
      child.stderr!.on('data', (chunk: Buffer) => {
        complaint += chunk.toString();
      });
      child.on('message', (answer: ChildAnswer) => answers.push(answer));
      child.on('error', (error) => reject(new CompileError('clang', `cannot run ${this.name}: ${error.message}`)));
      child.on('close', (code, signal) => {
        if (code === BAD_OPTION) return fulfil(undefined);
        const crash = `ended by ${signal ?? `exit code ${code}`}\n${complaint}`.trim();
        while (answers.length < jobs.length) answers.push({ ok: false, crash });
        fulfil(answers);
      });
      child.send({ wasm: join(this.folder, 'gen', 'llvm.core.wasm'), preopens: preopens(), jobs }, () => {
        // If it could not be sent, the child has ended, and `close` tells why.
      });
    });
  }

  /** A folder with clang's own headers: kept in the cache if there is one. */
  private async resources(scratch: string): Promise<string> {
    if (this.cache !== undefined) {
      const kept = join(this.cache.folder, `yowasp-clang-${this.version}`);
      if (existsSync(kept)) return kept;
      // Complete or not there: it is made under another name first.
      const fresh = `${kept}.${process.pid}.tmp`;
      try {
        await this.unpackHeaders(fresh);
        await rename(fresh, kept);
        return kept;
      } catch {
        // Not writable, which is no reason to fail, or another process was faster.
        if (existsSync(kept)) return kept;
      } finally {
        await rm(fresh, { recursive: true, force: true }).catch(() => undefined);
      }
    }
    const folder = join(scratch, 'resources');
    await this.unpackHeaders(folder);
    return folder;
  }

  /** `include/*.h` of the archive; its folders are C++ and other machines. */
  private async unpackHeaders(folder: string): Promise<void> {
    await mkdir(join(folder, 'include'), { recursive: true });
    const archive = await readFile(join(this.folder, 'gen', 'llvm-resources.tar'));
    const writes: Promise<void>[] = [];
    for (const { name, data } of tarFiles(archive)) {
      const match = /^(?:\.\/)?include\/([^/]+\.h)$/.exec(name);
      if (match !== null) writes.push(writeFile(join(folder, 'include', match[1]!), data));
    }
    await Promise.all(writes);
  }
}

/** Plain files of a tar archive, without the extensions for long names. */
function* tarFiles(archive: Buffer): Generator<{ readonly name: string; readonly data: Buffer }> {
  const BLOCK = 512;
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const text = (offset: number, length: number): string =>
      archive.toString('latin1', at + offset, at + offset + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12), 8) || 0;
    const isFile = ['', '0'].includes(text(156, 1));
    if (isFile) yield { name: text(0, 100), data: archive.subarray(at + BLOCK, at + BLOCK + size) };
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** WASI paths are POSIX paths: drive `C:` is the folder `/c`. Few options contain a path, see `clang-flags.ts`. */
function toVirtual(argument: string): string {
  const isOption = argument.startsWith('-') && !argument.startsWith('-ffile-prefix-map=');
  if (process.platform !== 'win32' || isOption) return argument;
  return argument.replace(/(?<=^|=)([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}`).replaceAll('\\', '/');
}

function preopens(): Record<string, string> {
  if (process.platform !== 'win32') return { '/': '/' };
  const drives = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i)).filter((c) => existsSync(`${c}:\\`));
  return Object.fromEntries(drives.map((drive) => [`/${drive}`, `${drive.toUpperCase()}:\\`]));
}
