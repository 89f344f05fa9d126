/** The registry of memory models: what is derived from a description, and what is refused without a capability. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import { Exhaustive } from '../../src/explore/exhaustive.ts';
import { explore } from '../../src/explore/explore.ts';
import { axiomsOf } from '../../src/explore/graph/axioms.ts';
import { Graph } from '../../src/explore/graph/graph.ts';
import { printSchedule, scheduleOf } from '../../src/explore/schedule.ts';
import { ExecutionGraph } from '../../src/fix/execution-graph.ts';
import { parseLitmus } from '../../src/frontend/litmus/litmus.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type Model, modelNamed, modelNames, modelsWith, registerModel } from '../../src/models/index.ts';
import { type Capability, keepsStoreOrder, type ModelDescription } from '../../src/models/model.ts';
import { PSLO } from '../../src/models/pslo.ts';
import { PSO } from '../../src/models/pso.ts';
import { RC11 } from '../../src/models/rc11.ts';
import { TSO } from '../../src/models/tso.ts';
import { causalMonitor } from '../../src/monitor/monitors.ts';
import { LitmusRun, unsuitable } from '../../src/pipelines/litmus.ts';
import { unsoundCombination } from '../../src/pipelines/strategies.ts';
import { traceExecution } from '../../src/report/story/execution.ts';
import { Prng } from '../../src/util/prng.ts';
import { check } from '../support/c.ts';
import { COPIES } from '../support/copied-model.ts';
import { everything, forAllSketches, SKIPPED } from '../support/for-all.ts';
import { runAtRandom } from '../support/random-run.ts';
import { visit } from '../support/searches.ts';
import { buildProgram, load, type Sketch, store } from '../support/sketch.ts';

const NONE = Object.fromEntries(
  Object.keys(PSO.capabilities).map((c) => [c, false]),
) as ModelDescription['capabilities'];
registerModel({ ...TSO, name: 'bare', capabilities: NONE, why: { dpor: 'nobody knows its happens-before' } });
registerModel({ ...TSO, name: 'unheard-of', atomicsWaitFor: 'own bytes' });
registerModel({ ...PSLO, name: 'loose', capabilities: { ...PSLO.capabilities, dpor: true } });
const BARE = 'bare' as Model;
const OTHERS: readonly Model[] = [...COPIES.map(([copied]) => copied), BARE, 'unheard-of' as Model, 'loose' as Model];
const BUILT_IN = modelNames().filter((name) => !OTHERS.includes(name));

const storeBuffering: Sketch = [
  [store(0, 1), load(1)],
  [store(1, 1), load(0)],
];
const messagePassing: Sketch = [
  [store(0, 1), store(1, 1)],
  [load(1), load(0)],
];

/** Stores overtaken by a load and by a store: where barriers matter, the longer cycle is the better explanation. */
const twoReasons: Sketch = [
  [store(0, 1), store(1, 1), load(2)],
  [load(1), store(3, 1)],
  [store(2, 1), load(3), load(0)],
];

describe.each(COPIES.filter(([copied]) => modelNamed(copied).capabilities.dpor))(
  '%s, a copy of %s',
  (copied, original) => {
    it('has its traces, and DPOR finds the same ones as the enumerator', () => {
      forAllSketches({ ...everything, threads: 3, totalOps: 7, locations: 3 }, 60, (sketch) => {
        const program = buildProgram(sketch);
        const [own, other] = [visit(program, copied, 'enumerate'), visit(program, original, 'enumerate')];
        if (own.bounds.length > 0) return SKIPPED;
        expect([...own.distinct].sort()).toEqual([...other.distinct].sort());
        for (const search of ['optimal', 'source'] as const) {
          const found = visit(program, copied, search);
          expect([...found.distinct].sort(), search).toEqual([...own.distinct].sort());
          expect(found.traces.length, search).toBe(own.distinct.size);
        }
        return undefined;
      });
    });

    it('explains executions in the same words', () => {
      const program = buildProgram(twoReasons);
      const machine = new Machine(program, original);
      const atRandom = Array.from({ length: 100 }, (_, seed) => {
        machine.rollback(0);
        runAtRandom(machine, new Prng(seed));
        return printSchedule(machine, scheduleOf(machine));
      });
      const overtaking = keepsStoreOrder(machine.description) ? [] : ['2 0*2 0/y 1*2 0 1/w 2*2 0/x 2/z'];
      const explained = [...atRandom, ...overtaking].filter((schedule) => {
        const expected = traceExecution(machine, schedule);
        expect(traceExecution(new Machine(program, copied), schedule)).toEqual(expected);
        return expected.explanation !== undefined;
      });
      expect(explained.length).toBeGreaterThan(2);
    });

    it('is considered robust exactly if the original is', () => {
      for (const sketch of [storeBuffering, messagePassing]) {
        const program = buildProgram(sketch);
        const [own, other] = [copied, original].map((model) =>
          check(program, model, { strategy: 'optimal', monitors: true, robust: true }),
        );
        expect({ ...own, model: original, seconds: 0 }).toEqual({ ...other, seconds: 0 });
      }
    });
  },
);

