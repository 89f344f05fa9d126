/** With `--keep-going`, RC11 finds every error that the program would have without the others. */
import { describe, expect, it } from 'vitest';
import { explore } from '../../../src/explore/explore.ts';
import { Replay } from '../../../src/explore/replay.ts';
import { parseSchedule } from '../../../src/explore/schedule.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { judgeRaces } from '../../../src/pipelines/races.ts';
import { check, compileC } from '../../support/c.ts';

const HEAD = `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#define IF(n, text) if (ONLY < 0 || ONLY == n) { text; }
`;

function program(text: string, threads: string): string {
  const create = [...threads].map((f, i) => `pthread_create(&t[${i}], 0, ${f}, 0);`).join(' ');
  const join = [...threads].map((_, i) => `pthread_join(t[${i}], 0);`).join(' ');
  return `${text}\nint main(void) { pthread_t t[${threads.length}]; ${create} ${join} return 0; }`;
}

/** Each `IF(n, …)` is a separate error, or harmless. */
const PROGRAMS: readonly (readonly [name: string, source: string, errors: number])[] = [
  [
    'assertions of one thread',
    program(
      `atomic_int x, y;
void *f(void *u) { STORE(x, 1); STORE(y, 1); return u; }
void *g(void *u) {
  int a = LOAD(y), b = LOAD(x);
  IF(0, assert(!(a && !b))) IF(1, assert(!(b && !a))) IF(2, assert(!(a && b))) IF(3, assert(a || b)) IF(4, assert(a < 2))
  return u;
}`,
      'fg',
    ),
    4,
  ],
  [
    'a race with one half of a compare-exchange',
    program(
      `int x;
void *f(void *u) { int e = 0; IF(0, __atomic_compare_exchange_n(&x, &e, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return u; }
void *g(void *u) { x = 2; return u; }`,
      'fg',
    ),
    1,
  ],
  [
    'an assertion in front of what others wait for',
    program(
      `atomic_int x, y;
void *f(void *u) { int a = LOAD(y); IF(0, assert(!a)) STORE(x, 1); int b = LOAD(y); IF(1, assert(!b)) return u; }
void *g(void *u) { int a = LOAD(x); IF(2, assert(!a)) STORE(y, 1); int b = LOAD(x); IF(3, assert(!b)) return u; }`,
      'fg',
    ),
    4,
  ],
  [
    'an assertion that a store causes, which comes after another assertion',
    program(
      `atomic_int x, y;
void *f(void *u) { int a = LOAD(x); IF(0, assert(a != 1)) return u; }
void *g(void *u) { int a = LOAD(y); IF(1, assert(a != 1)) STORE(x, 1); return u; }
void *h(void *u) { STORE(y, 1); STORE(y, 2); return u; }`,
      'fgh',
    ),
    2,
  ],
  [
    'races',
    program(
      `atomic_int x; int d, e;
void *f(void *u) { IF(0, d = 1) STORE(x, 1); IF(1, e = 1) return u; }
void *g(void *u) { if (LOAD(x)) { IF(0, d = 2) } IF(1, e = 2) int a = LOAD(x); IF(2, assert(!a)) return u; }`,
      'fg',
    ),
    3,
  ],
  [
    'an assertion behind a race that it does not need',
    program(
      `atomic_int x; int d;
void *f(void *u) { IF(0, d = 1) return u; }
void *g(void *u) { IF(0, d = 2) int a = LOAD(x); IF(1, assert(!a)) return u; }
void *h(void *u) { STORE(x, 1); return u; }`,
      'fgh',
    ),
    2,
  ],
  [
    'a race and memory that is freed',
    program(
      `_Atomic(int *) p; int d;
void *f(void *u) { STORE(p, malloc(4)); IF(0, d = 1) return u; }
void *g(void *u) { int *q = atomic_exchange(&p, 0); IF(1, if (q) *q = 1) IF(0, d = 2) return u; }`,
      'fg',
    ),
    2,
  ],
];

async function errorsOf(source: string, only: number): Promise<readonly string[]> {
  const compiled = await compileC(`#define ONLY ${only}\n${HEAD}${source}`);
  const { errors, bounds } = check(compiled, 'rc11', { strategy: 'optimal', keepGoing: true });
  expect(bounds).toEqual([]);
  for (const { error, schedule } of errors) {
    const machine = new Machine(compiled, 'rc11');
    const again = explore(machine, new Replay(parseSchedule(machine, schedule)), { judge: judgeRaces });
    expect(again.errors.map((e) => e.error)).toEqual([{ ...error, notes: again.errors[0]?.error.notes }]);
  }
  return errors.map(
    ({ error: { kind, message, line } }) => `${kind}: ${message.replaceAll(/\S*test\.c/g, '')}:${line}`,
  );
}

describe('every error is found that there is without the others', () => {
  it.each(PROGRAMS)('for %s', async (_, source, count) => {
    const all = await errorsOf(source, -1);
    const alone = new Set<string>();
    for (let only = 0; only < 5; only++) for (const error of await errorsOf(source, only)) alone.add(error);
    expect([...all].sort()).toEqual([...alone].sort());
    expect(all).toHaveLength(count);
  });
});

describe('an error in the same step as a race is found', () => {
  const KINDS: readonly (readonly [name: string, source: string, kinds: readonly string[]])[] = [
    [
      'a read whose value fails',
      program(
        `int d; atomic_int x;
void *f(void *u) { d = 1; STORE(x, 1); return u; }
void *g(void *u) { while (!LOAD(x)) ; assert(d == 0); return u; }`,
        'fg',
      ),
      ['race'],
    ],
    [
      'a write before what cannot be reached',
      program(
        `int d; atomic_int x;
void *f(void *u) { d = 1; STORE(x, 1); return u; }
void *g(void *u) { if (LOAD(x)) { d = 2; __builtin_unreachable(); } return u; }`,
        'fg',
      ),
      ['race'],
    ],
    [
      'several races: with the end of memory',
      program(
        `struct object { atomic_int users; int v; } *p;
void *f(void *u) {
  struct object *o = p; p->v;
  if (atomic_fetch_sub_explicit(&o->users, 1, memory_order_relaxed) == 1) { free(o); abort(); }
  return u;
}
__attribute__((constructor)) void start(void) { p = calloc(1, sizeof *p); p->users = 2; }`,
        'ff',
      ),
      ['race', 'race'],
    ],
  ];

  it.each(KINDS)('for %s', async (_, source, kinds) => {
    const errors = await errorsOf(source, -1);
    expect(errors.map((error) => error.split(':')[0])).toEqual(kinds);
  });
});

it('behind the unordered beginning of a mutex nothing is known', async () => {
  const source = program(
    `struct object { pthread_mutex_t m; }; _Atomic(struct object *) p;
void *f(void *u) { struct object *o = malloc(sizeof *o); p = o; pthread_mutex_init(&o->m, 0); return u; }
void *g(void *u) { struct object *o = p; if (o) { pthread_mutex_lock(&o->m); pthread_mutex_unlock(&o->m); } return u; }`,
    'fg',
  );
  const compiled = await compileC(HEAD + source);
  const { errors, bounds } = check(compiled, 'rc11', { strategy: 'optimal', keepGoing: true });
  const messages = errors.map(({ error }) => error.message);
  expect(messages).toContainEqual(expect.stringMatching(/^use of a mutex that has not been initialised/));
  expect(bounds.join()).toMatch(/not modelled: the beginning or end of an object/);
});
