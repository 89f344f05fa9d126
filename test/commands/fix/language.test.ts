/** Fixes under the model of the language: the cheapest by brute force over all sets of changes, and known answers. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import { Exploration } from '../../../src/explore/explore.ts';
import { axiomsOf } from '../../../src/explore/graph/axioms.ts';
import { GraphSearch } from '../../../src/explore/graph/search.ts';
import { applyChanges } from '../../../src/fix/apply.ts';
import { type Candidates, type Change, type Costs, DEFAULT_COSTS } from '../../../src/fix/candidates.ts';
import { type Checker, Synthesis } from '../../../src/fix/synthesis.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { RC11 } from '../../../src/models/rc11.ts';
import type { FixResult } from '../../../src/pipelines/fix/fix.ts';
import type { Program } from '../../../src/program/ir.ts';
import { sourceFolder } from '../../support/c.ts';
import { fixFile, holds, loadPatched, withoutOne } from '../../support/fix-c.ts';
import { candidatesOf, subsetsUpTo } from '../../support/fixes.ts';
import { everything, forAllSketches, SKIPPED } from '../../support/for-all.ts';
import {
  buildProgram,
  ifLast,
  locationsOf,
  type Op,
  printState,
  registersOf,
  type Sketch,
} from '../../support/sketch.ts';

type Judge = (machine: Machine) => boolean;

/** Full fences and seq_cst cost less than usual, so that brute force is feasible. */
const COSTS: Costs = { ...DEFAULT_COSTS, 'full-fence': 5, seq_cst: 6 };
const LIMIT = 1000;

function search(program: Program, isBad: Judge): Exploration {
  const machine = new Machine(program, 'rc11', { threads: 4 });
  const judge = (m: Machine) => (isBad(m) ? ({ kind: 'assertion', message: '' } as const) : undefined);
  return new Exploration(machine, new GraphSearch(machine, axiomsOf(RC11)), { judge });
}

function isBroken(program: Program, isBad: Judge): boolean {
  const exploration = search(program, isBad);
  exploration.advance(Number.POSITIVE_INFINITY);
  return exploration.result.errors.length > 0;
}

function checkerOf(isBad: Judge): Checker {
  return (program) => {
    const exploration = search(program, isBad);
    return {
      advance: (steps) => exploration.advance(steps),
      stop: (why) => exploration.stop(why),
      counts: { executions: 0 },
      get outcome() {
        const { errors, boundedBy: bounds } = exploration.result;
        return errors.length === 0 ? { bounds } : { bounds, ...errors[0]! };
      },
    };
  };
}

const name = (changes: readonly Change[]): string =>
  changes
    .map(({ kind, place }) => `${place} ${kind}`)
    .sort()
    .join(', ');

/** Compares with all sets that cost no more; returns the number of changes. */
function expectCheapest(candidates: Candidates, isBad: Judge): number {
  const synthesis = new Synthesis(candidates, ['rc11'], checkerOf(isBad), LIMIT);
  while (!synthesis.advance(Number.POSITIVE_INFINITY));
  const { result } = synthesis;
  const isFixedBy = (changes: readonly Change[]): boolean => !isBroken(applyChanges(candidates, changes), isBad);
  if (result.kind !== 'found') {
    expect(result.kind).toBe('impossible');
    expect(isFixedBy(candidates.changes)).toBe(false);
    return 0;
  }
  const expected: string[] = [];
  for (const changes of subsetsUpTo(candidates.changes, result.cost, true)) {
    if (!isFixedBy(changes)) continue;
    expect(changes.reduce((sum, { cost }) => sum + cost, 0)).toBe(result.cost);
    expected.push(name(changes));
  }
  expect(result.solutions.map(name).sort()).toEqual(expected.sort());
  return result.solutions[0]!.length;
}

/** Only fences or only orders, so that there are few sets. */
function someOf(program: Program, seed: number): Candidates {
  const all = candidatesOf(program, COSTS, 'language');
  const kind = seed % 2 === 0 ? 'point' : 'access';
  return { ...all, changes: all.changes.filter(({ place }) => all.places[place]!.kind === kind) };
}

/** Without plain accesses. */
function relaxed(sketch: Sketch): Sketch {
  const change = (op: Op): Op => {
    if (op.op === 'ifLast') return ifLast(op.value, op.then.map(change), op.else.map(change));
    return op.op === 'store' || op.op === 'load' ? { ...op, order: 'relaxed' } : op;
  };
  return sketch.map((ops) => ops.map(change));
}

