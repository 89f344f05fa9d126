/** `check -j`: CPU time and wall-clock time of the built command with 2 and 8 threads, over those with one. */
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { timeCommand } from './peer.ts';
import type { Case } from './results.ts';
import type { Measurement, Suite } from './suite.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const THREADS = [1, 2, 8] as const;

/** The first is short: it is not divided, unless other work slows it down. */
const CASES: Readonly<Record<string, string>> = {
  'mutex(7) sc': 'mutex.c -DN=7 -m sc',
  'mutex(9) sc': 'mutex.c -DN=9 -m sc',
  'readers(17) sc': 'readers.c -DN=17 -m sc',
  'sb-ring(16) tso': 'sb-ring.c -DN=16 -m tso',
  'fib(7) sc': 'fib.c -DN=7 -m sc',
  'readers(19) sc': 'readers.c -DN=19 -m sc',
};

export const jobs: Suite = {
  name: 'jobs',
  about:
    'check -j 2 and -j 8 of the built command (npm run build) over -j 1: CPU time, and time by the clock if nothing else runs',
  cases: Object.keys(CASES),
  measure,
  inputs: (name) => {
    const [file, define, , model] = CASES[name]!.split(' ') as [string, string, string, string];
    return [{ files: [`scale/${file}`], defines: [define.slice('-D'.length)], model }];
  },
  verify,
};

async function measure(name: string): Promise<Measurement> {
  const run = (threads: number): { readonly cpu: number; readonly wall: number } => {
    const command = `cd '${ROOT}' && '${process.execPath}' dist/cli/main.js check programs/scale/${CASES[name]} -j ${threads}`;
    const started = performance.now();
    const { seconds, exitCode } = timeCommand(command);
    if (exitCode !== 0) throw new Error(`${command}: exit code ${exitCode}`);
    return { cpu: seconds, wall: (performance.now() - started) / 1000 };
  };
  const isIdle = loadavg()[0]! < IDLE;
  const [one, two, eight] = THREADS.map(run);
  const part = (a: number, b: number): string => (a / b).toFixed(2);
  return {
    counts: {},
    rates: { 'searches/CPU hour': Math.round(3600 / one!.cpu) },
    texts: {
      'CPU s': one!.cpu.toFixed(1),
      'CPU -j 2': part(two!.cpu, one!.cpu),
      'CPU -j 8': part(eight!.cpu, one!.cpu),
      'wall s': isIdle ? one!.wall.toFixed(1) : '-',
      'wall -j 2': isIdle ? part(two!.wall, one!.wall) : '-',
      'wall -j 8': isIdle ? part(eight!.wall, one!.wall) : '-',
    },
  };
}

/** Above this load average, wall-clock times mean nothing. */
const IDLE = 1.5;
const MOST = 1.1;

function verify(cases: readonly Case[]): readonly string[] {
  return cases.flatMap(({ name, texts }) =>
    ['CPU -j 2', 'CPU -j 8']
      .filter((column) => Number(texts?.[column]) > MOST)
      .map((column) => `${name}: ${column} is ${texts![column]}, the aim is ${MOST}`),
  );
}
