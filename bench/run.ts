/**
 * `npm run bench -- core`: measures suites, prints and records the results.
 *
 *   npm run bench                    what suites there are
 *   npm run bench -- core --dry      do not record
 *   npm run bench -- core sc         only the cases whose name contains "sc"; never recorded
 *   npm run bench -- dpor --peer "nidhuggc -{model}"
 *                                    times another command on the same programs in the same run; see `peer.ts`
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runPeer } from './peer.ts';
import { type Case, changedCounts, lastResults, record, resultsOf, table } from './results.ts';
import type { Measurement, Suite } from './suite.ts';
import { suites } from './suites.ts';

const CASE = '--case';

async function main(words: readonly string[]): Promise<number> {
  if (words[0] === CASE) return measureHere(words[1]!, words[2]!);
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { dry: { type: 'boolean' }, peer: { type: 'string' } },
    allowPositionals: true,
  });
  const [name, filter] = positionals;
  const suite = suites.find((s) => s.name === name);
  if (suite === undefined) {
    console.error(suites.map((s) => `${s.name}: ${s.about}`).join('\n'));
    return 2;
  }
  if (values.peer !== undefined && suite.input === undefined) {
    const able = suites.filter((s) => s.input !== undefined).map((s) => s.name);
    console.error(`--peer needs a suite of C programs, one per case: ${able.join(', ')}`);
    return 2;
  }
  return runSuite(suite, filter, values.dry !== true, values.peer);
}

async function runSuite(
  suite: Suite,
  filter: string | undefined,
  isRecorded: boolean,
  peer: string | undefined,
): Promise<number> {
  console.log(suite.about);
  const cases: Case[] = [];
  for (const name of suite.cases) {
    if (filter !== undefined && !name.includes(filter)) continue;
    const started = performance.now();
    const measured = await measureElsewhere(suite.name, name);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const texts =
      peer === undefined ? measured.texts : { ...measured.texts, ...comparedWith(peer, suite, name, measured) };
    cases.push({ name, ...measured, ...(texts === undefined ? {} : { texts }), seconds });
  }
  const before = lastResults(suite.name);
  if (before !== undefined) console.log(`compared with ${before.commit} of ${before.date}, on ${before.machine}`);
  console.log(table(before, cases));
  const changed = changedCounts(before, cases);
  for (const change of changed) console.error(`a count has changed: ${change}`);
  const wrong = filter === undefined ? (suite.verify?.(cases) ?? []) : [];
  for (const text of wrong) console.error(text);
  if (filter === undefined && isRecorded && peer === undefined) record(resultsOf(suite.name, cases));
  return changed.length > 0 || wrong.length > 0 ? 1 : 0;
}

/** What the peer takes for the case, all in all, and how many times its rate ours is if it has as many executions. */
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

/** Measures a case in a process of its own. */
function measureElsewhere(suite: string, name: string): Promise<Measurement & { peakMemory: number }> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [CASE, suite, name]);
    let measured: (Measurement & { peakMemory: number }) | undefined;
    child.on('message', (message) => {
      measured = message as Measurement & { peakMemory: number };
    });
    child.on('exit', (code) => {
      if (code === 0 && measured !== undefined) resolve(measured);
      else reject(new Error(`${suite}, ${name}: exit code ${code}`));
    });
  });
}

async function measureHere(suite: string, name: string): Promise<number> {
  const measured = await suites.find((s) => s.name === suite)!.measure(name);
  process.send!({ ...measured, peakMemory: Math.round(process.resourceUsage().maxRSS / 1024) });
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
if (process.connected) process.disconnect();
