/**
 * Starts clang from a small process. A worker that has run many test files has hundreds of megabytes; forking it takes
 * longer than running clang. So clang is started by a process that this module starts while the worker is still small.
 *
 * Only calls in the form used by `clang-native.ts` go there: without input, with output and diagnostics read by
 * listeners, and perhaps ended by an `AbortSignal`.
 */
import childProcess, { type ChildProcess, fork, type SpawnOptions } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

/** What the other process answers. */
export interface Started {
  readonly id: number;
  readonly code?: number | null;
  readonly signal?: string | null;
  readonly output?: Uint8Array;
  readonly diagnostics?: Uint8Array;
  /** It could not be started. */
  readonly error?: { readonly message: string; readonly code: string };
}

interface Waiting extends EventEmitter {
  readonly stdout: EventEmitter;
  readonly stderr: EventEmitter;
}

const spawn = childProcess.spawn;
const waiting = new Map<number, Waiting>();
let starter: ChildProcess | undefined;
let next = 0;

function start(): ChildProcess {
  const child = fork(new URL('./clang-starter.mjs', import.meta.url), {
    execArgv: [],
    serialization: 'advanced',
  });
  child.on('message', answer);
  // Neither keeps the worker alive.
  child.unref();
  child.channel!.unref();
  return child;
}

function answer({ id, code, signal, output, diagnostics, error }: Started): void {
  const child = waiting.get(id)!;
  waiting.delete(id);
  if (waiting.size === 0) starter!.channel!.unref();
  if (error !== undefined) {
    child.emit('error', Object.assign(new Error(error.message), { code: error.code }));
    return;
  }
  if (output!.length > 0) child.stdout.emit('data', Buffer.from(output!));
  if (diagnostics!.length > 0) child.stderr.emit('data', Buffer.from(diagnostics!));
  child.emit('close', code, signal);
}

function spawnSmall(path: string, args: readonly string[], options: SpawnOptions): unknown {
  const isPlain = Array.isArray(options?.stdio) && options.stdio.join() === 'ignore,pipe,pipe';
  if (!isPlain || !/^clang(-\d+)?$/.test(basename(path))) return spawn(path, args, options);
  const child: Waiting = Object.assign(new EventEmitter(), { stdout: new EventEmitter(), stderr: new EventEmitter() });
  const id = next++;
  waiting.set(id, child);
  options.signal?.addEventListener('abort', () => starter!.send({ id, ends: true }));
  starter!.channel!.ref();
  starter!.send({ id, path, args, cwd: options.cwd ?? process.cwd(), env: options.env ?? process.env });
  return child;
}

/** A worker that runs several test files loads this module for each of them. */
const IS_STARTED: unique symbol = Symbol.for('fencepost: a small process starts clang');

export function startClangsFromSmallProcess(): void {
  if (IS_STARTED in childProcess) return;
  starter = start();
  Object.assign(childProcess, { spawn: spawnSmall, [IS_STARTED]: true });
  syncBuiltinESMExports();
}
