/** The registry of memory models: what is derived from a description, and what is refused without a capability. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../src/explore/dpor/machine/machine-dpor.ts';
import { Exhaustive } from '../src/explore/exhaustive.ts';
import { explore } from '../src/explore/explore.ts';
import { ExecutionGraph } from '../src/fix/execution-graph.ts';
import { parseLitmus } from '../src/frontend/litmus/litmus.ts';
import { Machine } from '../src/machine/machine.ts';
import { type Model, modelNamed, modelNames, modelsWith, registerModel } from '../src/models/index.ts';
import type { Capability, ModelDescription } from '../src/models/model.ts';
import { PSO } from '../src/models/pso.ts';
import { TSO } from '../src/models/tso.ts';
import { causalMonitor } from '../src/monitor/monitors.ts';
import { LitmusRun } from '../src/pipelines/litmus.ts';
import { unsoundCombination } from '../src/pipelines/strategies.ts';
import { check } from './support/c.ts';
import { COPIED_PSO } from './support/copied-model.ts';
import { everything, forAllSketches, SKIPPED } from './support/for-all.ts';
import { visit } from './support/searches.ts';
import { buildProgram, load, type Sketch, store } from './support/sketch.ts';

const NONE = Object.fromEntries(
  Object.keys(PSO.capabilities).map((c) => [c, false]),
) as ModelDescription['capabilities'];
registerModel({ ...TSO, name: 'bare', capabilities: NONE, why: { dpor: 'nobody knows its happens-before' } });
registerModel({ ...TSO, name: 'unheard-of', atomicsWaitFor: 'own bytes' });
const BARE = 'bare' as Model;
const OTHERS: readonly Model[] = [COPIED_PSO, BARE, 'unheard-of' as Model];
const BUILT_IN = modelNames().filter((name) => !OTHERS.includes(name));

const storeBuffering: Sketch = [
  [store(0, 1), load(1)],
  [store(1, 1), load(0)],
];
const messagePassing: Sketch = [
  [store(0, 1), store(1, 1)],
  [load(1), load(0)],
];

describe('a copy of PSO under another name', () => {
  it('has the traces of PSO, and DPOR finds the same ones as the enumerator', () => {
    forAllSketches({ ...everything, threads: 3, totalOps: 7, locations: 3 }, 120, (sketch) => {
      const program = buildProgram(sketch);
      const [own, pso] = [visit(program, COPIED_PSO, 'enumerate'), visit(program, PSO.name, 'enumerate')];
      if (own.bounds.length > 0) return SKIPPED;
      expect([...own.distinct].sort()).toEqual([...pso.distinct].sort());
      for (const search of ['optimal', 'source'] as const) {
        const found = visit(program, COPIED_PSO, search);
        expect([...found.distinct].sort(), search).toEqual([...own.distinct].sort());
        expect(found.traces.length, search).toBe(own.distinct.size);
      }
      return undefined;
    });
  });

  it('is not considered robust without a monitor for it', () => {
    const program = buildProgram(messagePassing);
    const result = (model: Model) => check(program, model, { strategy: 'optimal', monitors: true, robust: true });
    expect(result(PSO.name)).toMatchObject({ how: 'explored', robust: false });
    expect(result(COPIED_PSO)).toMatchObject({ how: 'explored', robust: false });
    expect(result(COPIED_PSO).executions).toBe(result(PSO.name).executions);
  });

  it('runs litmus tests as PSO does', () => {
    const folder = new URL('../litmus/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.litmus'));
    expect(files.length).toBeGreaterThan(50);
    for (const file of files.filter((_, i) => i % 10 === 0)) {
      const test = parseLitmus(readFileSync(new URL(file, folder), 'utf8'), file);
      const states = (model: Model) => {
        const run = new LitmusRun(test, model);
        while (!run.advance(10_000));
        const { model: _, ...rest } = { ...run.result } as Record<string, unknown>;
        return { ...rest, seconds: 0 };
      };
      expect(states(COPIED_PSO), file).toEqual(states(PSO.name));
    }
  });
});

describe('what a model does not support is refused by its name', () => {
  const program = buildProgram(storeBuffering);

  it.each<[string, () => unknown, string]>([
    [
      'dpor',
      () => new MachineDpor(new Machine(program, BARE), 'optimal'),
      'bare has no dpor: nobody knows its happens-before',
    ],
    ['fix', () => new ExecutionGraph(new Machine(program, BARE)), 'bare has no fix'],
    ['monitors', () => causalMonitor(BARE), 'bare has no monitors: causal-tso and causal-pso know nothing of it'],
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
      'pslo has no dpor: there is no happens-before',
    ],
  ])('%s', (_, use, message) => {
    expect(use).toThrow(message);
  });

  it('strategies that do not know its axioms', () => {
    const machine = () => new Machine(program, 'rc11');
    expect(() => explore(machine(), new Exhaustive())).toThrow('rc11 is explored by its graphs, not by strategy');
    expect(unsoundCombination('random', 'rc11')).toContain('explored by execution graphs, not by strategy random');
    expect(unsoundCombination('graph', 'tso')).toBeUndefined();
    expect(unsoundCombination('graph', 'pslo')).toContain('strategy graph supports sc, tso, pso, rc11');
    expect(unsoundCombination('optimal', 'rc11')).toBeUndefined();
  });

  it('check and its strategies', () => {
    const [last, ...rest] = modelsWith('check').toReversed();
    expect(unsoundCombination('optimal', BARE)).toBe(
      `bare has no check; check supports ${rest.toReversed().join(', ')} and ${last}`,
    );
    expect(unsoundCombination('bounded', 'tso')).toContain('supports SC only, not tso');
  });
});

describe('the descriptions', () => {
  it.each(modelsWith('dpor'))(
    '%s: what is explored has a happens-before for loads that see memory as it is',
    (model) => {
      expect(modelNamed(model).loadsMayBeStale).toBe(false);
    },
  );

  it.each(modelsWith('bounded'))('%s: what preemptions cover has no buffers', (model) => {
    expect(modelNamed(model).buffers).toBe('none');
  });

  it('are what the documentation says', () => {
    const text = readFileSync(new URL('../docs/models.md', import.meta.url), 'utf8');
    const rows = [...text.matchAll(new RegExp(`^\\| (.+) ${BUILT_IN.map(() => '\\| (yes|no) ').join('')}\\|$`, 'gm'))];
    const capabilities = Object.keys(PSO.capabilities) as Capability[];
    expect(rows.length).toBe(capabilities.length);
    capabilities.forEach((capability, i) => {
      const said = BUILT_IN.filter((_, column) => rows[i]![column + 2] === 'yes');
      const ours = modelsWith(capability).filter((name) => !OTHERS.includes(name));
      expect(ours, rows[i]![1]).toEqual(said);
    });
  });

  it('no source compares a model by name', () => {
    const root = new URL('../src/', import.meta.url);
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /(?<!\.test)\.tsx?$/.test(file) && !/^models[\\/]/.test(file),
    );
    const compares = new RegExp(`[mM]odels?\\b(?: [!=]== |\\.includes\\()'(?:${BUILT_IN.join('|')})'`);
    const asking = files.flatMap((file) =>
      readFileSync(new URL(file, root), 'utf8')
        .split('\n')
        .filter((line) => compares.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(asking).toEqual([]);
  });
});
