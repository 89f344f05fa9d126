/**
 * Runs `fencepost` as a user would: in this process, which is quick, or the built command in a separate process for
 * tests of signals, pipes, start-up and the package. It is built first if it is missing or older than its sources.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../src/cli/run.ts';

export const REPOSITORY: string = fileURLToPath(new URL('../../', import.meta.url));
export const BINARY: string = join(REPOSITORY, 'dist/cli/main.js');

/** The last file that the build writes, so that a partial build is not mistaken for a complete one. */
const PRODUCTS: readonly string[] = [
  BINARY,
  join(REPOSITORY, 'dist/cli/command.cjs'),
  join(REPOSITORY, 'dist/viewer/bundle/viewer.js'),
  join(REPOSITORY, 'dist/viewer/bundle/viewer.css'),
];

function isStale(): boolean {
  if (!PRODUCTS.every((file) => existsSync(file))) return true;
  const built = Math.min(...PRODUCTS.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
  const sources = readdirSync(join(REPOSITORY, 'src'), { recursive: true, withFileTypes: true });
  return sources.some(
    (entry) =>
      entry.isFile() &&
      !entry.name.endsWith('.test.ts') &&
      statSync(join(entry.parentPath, entry.name)).mtimeMs > built,
  );
}

function build(): void {
  // As a user builds it: the test runner's own mode would make larger pages.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, stdout } = spawnSync('npm', ['run', 'build'], { cwd: REPOSITORY, encoding: 'utf8', env });
  if (status !== 0) throw new Error(`the build failed:\n${stdout}`);
}

/** Test files run at the same time, so the first one builds and the others wait for it. */
export async function ensureBuilt(): Promise<void> {
  const lock = join(REPOSITORY, 'node_modules/.fencepost-build');
  while (isStale()) {
    try {
      mkdirSync(lock);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
      // Left over from a run that was killed.
      if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > 120_000) {
        rmSync(lock, { recursive: true, force: true });
      }
      continue;
    }
    try {
      if (isStale()) build();
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
}

export interface Finished {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The result of a run in this process. */
export interface FinishedHere extends Finished {
  /** Both outputs, in the order in which they were written. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd?: string;
}

/** One run in this process; runs come one after the other. */
export async function fencepost(args: readonly string[], { cwd = REPOSITORY }: RunOptions = {}): Promise<FinishedHere> {
  const all: Buffer[] = [];
  const captured = [capture(process.stdout, all), capture(process.stderr, all)] as const;
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const exit = await runCommand(args);
    const output = Buffer.concat(all).toString('utf8');
    return { exit, signal: null, stdout: captured[0].text(), stderr: captured[1].text(), output };
  } finally {
    process.chdir(before);
    for (const stream of captured) stream.release();
  }
}

/** Captures what is written to a stream; appends it to `all`, too. */
function capture(stream: NodeJS.WriteStream, all: Buffer[]): { text(): string; release(): void } {
  const pieces: Buffer[] = [];
  const { write } = stream;
  stream.write = ((piece: string | Uint8Array, ...rest: unknown[]): boolean => {
    pieces.push(Buffer.from(piece as string));
    all.push(pieces.at(-1)!);
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  }) as typeof stream.write;
  return {
    text: () => Buffer.concat(pieces).toString('utf8'),
    release: () => {
      stream.write = write;
    },
  };
}

/** Runs the built command. */
export function fencepostProcess(args: readonly string[], { cwd = REPOSITORY }: RunOptions = {}): Finished {
  const run = spawnSync(process.execPath, [BINARY, ...args], { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.error !== undefined) throw run.error;
  return { exit: run.status, signal: run.signal, stdout: run.stdout, stderr: run.stderr };
}

/** A run that the test watches while it is running. */
export class Running {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  private readonly ended: Promise<Finished>;

  /** Progress is shown as usual. With `input`, standard input holds that and does not end, and progress is shown at once. */
  constructor(args: readonly string[], { cwd = REPOSITORY, input }: RunOptions & { readonly input?: string } = {}) {
    const env = { ...process.env, FENCEPOST_PROGRESS_MS: input === undefined ? undefined : '0.001' };
    const stdin = input === undefined ? 'ignore' : 'pipe';
    this.child = spawn(process.execPath, [BINARY, ...args], { cwd, env, stdio: [stdin, 'pipe', 'pipe'] });
    this.child.stdin?.write(input ?? '');
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (exit, signal) => resolve({ exit, signal, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  end(): Promise<Finished> {
    return this.ended;
  }

  /** Resolves once standard error contains `text`; fails if the run ends before that. */
  async says(text: string): Promise<void> {
    while (!this.stderr.includes(text)) {
      const over = await Promise.race([
        this.ended.then(() => true),
        new Promise<false>((resolve) => setTimeout(() => resolve(false), 20)),
      ]);
      if (over && !this.stderr.includes(text)) throw new Error(`ended without saying "${text}": ${this.stderr}`);
    }
  }
}

/** A folder for one test, with these files. */
export class Folder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'fencepost-test-'));

  write(name: string, contents: string | Uint8Array): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
    return name;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
