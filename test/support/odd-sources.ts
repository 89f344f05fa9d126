/**
 * Oddly written C sources: known programs whose statements are surrounded by constructs that are hard to read without a
 * C parser. None of these changes what the program does, so none may change what `fix` proposes.
 */
import type { StoreBufferModel } from '../../src/models/index.ts';
import type { Prng } from '../../src/util/prng.ts';

/** A store of 1, whose order a fix may or may not be able to strengthen. */
type Store = (place: string) => string;

interface KnownProgram {
  readonly name: string;
  readonly models: readonly StoreBufferModel[];
  /** The cost of a fix: with an order in the text that can be changed, and without one. */
  readonly cost: { readonly written: number; readonly hidden: number };
  readonly globals: string;
  /** Bodies of the threads, by statement. */
  readonly threads: (store: Store) => readonly (readonly string[])[];
  readonly check: string;
}

const load = (place: string): string => `atomic_load_explicit(&${place}, memory_order_relaxed)`;

export const KNOWN_PROGRAMS: readonly KnownProgram[] = [
  {
    name: 'message passing',
    models: ['pso'],
    cost: { written: 2, hidden: 3 },
    globals: 'int data, wrong; atomic_int ready;',
    threads: (store) => [['data = 1;', store('ready')], [`if (${load('ready')}) wrong = !data;`]],
    check: '!wrong',
  },
  {
    name: 'store buffering',
    models: ['tso'],
    cost: { written: 16, hidden: 16 },
    globals: 'atomic_int x, y; int a, b;',
    threads: (store) => [
      [store('x'), `a = ${load('y')};`],
      [store('y'), `b = ${load('x')};`],
    ],
    check: 'a || b',
  },
  {
    name: 'Peterson',
    models: ['tso'],
    cost: { written: 16, hidden: 16 },
    globals: 'atomic_int flag[2], turn; int inside, twice;',
    threads: (store) =>
      [0, 1].map((me) => [
        store(`flag[${me}]`),
        `atomic_store_explicit(&turn, ${1 - me}, memory_order_relaxed + 0);`,
        `if (!${load(`flag[${1 - me}]`)} || ${load('turn')} == ${me}) {\n  if (inside++) twice = 1;\n  inside--;\n}`,
      ]),
    check: '!twice',
  },
];

/** Ways to write a store; hidden ones have no order that could be changed. */
const STORES: readonly { readonly store: Store; readonly isHidden?: true }[] = [
  { store: (place) => `atomic_store_explicit(&${place}, 1, memory_order_relaxed);` },
  { store: (place) => `atomic_store_explicit ( & ${place} , 1 , ( memory_order_relaxed ) ) ;` },
  { store: (place) => `atomic_store_explicit(&${place}, 1, (memory_order)((memory_order_relaxed)));` },
  { store: (place) => `atomic_store_explicit(&${place}, /* , */ 1, (0));` },
  { store: (place) => `__atomic_store_n((int *)&${place}, 1, (__ATOMIC_RELAXED));` },
  { store: (place) => `__atomic_store((int *)&${place}, &(int){1}, __ATOMIC_RELAXED);` },
  { store: (place) => `atomic_sto\\\nre_explicit(&${place}, 1, memory_order_\\\nrelaxed);` },
  { store: (place) => `__c11_atomic_store(&${place}, _Generic(0, int: 1, default: 2), __ATOMIC_RELAXED);` },
  { store: (place) => `atomic_store_explicit(&${place}, 1, RELAXED);`, isHidden: true },
  { store: (place) => `atomic_store_explicit(&${place}, 1, relaxed_constant);`, isHidden: true },
  { store: (place) => `SET(${place});`, isHidden: true },
];

const MACROS =
  '#define RELAXED memory_order_relaxed\nenum { relaxed_constant = memory_order_relaxed };\n' +
  '#define SET(place) atomic_store_explicit(&place, 1, RELAXED)\n';

/** Before the functions, and after them. */
const AROUND: readonly (readonly [before: string, behind?: string])[] = [
  ['#ifdef __cplusplus\nextern "C" {\n#endif', '#ifdef __cplusplus\n}\n#endif'],
  ['#if defined(__cplusplus) && ODD\nnamespace odd {\n#endif', '#if defined(__cplusplus) && ODD\n}\n#endif'],
  ['#if 0\nthis isn\'t C: { ( [ "\n#endif'],
  ['#define OPEN {\n#define SLASH "/*"\n#define LATER 1 // see /* there'],
  ['_Static_assert(sizeof "{" == 2, "}");'],
  ['struct __attribute__((packed)) __attribute__((aligned(4))) packed { char c; int i; };'],
  ['static int table[] = { [1] = 2, [3 ... 5] = 4 };\nstatic int *pointer = (int[]){ 1, 2 };'],
  ['static int old(a, b) int a; char *b; { return a + *b; }'],
  ['static int (*choose(int n))(int) { (void)n; return 0; }'],
  ['#define QUIET\nstatic int quiet(void) QUIET { return 1; }'],
  ['struct pair { int a, b; } static make(void) { return (struct pair){ .a = 1 }; }'],
  ['#ifdef ODD\nstatic int cases(int n) {\n#else\nstatic int cases(void) { int n = 1;\n#endif\n  return n;\n}'],
  ['%:define DIGRAPH 1\nstatic int digraph(int a<:1:>) <% return a<:0:>; %>'],
  ['#define TWO(a, b) do { a; \\\n  b; } while (0)'],
  ['#pragma GCC diagnostic push', '#pragma GCC diagnostic pop'],
];

