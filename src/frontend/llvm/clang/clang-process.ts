/**
 * Processes that run the npm package's clang (`clang-child.mjs`). Compiling its module takes a second or two, and then
 * a small program a tenth of a second; so a process that has answered waits for some time for the next call.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { packaged } from '../../../platform/package-folder.ts';
import type { Answer } from './clang-calls.ts';

const CHILD = packaged('src/frontend/llvm/clang/clang-child.mjs');

/** What a process is started with: one that was started with the same can be used again. */
export interface Start {
  /** The folder of the package. */
  readonly folder: string;
  /** Changes with the package's files. */
  readonly stamp: string;
  /** V8's. */
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How a process ended without answering every call. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly complaint: string;
}

export interface Talk {
  readonly answers: readonly Answer[];
  /** Only if answers are missing. */
  readonly end?: End;
}

/** The process that waits, and what it was started with. At most one: each takes a fifth of a gigabyte. */
let waiting: { readonly child: ChildProcess; readonly key: string } | undefined;

/** Runs clang with each of these arguments, in one process. Rejects only if that cannot be started. */
export async function talk(
  start: Start,
  headers: string,
  calls: readonly string[][],
  abort?: AbortSignal,
): Promise<Talk> {
  const key = JSON.stringify(start);
  const known = waiting?.key === key ? waiting.child : undefined;
  if (known === undefined) return ask(begin(start), key, start, headers, calls, abort);
  waiting = undefined;
  const talk = await ask(known, key, start, headers, calls, abort);
  // It may have ended before it read the call, because it had waited long enough.
  const isMissed = talk.end !== undefined && talk.answers.length === 0 && abort?.aborted !== true;
  return isMissed ? ask(begin(start), key, start, headers, calls, abort) : talk;
}

function begin({ flags, env }: Start): ChildProcess {
  const child = fork(CHILD, { execArgv: [...flags], env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const forget = (): void => {
    if (waiting?.child === child) waiting = undefined;
  };
  // An error without a listener would end this process.
  return child.on('exit', forget).on('error', forget);
}

function ask(
  child: ChildProcess,
  key: string,
  { folder }: Start,
  headers: string,
  calls: readonly string[][],
  abort: AbortSignal | undefined,
): Promise<Talk> {
  holdsThisProcess(child, true);
  return new Promise<Talk>((fulfil, reject) => {
    const answers: Answer[] = [];
    let complaint = '';
    const listeners = {
      message: (answer: Answer): void => {
        answers.push(answer);
        if (answers.length === calls.length) done();
      },
      close: (code: number | null, signal: NodeJS.Signals | null): void => {
        abort?.removeEventListener('abort', end);
        fulfil({ answers, end: { code, signal, complaint } });
      },
      error: reject,
    };
    const complain = (chunk: Buffer): void => {
      complaint += chunk.toString();
    };
    const end = (): boolean => child.kill();
    const done = (): void => {
      abort?.removeEventListener('abort', end);
      for (const [event, listener] of Object.entries(listeners)) child.off(event, listener);
      child.stderr!.off('data', complain).resume();
      keep(child, key);
      fulfil({ answers });
    };
    for (const [event, listener] of Object.entries(listeners)) child.on(event, listener);
    child.stderr!.on('data', complain);
    abort?.addEventListener('abort', end);
    if (abort?.aborted === true) end();
    child.send({ package: folder, headers, jobs: calls }, () => {
      // If sending failed, the child has ended, and `close` tells why.
    });
  });
}

/** Lets the process wait, instead of another one. */
function keep(child: ChildProcess, key: string): void {
  holdsThisProcess(child, false);
  if (waiting?.child.connected === true) waiting.child.disconnect();
  waiting = { child, key };
}

/** Whether this process stays alive for the other one. */
function holdsThisProcess(child: ChildProcess, holds: boolean): void {
  for (const end of [child, child.channel, child.stderr as Socket | null]) {
    if (holds) end?.ref();
    else end?.unref();
  }
}
