/** A clang that is installed on this machine. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { ClangCache } from './cache.ts';
import { hashFiles, stampOf } from './clang-identity.ts';
import { argumentsOf, type Clang, type Host, type Job, type Outcome } from './clang-job.ts';
import { clangEnvironment } from './clang-words.ts';
import { CompileError } from './compile-error.ts';

/** The first version that writes opaque pointers. */
export const OLDEST = 15;

/** The first version that understands libc++'s headers, which are those of the newest clang (`libcxx.ts`). */
export const OLDEST_FOR_CXX = 19;

/** Newest first; distributions use these names for clangs that are not the default. */
const NAMES = ['clang', ...Array.from({ length: 8 }, (_, i) => `clang-${22 - i}`)];

/** The first usable clang on the PATH, or `undefined`; `forCxx`: usable for C++. */
export async function findNativeClang(
  host: Host,
  cache: ClangCache | undefined,
  forCxx = false,
): Promise<Clang | undefined> {
  for (const name of NAMES) {
    const path = findOnPath(name, host);
    const found = path === undefined ? undefined : await inspect(path, host, cache);
    if (typeof found === 'object' && (found.isForCxx || !forCxx)) return found;
  }
  return undefined;
}

/** A clang that the user named, by path or by its name on the PATH; it must be usable. */
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
  try {
    if (!(statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Also if we may not look into its folder: the PATH may be another user's.
    return false;
  }
}

/** What is known about a clang. */
interface Facts {
  /** The output of `clang --version`. */
  readonly version: string;
  /** The folder with its own headers; empty if it does not report one. */
  readonly headers: string;
  /** Hash of its code. */
  readonly hash: string;
}

/** The clang at a path, or why it cannot be used. */
async function inspect(path: string, host: Host, cache: ClangCache | undefined): Promise<Clang | string> {
  const files = programFiles(path);
  const stamp = stampOf(files);
  // Asking it starts processes, and its code is large to hash: with cached IR, this would take longer than everything
  // else.
  let facts = cache?.clang(path, stamp) as Facts | undefined;
  if (facts === undefined) {
    const [asked, resources] = await Promise.all([
      run(path, ['--version'], host),
      run(path, ['-print-resource-dir'], host),
    ]);
    if (!asked.ok) return `it does not run: ${asked.diagnostics.trim() || 'it ends without a message'}`;
    const folder = resources.ok ? resources.output.trim() : '';
    facts = {
      version: asked.output,
      headers: folder === '' ? '' : join(folder, 'include'),
      hash: cache === undefined ? stamp : hashFiles(files),
    };
    // A script, or a launcher such as ccache, may run another clang next time.
    if (isItself(path, facts.version)) cache?.rememberClang(path, stamp, facts);
  }
  const match = /clang version ((\d+)\.[\w.+-]*)/.exec(facts.version);
  if (match === null) return `it does not call itself clang: ${facts.version.split('\n')[0]}`;
  const major = Number(match[2]);
  if (major < OLDEST) return `it is version ${match[1]}, and we need ${OLDEST} or newer`;
  return new NativeClang(path, stamp, facts, `clang ${match[1]} (${path})`, major, host);
}

/** The program, and the LLVM libraries installed with it, which contain most of its code. */
function programFiles(path: string): readonly string[] {
  const program = realpathSync.native(path);
  const isLibrary = (name: string): boolean => /^lib(?:clang-cpp|LLVM)[-.\d]*\.(?:so|dylib)/.test(name);
  const libraries = ['lib', 'lib64'].flatMap((name) => {
    const folder = join(dirname(program), '..', name);
    return namesIn(folder)
      .filter(isLibrary)
      .map((file) => join(folder, file));
  });
  const files = [program, ...libraries].filter((file) => existsSync(file));
  return [...new Set(files.map((file) => realpathSync.native(file)))];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isItself(path: string, version: string): boolean {
  const folder = /^InstalledDir: (.*)$/m.exec(version)?.[1];
  return folder === dirname(path) || folder === dirname(realpathSync.native(path));
}

class NativeClang implements Clang {
  readonly name: string;
  readonly id: string;
  readonly isForCxx: boolean;
  readonly headers?: string;
  private readonly path: string;
  private readonly stamp: string;
  private readonly major: number;
  private readonly host: Host;

  constructor(path: string, stamp: string, facts: Facts, name: string, major: number, host: Host) {
    this.path = path;
    this.stamp = stamp;
    this.id = `${facts.version}${facts.hash}`;
    if (facts.headers !== '') this.headers = facts.headers;
    this.name = name;
    this.major = major;
    this.isForCxx = major >= OLDEST_FOR_CXX;
    this.host = host;
  }

  isUnchanged(): boolean {
    return isExecutable(this.path) && stampOf(programFiles(this.path)) === this.stamp;
  }

  async run(jobs: readonly Job[]): Promise<readonly Outcome[]> {
    // The distribution's configuration is for its own headers. clang 15 has neither this option nor such files.
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

function run(path: string, args: readonly string[], host: Host): Promise<Outcome & { readonly output: string }> {
  const env = clangEnvironment(host.env);
  const ends = host.signal === undefined ? {} : { signal: host.signal };
  return new Promise((fulfil, reject) => {
    const cannotRun = (error: unknown): void =>
      reject(new CompileError('clang', `cannot run ${path}: ${(error as Error).message}`));
    let child: ChildProcessByStdio<null, Readable, Readable>;
    try {
      child = spawn(path, args, { cwd: host.cwd, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true, ...ends });
    } catch (error) {
      return cannotRun(error);
    }
    const output: Buffer[] = [];
    const diagnostics: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => diagnostics.push(chunk));
    child.on('error', cannotRun);
    child.on('close', (code, signal) => {
      const text = Buffer.concat(diagnostics).toString();
      const death = signal === null ? '' : `${path}: ended by ${signal}\n`;
      fulfil({ ok: code === 0, diagnostics: text + death, output: Buffer.concat(output).toString() });
    });
  });
}
