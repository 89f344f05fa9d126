/** Checks that are running or have finished. Each is the command itself, in a child process that ends when we do. */

import { type ChildProcess, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { isModel } from '../models/index.ts';
import { CHECK } from '../options/check.ts';
import { COMPILE } from '../options/compile.ts';
import { LITMUS } from '../options/others.ts';
import { REPORTER } from '../options/output.ts';
import { wordsOf } from '../options/words.ts';
import { packaged } from '../platform/package-folder.ts';
import type { CheckRequest, CheckStatus } from '../report/serve-api.ts';
import { Refusal } from './explorer.ts';

const MAX_RUNNING = 4;
const MAX_KEPT = 50;
/** Milliseconds between SIGTERM and SIGKILL. */
const PATIENCE = 3000;
/** The largest report, in characters; all reports are kept in memory. */
const MAX_REPORT = 64 * 1024 * 1024;

type Listener = (status: CheckStatus) => void;

interface Check {
  status: CheckStatus;
  readonly child: ChildProcess;
  readonly listeners: Set<Listener>;
}

export class Checks {
  private readonly checks = new Map<number, Check>();
  private readonly cwd: string;
  /** The path of the `fencepost` command. */
  private readonly command: string;
  private last = 0;

  constructor(cwd: string, command: string) {
    this.cwd = cwd;
    this.command = command;
  }

  get all(): readonly CheckStatus[] {
    return [...this.checks.values()].map((check) => check.status);
  }

  start(request: CheckRequest): CheckStatus {
    const running = [...this.checks.values()].filter((c) => c.status.state === 'running');
    if (running.length >= MAX_RUNNING)
      throw new Refusal(429, `${MAX_RUNNING} checks are running already; stop one first`);
    const id = ++this.last;
    const preload = pathToFileURL(packaged('src/serve/die-with-parent.mjs'));
    const child = spawn(process.execPath, ['--import', preload.href, this.command, ...argumentsOf(request)], {
      cwd: this.cwd,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, FENCEPOST_PROGRESS_MS: '200' },
    });
    const check: Check = {
      status: { id, ...request, state: 'running', progress: 'compiling' },
      child,
      listeners: new Set(),
    };
    this.checks.set(id, check);
    this.follow(check);
    this.forgetOld();
    return check.status;
  }

  private follow(check: Check): void {
    const { child } = check;
    let stdout = '';
    let stderr = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (stdout.length <= MAX_REPORT) return;
      stdout = '';
      stderr = `The report has more than ${MAX_REPORT} characters; check fewer models at once, or on the command line.`;
      child.kill('SIGKILL');
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-10_000);
      const line = stderr.trimEnd().split('\n').at(-1) ?? '';
      this.set(check, { progress: line.replace(/^check .*? under /, '') });
    });
    child.on('error', (error) => this.set(check, { state: 'failed', progress: error.message }));
    child.on('close', (exit) => {
      try {
        this.set(check, { state: 'done', report: JSON.parse(stdout), exit: exit ?? -1 });
      } catch {
        const why = stderr.trim() === '' ? 'The check was ended.' : stderr.trim();
        this.set(check, { state: 'failed', progress: why, exit: exit ?? -1 });
      }
    });
  }

  private set(check: Check, change: Partial<CheckStatus>): void {
    check.status = { ...check.status, ...change };
    for (const listener of check.listeners) listener(check.status);
  }

  private forgetOld(): void {
    for (const [id, { status }] of this.checks) {
      if (this.checks.size <= MAX_KEPT) return;
      if (status.state !== 'running') this.checks.delete(id);
    }
  }

  private find(id: number): Check {
    const check = this.checks.get(id);
    if (check === undefined) throw new Refusal(404, `no check ${id}; it may predate this server`);
    return check;
  }

  /**
   * Reports the state of the check to the listener, now and on every change. Returns a function that unsubscribes it.
   */
  watch(id: number, listener: Listener): () => void {
    const check = this.find(id);
    check.listeners.add(listener);
    listener(check.status);
    return () => check.listeners.delete(listener);
  }

  /** Like Ctrl-C: the result is what has been found so far. */
  stop(id: number): CheckStatus {
    const { child, status } = this.find(id);
    if (status.state === 'running') {
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), PATIENCE).unref();
    }
    return status;
  }

  killAll(): void {
    for (const { child } of this.checks.values()) child.kill('SIGKILL');
  }
}

function argumentsOf({ file, models, defines }: CheckRequest): readonly string[] {
  const known = models.length === 0 ? {} : { models: models.filter(isModel) };
  if (file.endsWith('.litmus')) {
    return ['litmus', ...wordsOf({ ...LITMUS, ...REPORTER }, { ...known, json: true, traces: true }), '--', file];
  }
  const options = { ...COMPILE, ...CHECK, ...REPORTER };
  return ['check', ...wordsOf(options, { ...known, defines, json: true }), '--', file];
}
