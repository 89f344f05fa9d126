/**
 * Programs from earlier runs, in the user's cache folder: reading, linking, lowering and simplifying the IR of a small
 * C++ program takes ten times as long as checking it. A program is a function of the IR, the options and our own code,
 * which are its key.
 *
 * Lowering reads only one more thing, the user's text, for places inside macros: the text's hash is in the key, and a
 * program is kept only if the text had that hash when it was read.
 */
import { resolve } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { CODE_HASH } from '../../platform/code-hash.ts';
import { hash } from '../../platform/hash.ts';
import { KeptFiles } from '../../platform/kept-files.ts';
import { hashProgram, rememberHash } from '../../program/hash.ts';
import type { Program } from '../../program/ir.ts';
import type { CompiledProgram } from './clang/clang.ts';

const KIND = 'programs';

/** Above this size, the least recently used programs are removed. */
const MAX_BYTES = 128 * 1024 * 1024;

/** A program and its hash. */
type Kept = readonly [Program, string];

/** For one program, with its compiled files and all its options. */
export class ProgramCache {
  private readonly files: KeptFiles;
  private readonly key: string;
  /** Hashes of the user's text, by path. */
  private readonly hashes: ReadonlyMap<string, string>;
  private isStale = false;

  private constructor(files: KeptFiles, key: string, hashes: ReadonlyMap<string, string>) {
    this.files = files;
    this.key = key;
    this.hashes = hashes;
  }

  /**
   * `options` are all that linking and lowering depend on, as plain data. `undefined` if programs are not cached, or it
   * is not known what this one was made from.
   */
  static open(
    { files, library }: CompiledProgram,
    options: unknown,
    env: NodeJS.ProcessEnv,
    code: string | undefined = CODE_HASH,
  ): ProgramCache | undefined {
    const kept = code === undefined ? undefined : KeptFiles.open(env);
    if (kept === undefined || files.some(({ inputs }) => inputs === undefined)) return undefined;
    const parts = [
      [code, process.version, process.arch, process.cwd()],
      files.map(({ file, hash: ir, sources, inputs }) => [file, ir, sources, inputs!.files]),
      library.map(({ file, hash: ir, defines }) => [file, ir, defines]),
      options,
    ];
    const texts = new Map(files.flatMap(({ inputs }) => inputs!.files.map(([path, text]) => [resolve(path), text])));
    return new ProgramCache(kept, hash(JSON.stringify(parts)), texts);
  }

  get(): Program | undefined {
    const bytes = this.files.read(KIND, this.key, this.key);
    if (bytes === undefined) return undefined;
    const [program, of] = deserialize(bytes) as Kept;
    rememberHash(program, of);
    return program;
  }

  /** Must be called with every text that lowering reads. */
  sees(file: string, text: Uint8Array | undefined): void {
    const known = this.hashes.get(resolve(file));
    // The hash is followed by the identity of a file with several names.
    if (text === undefined || known?.startsWith(hash(text)) !== true) this.isStale = true;
  }

  put(program: Program): void {
    if (this.isStale) return;
    this.files.write(KIND, this.key, this.key, serialize([program, hashProgram(program)] satisfies Kept));
    this.files.pruneNowAndThen(KIND, MAX_BYTES, ['clang', 'programs-pruned']);
  }
}
