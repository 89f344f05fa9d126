/** Compiles real programs as `fencepost record` does, runs them, and reads their logs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compilerOf, type Runtime, recordingLine } from '../../src/cli/shared/recording-line.ts';
import { makeRuntime } from '../../src/cli/shared/recording-runtime.ts';
import { BinaryReader } from '../../src/monitor/log/binary.ts';
import type { LogListener } from '../../src/monitor/log/record.ts';
import { StreamMonitor } from '../../src/monitor/log/stream.ts';
import type { MonitorName } from '../../src/monitor/monitors.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'clang, C': ['clang', 'clang-19', 'clang-16', 'clang-14'],
  'clang, C++': ['clang++', 'clang++-19', 'clang++-16', 'clang++-14'],
  'gcc, C': ['gcc'],
  'gcc, C++': ['g++'],
};

/** The installed compilers of a language: name and command. */
export function compilersOf(language: 'C' | 'C++'): readonly (readonly [name: string, command: string])[] {
  const found = Object.entries(NAMES)
    .filter(([name]) => name.endsWith(`, ${language}`))
    .flatMap(([name, commands]) => {
      const command = commands.find((known) => spawnSync(known, ['--version']).status === 0);
      return command === undefined ? [] : [[name, command] as const];
    });
  if (found.length === 0 && process.env['CI'] === 'true')
    throw new Error(`under CI there must be a ${language} compiler`);
  if (found.length === 0) console.warn(`no native ${language} compiler: recording real programs is not tested`);
  return found;
}

export interface Run {
  readonly exit: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

const runtimes = new Map<string, Runtime>();

/** Built once for all programs of a file. */
function runtimeOf(compiler: string): Runtime {
  const known = runtimes.get(compiler);
  if (known !== undefined) return known;
  const made = makeRuntime(compiler, undefined);
  if ('problem' in made) throw new Error(made.problem);
  runtimes.set(compiler, made);
  return made;
}

/** A program in a folder of its own. */
export class Recorded {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'fencepost-recorded-'));
  readonly log: string = join(this.folder, 'run.log');
  readonly program: string = join(this.folder, 'program');

  constructor(compiler: string, name: string, source: string, flags: readonly string[]) {
    const kind = compilerOf(execFileSync(compiler, ['--version'], { encoding: 'utf8' }))!;
    const runtime = runtimeOf(compiler);
    const file = join(this.folder, name);
    writeFileSync(file, source);
    const [command, ...words] = recordingLine([compiler, ...flags, '-g', file, '-o', this.program], kind, runtime);
    execFileSync(command!, words);
  }

  run(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Run {
    rmSync(this.log, { force: true });
    const { status, signal, stdout, stderr } = spawnSync(this.program, args, {
      cwd: this.folder,
      env: { ...process.env, FENCEPOST_LOG: this.log, ...env },
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      timeout: 300_000,
    });
    return { exit: status, signal, stdout, stderr };
  }

  /** Runs monitors over a log; throws a `LogError` if it is refused. */
  monitor(monitors: readonly MonitorName[] = ['causal-tso', 'causal-pso'], log: string = this.log): StreamMonitor {
    const stream = new StreamMonitor(monitors);
    this.read(stream, log);
    return stream;
  }

  read(listener: LogListener, log: string = this.log): void {
    if (!existsSync(log)) throw new Error(`${log} was not written`);
    const reader = new BinaryReader(listener);
    reader.push(readFileSync(log));
    reader.end();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
