/**
 * `npm run bench -- core`: measures suites, prints and records the results.
 *
 *   npm run bench                    lists the suites
 *   npm run bench -- core --dry      do not record
 *   npm run bench -- core sc         only the cases whose name contains "sc"; never recorded
 *   npm run bench -- dpor --peer "nidhuggc -{model}"
 *                                    times another command on the same programs in the same run; see `peer.ts`
 *   npm run bench -- nidhugg --their FOLDER
 *                                    the authors' own files instead of our versions; see `nidhugg-set.ts`
 */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { THEIR_FOLDER } from './nidhugg-set.ts';
import { runPeer } from './peer.ts';
import { type Case, changedCounts, lastResults, record, resultsOf, table } from './results.ts';
import type { Measurement, Suite } from './suite.ts';
import { suites } from './suites.ts';

const CASE = '--case';

async function main(words: readonly string[]): Promise<number> {
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
  if (values.peer !== undefined && suite.input === undefined) {
    const able = suites.filter((s) => s.input !== undefined).map((s) => s.name);
    console.error(`--peer needs a suite of C programs, one per case: ${able.join(', ')}`);
    return 2;
  }
  return runSuite(suite, filter, values.dry !== true, values.peer);
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
  const lines = suites.map((s) => `  ${s.name.padEnd(10)}${s.about}`);
  return ['npm run bench -- SUITE [PART OF A CASE NAME] [--dry] [--peer "CMD"] [--their FOLDER]', ...lines].join('\n');
}

async function runSuite(
  suite: Suite,
  filter: string | undefined,
  isRecorded: boolean,
  peer: string | undefined,
): Promise<number> {
  console.log(suite.about);
  const cases: Case[] = [];
  const failed: string[] = [];
  for (const name of suite.cases) {
    if (filter !== undefined && !name.includes(filter)) continue;
    const measured = await measureElsewhere(suite.name, name);
    if (measured === undefined) {
      failed.push(name);
      continue;
    }
    const texts =
      peer === undefined ? measured.texts : { ...measured.texts, ...comparedWith(peer, suite, name, measured) };
    cases.push({ name, ...measured, ...(texts === undefined ? {} : { texts }) });
  }
  const before = lastResults(suite.name);
  if (before !== undefined) console.log(`compared with ${before.commit} of ${before.date}, on ${before.machine}`);
  console.log(table(before, cases));
  const changed = changedCounts(before, cases);
  for (const change of changed) console.error(`a count has changed: ${change}`);
  for (const name of failed) console.error(`${name} could not be measured`);
  const wrong = filter === undefined ? (suite.verify?.(cases) ?? []) : [];
  for (const text of wrong) console.error(text);
  const isWhole = filter === undefined && peer === undefined;
  if (isWhole && isRecorded) {
    // Otherwise the next run would take them as correct.
    if (changed.length > 0 || failed.length > 0)
      console.error('not recorded; if this is right, remove the old results');
    else record(resultsOf(suite.name, cases));
  }
  return changed.length > 0 || wrong.length > 0 || failed.length > 0 ? 1 : 0;
}

/** The peer's total time for the case, and the ratio of our rate to its rate, assuming as many executions. */
function comparedWith(peer: string, suite: Suite, name: string, measured: Measurement): Record<string, string> {
  const { seconds, exitCode } = runPeer(peer, suite.input!(name));
  const [executions, rate] = [measured.counts['executions'], measured.rates['executions/s']];
  const isComparable = exitCode === 0 && seconds > 0 && executions !== undefined && rate !== undefined;
  return {
    'peer CPU s': exitCode === 0 ? seconds.toFixed(2) : `exit ${exitCode}`,
    'peer executions/s': isComparable ? Math.round(executions / seconds).toLocaleString('en') : '-',
    'times peer': isComparable ? ((rate * seconds) / executions).toFixed(1) : '-',
  };
}

/** With the totals of its process. */
type Measured = Measurement & Pick<Case, 'peakMemory' | 'seconds'>;

/** Measures a case in a separate process; `undefined` if that failed, after printing why. */
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
