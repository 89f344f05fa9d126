/**
 * A search saved in a file, to be continued after Ctrl-C, a timeout or a crash. The file has two lines: a header with a
 * checksum of the second line, and the whole search as JSON. The file is replaced atomically, so that there is always a
 * complete one.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import type { CheckRun, SavedCheck } from '../../pipelines/check.ts';
import type { Task } from '../../pipelines/task.ts';
import { CODE_HASH } from '../../platform/code-hash.ts';
import { STANDARD_INPUT } from '../../platform/standard-input.ts';
import { VERSION } from '../../platform/version.ts';
import { hashProgram } from '../../program/hash.ts';
import type { Program } from '../../program/ir.ts';
import type { SourceHash } from '../../report/schema.ts';
import { describeSourceChange, hashSources } from '../../report/sources.ts';
import { stringifyDeep } from '../../util/deep-json.ts';

const CODE = CODE_HASH ?? 'sources';
const FORMAT = 'fencepost-search-1';
/** In milliseconds: how often the file is written. If writing is slow, the pause is TIMES as long as the last write. */
const OFTEN = 5000;
const TIMES = 20;

interface Header {
  readonly format: string;
  readonly version: string;
  /** A hash of our code: other code may search differently even if its version is the same. */
  readonly code: string;
  readonly sha256: string;
}

export interface SavedFile<Asked> {
  readonly asked: Asked;
  readonly files: readonly string[];
  readonly sources: readonly SourceHash[];
  /** A hash of the compiled program. */
  readonly program: string;
  readonly check: SavedCheck;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const partOf = (file: string): string => `${file}.${process.pid}`;

/** The first line of the file, and the rest. */
function readHeader(
  file: string,
): { readonly header: Partial<Header>; readonly data: string } | { readonly problem: string } {
  let text: string;
  try {
    // Reading a device may have no end.
    if (statSync(file).isCharacterDevice()) return { problem: `${file} is a device` };
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file; a finished search removes its file' : code;
    return { problem: `cannot read ${file}: ${why}` };
  }
  const [first = '', data = ''] = text.split('\n');
  let header: Partial<Header> = {};
  try {
    header = JSON.parse(first) as Partial<Header>;
  } catch {
    // Not a header of ours.
  }
  if (typeof header !== 'object' || header === null || header.format !== FORMAT)
    return { problem: `${file} is not a search that check --save has written` };
  return { header, data };
}

/** Reads a saved search; rejects a file that is incomplete or from other code. */
export function readSavedCheck<Asked>(file: string): SavedFile<Asked> | { readonly problem: string } {
  const read = readHeader(file);
  if ('problem' in read) return read;
  const { header, data } = read;
  if (header.version !== VERSION)
    return { problem: `${file} is from fencepost ${header.version}, and this is ${VERSION}; start a new search` };
  if (header.code !== CODE)
    return {
      problem: `${file} is from another build of fencepost ${VERSION}, which may search differently; start a new search`,
    };
  if (header.sha256 !== sha256(data)) return { problem: `${file} is cut short or was altered; start a new search` };
  return JSON.parse(data) as SavedFile<Asked>;
}

/** Says which sources have changed since the search was saved. */
export function describeSources<Asked>({ files, sources }: SavedFile<Asked>): string | undefined {
  const change = describeSourceChange({ files, sources } as Parameters<typeof describeSourceChange>[0]);
  return change === undefined
    ? undefined
    : `${change.replaceAll('the report', 'the saved search')}; start a new search`;
}

/** Says whether anything other than the sources has changed. */
export function describeProgram<Asked>({ program: hash }: SavedFile<Asked>, program: Program): string | undefined {
  if (hash === hashProgram(program)) return undefined;
  return 'the compiled program differs from that of the saved search: a header or the compiler has changed; start a new search';
}

/** Saves a check to a file while it runs. */
export class KeptCheck<Asked> {
  private readonly file: string;
  private readonly fixed: Omit<SavedFile<Asked>, 'check'>;
  private last = performance.now();
  private pause = OFTEN;
  private isStopped = false;
  /** Whether the file holds a search that can be resumed. */
  private isKept: boolean;
  private problem = '';

  constructor(file: string, asked: Asked, files: readonly string[], program: Program) {
    this.file = file;
    this.fixed = { asked, files, sources: hashSources(files, program), program: hashProgram(program) };
    this.isKept = existsSync(file);
  }

  /** Why a search cannot be saved there; `undefined` if it can. */
  static problem(file: string, files: readonly string[]): string | undefined {
    if (files.includes(STANDARD_INPUT)) return '--save needs sources in files, not on standard input';
    if (existsSync(file) && 'problem' in readHeader(file))
      return `${file} exists, and is not a saved search; choose another name`;
    try {
      const part = partOf(file);
      closeSync(openSync(part, 'w'));
      rmSync(part);
      return undefined;
    } catch (error) {
      return `cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`;
    }
  }

  task(check: CheckRun): Task {
    return {
      advance: (steps) => {
        const isDone = check.advance(steps);
        if (!isDone && performance.now() - this.last > this.pause) this.write(check);
        return isDone;
      },
      stop: (why) => {
        this.isStopped = true;
        const isNew = this.write(check);
        const from = isNew ? '' : ' from where it was last saved';
        if (this.isKept) process.stderr.write(`fencepost: to resume${from}: fencepost check --resume ${this.file}\n`);
        check.stop(why);
      },
      wait: () => check.wait(),
    };
  }

  /** Call this when the check has ended. Unless it was stopped, nothing is left to resume. */
  end(): void {
    if (!this.isStopped) rmSync(this.file, { force: true });
  }

  /** If the search cannot be saved, says so and goes on: what the search finds counts. An earlier file stays. */
  private write(check: CheckRun): boolean {
    const started = performance.now();
    const data = stringifyDeep({ ...this.fixed, check: check.save() } satisfies SavedFile<Asked>);
    const header: Header = { format: FORMAT, version: VERSION, code: CODE, sha256: sha256(data) };
    const problem = replaceFile(this.file, `${JSON.stringify(header)}\n${data}\n`);
    if (problem === undefined) this.isKept = true;
    else if (problem !== this.problem) {
      process.stderr.write(`fencepost: the search cannot be saved: cannot write ${this.file}: ${problem}\n`);
    }
    this.problem = problem ?? '';
    this.last = performance.now();
    this.pause = Math.max(OFTEN, TIMES * (this.last - started));
    return problem === undefined;
  }
}

/** Writes another file and renames it. Returns why that failed, and then leaves nothing behind. */
function replaceFile(file: string, text: string): string | undefined {
  const part = partOf(file);
  try {
    const handle = openSync(part, 'w');
    try {
      const bytes = Buffer.from(text);
      // On a full disk, part of it may be written.
      for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(part, file);
    return undefined;
  } catch (error) {
    try {
      rmSync(part, { force: true });
    } catch {
      // Its folder is gone, or has become read-only.
    }
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOSPC' ? 'the disk is full' : (code ?? message);
  }
}
