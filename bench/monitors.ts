/**
 * What monitors cost. Online: an SC exploration with Optimal-DPOR, with and without both causal monitors, turn by turn in
 * one process. Offline: logs of three lengths, over 8 threads and 10,000 locations, read from a file.
 */
import { createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dpor } from '../src/explore/dpor/dpor.ts';
import { Exploration } from '../src/explore/explore.ts';
import { Machine } from '../src/machine/machine.ts';
import { CausalScan } from '../src/monitor/causal-scan.ts';
import { BinaryReader, BinaryWriter } from '../src/monitor/log/binary.ts';
import { StreamMonitor } from '../src/monitor/log/stream.ts';
import type { Program } from '../src/program/ir.ts';
import { writeRandomLog } from '../test/support/random-log.ts';
import type { Case } from './results.ts';
import { cpuSeconds, loadProgram } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

const PROGRAMS = new Map<string, readonly [file: string, ...defines: string[]]>([
  ['sober/dekker', ['sober/dekker.c']],
  ['sober/dekker fenced', ['sober/dekker.c', 'FENCE_TSO']],
  ['sober/bakery', ['sober/bakery.c']],
  ['sober/bakery fenced', ['sober/bakery.c', 'FENCE_TSO']],
  ['sober/takequeue', ['sober/takequeue.c']],
  ['sober/takequeue fenced', ['sober/takequeue.c', 'FENCE_TSO']],
  ['sober/fig-1b', ['sober/fig-1b.c']],
  ['mon/dekker', ['mon/dekker.c']],
  ['mon/bakery', ['mon/bakery.c']],
  ['mon/msn', ['mon/msn.c']],
  ['mon/ms2', ['mon/ms2.c']],
  ['mon/lazylist', ['mon/lazylist.c']],
  ['mon/harris', ['mon/harris.c']],
  ['mon/snark', ['mon/snark.c']],
  ['readers(13)', ['scale/readers.c', 'N=13']],
  ['writers(5)', ['scale/writers.c', 'N=5']],
  ['mutex(7)', ['scale/mutex.c', 'N=7']],
  ['fetch-add(7)', ['scale/fetch-add.c', 'N=7']],
  ['indexer(15)', ['scale/indexer.c', 'N=15']],
]);
const LOGS = new Map([
  ['log of 10^5 events', 1e5],
  ['log of 10^6 events', 1e6],
  ['log of 10^7 events', 1e7],
]);

const MAX_COST = 1.2;
const MIN_EVENTS_PER_SECOND = 2e6;
const MAX_SPREAD = 1.3;
/** CPU seconds per side and pairs of turns, at least; executions after which an exploration is cut, the same on both sides. */
const MEASURED = 2;
const MIN_TURNS = 15;
/** Of a log. */
const ROUNDS = 4;
const EVENTS_PER_ROUND = 1e7;
const MAX_EXECUTIONS = 4000;

export const monitors: Suite = {
  name: 'monitors',
  about: 'cost of both causal monitors: SC explorations with and without them, and events per second of recorded logs',
  cases: [...PROGRAMS.keys(), ...LOGS.keys()],
  measure: (name) => (LOGS.has(name) ? measureLog(LOGS.get(name)!) : measureProgram(PROGRAMS.get(name)!)),
  verify,
};

async function measureProgram([file, ...defines]: readonly [string, ...string[]]): Promise<Measurement> {
  const program = await loadProgram([file], defines);
  const [plain, watched] = [makeSearch(program, false), makeSearch(program, true)];
  for (const search of [plain, watched]) warmUp(search);
  // What others do on the machine is in both of two neighbours, or in one pair of many.
  const ratios: number[] = [];
  let executions = 0;
  for (let spent = 0; spent < MEASURED || ratios.length < MIN_TURNS; ) {
    const start = cpuSeconds();
    executions = plain();
    const middle = cpuSeconds();
    watched();
    spent += middle - start;
    ratios.push((cpuSeconds() - middle) / (middle - start));
  }
  const cost = median(ratios);
  return {
    counts: { executions },
    rates: { 'plain/watched': Math.round(1000 / cost) / 1000 },
    texts: { cost: `${((cost - 1) * 100).toFixed(1)} %` },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function warmUp(search: () => number): void {
  for (const start = cpuSeconds(); cpuSeconds() - start < 1; ) search();
}

/** One exploration from beginning to end, for its number of executions. */
function makeSearch(program: Program, isWatched: boolean): () => number {
  const machine = new Machine(program, 'sc', {}, { spin: true });
  return () => {
    machine.rollback(0);
    const strategy = new Dpor(machine, 'optimal');
    // As in `check`: a model is ignored after its first alarm.
    const scan = new CausalScan(machine, strategy.happensBefore, ['tso', 'pso'], (model) => scan.ignore(model));
    const follower = { observe: (): void => {}, rollback: (depth: number): void => scan.rollback(depth) };
    const exploration = new Exploration(machine, strategy, {
      maxExecutions: MAX_EXECUTIONS,
      ...(isWatched ? { followers: [follower], onExecution: () => scan.conclude() } : {}),
    });
    exploration.advance(Number.POSITIVE_INFINITY);
    return exploration.result.executions + exploration.result.blocked;
  };
}

async function measureLog(events: number): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-bench-'));
  const file = join(folder, 'log');
  try {
    const descriptor = openSync(file, 'w');
    const writer = new BinaryWriter((piece) => void writeSync(descriptor, piece));
    writeRandomLog(1, { threads: 8, locations: 10_000, events, racy: 5 }, writer);
    writer.end();
    // Others on the machine can only slow it down: the fastest round counts, once all is compiled. A round of a short log reads
    // it as often as makes it as long as one of a long log, so that none is luckier than the others.
    let rate = 0;
    let violations = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const start = cpuSeconds();
      let count = 0;
      while (count < EVENTS_PER_ROUND) {
        const stream = await monitor(file);
        count += stream.count;
        violations = stream.violations.length;
      }
      rate = Math.max(rate, count / (cpuSeconds() - start));
    }
    return { counts: { violations }, rates: { 'events/s': Math.round(rate) } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function monitor(file: string): Promise<StreamMonitor> {
  const stream = new StreamMonitor(['causal-tso', 'causal-pso']);
  const reader = new BinaryReader(stream);
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) reader.push(chunk as Uint8Array);
  reader.end();
  return stream;
}

function verify(cases: readonly Case[]): readonly string[] {
  const wrong: string[] = [];
  for (const { name, rates } of cases) {
    const ratio = rates['plain/watched'];
    if (ratio !== undefined && 1 / ratio > MAX_COST) wrong.push(`${name}: monitors cost more than 20 %`);
  }
  const speeds = cases.flatMap(({ rates }) => rates['events/s'] ?? []);
  if (Math.min(...speeds) < MIN_EVENTS_PER_SECOND) wrong.push('logs are monitored at less than 2 million events/s');
  if (Math.max(...speeds) / Math.min(...speeds) > MAX_SPREAD)
    wrong.push('time per event depends on the length of the log');
  return wrong;
}