/** Statements that change nothing; `n` is a local variable. */
const BETWEEN: readonly string[] = [
  'switch (n) { case 1 ... 3: n = 2; __attribute__((fallthrough)); case 4 ? 5 : 6: default: ; }',
  'n = ({ int m = n; if (m) m++; else m--; m; });',
  '{ __label__ out; if (n) goto out; n = 0; out: __attribute__((unused)); }',
  'struct local { int a, b[2]; } l = { .a = n, .b = { [1] = 2 } }; (void)l;',
  'for (int i = 0; i < 1; i++) if (n) n++; else while (n) n--;',
  'do n = 0; while (n);',
  'EACH(i) { n += i; }',
  'WHEN(n) { n = 0; } else if (n == 1) n = 2; else { n = 0; }',
  'WHEN(n) n = 0;',
  'if (n) BOTH(n = 1, n = 0);',
  '#ifdef ODD\n  if (n) {\n#else\n  if (!n) {\n#endif\n    n = 0;\n  }',
  '__asm__ volatile("" ::: "memory");',
  '(void)"} // {"; (void)\'{\'; /* } */ // }',
  '#pragma clang loop unroll(disable)\n  for (; n;) n = 0;',
  '__extension__ typedef int local_int; local_int k = n; (void)k;',
  'n = _Generic(n, int: ({ n; }), default: 1);',
  ';;',
];

const LOCAL_MACROS = '#define EACH(i) for (int i = 0; i < 1; i++)\n#define WHEN(c) if (c)\n#define BOTH(a, b) a; b\n';

/** Redefinitions of the names of fences and orders: in the file, or in a function. */
const NAMES: readonly (readonly [inFile: string, inFunction: string])[] = [
  ['', ''],
  ['', ''],
  ['#undef atomic_thread_fence\n#define atomic_thread_fence(order)\n', ''],
  ['#define memory_order_release memory_order_relaxed\n#define memory_order_seq_cst memory_order_relaxed\n', ''],
  [
    '',
    'int memory_order_release = 0, memory_order_seq_cst = 0; (void)memory_order_release; (void)memory_order_seq_cst;',
  ],
];

/** The text as a whole. */
const LAYOUTS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => `\xef\xbb\xbf// gr\xfcn\n${text}`,
  (text) => text.replace(/^\{$/gm, '<%').replace(/^\}$/gm, '%>'),
  (text) => text.replaceAll(';\n', '; /* } */ // { \\\n  ; } \n'),
  (text) => text.replaceAll('\n{\n', ' {').replace(/;\n {2}(?! *#)/g, '; '),
];

export interface OddSource {
  readonly title: string;
  /** Latin-1. */
  readonly text: string;
  readonly models: readonly StoreBufferModel[];
  readonly cost: number;
}

export function oddSource(prng: Prng): OddSource {
  const pick = <T>(list: readonly T[]): T => list[prng.below(list.length)]!;
  const program = pick(KNOWN_PROGRAMS);
  const { store, isHidden } = pick(STORES);
  const around = Array.from({ length: 4 }, () => pick(AROUND)).filter((one, i, all) => all.indexOf(one) === i);
  const [inFile, inFunction] = pick(NAMES);
  const between = (): string[] => (prng.below(2) === 0 ? [] : [`{\n  ${pick(BETWEEN)}\n  }`]);
  const threads = program.threads(store).map((statements, i) => {
    const body = ['int n = 0;', inFunction, ...statements.flatMap((one) => [...between(), one]), 'return p;'];
    return `static void *thread${i}(void *p)\n{\n  ${body.filter((one) => one !== '').join('\n  ')}\n}\n`;
  });
  const names = threads.map((_, i) => `thread${i}`);
  const main =
    `int main(void)\n{\n  pthread_t t[${names.length}];\n` +
    names.map((name, i) => `  pthread_create(&t[${i}], 0, ${name}, 0);\n`).join('') +
    names.map((_, i) => `  pthread_join(t[${i}], 0);\n`).join('') +
    `  assert(${program.check});\n  return 0;\n}\n`;
  const text = [
    '#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n',
    `${MACROS}${LOCAL_MACROS}${inFile}${program.globals}\n`,
    ...around.map(([before]) => `${before}\n`),
    ...threads,
    main,
    ...around.toReversed().map(([, behind]) => (behind === undefined ? '' : `${behind}\n`)),
  ].join('');
  const cost = isHidden === true ? program.cost.hidden : program.cost.written;
  return { title: program.name, text: pick(LAYOUTS)(text), models: program.models, cost };
}
