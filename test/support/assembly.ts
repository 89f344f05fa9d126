/**
 * Instructions of processors against C11. Each row is tried in one small program with two threads: the assembly must
 * have the same executions and results as its equivalent in C11 under every model, and must differ from its `not` under
 * the model that tells them apart.
 *
 *   thread A:  a = 1; OPERATION; c = 1; ra = b;
 *   thread B:  b = 1; rc = c; OPERATION; rb = a;
 *
 * Without order between a = 1 and ra = b, both threads may read 0 (store buffering); without order between a = 1 and c
 * = 1, or between rc = c and rb = a, B may see c and not a (message passing). The effects of the operations on `x`,
 * `x8`, `x16` and `x64`, and their value (`r`), are part of the result.
 */
import { expect, it } from 'vitest';
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../../src/explore/enumerator.ts';
import { explore } from '../../src/explore/explore.ts';
import { axiomsOf } from '../../src/explore/graph/axioms.ts';
import { GraphSearch } from '../../src/explore/graph/search.ts';
import type { Strategy } from '../../src/explore/strategy.ts';
import type { Target } from '../../src/frontend/llvm/clang/targets.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type Model, modelNamed } from '../../src/models/index.ts';
import { hasSections } from '../../src/pipelines/strategies.ts';
import { compileC, errorText, globalValue } from './c.ts';

/** The statements of both threads, or one for A and one for B. */
type Operations = string | readonly [string, string];

export interface Row {
  readonly name: string;
  readonly asm: Operations;
  readonly c: Operations;
  /** C that is not equivalent, and the model that tells them apart. */
  readonly not: Operations;
  readonly under: Model;
  /** The models to compare, if not all. */
  readonly models?: readonly Model[];
}

const MODELS: readonly Model[] = ['sc', 'tso', 'pso', 'rc11'];

const PRELUDE = `#include <pthread.h>
#define A __asm__ volatile
#define LOAD(p, o) __atomic_load_n(p, __ATOMIC_##o)
#define STORE(p, v, o) __atomic_store_n(p, v, __ATOMIC_##o)
#define ADD(p, v, o) __atomic_fetch_add(p, v, __ATOMIC_##o)
#define SUB(p, v, o) __atomic_fetch_sub(p, v, __ATOMIC_##o)
#define AND(p, v, o) __atomic_fetch_and(p, v, __ATOMIC_##o)
#define OR(p, v, o) __atomic_fetch_or(p, v, __ATOMIC_##o)
#define XOR(p, v, o) __atomic_fetch_xor(p, v, __ATOMIC_##o)
#define SWAP(p, v, o) __atomic_exchange_n(p, v, __ATOMIC_##o)
#define CAS(p, e, v, o, f) __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_##o, __ATOMIC_##f)
#define FENCE(o) __atomic_thread_fence(__ATOMIC_##o)
static int a, b, c, x, ra, rb; static char x8; static short x16; static long long x64;
static struct { long long l, h; } __attribute__((aligned(16))) x128;
static pthread_t t;
`;
const RESULTS = ['x', 'x8', 'x16', 'x64', 'x128', 'ra', 'rb'];

function programOf(name: string, operations: Operations): string {
  const [first, second] = typeof operations === 'string' ? [operations, operations] : operations;
  return `static void *${name}_b(void *_) {
  int r = 0, rc; STORE(&b, 1, RELAXED); rc = LOAD(&c, RELAXED); { enum { ME = 2 }; ${second}; }
  rb = LOAD(&a, RELAXED) + 10 * rc + 100 * r; return 0;
}
int ${name}(void) {
  pthread_create(&t, 0, ${name}_b, 0);
  int r = 0; STORE(&a, 1, RELAXED); { enum { ME = 1 }; ${first}; } STORE(&c, 1, RELAXED);
  ra = LOAD(&b, RELAXED) + 100 * r; pthread_join(t, 0); return 0;
}
`;
}

interface Behaviour {
  readonly errors: readonly string[];
  /** False if the search was cut short. */
  readonly isComplete: boolean;
  readonly executions: number;
  /** Not for RC11. */
  readonly results: readonly string[];
}

const LIMITS = {
  ...{ threads: 8, frameWords: 1 << 10, stackBytes: 1 << 10, heapBytes: 1 << 10 },
  ...{ syncObjects: 16, bufferEntries: 64, commits: 256 },
};

function strategyFor(machine: Machine, isGraph: boolean): Strategy {
  if (isGraph) return new GraphSearch(machine, axiomsOf(modelNamed(machine.model)));
  return hasSections(machine.program) ? new Enumerator(machine) : new MachineDpor(machine, 'optimal');
}

async function behaviourOf(source: string, target: Target, entry: string, model: Model): Promise<Behaviour> {
  const program = await compileC({ 'rows.c': source }, { entry, target });
  const isGraph = modelNamed(model).isAxiomatic;
  const globals = isGraph ? [] : RESULTS.filter((name) => program.globals.some((global) => global.name === name));
  const machine = new Machine(program, model, LIMITS, { spin: true, awaits: !isGraph, interpret: true });
  const results = new Set<string>();
  const { errors, executions, bounds } = explore(machine, strategyFor(machine, isGraph), {
    keepGoing: true,
    onExecution: (_, outcome) => {
      if (outcome !== 'complete') return;
      const values = globals.map((name) => [name, globalValue(machine, name)] as const);
      results.add(values.flatMap(([name, value]) => (value === 0n ? [] : [`${name}=${value}`])).join(' '));
    },
  });
  return {
    errors: errors.map(({ error }) => errorText(error)).sort(),
    isComplete: bounds.length === 0,
    executions,
    results: [...results].sort(),
  };
}

/** Adds a test for each row. */
export function testRows(target: Target, declarations: string, rows: readonly Row[]): void {
  let source = `${PRELUDE}${declarations}\n`;
  for (const [n, row] of rows.entries()) {
    source += programOf(`asm_${n}`, row.asm) + programOf(`c_${n}`, row.c) + programOf(`not_${n}`, row.not);
  }
  const behaviour = (entry: string, model: Model): Promise<Behaviour> => behaviourOf(source, target, entry, model);
  it.each(rows.map((row, n) => [row.name, row, n] as const))(
    'does what C does: %s',
    async (_, { under, models = MODELS }, n) => {
      for (const model of models) {
        const is = await behaviour(`asm_${n}`, model);
        expect(is, model).toEqual(await behaviour(`c_${n}`, model));
        expect([is.isComplete, is.errors], model).toEqual([true, []]);
        if (model !== under) continue;
        expect(is, `unlike this, under ${under}`).not.toEqual(await behaviour(`not_${n}`, under));
      }
      expect(models).toContain(under);
    },
  );
}