describe.each(COPIES)('%s, a copy of %s', (copied, original) => {
  it('runs litmus tests as the original does', () => {
    const folder = new URL('../../litmus/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.litmus'));
    expect(files.length).toBeGreaterThan(50);
    for (const file of files.filter((_, i) => i % 10 === 0)) {
      const test = parseLitmus(readFileSync(new URL(file, folder), 'utf8'), file);
      if (unsuitable(test, original) !== undefined) continue;
      const states = (model: Model) => {
        const run = new LitmusRun(test, model);
        while (!run.advance(10_000));
        const { model: _, ...rest } = { ...run.result } as Record<string, unknown>;
        return { ...rest, seconds: 0 };
      };
      expect(states(copied), file).toEqual(states(original));
    }
  });
});

describe('what a model does not support is refused by its name', () => {
  const program = buildProgram(storeBuffering);

  it.each<[string, () => unknown, string]>([
    [
      'dpor',
      () => new MachineDpor(new Machine(program, BARE), 'optimal'),
      'bare does not support dpor: nobody knows its happens-before',
    ],
    [
      'dpor of a machine that happens-before does not know',
      () => new MachineDpor(new Machine(program, 'loose' as Model), 'optimal'),
      'loose has no happens-before: none is known for what its description says',
    ],
    ['fix', () => new ExecutionGraph(new Machine(program, BARE)), 'bare does not support fix'],
    ['monitors', () => causalMonitor(BARE), 'bare does not support monitors'],
    [
      'a memory',
      () => new Machine(program, 'unheard-of' as Model),
      'unheard-of has no memory: nothing in machine/memory',
    ],
    [
      'anything',
      () => new Machine(program, 'nothing' as Model),
      `unknown memory model nothing; expected one of ${modelNames().join(', ')}`,
    ],
    [
      'dpor of pslo',
      () => new MachineDpor(new Machine(program, 'pslo'), 'source'),
      'pslo does not support dpor: there is no happens-before',
    ],
  ])('for %s', (_, use, message) => {
    expect(use).toThrow(message);
  });

  it('for strategies that do not know its axioms', () => {
    const machine = () => new Machine(program, 'rc11');
    expect(() => explore(machine(), new Exhaustive())).toThrow('rc11 is explored by its graphs, not by strategy');
    expect(unsoundCombination('random', 'rc11')).toContain('explored by execution graphs, not by strategy random');
    expect(unsoundCombination('graph', 'tso')).toBeUndefined();
    expect(unsoundCombination('graph', 'pslo')).toContain(`strategy graph supports ${modelsWith('graph').join(', ')}`);
    expect(unsoundCombination('optimal', 'rc11')).toBeUndefined();
  });

  it('for check and its strategies', () => {
    expect(unsoundCombination('optimal', BARE)).toBe(
      `bare does not support check; expected one of ${modelsWith('check').join(', ')}`,
    );
    expect(unsoundCombination('bounded', 'tso')).toContain('supports sc, not tso');
  });
});

