/** Batches of seeds in a separate process, where Node runs the sources as fast as the build. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Finding } from './session.ts';

export interface Seeds {
  readonly seeds: readonly number[];
  /** Also compiled by the clang from npm. */
  readonly npm: boolean;
}

export interface Report {
  readonly programs: number;
  readonly counts: readonly (readonly [string, number])[];
  readonly pairs: readonly (readonly [string, number])[];
  /** One of each kind is shrunk. */
  readonly found: readonly Finding[];
}

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export class Job {
  private readonly child: ChildProcess;

  constructor() {
    const typescript = new URL('../../bench/typescript.mjs', import.meta.url).href;
    // A large young generation: most objects die before they are copied.
    const execArgv = [
      '--import',
      typescript,
      '--max-semi-space-size=64',
      '--single-threaded',
      // As for all tests (vitest.config.ts).
      '--interrupt-budget=700000',
    ];
    this.child = fork(path('./worker.ts'), { execArgv });
  }

  run(seeds: Seeds): Promise<Report> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`a job ended with ${code}`)));
      child.once('error', reject);
      child.once('message', (report: Report) => {
        child.removeAllListeners();
        resolve(report);
      });
      child.send(seeds);
    });
  }

  end(): void {
    this.child.disconnect();
  }
}
