/**
 * Numbers of Shasha–Snir traces of the classic programs: the first two rows of the table of counts in the design
 * document, which come from another tool's runs and from brute force. Each is counted twice: with the threads there
 * from the start, as in a litmus test, and with a main thread that creates and joins them, as in C. Creating and
 * joining orders everything before and after the threads, so it must not change the number.
 */
import { describe, expect, it } from 'vitest';
import { Enumerator } from '../../src/explore/enumerator.ts';
import { explore } from '../../src/explore/explore.ts';
import { Machine } from '../../src/machine/machine.ts';
import type { Model } from '../../src/models/index.ts';
import { FunctionBuilder } from '../../src/program/builder.ts';
import type { Program } from '../../src/program/ir.ts';
import { validate } from '../../src/program/validate.ts';
import { isAcyclic } from '../../src/trace/cycle.ts';
import { ShashaSnirTrace } from '../../src/trace/shasha-snir.ts';
import { traceKey } from '../../src/trace/trace-key.ts';
import { buildProgram, load, type Sketch, store } from '../support/sketch.ts';

const [x, y] = [0, 1];
const models = ['sc', 'tso', 'pso'] as const;

const rows: readonly {
  readonly name: string;
  readonly threads: Sketch;
  readonly executions: Readonly<Record<'sc' | 'tso' | 'pso', number>>;
  readonly why: string;
}[] = [
  {
    name: 'SB',
    threads: [
      [store(x, 1), load(y)],
      [store(y, 1), load(x)],
    ],
    executions: { sc: 3, tso: 4, pso: 4 },
    why: 'each load sees the store or not; only with buffers can both miss it',
  },
  {
    name: 'MP',
    threads: [
      [store(x, 1), store(y, 1)],
      [load(y), load(x)],
    ],
    executions: { sc: 3, tso: 3, pso: 4 },
    why: 'flag without message needs the stores out of order',
  },
  {
    name: 'NIDHUGG Fig. 5',
    threads: [[store(x, 1), load(x)], [store(x, 2)]],
    executions: { sc: 3, tso: 3, pso: 3 },
    why: 'the other store before the own one, or between it and the load, or behind both; forwarding adds nothing',
  },
  {
    name: 'n6',
    threads: [
      [store(x, 1), load(x), load(y)],
      [store(y, 2), store(x, 2)],
    ],
    executions: { sc: 4, tso: 5, pso: 6 },
    why: 'TSO adds: own store forwarded, all of P1 in between; PSO adds: x=2 is seen before y=2',
  },
  {
    name: '2+2W',
    threads: [
      [store(x, 1), store(y, 2)],
      [store(y, 1), store(x, 2)],
    ],
    executions: { sc: 3, tso: 3, pso: 4 },
    why: 'both first stores last needs the stores out of order',
  },
  {
    name: 'IRIW',
    threads: [[store(x, 1)], [store(y, 1)], [load(x), load(y)], [load(y), load(x)]],
    executions: { sc: 15, tso: 15, pso: 15 },
    why: '4 loads with 2 sources each; only the readers disagreeing is impossible, in all three models',
  },
];

/** The same threads, created and then joined in order by a main thread. */
function inMain(program: Program): Program {
  const main = new FunctionBuilder('main', program.functions.length, [], {});
  const handles = program.roots.map((root) => main.register(root.name, 'i32'));
  program.roots.forEach((root, i) => {
    main.spawn(handles[i]!, { kind: 'function', index: root.function });
  });
  for (const handle of handles) main.join(handle);
  main.return();
  return {
    ...program,
    functions: [...program.functions, main.build()],
    roots: [{ name: 'main', function: program.functions.length, arguments: [] }],
  };
}

function count(program: Program, model: Model): { executions: number; robust: boolean } {
  expect(validate(program)).toEqual([]);
  const machine = new Machine(program, model);
  const keys = new Set<string>();
  let robust = true;
  const { bounds, errors } = explore(machine, new Enumerator(machine), {
    onExecution: (_, outcome) => {
      expect(outcome).toBe('complete');
      keys.add(traceKey(machine));
      robust &&= isAcyclic(new ShashaSnirTrace(machine.events, machine.processes));
    },
  });
  expect({ bounds, errors }).toEqual({ bounds: [], errors: [] });
  return { executions: keys.size, robust };
}

describe.each(rows)('$name: $why', ({ threads, executions }) => {
  describe.each(models)('under %s', (model) => {
    const expected = { executions: executions[model], robust: executions[model] === executions.sc };

    it(`it has ${expected.executions} executions`, () => {
      expect(count(buildProgram(threads), model)).toEqual(expected);
    });

    it(`it has ${expected.executions} executions, with the threads joined in main`, () => {
      expect(count(inMain(buildProgram(threads)), model)).toEqual(expected);
    });
  });
});
