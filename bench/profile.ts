/** Where the time of a search goes: the shares of the most expensive files and functions, not counting callees. */
import { Session } from 'node:inspector/promises';
import { MachineDpor } from '../src/explore/dpor/machine/machine-dpor.ts';
import { Exploration } from '../src/explore/explore.ts';
import { Machine } from '../src/machine/machine.ts';
import type { Model } from '../src/models/index.ts';
import { cpuSeconds, loadProgram } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

const CASES = new Map(
  (
    [
      ['readers', 13, 'sc'],
      ['fib', 5, 'sc'],
      ['fib', 5, 'tso'],
      ['sb-ring', 13, 'sc'],
      ['sb-ring', 13, 'tso'],
      ['mp-ring', 8, 'tso'],
      ['lastzero', 12, 'sc'],
      ['indexer', 15, 'sc'],
      ['mutex', 7, 'sc'],
      ['fetch-add', 7, 'sc'],
    ] as readonly [string, number, Model][]
  ).map(([program, n, model]) => [`${program}(${n}) ${model}`, { program, n, model }]),
);

/** CPU seconds before and while it is profiled. */
const WARM_UP = 1;
const PROFILED = 1.5;
/** How many are listed. */
const FILES = 6;
const FUNCTIONS = 6;

export const profile: Suite = {
  name: 'profile',
  about: 'where the time of a search goes: percent of the samples, by file and by function',
  cases: [...CASES.keys()],
  measure,
  alone: 'it looks into our own search',
};

async function measure(name: string): Promise<Measurement> {
  const { program: file, n, model } = CASES.get(name)!;
  const machine = new Machine(await loadProgram([`scale/${file}.c`], [`N=${n}`]), model, {}, { spin: true });
  const search = (seconds: number): number => {
    let executions = 0;
    for (const start = cpuSeconds(); cpuSeconds() - start < seconds; ) {
      machine.rollback(0);
      const exploration = new Exploration(machine, new MachineDpor(machine, 'optimal'));
      exploration.advance(Number.POSITIVE_INFINITY);
      executions = exploration.result.executions;
    }
    return executions;
  };
  search(WARM_UP);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  const executions = search(PROFILED);
  const { nodes } = (await session.post('Profiler.stop')).profile;
  const [files, functions] = [new Map<string, number>(), new Map<string, number>()];
  let all = 0;
  for (const { callFrame, hitCount = 0 } of nodes) {
    const { url, functionName } = callFrame;
    if (functionName === '(idle)' || functionName === '(program)') continue;
    all += hitCount;
    const place = url.endsWith('.ts')
      ? url.replace(/^.*\/|\.ts$/g, '')
      : functionName === '' || url !== ''
        ? 'generated code'
        : functionName;
    files.set(place, (files.get(place) ?? 0) + hitCount);
    const method = `${place} ${functionName}`;
    functions.set(method, (functions.get(method) ?? 0) + hitCount);
  }
  const top = (shares: ReadonlyMap<string, number>, most: number): string =>
    [...shares]
      .sort(([, a], [, b]) => b - a)
      .slice(0, most)
      .map(([place, hits]) => `${place} ${Math.round((100 * hits) / all)}`)
      .join(', ');
  return {
    counts: { executions },
    rates: {},
    texts: { files: top(files, FILES), functions: top(functions, FUNCTIONS) },
  };
}
