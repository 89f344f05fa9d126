/**
 * The cost of monitors. Online: an SC exploration with Optimal-DPOR, with and without both causal monitors, alternating
 * in one process. Offline: logs of three lengths, over 8 threads and 10,000 locations, read from a file.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MachineDpor } from '../src/explore/dpor/machine/machine-dpor.ts';
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
const LOGS = 'logs';

const MAX_COST = 1.2;
const MIN_EVENTS_PER_SECOND = 2e6;
const MAX_SPREAD = 1.3;
/**
 * Least CPU seconds per side and pairs of turns; executions after which an exploration is cut, the same on both sides.
 */
const MEASURED = 2;
const MIN_TURNS = 61;
/** Events of the long log, and of a turn; how often the long log is read. */
const LONG = 1e7;
const MIDDLE = 1e6;
const SHORT = 1e5;
const PASSES = 3;
const MAX_EXECUTIONS = 1000;

export const monitors: Suite = {
  name: 'monitors',
  about: 'cost of both causal monitors: SC explorations with and without them, and events per second of recorded logs',
  cases: [...PROGRAMS.keys(), LOGS],
  measure: (name) => (name === LOGS ? measureLogs() : measureProgram(PROGRAMS.get(name)!)),
  inputs: (name) => {
    const [file, ...defines] = PROGRAMS.get(name) ?? [];
    return file === undefined ? [] : [{ files: [file], defines, model: 'sc' }];
  },
  verify,
};

async function measureProgram([file, ...defines]: readonly [string, ...string[]]): Promise<Measurement> {
  const program = await loadProgram([file], defines);
  const [plain, watched] = [makeSearch(program, false), makeSearch(program, true)];
  for (const search of [plain, watched]) warmUp(search);
  // Other load on the machine affects both of two neighbouring turns, or only one pair of many.
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

/** One exploration from beginning to end; returns its number of executions. */
function makeSearch(program: Program, isWatched: boolean): () => number {
  const machine = new Machine(program, 'sc', {}, { spin: true });
  return () => {
    machine.rollback(0);
    const strategy = new MachineDpor(machine, 'optimal');
    // As in `check`, a model is ignored after its first alarm.
    const scan = new CausalScan(machine, strategy.happensBefore, ['thread', 'location'], (buffers) =>
      scan.ignore(buffers),
    );
    const follower = { observe: (): void => {}, rollback: (depth: number): void => scan.rollback(depth) };
    const exploration = new Exploration(machine, strategy, {
      maxExecutions: MAX_EXECUTIONS,
      ...(isWatched ? { followers: [follower], onExecution: () => scan.conclude() } : {}),
    });
    exploration.advance(Number.POSITIVE_INFINITY);
    return exploration.result.executions + exploration.result.blocked;
  };
}

/**
 * Alternates between a part of the long log and as many events of shorter ones, so that the times per event are
 * comparable.
 */
async function measureLogs(): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-bench-'));
  try {
    const [short, middle, long] = [SHORT, MIDDLE, LONG].map((events) => writeLog(folder, events)) as [
      string,
      string,
      string,
    ];
    for (let i = 0; i < 3; i++) monitor(middle);
    let best = 0;
    let violations = 0;
    const ofShort: number[] = [];
    const ofMiddle: number[] = [];
    for (let pass = 0; pass < PASSES; pass++) {
      const parts = monitorInParts(long);
      let spent = 0;
      for (let start = cpuSeconds(), part = parts.next(); ; start = cpuSeconds(), part = parts.next()) {
        const seconds = cpuSeconds() - start;
        spent += seconds;
        violations = part.value.violations.length;
        if (part.done === true) break;
        ofMiddle.push(seconds / secondsFor(() => monitor(middle)));
        ofShort.push(seconds / secondsFor(() => repeat(MIDDLE / SHORT, () => monitor(short))));
      }
      best = Math.max(best, LONG / spent);
    }
    return {
      counts: { violations },
      rates: { 'events/s': Math.round(best), '10^6/10^7': rounded(ofMiddle), '10^5/10^7': rounded(ofShort) },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeLog(folder: string, events: number): string {
  const file = join(folder, `${events}`);
  const descriptor = openSync(file, 'w');
  const writer = new BinaryWriter((piece) => void writeSync(descriptor, piece));
  writeRandomLog(1, { threads: 8, locations: 10_000, events, racy: 5 }, writer);
  writer.end();
  closeSync(descriptor);
  return file;
}

function monitor(file: string): void {
  for (const parts = monitorInParts(file); parts.next().done !== true; );
}

/** Stops after every million events. */
function* monitorInParts(file: string): Generator<StreamMonitor, StreamMonitor> {
  const stream = new StreamMonitor(['causal-tso', 'causal-pso']);
  const reader = new BinaryReader(stream);
  const descriptor = openSync(file, 'r');
  const chunk = new Uint8Array(1 << 20);
  let end = MIDDLE;
  for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk)) {
    reader.push(chunk.subarray(0, length));
    if (stream.count < end) continue;
    end += MIDDLE;
    yield stream;
  }
  closeSync(descriptor);
  reader.end();
  return stream;
}

function repeat(times: number, run: () => void): void {
  for (let i = 0; i < times; i++) run();
}

function secondsFor(run: () => void): number {
  const start = cpuSeconds();
  run();
  return cpuSeconds() - start;
}

function rounded(ratios: readonly number[]): number {
  return Math.round(median(ratios) * 1000) / 1000;
}

function verify(cases: readonly Case[]): readonly string[] {
  const wrong: string[] = [];
  for (const { name, rates } of cases) {
    const ratio = rates['plain/watched'];
    if (ratio !== undefined && 1 / ratio > MAX_COST) wrong.push(`${name}: monitors cost more than 20 %`);
  }
  for (const { name, rates } of cases) {
    if (name !== LOGS) continue;
    if (rates['events/s']! < MIN_EVENTS_PER_SECOND) wrong.push('logs are monitored at less than 2 million events/s');
    const speeds = [1, rates['10^6/10^7']!, rates['10^5/10^7']!];
    if (Math.max(...speeds) / Math.min(...speeds) > MAX_SPREAD)
      wrong.push('time per event depends on the length of the log');
  }
  return wrong;
}
