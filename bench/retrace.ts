/**
 * Retrace and Optimal-DPOR by turns, in one process, without watchers:
 *
 *   node --single-threaded --import ./bench/typescript.mjs bench/retrace.ts [PROGRAM,N,MODEL …]
 *
 * Prints, per program of `programs/scale`: executions, which must be equal; CPU seconds of the fastest of three searches;
 * their ratio; and steps per execution.
 */
import { MachineDpor } from '../src/explore/dpor/machine/machine-dpor.ts';
import { explore } from '../src/explore/explore.ts';
import { Retrace } from '../src/explore/retrace/retrace.ts';
import type { Strategy } from '../src/explore/strategy.ts';
import { Machine } from '../src/machine/machine.ts';
import type { Model } from '../src/models/index.ts';
import type { Program } from '../src/program/ir.ts';
import { cpuSeconds, loadProgram } from './search.ts';

const CASES = [
  'readers,14,sc',
  'sb-ring,14,tso',
  'mp-ring,8,tso',
  'lastzero,12,sc',
  'writers,5,sc',
  'fib,6,sc',
  'fetch-add,8,sc',
  'mutex,8,sc',
  'indexer,15,sc',
];
const TURNS = 3;

const SEARCHES: readonly ((machine: Machine) => Strategy)[] = [
  (machine) => new MachineDpor(machine, 'optimal'),
  (machine) => new Retrace(machine, false),
];

interface Side {
  seconds: number;
  executions: number;
  steps: number;
}

function turn(program: Program, model: Model, make: (machine: Machine) => Strategy): Side {
  const machine = new Machine(program, model, {}, { spin: true });
  const start = cpuSeconds();
  const { executions, blocked, steps } = explore(machine, make(machine));
  return { seconds: cpuSeconds() - start, executions: executions + blocked, steps };
}

for (const name of process.argv.length > 2 ? process.argv.slice(2) : CASES) {
  const [file, size, model] = name.split(',');
  const program = await loadProgram([`scale/${file}.c`], [`N=${size}`]);
  const best: (Side | undefined)[] = [undefined, undefined];
  for (let i = 0; i < TURNS; i++) {
    for (const [side, make] of SEARCHES.entries()) {
      const now = turn(program, model as Model, make);
      if (best[side] === undefined || now.seconds < best[side].seconds) best[side] = now;
    }
  }
  const [optimal, retrace] = best as [Side, Side];
  if (optimal.executions !== retrace.executions)
    throw new Error(`${name}: ${optimal.executions} and ${retrace.executions} executions`);
  const columns = [
    `${file}(${size}) ${model}`.padEnd(18),
    `${optimal.executions}`.padStart(9),
    ...[optimal, retrace].map(({ seconds }) => seconds.toFixed(2).padStart(7)),
    (optimal.seconds / retrace.seconds).toFixed(2).padStart(6),
    ...[optimal, retrace].map(({ steps, executions }) => (steps / executions).toFixed(1).padStart(6)),
  ];
  console.log(columns.join(' '));
}
