/**
 * Replaces `frontend/llvm/clang/clang-npm.ts` and `libcxx.ts`: the same clang and the same headers, loaded when they
 * are first needed and run in this thread.
 */
import { type Answer, callsOf, outcomeOf, RESOURCES } from '../../frontend/llvm/clang/clang-calls.ts';
import type { Clang, Host, Job, Outcome } from '../../frontend/llvm/clang/clang-job.ts';
import { runClang } from '../../frontend/llvm/clang/clang-run.mjs';
import { CompileError } from '../../frontend/llvm/clang/compile-error.ts';
import { below, read } from '../node/files.ts';

export const NPM_CLANG = '@yowasp/clang';

/** Where the headers of clang and of libc++ are, once their pack is unpacked. */
export const CLANG_HEADERS = '/headers/clang';
export const LIBCXX_HEADERS = '/headers/libc++';

/** What the engine provides to this module. */
export interface ClangSource {
  readonly name: string;
  readonly id: string;
  /** Loads clang and its headers. */
  load(): Promise<WebAssembly.Module>;
  /** Wraps each call of clang, during which the thread handles no messages. */
  whileRunning<T>(run: () => Promise<T>): Promise<T>;
}

let source: ClangSource | undefined;

export function provideClang(given: ClangSource): void {
  source = given;
}

export function libcxxFolder(): string {
  return LIBCXX_HEADERS;
}

export async function findNpmClang(host: Host): Promise<Clang | undefined> {
  return source && new WasmClang(source, host);
}

class WasmClang implements Clang {
  readonly name: string;
  readonly id: string;
  readonly isForCxx = true;
  readonly ownHeaders: string = RESOURCES;
  private readonly source: ClangSource;
  private readonly host: Host;

  constructor(given: ClangSource, host: Host) {
    this.name = given.name;
    this.id = given.id;
    this.source = given;
    this.host = host;
  }

  isUnchanged(): boolean {
    return true;
  }

  async run(jobs: readonly Job[]): Promise<readonly Outcome[]> {
    let module: WebAssembly.Module;
    try {
      module = await this.source.load();
    } catch (error) {
      throw new CompileError('clang', `cannot load ${this.name}: ${(error as Error).message}`);
    }
    const headers = new Map(
      below(CLANG_HEADERS).map((name) => [`${RESOURCES}/include/${name}`, read(`${CLANG_HEADERS}/${name}`)]),
    );
    const outcomes: Outcome[] = [];
    for (const call of callsOf(jobs, this.host)) {
      const answer = await this.source.whileRunning(() => runClang(module, headers, call) as Promise<Answer>);
      outcomes.push(outcomeOf(answer, this.name));
    }
    return outcomes;
  }
}
