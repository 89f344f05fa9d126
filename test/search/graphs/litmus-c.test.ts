/** Generated sketches as litmus tests in C: the front-end and all models against the oracles. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseLitmus } from '../../../src/frontend/litmus/litmus.ts';
import type { Model } from '../../../src/models/index.ts';
import { type LitmusResult, LitmusRun } from '../../../src/pipelines/litmus.ts';
import { validate } from '../../../src/program/validate.ts';
import { axiomaticExecutions } from '../../support/axiomatic.ts';
import { everything, forAllSketches, SKIPPED } from '../../support/for-all.ts';
import { rc11Executions } from '../../support/rc11.ts';
import {
  ifLast,
  locationName,
  locationsOf,
  type Op,
  registersOf,
  type Sketch,
  type Value,
} from '../../support/sketch.ts';

/** Every access is atomic. */
function atomic(sketch: Sketch): Sketch {
  const change = (op: Op): Op => {
    if (op.op === 'ifLast') return ifLast(op.value, op.then.map(change), op.else.map(change));
    return (op.op === 'store' || op.op === 'load') && op.order === 'plain' ? { ...op, order: 'relaxed' } : op;
  };
  return sketch.map((ops) => ops.map(change));
}

function printC(sketch: Sketch): string {
  const locations = locationsOf(sketch);
  const parameters = locations.map((name) => `atomic_int* ${name}`).join(', ');
  const value = (v: Value): string => String(v);
  const threads = sketch.map((ops, thread) => {
    let reads = 0;
    const statements = (list: readonly Op[]): string => list.map(statement).join(' ');
    const statement = (op: Op): string => {
      const order = 'order' in op ? `memory_order_${op.order}` : '';
      switch (op.op) {
        case 'fence':
          return `atomic_thread_fence(${order});`;
        case 'ifLast':
          return `if (last == ${op.value}) { ${statements(op.then)} } else { ${statements(op.else)} }`;
        case 'store':
          return `atomic_store_explicit(${locationName(op.location)}, ${value(op.value)}, ${order});`;
        default: {
          const x = locationName(op.location);
          const r = `r${reads++}`;
          const call =
            op.op === 'load'
              ? `${r} = atomic_load_explicit(${x}, ${order});`
              : op.op === 'rmw'
                ? `${r} = atomic_${op.operator === 'add' ? 'fetch_add' : 'exchange'}_explicit(${x}, ${value(op.value)}, ${order});`
                : `${r} = ${value(op.expected)}; atomic_compare_exchange_strong_explicit(${x}, &${r}, ${value(op.desired)}, ` +
                  `${order}, memory_order_${op.failureOrder});`;
          return `${call} last = ${r};`;
        }
      }
    };
    const registers = Array.from({ length: registersOf(sketch)[thread]! }, (_, i) => `int r${i} = 0;`).join(' ');
    return `P${thread} (${parameters}) { int last = 0; ${registers} ${statements(ops)} }`;
  });
  const observed = registersOf(sketch).flatMap((n, thread) => Array.from({ length: n }, (_, i) => `${thread}:r${i};`));
  return `C generated\n{}\n${threads.join('\n')}\nlocations [${[...observed, ...locations.map((x) => `${x};`)].join(' ')}]\n`;
}

function run(text: string, model: Model): LitmusResult {
  const found = new LitmusRun(parseLitmus(text, 'generated.litmus'), model);
  while (!found.advance(100_000));
  expect(found.result.bounds).toEqual([]);
  return found.result;
}

function statesOf({ test, states }: LitmusResult): readonly string[] {
  return states.map(({ values }) => test.observed.map(({ label }, i) => `${label}=${values[i]}`).join(',')).sort();
}

describe('the table of litmus/C', () => {
  const folder = new URL('../../../litmus/C/', import.meta.url);
  const [header, ...rows] = readFileSync(new URL('expected.tsv', folder), 'utf8').trimEnd().split('\n');
  const models = header!.split('\t').slice(1) as readonly Model[];

  it('has a row for every file', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.litmus'));
    expect(rows.map((row) => row.split('\t')[0]).toSorted()).toEqual(files.toSorted());
  });

  it.each(rows.map((row) => row.split('\t')))('has the answers of %s', (file, ...answers) => {
    const test = parseLitmus(readFileSync(new URL(file!, folder), 'utf8'), file!);
    expect(validate(test.program)).toEqual([]);
    for (const [i, model] of models.entries()) {
      const found = new LitmusRun(test, model);
      while (!found.advance(100_000));
      const { holds, bounds } = found.result;
      const race = bounds.some((bound) => bound.startsWith('race: '));
      expect(race ? 'race' : holds === true ? 'yes' : 'no', `${file} ${model}`).toBe(answers[i]);
    }
  });
});

it('sketches as litmus tests have the states and executions of the oracles', () => {
  forAllSketches({ ...everything, threads: 3, totalOps: 6, locations: 2 }, 120, (generated) => {
    const sketch = atomic(generated);
    const text = printC(sketch);
    const wanted = rc11Executions(sketch);
    if (wanted.isCut) return SKIPPED;
    const rc11 = run(text, 'rc11');
    expect(rc11.executions, text).toBe(wanted.keys.size);
    const sc = axiomaticExecutions(sketch, 'sc');
    // SC allows all of its executions exactly if there are as many under SC.
    expect(rc11.robust, text).toBe(wanted.keys.size === sc.keys.size);
    for (const model of ['sc', 'tso', 'pso'] as const) {
      const found = run(text, model);
      const oracle = axiomaticExecutions(sketch, model);
      expect(found.executions, text).toBe(oracle.keys.size);
      expect(statesOf(found), text).toEqual([...oracle.states].sort());
      const extra = statesOf(found).filter((state) => !statesOf(rc11).includes(state));
      expect(extra, `beyond rc11 under ${model}: ${text}`).toEqual([]);
    }
    return undefined;
  });
});
