/**
 * The clang of the npm package `@yowasp/clang`: all of LLVM as one WebAssembly module, for machines without a clang.
 *
 * The package's own interface runs it on an in-memory file tree that must be complete before the start. We run its
 * module ourselves (`clang-child.mjs`, `clang-wasi.mjs`), so it reads the real files: whatever a program includes is
 * found where a native clang would find it. Only clang's own headers come from the package's archive.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ClangCache } from './cache.ts';
import { type Answer, callsOf, outcomeOf, RESOURCES } from './clang-calls.ts';
import { hashFiles, stampOf } from './clang-identity.ts';
import type { Clang, Host, Job, Outcome } from './clang-job.ts';
import { talk } from './clang-process.ts';
import { clangEnvironment } from './clang-words.ts';
import { CompileError } from './compile-error.ts';

export const NPM_CLANG = '@yowasp/clang';

/** `undefined` if the package is not installed. `$FENCEPOST_YOWASP` names its folder if it is elsewhere. */
export async function findNpmClang(host: Host, cache: ClangCache | undefined): Promise<Clang | undefined> {
  const folder = npmFolder(host);
  const files = folder === undefined ? [] : PARTS.map((name) => join(folder, 'gen', name));
  if (folder === undefined) return undefined;
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return new NpmClang(folder, manifest.version, files, cache, host);
}

/** The folder of the package, if it is installed. */
export function npmFolder(host: Host): string | undefined {
  const folder = host.env['FENCEPOST_YOWASP'] ?? resolvePackage();
  return folder !== undefined && PARTS.every((name) => existsSync(join(folder, 'gen', name))) ? folder : undefined;
}

/** The package's code and its headers. */
const PARTS = ['llvm.core.wasm', 'llvm-resources.tar'];

/** Cached, to avoid reading a hundred megabytes each time. */
function codeHash(files: readonly string[], stamp: string, cache: ClangCache): string {
  const known = cache.clang(files[0]!, stamp) as string | undefined;
  if (known !== undefined) return known;
  const fresh = hashFiles(files);
  cache.rememberClang(files[0]!, stamp, fresh);
  return fresh;
}

function resolvePackage(): string | undefined {
  try {
    // …/@yowasp/clang/gen/bundle.js
    return dirname(dirname(createRequire(import.meta.url).resolve(NPM_CLANG)));
  } catch {
    return undefined;
  }
}

/** Baseline code, compiled only for functions that run: most of the 75 MB are never used. */
const V8_FLAGS = ['--liftoff-only', '--wasm-lazy-validation'];

/** Node's exit code for an unknown option; V8's options come and go. */
const BAD_OPTION = 9;

class NpmClang implements Clang {
  readonly name: string;
  readonly id: string;
  readonly isForCxx = true;
  readonly startsSlowly = true;
  readonly ownHeaders: string = RESOURCES;
  private readonly folder: string;
  private readonly files: readonly string[];
  private readonly stamp: string;
  private readonly host: Host;

  constructor(folder: string, version: string, files: readonly string[], cache: ClangCache | undefined, host: Host) {
    this.folder = folder;
    this.files = files;
    this.stamp = stampOf(files);
    this.name = `clang ${version} (npm ${NPM_CLANG})`;
    this.id = `${this.name} ${cache === undefined ? this.stamp : codeHash(files, this.stamp, cache)}`;
    this.host = host;
  }

  isUnchanged(): boolean {
    return stampOf(this.files) === this.stamp;
  }

  async run(jobs: readonly Job[]): Promise<readonly Outcome[]> {
    const calls = callsOf(jobs, this.host);
    const answers = (await this.answers(calls, V8_FLAGS)) ?? (await this.answers(calls, []));
    if (answers === undefined) throw new CompileError('clang', `cannot run ${this.name}`);
    return answers.map((answer) => outcomeOf(answer, this.name));
  }

  /** Runs all calls in one process, which compiles the module once; `undefined` if Node rejects the flags. */
  private async answers(calls: readonly string[][], flags: readonly string[]): Promise<readonly Answer[] | undefined> {
    const { folder, stamp, host } = this;
    const start = { folder, stamp, flags, env: clangEnvironment(host.env) };
    const { answers, end } = await talk(start, RESOURCES, calls, host.signal).catch((error: Error) => {
      throw new CompileError('clang', `cannot run ${this.name}: ${error.message}`);
    });
    if (end === undefined) return answers;
    if (end.code === BAD_OPTION) return undefined;
    const crash = `ended by ${end.signal ?? `exit code ${end.code}`}\n${end.complaint}`.trim();
    return calls.map((_, i) => answers[i] ?? { ok: false, text: '', crash });
  }
}