describe('the descriptions', () => {
  it('are what the documentation says', () => {
    const text = readFileSync(new URL('../../docs/models.md', import.meta.url), 'utf8');
    const rows = [...text.matchAll(new RegExp(`^\\| (.+) ${BUILT_IN.map(() => '\\| (yes|no) ').join('')}\\|$`, 'gm'))];
    const capabilities = Object.keys(PSO.capabilities) as Capability[];
    expect(rows.length).toBe(capabilities.length);
    capabilities.forEach((capability, i) => {
      const said = BUILT_IN.filter((_, column) => rows[i]![column + 2] === 'yes');
      const ours = modelsWith(capability).filter((name) => !OTHERS.includes(name));
      expect(ours, rows[i]![1]).toEqual(said);
    });
  });
});

describe('no source depends on the name of a model', () => {
  const root = new URL('../../src/', import.meta.url);
  const lines = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter(
      (file) => /(?<!\.test)\.tsx?$/.test(file) && !file.startsWith('models/') && file !== 'machine/memory/index.ts',
    )
    .flatMap((file) =>
      readFileSync(new URL(file, root), 'utf8')
        .split('\n')
        .map((line) => ({ file, line: line.trim() })),
    )
    .filter(({ line }) => !/^(?:\*|\/\*|\/\/)/.test(line));
  const matching = (pattern: RegExp): readonly string[] =>
    lines.filter(({ line }) => pattern.test(line)).map(({ file, line }) => `${file}: ${line}`);
  const others = BUILT_IN.filter((name) => name !== 'sc').join('|');

  it('nor imports a description, except that of SC, the reference', () => {
    expect(lines.filter(({ line }) => line.includes('models/sc.ts')).length).toBeGreaterThan(5);
    expect(matching(new RegExp(`models/(?:${others})\\.(?:ts|js)\\b`))).toEqual([]);
  });

  it('nor names one: `sc` is also how a result came about, and monitors and axioms have names of their own', () => {
    const whole = new RegExp(`(['"\`])(?:${others})\\1|(?<![\\w.-])(?:${others})\\??:`);
    const own = /^(?:monitor\/(?:tso|pso|monitors)|explore\/graph\/axioms)\.ts: /;
    expect(matching(whole).filter((line) => !own.test(line))).toEqual([]);
    expect(matching(whole).length).toBeGreaterThan(3);
    const sc = `['"\`]sc['"\`]`;
    expect(matching(new RegExp(`(?:[mM]odels?|name)\\b(?:\\.name)?(?:\\.includes\\(| [!=]==? )${sc}`))).toEqual([]);
  });

  it('nor takes one apart', () => {
    expect(matching(/\b[mM]odel(?:\.name)?\.(?:startsWith|endsWith|charAt|length|slice|match|replace)\b/)).toEqual([]);
    expect(matching(new RegExp(`/\\^?(?:${others})\\b[^/]*/[a-z]*\\.(?:test|exec)\\(`))).toEqual([]);
  });

  it('nor makes another name of it', () => {
    expect(matching(/[a-z]+-\$\{model\}/)).toEqual([]);
  });
});

it('axioms must be known: a model that has some need not have those of rc11', () => {
  const javascript = { ...RC11, name: 'javascript', axioms: 'unknown' as 'rc11' };
  expect(() => axiomsOf({ ...javascript, axioms: 'buffers' })).toThrow('javascript has no graph: no axioms are known');
  expect(() => axiomsOf(javascript)).toThrow('javascript has unknown axioms: unknown');
});

it.each(BUILT_IN.filter((model) => modelNamed(model).capabilities.graph))(
  '%s: its axioms forbid races if its description says so',
  (model) => {
    const description = modelNamed(model);
    const { forbidsRaces } = axiomsOf(description)(new Graph());
    expect(forbidsRaces).toBe(description.language?.racesAreErrors ?? false);
  },
);

it('monitors and axioms are refused to models that do more than they know', () => {
  const store = { ...PSO, name: 'weak-pso', atomicsWaitFor: 'nothing' } as const;
  registerModel(store);
  expect(() => causalMonitor(store.name as Model)).toThrow('weak-pso has no monitors: none predicts');
  expect(() => axiomsOf(store)).toThrow('weak-pso has no graph: no axioms are known');
});
