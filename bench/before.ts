/**
 * `npm run bench -- before [COMMIT]`: times the searches of this checkout against those of the previous commit,
 * alternating in one process, in half a minute. Fails if a case takes more than a tenth longer. CI runs it.
 *
 * Noise must not make it fail. A ratio is the median of many pairs of short turns. The engine compiles in the same
 * thread: with compiler threads, one of two identical copies took up to a tenth longer by chance; without them, one to
 * two hundredths. A case that seems slower is measured twice more, each time in a new process and for longer. It counts
 * as slower only if all three measurements agree.
 */
import { execFileSync, fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Model } from '../src/models/index.ts';
import { type Compared, type Comparison, compareSides, type Effort, openSide } from './sides.ts';

/** Searches of a few milliseconds. */
const CASES: ReadonlyMap<string, Compared> = new Map(
  (
    [
      ['readers', 9, 'sc'],
      ['writers', 4, 'sc'],
      ['fib', 4, 'sc'],
      ['fib', 4, 'tso'],
      ['sb-ring', 9, 'tso'],
      ['lastzero', 9, 'sc'],
      ['indexer', 13, 'sc'],
      ['mutex', 6, 'sc'],
      ['mp-ring', 5, 'pso'],
      ['cas-loop', 4, 'tso'],
      ['mutex', 4, 'rc11'],
      ['readers', 10, 'rc11'],
    ] as readonly [string, number, Model][]
  ).map(([program, n, model]) => [
    `${program}(${n}) ${model}`,
    { file: `scale/${program}.c`, defines: [`N=${n}`], model, spin: program !== 'cas-loop' },
  ]),
);

/** The largest permitted ratio to the previous commit's time. */
export const MAY_TAKE = 1.1;
/** In the first measurement all cases share a process, and so a warm-up. */
const LOOKS: readonly Effort[] = [
  { warmUp: 0.12, turn: 0.008, turns: 15 },
  { warmUp: 0.6, turn: 0.01, turns: 41 },
  { warmUp: 0.8, turn: 0.01, turns: 61 },
];
/** How many cases are measured again, the slowest first: one is enough to fail. */
const LOOKED_AT_AGAIN = 3;
/** The files that affect a search. */
const PATHS = ['src', 'lib', 'include', 'programs/scale', 'tsconfig.json', ':!src/**/*.test.ts'].concat(
  ['cli', 'fix', 'options', 'playground', 'report', 'serve', 'viewer'].map((folder) => `:!src/${folder}`),
);

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WORD = '--compare';

export type Look = (names: readonly string[], look: number) => Promise<ReadonlyMap<string, Comparison>>;

export async function before(words: readonly string[]): Promise<number> {
  if (words[0] === WORD) return compareHere(words[1]!, Number(words[2]), words.slice(3));
  const found = findBefore(ROOT, words[0] ?? 'HEAD~1');
  if (found.skipped !== undefined) {
    console.log(`not compared with the commit before: ${found.skipped}`);
    return 0;
  }
  const folder = checkOut(found.commit);
  console.log(`CPU time over that of ${found.commit.slice(0, 12)}, by turns`);
  const slower = await findSlower([...CASES.keys()], (names, look) => compareElsewhere(folder, names, look));
  for (const line of slower) console.error(line);
  return slower.length > 0 ? 1 : 0;
}

/** The cases that are slower in every measurement, in words. */
export async function findSlower(names: readonly string[], look: Look): Promise<readonly string[]> {
  const first = await look(names, 0);
  const isSlower = ([, { ratio }]: readonly [string, Comparison]): boolean => ratio > MAY_TAKE;
  const again = [...first]
    .filter(isSlower)
    .sort(([, a], [, b]) => b.ratio - a.ratio)
    .slice(0, LOOKED_AT_AGAIN);
  const slower: string[] = [];
  for (const [name, { ratio }] of again) {
    const ratios = [ratio];
    while (ratios.length < LOOKS.length && ratios.at(-1)! > MAY_TAKE) {
      ratios.push((await look([name], ratios.length)).get(name)!.ratio);
    }
    const isReal = ratios.every((one) => one > MAY_TAKE);
    if (isReal) slower.push(`${name} takes ${ratios.map((one) => one.toFixed(2)).join(', ')} times as long as before`);
  }
  return slower;
}

/** The commit to compare with, or why there is none. */
export function findBefore(
  root: string,
  name: string,
): { readonly commit: string; readonly skipped?: undefined } | { readonly skipped: string } {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  let commit: string;
  try {
    commit = git('rev-parse', '--verify', `${name}^{commit}`);
  } catch {
    return { skipped: `there is no ${name} here: a first commit, a shallow clone, or no clone at all` };
  }
  if (git('diff', '--name-only', commit, '--', ...PATHS) === '') {
    return { skipped: `nothing that a search runs has changed since ${commit.slice(0, 12)}` };
  }
  return { commit };
}

/** Below `node_modules`, so that the checkout uses the same packages. */
function checkOut(commit: string): string {
  const all = join(ROOT, 'node_modules/.fencepost-before');
  const folder = join(all, commit);
  if (existsSync(folder)) return folder;
  if (existsSync(all)) for (const old of readdirSync(all)) rmSync(join(all, old), { recursive: true });
  const part = `${folder}.${process.pid}`;
  mkdirSync(part, { recursive: true });
  const tree = execFileSync(
    'git',
    ['archive', commit, 'src', 'lib', 'include', 'programs/scale', 'bench', 'package.json', 'tsconfig.json'],
    {
      ...{ cwd: ROOT, maxBuffer: 1 << 30 },
    },
  );
  execFileSync('tar', ['-x', '-C', part], { input: tree });
  renameSync(part, folder);
  return folder;
}

function compareElsewhere(
  folder: string,
  names: readonly string[],
  look: number,
): Promise<ReadonlyMap<string, Comparison>> {
  return new Promise((done, fail) => {
    const found = new Map<string, Comparison>();
    const child = fork(
      fileURLToPath(new URL('run.ts', import.meta.url)),
      ['before', WORD, folder, `${look}`, ...names],
      {
        execArgv: [...process.execArgv, '--single-threaded'],
      },
    );
    child.on('message', (message) => {
      const [name, comparison] = message as [string, Comparison];
      found.set(name, comparison);
      const { ratio, executions } = comparison;
      const counts = executions[0] === executions[1] ? '' : `  executions ${executions[1]} → ${executions[0]}`;
      console.log(`  ${name.padEnd(18)} ${ratio.toFixed(2)}${look > 0 ? `  look ${look + 1}` : ''}${counts}`);
    });
    child.on('exit', (code) => (code === 0 ? done(found) : fail(new Error('the searches could not be compared'))));
  });
}

async function compareHere(folder: string, look: number, names: readonly string[]): Promise<number> {
  for (const name of names) {
    const compared = CASES.get(name)!;
    const here = await openSide(ROOT, compared);
    const there = await openSide(folder, compared);
    process.send!([name, compareSides([here, there], LOOKS[look]!)]);
  }
  return 0;
}
