/** A clang that is installed on this machine. */
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { ClangCache } from './cache.ts';
import { argumentsOf, type Clang, type Host, type Job, type Outcome } from './clang-job.ts';
import { CompileError } from './compile-error.ts';

/** The first that writes opaque pointers. */
export const OLDEST = 15;

/** Newest first; distributions name a clang that is not the default one like this. */
const NAMES = ['clang', ...Array.from({ length: 8 }, (_, i) => `clang-${22 - i}`)];

/** The first usable clang on the PATH, or `undefined`. */
export async function findNativeClang(host: Host, cache: ClangCache | undefined): Promise<Clang | undefined> {
  for (const name of NAMES) {
    const path = findOnPath(name, host);
    const found = path === undefined ? undefined : await inspect(path, host, cache);
    if (typeof found === 'object') return found;
  }
  return undefined;
}

/** A clang that the user named, by its path or as on the PATH; it has to be usable. */
export async function openNativeClang(name: string, host: Host, cache: ClangCache | undefined): Promise<Clang> {
  const isPath = /[\\/]/.test(name);
  const path = isPath ? resolve(host.cwd, name) : findOnPath(name, host);
  if (path === undefined || !isExecutable(path)) {
    throw new CompileError('clang', `cannot run ${name}: ${isPath ? 'no such program' : 'not on the PATH'}`);
  }
  const found = await inspect(path, host, cache);
  if (typeof found === 'string') throw new CompileError('clang', `cannot use ${name}: ${found}`);
  return found;
}

function findOnPath(name: string, host: Host): string | undefined {
  const file = process.platform === 'win32' && !name.endsWith('.exe') ? `${name}.exe` : name;
  for (const folder of (host.env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    const path = resolve(host.cwd, join(folder, file));
    if (isExecutable(path)) return path;
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  if (!(statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The clang at a path, or why it will not do. */
async function inspect(path: string, host: Host, cache: ClangCache | undefined): Promise<Clang | string> {
  const { mtimeMs, size } = statSync(path);
  // Asking costs a process, more than everything else when the IR is there already.
  const stamp = `${mtimeMs} ${size}`;
  let version = await cache?.clangVersion(path, stamp);
  if (version === undefined) {
    const asked = await run(path, ['--version'], host);
    if (!asked.ok) return `it does not run: ${asked.diagnostics.trim()}`;
    version = asked.output;
    await cache?.rememberClangVersion(path, stamp, version);
  }
  const match = /clang version ((\d+)\.[\w.+-]*)/.exec(version);
  if (match === null) return `it does not call itself clang: ${version.split('\n')[0]}`;
  const major = Number(match[2]);
  if (major < OLDEST) return `it is version ${match[1]}, and we need ${OLDEST} or newer`;
  return new NativeClang(path, version, `clang ${match[1]} (${path})`, major, host);
}

class NativeClang implements Clang {
  readonly name: string;
  readonly id: string;
  private readonly path: string;
  private readonly major: number;
  private readonly host: Host;

  constructor(path: string, version: string, name: string, major: number, host: Host) {
    this.path = path;
    this.id = version;
    this.name = name;
    this.major = major;
    this.host = host;
  }

  async run(jobs: readonly Job[]): Promise<readonly Outcome[]> {
    // What the distribution configured is for its own headers. clang 15 does not know the option, nor such files.
    const always = this.major >= 16 ? ['--no-default-config'] : [];
    const outcomes: Outcome[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < jobs.length) {
        const number = next++;
        outcomes[number] = await run(this.path, [...always, ...argumentsOf(jobs[number]!)], this.host);
      }
    };
    await Promise.all(Array.from({ length: Math.min(jobs.length, availableParallelism()) }, work));
    return outcomes;
  }
}

/** Variables that change what clang does, and so would change the IR behind the cache's back. */
const UNWANTED = ['CPATH', 'C_INCLUDE_PATH', 'CCC_OVERRIDE_OPTIONS', 'GCC_EXEC_PREFIX', 'COMPILER_PATH'];

function run(path: string, args: readonly string[], host: Host): Promise<Outcome & { readonly output: string }> {
  const env = Object.fromEntries(Object.entries(host.env).filter(([name]) => !UNWANTED.includes(name)));
  return new Promise((fulfil, reject) => {
    const child = spawn(path, args, { cwd: host.cwd, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    const output: Buffer[] = [];
    const diagnostics: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => diagnostics.push(chunk));
    child.on('error', (error) => reject(new CompileError('clang', `cannot run ${path}: ${error.message}`)));
    child.on('close', (code, signal) => {
      const text = Buffer.concat(diagnostics).toString();
      const death = signal === null ? '' : `${path}: ended by ${signal}\n`;
      fulfil({ ok: code === 0, diagnostics: text + death, output: Buffer.concat(output).toString() });
    });
  });
}
