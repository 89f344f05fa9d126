/**
 * Programs that wait: with every exact strategy under every model, the results are exactly those from the graph of all
 * states (`support/waiting-oracle.ts`); and the strategies visit the same traces.
 *
 * 2,000 small programs for each of the deep tier's samples: 20,000 with `--times 10`. The push tier takes those of
 * 2,000 in which every pair of statements, of orders and of styles occurs several times. They are written as LLVM IR,
 * so that clang need not run; they combine loops, calls, parts of words, compare-exchanges, locks, buffers, private and
 * fleeting variables and early exits.
 */

import { expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import { explore } from '../../../src/explore/explore.ts';
import type { Strategy } from '../../../src/explore/strategy.ts';
import { blockedBy } from '../../../src/machine/describe/stopped.ts';
import { Machine, type MachineOptions } from '../../../src/machine/machine.ts';
import type { Limits } from '../../../src/machine/state/layout.ts';
import type { Program } from '../../../src/program/ir.ts';
import { traceKey } from '../../../src/trace/trace-key.ts';
import { MixedWait, NestedWait } from '../../../src/trace/wait-order.ts';
import { Prng } from '../../../src/util/prng.ts';
import { type CheckedModel, MODELS } from '../../support/c.ts';
import { chooseEveryPair } from '../../support/covering.ts';
import { DEEP, QUICK, SEED, samples } from '../../support/tier.ts';
import { type Waiting, WaitingGenerator } from '../../support/waiting.ts';
import { buildWaiting, printIr, type Style, stylesFor } from '../../support/waiting-ir.ts';
import { possible } from '../../support/waiting-oracle.ts';

const PROGRAMS = samples(2000);
const BATCH = 100;
/** How often each pair of words that describe programs occurs in the push tier, if there are as many programs. */
const PER_PAIR = 8;
/** One program in this many is searched in all ways. */
const FULLY = DEEP ? 10 : 5;
const MAX_STATES = 600;
const MAX_DEPTH = 100;
const MAX_EXECUTIONS = 300;

const SMALL: Partial<Limits> = {
  threads: 4,
  frameWords: 1 << 8,
  stackBytes: 1 << 8,
  heapBytes: 1 << 6,
  syncObjects: 2,
  bufferEntries: 64,
};

interface Search {
  readonly name: string;
  readonly make: (machine: Machine) => Strategy;
  /** An error ends its execution, so DPOR does not explore what other threads would have done next. */
  readonly findsAll: boolean;
  /**
   * Threads wait before idle reads: fewer traces, and the same errors. Only DPOR knows when to wait before nested ones.
   */
  readonly awaits?: MachineOptions;
}

const enumerate = (m: Machine): Strategy => new Enumerator(m, MAX_STATES);
const optimal = (m: Machine): Strategy => new MachineDpor(m, 'optimal');
const source = (m: Machine): Strategy => new MachineDpor(m, 'source');

const OPTIMAL: Search = { name: 'optimal, awaits', make: optimal, findsAll: false, awaits: { awaits: true } };
const ALWAYS: readonly Search[] = [
  { name: 'enumerate, awaits', make: enumerate, findsAll: true, awaits: { awaits: true, nested: false } },
  OPTIMAL,
];
const ALL: readonly Search[] = [
  ...ALWAYS,
  { name: 'source, awaits', make: source, findsAll: false, awaits: { awaits: true } },
  { name: 'enumerate', make: enumerate, findsAll: true },
  { name: 'optimal', make: optimal, findsAll: false },
  { name: 'source', make: source, findsAll: false },
];

const seen = { compared: 0, searched: 0, large: 0, cut: 0, mixed: 0, nested: 0, hanging: 0, failing: 0, right: 0 };

interface Case {
  readonly waiting: Waiting;
  readonly style: Style;
}

/** Programs in batches, each from its own part of the seed. */
function* cases(): Generator<Case> {
  for (let batch = 0; batch < PROGRAMS / BATCH; batch++) {
    const generator = new WaitingGenerator(new Prng(SEED, batch));
    for (let i = 0; i < BATCH; i++) {
      const waiting = generator.program();
      const styles = stylesFor(waiting);
      yield { waiting, style: styles[i % styles.length]! };
    }
  }
}

/** Its style, its statements and orders, and which statement is directly in which other. */
function wordsOf({ waiting, style }: Case): ReadonlySet<string> {
  const words = new Set<string>([style]);
  const visit = (node: unknown, inside: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { op, order, part } = node as { op?: string; order?: string; part?: number };
    if (op !== undefined) words.add(op);
    if (op !== undefined && inside !== '') words.add(`${op} in ${inside}`);
    if (order !== undefined) words.add(order);
    if (part !== undefined) words.add('part');
    for (const child of Object.values(node)) visit(child, op ?? inside);
  };
  visit(waiting, '');
  return words;
}

const chosen = DEEP ? cases() : chooseEveryPair([...cases()], wordsOf, PER_PAIR);

it(`${PROGRAMS} programs have the same ends if their loops wait`, () => {
  let i = 0;
  for (const { waiting, style } of chosen) {
    const program = buildWaiting(waiting, style);
    // The oracle and Optimal-DPOR under all models, the enumerator under one of them.
    const searches = i % FULLY === 0 ? ALL : ALWAYS;
    MODELS.forEach((model, m) => {
      const result = compare(waiting, program, model, DEEP || i % MODELS.length === m ? searches : [OPTIMAL]);
      if (result !== undefined)
        expect.fail(`${result}: ${model}, ${style}\n${JSON.stringify(waiting)}\n${printIr(waiting, style)}`);
    });
    i++;
  }
});

it.skipIf(QUICK)('most were small enough, and every kind occurred', () => {
  expect(seen.large).toBeLessThan(seen.compared / 20);
  expect(seen.cut).toBeLessThan(seen.searched / 20);
  for (const kind of ['hanging', 'failing', 'right'] as const) expect(seen[kind]).toBeGreaterThan(seen.compared / 20);
  for (const kind of ['mixed', 'nested'] as const) expect(seen[kind]).toBeGreaterThan(0);
});

/** Describes what is wrong, if anything. */
function compare(
  waiting: Waiting,
  program: Program,
  model: CheckedModel,
  searches: readonly Search[],
): string | undefined {
  const expected = possible(waiting, model, MAX_STATES);
  seen.compared++;
  if (expected === undefined) {
    seen.large++;
    return undefined;
  }
  const { errors } = expected;
  const kinds = [...errors];
  if (kinds.length === 0) seen.right++;
  if (errors.has('liveness')) seen.hanging++;
  if (kinds.some((error) => error.includes('!='))) seen.failing++;
  const text = JSON.stringify(waiting);
  // Traces that end in an error or an exit depend on how far the other threads had run.
  const hasTraces = kinds.every((error) => error === 'liveness' || error === 'deadlock') && !text.includes('"exit"');
  // Loops whose local variables change from round to round, and retries, read more than necessary.
  const isRead = /"op":"(carry|read|latch|grow|count)"/.test(text);
  let traces: ReadonlySet<string> | undefined;
  let ended: ReadonlySet<string> | undefined;
  for (const search of searches) {
    const found = findOrRead(program, model, search);
    seen.searched++;
    const wrong = (what: string): string =>
      `${search.name} ${what}; it found ${[...found.errors].join()}, of ${kinds.join()}`;
    if ([...found.errors].some((error) => !errors.has(error))) return wrong('finds an error that is none');
    if (found.isCut) {
      seen.cut++;
      continue;
    }
    if (search.findsAll ? found.errors.size < errors.size : found.errors.size === 0 && errors.size > 0)
      return wrong('misses an error');
    if (!hasTraces) continue;
    if (search.name.startsWith('optimal') && found.endings !== found.ended.size) return wrong('visits a trace twice');
    const awaits = search.awaits !== undefined && !found.isRead;
    if (awaits || !isRead) {
      ended ??= found.ended;
      if (!isSame(found.ended, ended)) return wrong(`has ${found.ended.size} complete traces, not ${ended.size}`);
    }
    if (awaits) continue;
    traces ??= found.traces;
    if (!isSame(found.traces, traces)) return wrong(`has ${found.traces.size} traces, not ${traces.size}`);
  }
  return undefined;
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((key) => b.has(key));
}

interface Found {
  readonly errors: ReadonlySet<string>;
  readonly traces: ReadonlySet<string>;
  /** Traces in which no thread waits at the end, and how often they were visited. */
  readonly ended: ReadonlySet<string>;
  readonly endings: number;
  readonly isCut: boolean;
  /** Whether threads read while they wait, although they were asked not to. */
  readonly isRead: boolean;
}

/** Searches again with threads that read while they wait, if the search requires it. */
function findOrRead(program: Program, model: CheckedModel, search: Search): Found {
  try {
    return find(program, model, search);
  } catch (error) {
    if (!(error instanceof MixedWait)) throw error;
    if (error instanceof NestedWait) {
      seen.nested++;
      return findOrRead(program, model, { ...search, awaits: { ...search.awaits, nested: false } });
    }
    seen.mixed++;
    return { ...find(program, model, { ...search, awaits: {} }), isRead: true };
  }
}

function find(program: Program, model: CheckedModel, { make, awaits }: Search): Found {
  const machine = new Machine(program, model, SMALL, { spin: true, ...awaits });
  const traces = new Set<string>();
  const ended = new Set<string>();
  let endings = 0;
  const { bounds, errors } = explore(machine, make(machine), {
    keepGoing: true,
    maxDepth: MAX_DEPTH,
    maxExecutions: MAX_EXECUTIONS,
    onExecution: (_, outcome) => {
      const key = traceKey(machine);
      traces.add(key);
      if (outcome !== 'complete' || blockedBy(machine).spinning > 0) return;
      ended.add(key);
      endings++;
    },
  });
  const names = errors.map(({ error }) => (error.kind === 'assertion' ? error.message : error.kind));
  return { errors: new Set(names), traces, ended, endings, isCut: bounds.length > 0, isRead: false };
}
