/**
 * IR from earlier runs, in the user's cache folder. An entry is looked up by its key (everything known about a
 * compilation beforehand) and is valid only if everything it depended on is unchanged (`inputs.ts`).
 *
 * An entry is one line of JSON, then the IR.
 */
import { hash } from '../../../platform/hash.ts';
import { KeptFiles } from '../../../platform/kept-files.ts';
import type { Host } from './clang-job.ts';
import { FileHashes, type Inputs, isUnchanged } from './inputs.ts';

/** Bump this when the format of entries changes. */
const FORMAT = 'fencepost-ir-4';

/** Above this size, the least recently used entries are removed. */
const MAX_BYTES = 256 * 1024 * 1024;

interface CacheEntry {
  readonly ir: string;
  /** Hash of the IR. */
  readonly hash: string;
  /** The names it defines. */
  readonly defines: readonly string[];
  readonly diagnostics: string;
  /** The C files that were read for it, by the names that clang uses. */
  readonly sources: readonly string[];
  readonly inputs: Inputs;
}

/** Used for one compilation of a program: it sees each file as it was when first looked at. */
export class ClangCache {
  readonly hashes: FileHashes = new FileHashes();
  private readonly files: KeptFiles;
  private readonly maxBytes: number;

  constructor(folder: string, maxBytes: number = MAX_BYTES) {
    this.files = new KeptFiles(folder);
    this.maxBytes = maxBytes;
  }

  /** `undefined` if the user turned it off with `FENCEPOST_CACHE=off`. */
  static open(host: Host): ClangCache | undefined {
    const files = KeptFiles.open(host.env);
    return files && new ClangCache(files.folder);
  }

  /** A key for anything that can be written as JSON. */
  key(parts: unknown): string {
    return hash(JSON.stringify([FORMAT, parts]));
  }

  get(key: string): CacheEntry | undefined {
    const kept = this.read(key);
    if (kept === undefined) return undefined;
    const entry = kept.header as Omit<CacheEntry, 'ir'>;
    return isUnchanged(entry.inputs, this.hashes) ? { ...entry, ir: kept.text.toString('utf8') } : undefined;
  }

  put(key: string, { ir, ...header }: CacheEntry): void {
    this.keep(key, header, Buffer.from(ir));
  }

  /** The data and text stored under this key, exactly as written, or `undefined`. */
  read(key: string): { readonly header: unknown; readonly text: Buffer } | undefined {
    const bytes = this.files.read('ir', key, key);
    const end = bytes?.indexOf('\n') ?? -1;
    if (bytes === undefined || end < 0) return undefined;
    return { header: JSON.parse(bytes.toString('utf8', 0, end)), text: bytes.subarray(end + 1) };
  }

  keep(key: string, header: unknown, text: Uint8Array): void {
    this.files.write('ir', key, key, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), text]));
  }

  /** Prunes the folder to its size limit, unless that was done recently. */
  prune(): void {
    this.files.pruneNowAndThen('ir', this.maxBytes, ['clang', 'pruned']);
  }

  /** What is known about a clang, if it has not changed. */
  clang(path: string, stamp: string): unknown {
    const bytes = this.files.read('clang', nameOf(path), this.key([path, stamp]));
    return bytes && JSON.parse(bytes.toString('utf8'));
  }

  rememberClang(path: string, stamp: string, facts: unknown): void {
    this.files.write('clang', nameOf(path), this.key([path, stamp]), JSON.stringify(facts));
  }
}

function nameOf(path: string): string {
  return hash(path).slice(0, 16);
}
