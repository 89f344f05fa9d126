/**
 * Generated programs, printed as C11 with pthreads and as C++ with the standard library: under every model both have
 * the same number of executions. All of one language are compiled at once.
 */
import { expect, it } from 'vitest';
import { Prng } from '../../../src/util/prng.ts';
import { check, compileC } from '../../support/c.ts';
import { compileCxx } from '../../support/cxx.ts';
import { DEEP } from '../../support/tier.ts';

const PROGRAMS = DEEP ? 30 : 8;
const MODELS = ['sc', 'tso', 'pso', 'rc11'] as const;

type Step =
  | { readonly op: 'load' | 'store' | 'add' | 'exchange' | 'cas'; readonly variable: string; readonly order: string }
  | { readonly op: 'fence'; readonly order: string }
  | { readonly op: 'locked'; readonly variable: string };

const ORDERS: Readonly<Record<string, readonly string[]>> = {
  load: ['relaxed', 'acquire', 'seq_cst'],
  store: ['relaxed', 'release', 'seq_cst'],
  add: ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'],
  exchange: ['relaxed', 'acq_rel', 'seq_cst'],
  cas: ['relaxed', 'acquire', 'acq_rel', 'seq_cst'],
  fence: ['acquire', 'release', 'acq_rel', 'seq_cst'],
};

function generate(random: Prng): readonly (readonly Step[])[] {
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const step = (): Step => {
    const op = pick(['load', 'load', 'store', 'store', 'add', 'exchange', 'cas', 'fence', 'locked'] as const);
    const variable = pick(['x', 'y']);
    if (op === 'locked') return { op, variable };
    return op === 'fence' ? { op, order: pick(ORDERS[op]!) } : { op, variable, order: pick(ORDERS[op]!) };
  };
  return Array.from({ length: 2 }, () => Array.from({ length: 2 + random.below(2) }, step));
}

function inC(step: Step): string {
  if (step.op === 'locked') return `pthread_mutex_lock(&m); ${step.variable}_plain++; pthread_mutex_unlock(&m);`;
  const order = `memory_order_${step.order}`;
  switch (step.op) {
    case 'fence':
      return `atomic_thread_fence(${order});`;
    case 'load':
      return `atomic_load_explicit(&${step.variable}, ${order});`;
    case 'store':
      return `atomic_store_explicit(&${step.variable}, 1, ${order});`;
    case 'add':
      return `r += atomic_fetch_add_explicit(&${step.variable}, 1, ${order});`;
    case 'exchange':
      return `r += atomic_exchange_explicit(&${step.variable}, 2, ${order});`;
    case 'cas':
      return `e = 0; atomic_compare_exchange_strong_explicit(&${step.variable}, &e, 3, ${order}, memory_order_relaxed);`;
  }
}

function inCxx(step: Step): string {
  if (step.op === 'locked') return `{ std::lock_guard<std::mutex> l(m); ${step.variable}_plain++; }`;
  const order = `std::memory_order_${step.order}`;
  switch (step.op) {
    case 'fence':
      return `std::atomic_thread_fence(${order});`;
    case 'load':
      return `${step.variable}.load(${order});`;
    case 'store':
      return `${step.variable}.store(1, ${order});`;
    case 'add':
      return `r += ${step.variable}.fetch_add(1, ${order});`;
    case 'exchange':
      return `r += ${step.variable}.exchange(2, ${order});`;
    case 'cas':
      return `e = 0; ${step.variable}.compare_exchange_strong(e, 3, ${order}, std::memory_order_relaxed);`;
  }
}

const programs = Array.from({ length: PROGRAMS }, (_, seed) => generate(new Prng(seed + 1)));

const C = `#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y; static int x_plain, y_plain; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
${programs
  .map(
    (threads, n) => `${threads
      .map(
        (
          steps,
          t,
        ) => `static void *t${n}_${t}(void *a) { int r = 0, e = 0; ${steps.map(inC).join(' ')} if (r + e > 1000) x_plain = 1; return a; }
`,
      )
      .join(
        '',
      )}int p${n}(void) { pthread_t t[2]; pthread_create(&t[0], 0, t${n}_0, 0); pthread_create(&t[1], 0, t${n}_1, 0);
  pthread_join(t[0], 0); pthread_join(t[1], 0); return 0; }
`,
  )
  .join('')}`;

const CXX = `#include <atomic>
#include <mutex>
#include <thread>
static std::atomic<int> x, y; static int x_plain, y_plain; static std::mutex m;
${programs
  .map(
    (threads, n) =>
      `extern "C" int p${n}() { ${threads
        .map(
          (
            steps,
            t,
          ) => `std::thread t${t}([] { int r = 0, e = 0; ${steps.map(inCxx).join(' ')} if (r + e > 1000) x_plain = 1; });
  `,
        )
        .join('')}t0.join(); t1.join(); return 0; }
`,
  )
  .join('')}`;

it.each(programs.map((_, n) => n))('program %i has as many executions as its twin in C', async (n) => {
  const [inC11, inCpp] = await Promise.all([compileC(C, { entry: `p${n}` }), compileCxx(CXX, { entry: `p${n}` })]);
  for (const model of MODELS) {
    const [one, other] = [inC11, inCpp].map((program) => check(program, model, { strategy: 'optimal' }));
    expect([model, other!.verdict.kind, other!.executions]).toEqual([model, 'verified', one!.executions]);
  }
});
