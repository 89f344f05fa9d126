/**
 * `npm run bench -- core`: measures suites, prints and records the results.
 *
 *   npm run bench                    lists the suites
 *   npm run bench -- core --dry      do not record
 *   npm run bench -- core sc         only the cases whose name contains "sc"; never recorded
 *   npm run bench -- dpor --peer all runs GenMC and Nidhugg on the same programs in the same run, compares counts and
 *                                    records them beside ours; also one of them, or another command; see `peer.ts`
 *   npm run bench -- page            updates docs/performance.md from the recorded results; see `page/page.ts`
 *   npm run bench -- before          compares this commit with the previous one; see `before.ts`
 *   npm run bench -- nidhugg --their FOLDER
 *                                    the authors' own files instead of our versions; see `nidhugg-set.ts`
 */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { before } from './before.ts';
import { Beside } from './beside.ts';
import { THEIR_FOLDER } from './nidhugg-set.ts';
import { writePage } from './page/page.ts';
import { type Peer, peersOf } from './peer.ts';
import { type Case, changedCounts, lastResults, record, resultsOf, table } from './results.ts';
import type { Measurement, Suite } from './suite.ts';
import { suites } from './suites.ts';

const CASE = '--case';

async function main(words: readonly string[]): Promise<number> {
  if (words[0] === 'before') return before(words.slice(1));
  if (words[0] === 'page') return writePage();
  if (words[0] === CASE) return measureHere(words[1]!, words[2]!);
  let given: ReturnType<typeof parse>;
  try {
    given = parse(words);
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage()}`);
    return 2;
  }
  const { values, positionals } = given;
  if (values.help === true) {
    console.log(usage());
    return 0;
  }
  const [name, filter, ...rest] = positionals;
  if (values.their !== undefined) {
    if (!existsSync(values.their)) {
      console.error(`--their ${values.their}: there is no such folder`);
      return 2;
    }
    process.env[THEIR_FOLDER] = resolve(values.their);
  }
  const suite = suites.find((s) => s.name === (values.their === undefined ? name : `${name}-set`));
  if (suite === undefined || rest.length > 0) {
    if (name !== undefined)
      console.error(suite === undefined ? `no such suite: ${name}` : `too much: ${rest.join(' ')}`);
    console.error(usage());
    return 2;
  }
  if (filter !== undefined && !suite.cases.some((c) => c.includes(filter))) {
    console.error(`no case of ${suite.name} has "${filter}" in its name: ${suite.cases.join(', ')}`);
    return 2;
  }
  if (values.peer !== undefined && suite.inputs === undefined) {
    const able = suites.filter((s) => s.inputs !== undefined).map((s) => s.name);
    console.error(`${suite.name} has nothing for other tools: ${suite.alone}. These have: ${able.join(', ')}`);
    return 2;
  }
  const { peers, missing } = peersOf(values.peer ?? '');
  if (values.peer !== undefined) {
    for (const text of missing) console.error(text);
    if (peers.length === 0) return 2;
  }
  return runSuite(suite, filter, values.dry !== true, values.peer === undefined ? [] : peers);
}

function parse(words: readonly string[]) {
  const options = {
    dry: { type: 'boolean' },
    peer: { type: 'string' },
    their: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  return parseArgs({ args: [...words], options, allowPositionals: true });
}

function usage(): string {
  const lines = suites.map((s) => `  ${s.name.padEnd(18)}${s.about}`);
  return [
    'npm run bench -- SUITE [PART OF A CASE NAME] [--dry] [--peer all|genmc|nidhugg|"CMD"] [--their FOLDER]',
    ...lines,
  ].join('\n');
}

async function runSuite(
  suite: Suite,
  filter: string | undefined,
  isRecorded: boolean,
  peers: readonly Peer[],
): Promise<number> {
  console.log(suite.about);
  const cases: Case[] = [];
  const failed: string[] = [];
  const beside = peers.length === 0 ? undefined : new Beside(suite, peers);
  for (const name of suite.cases) {
    if (filter !== undefined && !name.includes(filter)) continue;
    const measured = await measureElsewhere(suite.name, name);
    if (measured === undefined) {
      failed.push(name);
      continue;
    }
    cases.push({ name, ...measured });
    beside?.add(name, measured);
  }
  const before = lastResults(suite.name);
  if (before !== undefined) console.log(`compared with ${before.commit} of ${before.date}, on ${before.machine}`);
  console.log(table(before, cases));
  if (beside !== undefined) console.log(`beside others\n${table(undefined, beside.cases)}`);
  const changed = changedCounts(before, cases);
  for (const change of changed) console.error(`a count has changed: ${change}`);
  for (const name of failed) console.error(`${name} could not be measured`);
  const wrong = filter === undefined ? (suite.verify?.(cases) ?? []) : [];
  for (const text of wrong) console.error(text);
  if (filter === undefined && isRecorded) {
    beside?.record();
    // Otherwise the next run would take these counts as correct.
    if (changed.length > 0 || failed.length > 0)
      console.error('not recorded; if this is right, remove the old results');
    else record(resultsOf(suite.name, cases));
  }
  return changed.length > 0 || wrong.length > 0 || failed.length > 0 ? 1 : 0;
}

/** A measurement with the totals of its process. */
type Measured = Measurement & Pick<Case, 'peakMemory' | 'seconds'>;

/** Measures a case in a separate process. On failure, prints the reason and returns `undefined`. */
function measureElsewhere(suite: string, name: string): Promise<Measured | undefined> {
  return new Promise((done) => {
    const child = fork(fileURLToPath(import.meta.url), [CASE, suite, name]);
    let measured: Measured | undefined;
    child.on('message', (message) => {
      measured = message as Measured;
    });
    child.on('exit', (code) => done(code === 0 ? measured : undefined));
  });
}

async function measureHere(suite: string, name: string): Promise<number> {
  const measured = await suites.find((s) => s.name === suite)!.measure(name);
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const seconds = Math.round((userCPUTime + systemCPUTime) / 1e5) / 10;
  process.send!({ ...measured, peakMemory: Math.round(maxRSS / 1024), seconds });
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
if (process.connected) process.disconnect();
