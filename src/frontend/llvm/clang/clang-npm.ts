/**
 * The clang of the npm package `@yowasp/clang`: all of LLVM as one WebAssembly module, for machines without a clang.
 *
 * The package's own interface runs it on an in-memory file tree that must be complete before the start. We run its
 * module ourselves (`clang-child.mjs`, `clang-wasi.mjs`), so it reads the real files: whatever a program includes is
 * found where a native clang would find it. Only clang's own headers come from the package's archive.
 */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { packaged } from '../../../platform/package-folder.ts';
import type { ClangCache } from './cache.ts';
import { type Answer, callsOf, outcomeOf, RESOURCES } from './clang-calls.ts';
import { hashFiles, stampOf } from './clang-identity.ts';
import type { Clang, Host, Job, Outcome } from './clang-job.ts';
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

const CHILD = packaged('src/frontend/llvm/clang/clang-child.mjs');

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
    const answers = (await this.talk(calls, V8_FLAGS)) ?? (await this.talk(calls, []));
    if (answers === undefined) throw new CompileError('clang', `cannot run ${this.name}`);
    return answers.map((answer) => outcomeOf(answer, this.name));
  }

  /** Runs all calls in one child, which compiles the module once; `undefined` if Node rejects the flags. */
  private talk(calls: readonly string[][], flags: readonly string[]): Promise<readonly Answer[] | undefined> {
    const env = clangEnvironment(this.host.env);
    const { signal } = this.host;
    const ends = signal === undefined ? {} : { signal };
    const child = fork(CHILD, { execArgv: [...flags], env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], ...ends });
    return new Promise((fulfil, reject) => {
      const answers: Answer[] = [];
      let complaint = '';
      child.stderr!.on('data', (chunk: Buffer) => {
        complaint += chunk.toString();
      });
      child.on('message', (answer: Answer) => answers.push(answer));
      child.on('error', (error) => reject(new CompileError('clang', `cannot run ${this.name}: ${error.message}`)));
      child.on('close', (code, signal) => {
        if (code === BAD_OPTION) return fulfil(undefined);
        const crash = `ended by ${signal ?? `exit code ${code}`}\n${complaint}`.trim();
        while (answers.length < calls.length) answers.push({ ok: false, text: '', crash });
        fulfil(answers);
      });
      child.send({ package: this.folder, headers: RESOURCES, jobs: calls }, () => {
        // If sending failed, the child has ended, and `close` tells why.
      });
    });
  }
}
