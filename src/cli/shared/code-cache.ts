/** V8's compiled code of a script, in the user's cache folder; one file per name. */
import { cachedDataVersionTag } from 'node:v8';
import { hash } from '../../platform/hash.ts';
import { KeptFiles } from '../../platform/kept-files.ts';

export class CodeCache {
  private readonly files: KeptFiles | undefined;
  private readonly name: string;
  private readonly key: string;

  /** For the script `source` in `file`. The key has a hash of `source`, of which V8 itself checks only the length. */
  constructor(name: string, file: string, source: Uint8Array) {
    this.files = KeptFiles.open(process.env);
    this.name = name;
    this.key = JSON.stringify([file, hash(source), process.version, process.arch, cachedDataVersionTag()]);
  }

  read(): Buffer | undefined {
    return this.files?.read('code', this.name, this.key);
  }

  keep(code: Buffer): void {
    this.files?.write('code', this.name, this.key, code);
  }
}
