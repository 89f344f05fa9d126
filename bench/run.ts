/**
 * `npm run bench -- core`: measures suites, prints and records the results.
 *
 *   npm run bench                    what suites there are
 *   npm run bench -- core --dry      do not record
 *   npm run bench -- core sc         only the cases whose name contains "sc"; never recorded
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Case, changedCounts, lastResults, record, resultsOf, table } from './results.ts';
import type { Measurement, Suite } from './suite.ts';
import { suites } from './suites.ts';

const CASE = '--case';

async function main(words: readonly string[]): Promise<number> {
  if (words[0] === CASE) return measureHere(words[1]!, words[2]!);
  const options = words.filter((word) => word.startsWith('--'));
  const [name, filter] = words.filter((word) => !word.startsWith('--'));
  const suite = suites.find((s) => s.name === name);
  if (suite === undefined) {
    console.error(suites.map((s) => `${s.name}: ${s.about}`).join('\n'));
    return 2;
  }
  return runSuite(suite, filter, !options.includes('--dry'));
}

async function runSuite(suite: Suite, filter: string | undefined, isRecorded: boolean): Promise<number> {
  console.log(suite.about);
  const cases: Case[] = [];
  for (const name of suite.cases) {
    if (filter !== undefined && !name.includes(filter)) continue;
    const started = performance.now();
    const measured = await measureElsewhere(suite.name, name);
    cases.push({ name, ...measured, seconds: Math.round((performance.now() - started) / 100) / 10 });
  }
  const before = lastResults(suite.name);
  if (before !== undefined) console.log(`compared with ${before.commit} of ${before.date}, on ${before.machine}`);
  console.log(table(before, cases));
  const changed = changedCounts(before, cases);
  for (const change of changed) console.error(`a count has changed: ${change}`);
  const wrong = filter === undefined ? (suite.verify?.(cases) ?? []) : [];
  for (const text of wrong) console.error(text);
  if (filter === undefined && isRecorded) record(resultsOf(suite.name, cases));
  return changed.length > 0 || wrong.length > 0 ? 1 : 0;
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
