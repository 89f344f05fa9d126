/**
 * This checkout against another one, alternating in one process (`sides.ts`):
 *
 *   node --import ./bench/typescript.mjs bench/turns.ts OTHER_CHECKOUT [PART OF A CASE NAME]
 *
 * Prints, per case of the suite `dpor`, the CPU time of this checkout over that of the other: the median ratio of
 * neighbouring turns, and the ratio of the fastest turns. The numbers of executions must be equal.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Model } from '../src/models/index.ts';
import { dpor } from './dpor.ts';
import { compareSides, openSide } from './sides.ts';

const EFFORT = { warmUp: 1.5, turn: 0.25, turns: 9 };

async function compare(other: string, name: string): Promise<void> {
  const [input] = dpor.inputs!(name);
  const { files, defines, model } = input!;
  const compared = {
    ...{ file: files[0]!, defines, model: model as Model },
    spin: !name.startsWith('cas-loop'),
  };
  const here = await openSide(fileURLToPath(new URL('..', import.meta.url)), compared);
  const there = await openSide(other, compared);
  const { ratio, fastest, executions } = compareSides([here, there], EFFORT);
  if (executions[0] !== executions[1]) {
    throw new Error(`${name}: ${executions[0]} executions here, ${executions[1]} there`);
  }
  console.log(`${name.padEnd(20)} ${ratio.toFixed(3)}  fastest ${fastest.toFixed(3)}`);
}

const [other, filter = '', child] = process.argv.slice(2);
if (other === undefined) {
  console.error('node --import ./bench/typescript.mjs bench/turns.ts OTHER_CHECKOUT [PART OF A CASE NAME]');
  process.exitCode = 2;
} else if (child !== undefined) await compare(other, filter);
else {
  for (const name of dpor.cases.filter((one) => one.includes(filter))) {
    // With compiler threads, one of two identical copies may be better optimised by chance.
    const execArgv = [...process.execArgv, '--single-threaded'];
    await new Promise((done) =>
      fork(fileURLToPath(import.meta.url), [other, name, 'case'], { execArgv }).on('exit', done),
    );
  }
}
