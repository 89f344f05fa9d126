/**
 * Programs that wait: the results equal those from the graph of all states (`support/waiting-oracle.ts`), no less and
 * no more, by every exact strategy under every model; and the strategies visit the same traces.
 */

import { expect, it } from 'vitest';
import { MachineDpor } from '../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../src/explore/enumerator.ts';
import { Exhaustive } from '../src/explore/exhaustive.ts';
import { explore } from '../src/explore/explore.ts';
import type { Strategy } from '../src/explore/strategy.ts';
import { blockedBy } from '../src/machine/describe/stopped.ts';
import { Machine, type MachineOptions } from '../src/machine/machine.ts';
import type { Limits } from '../src/machine/state/layout.ts';
import type { Program } from '../src/program/ir.ts';
import { traceKey } from '../src/trace/trace-key.ts';
import { MixedWait } from '../src/trace/wait-order.ts';
import { Prng } from '../src/util/prng.ts';
import { type CheckedModel, compileC, MODELS } from './support/c.ts';
import { SEED, samples } from './support/tier.ts';
import { printWaiting, STYLES, type Style, type Waiting, WaitingGenerator } from './support/waiting.ts';
import { possible } from './support/waiting-oracle.ts';

const PROGRAMS = samples(36);
/** Programs in one translation unit. */
const BATCH = 12;
const MAX_STATES = 20_000;
const MAX_DEPTH = 200;

const SMALL: Partial<Limits> = {
  threads: 4,
  frameWords: 1 << 10,
  stackBytes: 1 << 10,
  heapBytes: 1 << 10,
  syncObjects: 8,
  bufferEntries: 64,
};

interface Search {
  readonly name: string;
  readonly make: (machine: Machine) => Strategy;
  readonly maxExecutions: number;
  /** An error ends its execution. DPOR does not explore what other threads would have done then. */
  readonly findsAll: boolean;
  /** Threads wait in front of idle reads: fewer traces, and the same errors. Only DPOR knows when to wait in front of nested ones. */
  readonly awaits?: MachineOptions;
}

const SEARCHES: readonly Search[] = [
  { name: 'enumerate', make: (m) => new Enumerator(m, MAX_STATES), maxExecutions: 5000, findsAll: true },
  { name: 'optimal', make: (m) => new MachineDpor(m, 'optimal'), maxExecutions: 5000, findsAll: false },
  { name: 'source', make: (m) => new MachineDpor(m, 'source'), maxExecutions: 5000, findsAll: false },
  { name: 'exhaustive', make: () => new Exhaustive(), maxExecutions: 300, findsAll: true },
  {
    name: 'enumerate, awaits',
    make: (m) => new Enumerator(m, MAX_STATES),
    maxExecutions: 5000,
    findsAll: true,
    awaits: { awaits: true, nested: false },
  },
  {
    name: 'optimal, awaits',
    make: (m) => new MachineDpor(m, 'optimal'),
    maxExecutions: 5000,
    findsAll: false,
    awaits: { awaits: true },
  },
  {
    name: 'source, awaits',
    make: (m) => new MachineDpor(m, 'source'),
    maxExecutions: 5000,
    findsAll: false,
    awaits: { awaits: true },
  },
];

const seen = { compared: 0, cut: 0, hanging: 0, failing: 0, right: 0 };
const batches = Array.from({ length: Math.ceil(PROGRAMS / BATCH) }, (_, batch) => batch);

it.each(batches)('batch %i', async (batch) => {
  const generator = new WaitingGenerator(new Prng(SEED, batch));
  const programs = Array.from({ length: BATCH }, () => generator.program());
  const style = STYLES[batch % STYLES.length]!;
  const source = printWaiting(programs, style);
  for (const [i, waiting] of programs.entries()) {
    const program = await compileC(source, { entry: `main_${i}` });
    for (const model of MODELS) compare(waiting, program, model, style);
  }
});

it('most were small enough, and every kind occurred', () => {
  expect(seen.cut).toBeLessThan(seen.compared / 20);
  for (const kind of ['hanging', 'failing', 'right'] as const) expect(seen[kind]).toBeGreaterThan(seen.compared / 20);
});

function compare(waiting: Waiting, program: Program, model: CheckedModel, style: Style): void {
  const expected = possible(waiting, model, MAX_STATES);
  seen.compared++;
  if (expected === undefined) {
    seen.cut++;
    return;
  }
  const errors = [...expected.errors].sort();
  if (errors.length === 0) seen.right++;
  if (errors.includes('liveness')) seen.hanging++;
  if (errors.some((error) => error.includes('!='))) seen.failing++;
  let traces: ReadonlySet<string> | undefined;
  let ended: ReadonlySet<string> | undefined;
  for (const search of SEARCHES) {
    const found = findOrRead(program, model, search);
    const what = `${search.name}, ${model}\n${printWaiting([waiting], style)}`;
    expect(errors, what).toEqual(expect.arrayContaining(found.errors));
    if (found.isCut) {
      if (search.name !== 'exhaustive') seen.cut++;
      continue;
    }
    if (search.findsAll) expect(found.errors, what).toEqual(errors);
    else expect(found.errors.length > 0, what).toBe(errors.length > 0);
    // Traces that end in an error depend on how much of the other threads ran before it.
    if (errors.some((error) => error !== 'liveness' && error !== 'deadlock')) continue;
    expect(found.ended.size, what).toBe(search.name === 'optimal, awaits' ? found.endings : found.ended.size);
    // Loops that read into a local variable, and retries, read more than is needed.
    const isRead = /"op":"(carry|read)"/.test(JSON.stringify(waiting));
    if (search.awaits !== undefined || !isRead) {
      ended ??= found.ended;
      expect(found.ended, what).toEqual(ended);
    }
    if (search.awaits !== undefined) continue;
    traces ??= found.traces;
    expect(found.traces, what).toEqual(traces);
  }
}

interface Found {
  readonly errors: string[];
  readonly traces: ReadonlySet<string>;
  /** Those in which no thread waits at the end, and how often they were visited. */
  readonly ended: ReadonlySet<string>;
  readonly endings: number;
  readonly isCut: boolean;
}

/** Threads may have to try what they would wait for. */
function findOrRead(program: Program, model: CheckedModel, search: Search): Found {
  try {
    return find(program, model, search);
  } catch (error) {
    if (!(error instanceof MixedWait)) throw error;
    return find(program, model, { ...search, awaits: { ...search.awaits, nested: false } });
  }
}

function find(program: Program, model: CheckedModel, { make, maxExecutions, awaits }: Search): Found {
  const machine = new Machine(program, model, SMALL, { spin: true, ...awaits });
  const traces = new Set<string>();
  const ended = new Set<string>();
  let endings = 0;
  const { bounds, errors } = explore(machine, make(machine), {
    keepGoing: true,
    maxDepth: MAX_DEPTH,
    maxExecutions,
    onExecution: (_, outcome) => {
      traces.add(traceKey(machine));
      if (outcome !== 'complete' || blockedBy(machine).spinning > 0) return;
      ended.add(traceKey(machine));
      endings++;
    },
  });
  const names = errors.map(({ error }) => (error.kind === 'assertion' ? error.message : error.kind));
  return { errors: [...new Set(names)].sort(), traces, ended, endings, isCut: bounds.length > 0 };
}