function finalState(sketch: Sketch, machine: Machine): string {
  const registers = registersOf(sketch).map((count, thread) =>
    Array.from({ length: count }, (_, k) => machine.register(thread, k)[0]),
  );
  return printState(
    registers,
    locationsOf(sketch).map((_, location) => machine.global(location, 0, 4)[0]),
  );
}

/** The first thread writes location 0 before everything else, the last one reads it if the last thing it read is 1. */
function guarded(sketch: Sketch): Sketch {
  const elsewhere = (op: Op): Op => {
    if (op.op === 'ifLast') return ifLast(op.value, op.then.map(elsewhere), op.else.map(elsewhere));
    return 'location' in op ? { ...op, location: 1 + op.location } : op;
  };
  const threads = relaxed(sketch).map((ops) => ops.map(elsewhere));
  const look: readonly Op[] = [
    { op: 'load', location: 1, order: 'relaxed' },
    ifLast(1, [{ op: 'load', location: 0, order: 'plain' }], []),
  ];
  const write: Op = { op: 'store', location: 0, value: 1, order: 'plain' };
  const publish: Op = { op: 'store', location: 1, value: 1, order: 'relaxed' };
  return threads.map((ops, thread) => [
    ...(thread === 0 ? [write] : []),
    ...ops,
    ...(thread === 0 ? [publish] : thread === threads.length - 1 ? look : []),
  ]);
}

describe('the cheapest fix, and all of that cost', () => {
  const shapes = [
    { ...everything, fences: false, threads: 2, totalOps: 3, locations: 2 },
    { ...everything, fences: false, threads: 3, totalOps: 3, locations: 1 },
  ];

  it('is found for races', () => {
    let mended = 0;
    let taken = 0;
    for (const shape of shapes) {
      taken += forAllSketches(
        shape,
        30,
        (sketch, seed) => {
          if (sketch.length < 2) return SKIPPED;
          const program = buildProgram(guarded(sketch));
          if (expectCheapest(someOf(program, seed), () => false) > 0) mended++;
          return undefined;
        },
        0.2,
      );
    }
    expect(mended).toBeGreaterThan(taken / 20);
  });

  it('is found against a final state that SC does not have', () => {
    let mended = 0;
    let taken = 0;
    for (const threads of [2, 3]) {
      taken += forAllSketches(
        { threads, totalOps: 6, opsPerThread: 3, locations: 2, rmw: true, cas: true },
        150,
        (given, seed) => {
          const sketch = relaxed(given);
          const program = buildProgram(sketch);
          const states = new Set<string>();
          isBroken(program, (machine) => {
            states.add(finalState(sketch, machine));
            return false;
          });
          const sc = statesOfSc(sketch, program);
          const beyond = [...states].filter((state) => !sc.has(state)).sort();
          if (beyond.length === 0) return;
          const bad = beyond[seed % beyond.length];
          if (expectCheapest(someOf(program, seed), (machine) => finalState(sketch, machine) === bad) > 0) mended++;
        },
      );
    }
    expect(mended).toBeGreaterThan(taken / 150);
  });
});

function statesOfSc(sketch: Sketch, program: Program): Set<string> {
  const states = new Set<string>();
  const machine = new Machine(program, 'sc', { threads: 4 });
  const judge = (m: Machine) => {
    states.add(finalState(sketch, m));
    return undefined;
  };
  new Exploration(machine, new Enumerator(machine), { judge }).advance(Number.POSITIVE_INFINITY);
  return states;
}

/** `kind:line` of every change, in order. */
function changesOf(result: FixResult): readonly string[] {
  if (result.kind === 'unneeded') return [];
  if (result.kind !== 'fixed') throw new Error(result.kind);
  expect(result.boundedBy).toEqual([]);
  expect(result.proofs).toMatchObject([{ model: 'rc11', verdict: { kind: 'verified' } }]);
  return result.changes.map(({ kind, place }) => `${kind}:${place.location!.line}`);
}

