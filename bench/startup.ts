/**
 * How long the command takes when there is almost nothing to do; the IR of the C program is cached, or has to be
 * compiled.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { timeCommand } from './peer.ts';
import type { Case } from './results.ts';
import type { Measurement, Suite } from './suite.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMMANDS: Readonly<Record<string, string>> = {
  'C program': 'check --model sc programs/scale/fib.c -DN=1',
  'litmus test': 'litmus litmus/SB/SB.litmus',
  'empty cache': 'check --model sc programs/scale/fib.c -DN=1',
  "empty cache, npm's clang": 'check --model sc programs/scale/fib.c -DN=1 --clang npm',
};
/** Cases that always start with an empty cache, and their limits in milliseconds. */
const EMPTY: Readonly<Record<string, number>> = { 'empty cache': 1500, "empty cache, npm's clang": 2500 };
const EMPTY_RUNS = 5;
const RUNS = 11;
const MOST_MILLISECONDS = 300;

export const startup: Suite = {
  name: 'startup',
  about: `CPU time of the built command (npm run build) on next to nothing: at most ${MOST_MILLISECONDS} ms`,
  cases: Object.keys(COMMANDS),
  measure,
  inputs: (name) => (name === 'C program' ? [{ files: ['scale/fib.c'], defines: ['N=1'], model: 'sc' }] : []),
  verify,
};

async function measure(name: string): Promise<Measurement> {
  const run = (): number => {
    const folder = name in EMPTY ? mkdtempSync(join(tmpdir(), 'fencepost-bench-')) : undefined;
    const where = folder === undefined ? '' : `XDG_CACHE_HOME='${folder}'`;
    const command = `cd '${ROOT}' && ${where} '${process.execPath}' dist/cli/main.js ${COMMANDS[name]}`;
    const { seconds, exitCode } = timeCommand(command);
    if (folder !== undefined) rmSync(folder, { recursive: true });
    if (exitCode !== 0) throw new Error(`${command}: exit code ${exitCode}`);
    return seconds;
  };
  // Fills the cache.
  if (!(name in EMPTY)) run();
  const times = Array.from({ length: name in EMPTY ? EMPTY_RUNS : RUNS }, run).sort((a, b) => a - b);
  return { counts: {}, rates: { 'starts/s': Math.round(100 / times[times.length >> 1]!) / 100 } };
}

function verify(cases: readonly Case[]): readonly string[] {
  return cases
    .filter(({ name, rates }) => 1000 / rates['starts/s']! > (EMPTY[name] ?? MOST_MILLISECONDS))
    .map(({ name, rates }) => `${name}: ${Math.round(1000 / rates['starts/s']!)} ms`);
}