describe('known answers', () => {
  it.each([
    // Boehm, Can seqlocks get along with programming language memory models? (MSPC 2012): release and acquire fences,
    // or orders.
    ['programs/locks/seqlock.c', ['store-fence:25', 'store-fence:30', 'acquire-fence:39', 'acquire-fence:41']],
    ['programs/structures/treiber-stack.c', ['store-fence:26', 'acquire-fence:34']],
    ['programs/mutual-exclusion/dekker.c', ['full-fence:23', 'acquire-fence:31', 'store-fence:33']],
    ['programs/locks/ticket.c', ['acquire-fence:16', 'store-fence:18']],
    ['examples/message-passing.c', ['store-fence:26']],
  ])('are found for %s', async (file, expected) => {
    const result = await fixFile(file, { models: ['rc11'] });
    expect(changesOf(result)).toEqual(expected);
    if (result.kind !== 'fixed') return;
    for (const patches of withoutOne(result.patches)) {
      expect(holds(await loadPatched([file], patches), 'safe', ['rc11'])).toBe(false);
    }
  });

  it('with several models, each change names those that ask for it', async () => {
    const result = await fixFile('programs/structures/treiber-stack.c', { models: ['tso', 'pso', 'rc11'] });
    if (result.kind !== 'fixed') throw new Error(result.kind);
    expect(result.changes.map(({ kind, askedBy }) => [kind, askedBy])).toEqual([
      ['store-fence', ['pso', 'rc11']],
      ['acquire-fence', ['rc11']],
    ]);
    expect(result.proofs.map(({ verdict }) => verdict.kind)).toEqual(['verified', 'verified', 'verified']);
  });

  it('nothing helps where plain accesses are not ordered in any execution', async () => {
    const result = await fixFile('docs/examples/one-statement.c', { models: ['rc11'] });
    expect(result).toMatchObject({ kind: 'impossible', between: { early: { kind: 'store' }, late: { kind: 'load' } } });
  });
});

describe('orders that are stronger than needed', () => {
  const SOURCE = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int ready, done;
static void *writer(void *unused) {
  data = 42;
  atomic_store(&ready, 1);
  atomic_fetch_add(&done, 1);
  atomic_thread_fence(memory_order_seq_cst);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int expected = 1;
  if (atomic_compare_exchange_strong(&ready, &expected, 2)) assert(data == 42);
  atomic_fetch_add_explicit(&done, 1, memory_order_acq_rel);
  done = 3;
  pthread_join(t, 0);
  return 0;
}
`;

  it('are weakened as far as the proof holds, each with what it is and could be', async () => {
    const file = join(sourceFolder(SOURCE), 'test.c');
    const result = await fixFile(file, { models: ['rc11'], minimise: true });
    if (result.kind !== 'fixed') throw new Error(result.kind);
    expect(result.proofs).toMatchObject([{ model: 'rc11', verdict: { kind: 'verified' } }]);
    expect(result.orders.map(({ place, what, now, could }) => [place.location!.line, what, now, could])).toEqual([
      [8, 'store of ready', 'seq_cst', 'release'],
      [9, 'read-modify-write of done', 'seq_cst', 'relaxed'],
      [10, 'fence', 'seq_cst', undefined],
      [17, 'compare-exchange of ready', 'seq_cst, seq_cst if it fails', 'acquire, relaxed if it fails'],
      [18, 'read-modify-write of done', 'acq_rel', 'relaxed'],
    ]);
    expect(result.untouched).toMatchObject([{ location: { line: 19 }, what: 'seq_cst store of done' }]);
    const [{ after }] = result.patches as [(typeof result.patches)[0]];
    expect(after).toContain('atomic_store_explicit(&ready, 1, memory_order_release);');
    expect(after).toContain('(&ready, &expected, 2, memory_order_acquire, memory_order_relaxed)');
    expect(after).not.toContain('atomic_thread_fence');
  });

  it('are left alone where all of them are needed, and said to be', async () => {
    const passing = SOURCE.replace('atomic_store(&ready, 1)', 'atomic_store_explicit(&ready, 1, memory_order_release)')
      .replace('&expected, 2)', '&expected, 2, memory_order_acquire, memory_order_relaxed)')
      .replace('exchange_strong(', 'exchange_strong_explicit(')
      .replaceAll(/\n.*(?:fetch_add|thread_fence|done = ).*/g, '');
    const file = join(sourceFolder(passing), 'test.c');
    expect(await fixFile(file, { models: ['rc11'], minimise: true })).toMatchObject({
      kind: 'unneeded',
      untouched: [],
      orders: [
        { what: 'store of ready', now: 'release', could: 'release' },
        {
          what: 'compare-exchange of ready',
          now: 'acquire, relaxed if it fails',
          could: 'acquire, relaxed if it fails',
        },
      ],
    });
  });
});
