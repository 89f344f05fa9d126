/**
 * The advice of `check` for the execution that it shows agrees with `fix`: for every program of `programs/` and
 * `examples/` that a weaker model breaks, each piece of advice is a change of the fix, of the same kind and at the same
 * place. (The fix may have more changes, since it is for all executions.) The push tier checks a few programs, the
 * deep tier all.
 */
import { describe, expect, it } from 'vitest';
import type { ChangeKind } from '../../../src/fix/candidates.ts';
import type { FixModel } from '../../../src/models/index.ts';
import { withoutCode } from '../../../src/util/code-text.ts';
import { fixFile } from '../../support/fix-c.ts';
import { ROWS } from '../../support/programs.ts';
import { checkFile, reportsOf } from '../../support/reports.ts';
import { DEEP } from '../../support/tier.ts';

/**
 * One of each kind: a full fence, two of them, a release store, a read-modify-write; races, and one order of several.
 */
const EVERY_DAY = [
  'mutual-exclusion/dekker.c tso',
  'patterns/wait-queue.c pso',
  'locks/ticket.c pso',
  'structures/michael-scott-queue.c pso',
  'structures/rcu-publish.c rc11',
];

/** Where they differ, and why that is right. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'mutual-exclusion/filter.c tso': 'the fence is in the function that is called in the line of the load',
  'structures/harris-list.c rc11': 'the fence is in the function that is called with what was read',
  'structures/harris-list.c FENCE_PSO rc11': 'the same',
  'patterns/sense-barrier.c pso': 'the fence is before the call of the function that has the read-modify-write',
};

/** Their fixes take five to ten minutes each under the model of the language. (Some have been compared, and agree.) */
const TOO_LONG = /^(?:mutual-exclusion\/filter|structures\/chase-lev-deque)\.c.* rc11$/;

interface Advice {
  readonly kinds: readonly ChangeKind[];
  readonly isAt: (line: number, kind: ChangeKind) => boolean;
  readonly text: string;
}

/** `between lines 26 and 28`, `in line 30`: a change after the first line and up to the second. */
function placesIn(text: string): readonly ((line: number) => boolean)[] {
  const between = [...text.matchAll(/between lines (\d+) and (\d+)/g)].map(([, a, b]) => {
    const [from, to] = [Number(a), Number(b)];
    // The store is in the caller, or the two are in a loop.
    return (line: number) => (from < to ? from < line && line <= to : line <= to || line > from);
  });
  const within = [...text.matchAll(/(?<!between lines .*)\bline (\d+)/g)].map(
    ([, a]) =>
      (line: number) =>
        line === Number(a),
  );
  return [...between, ...within];
}

/** Sentences about machines with store buffers. */
function adviceOf(sentence: string): readonly Advice[] {
  const text = withoutCode(sentence);
  if (/\bfull fence\b/.test(text)) {
    return placesIn(text).map((isAt) => ({ kinds: ['full-fence', 'seq_cst'], isAt, text }));
  }
  const second = /\bmake (.*?) a release (?:store|operation)/.exec(text)?.[1];
  const lines = [...(second ?? '').matchAll(/line (\d+)/g)].map(([, line]) => Number(line));
  // A fence before an earlier statement, after the first store, will also do.
  return lines.map((line) => ({ kinds: ['release', 'store-fence'], isAt: (at) => at <= line, text }));
}

/**
 * Notes about the language: `make the write of x (line 3) a release and the read of …`; `make the write of x (line 3)
 * and … seq_cst`.
 */
function ordersOf(note: string): readonly Advice[] {
  const orders = [
    ...withoutCode(note).matchAll(
      / \((?:line |\S+:)(\d+)(?::\d+)?\)(?=.*?(?<=\) )(a release|an acquire|seq_cst|acq_rel))/g,
    ),
  ];
  const kinds: Readonly<Record<string, readonly ChangeKind[]>> = {
    'a release': ['release', 'store-fence'],
    'an acquire': ['acquire', 'acquire-fence', 'acquire-failure'],
    acq_rel: ['release', 'acquire', 'store-fence', 'acquire-fence'],
    seq_cst: ['seq_cst', 'full-fence'],
  };
  return orders.map(([text, line, order]) => ({
    kinds: kinds[order!]!,
    isAt: (at, kind) => isFor(kind, at, Number(line)),
    text: `${order}${text}`,
  }));
}

/**
 * Whether a change in line `at` is for the access in line `line`. A fence can replace an order, if it is on the right
 * side of the access.
 */
function isFor(kind: ChangeKind, at: number, line: number): boolean {
  switch (kind) {
    case 'acquire-fence':
      return at >= line;
    case 'store-fence':
      return at <= line;
    case 'full-fence':
      // Before or after, with statements in between that need no order.
      return Math.abs(at - line) <= 8;
    default:
      // Statements of several lines.
      return Math.abs(at - line) <= 3;
  }
}

const MODELS: readonly FixModel[] = ['tso', 'pso', 'rc11'];
const CASES = ROWS.filter(({ expected }) => expected.sc === 'correct').flatMap((row) =>
  MODELS.flatMap((model) => {
    const verdict = model === 'rc11' ? row.rc11 : row.expected[model as 'tso' | 'pso'];
    return verdict === 'correct' || verdict === 'unmodelled' ? [] : [{ ...row, model, title: `${row.name} ${model}` }];
  }),
);

async function compare(path: string, model: FixModel, defines: readonly string[], title: string): Promise<void> {
  const [report] = reportsOf(await checkFile(path, [model], { defines }));
  const { error, trace } = report!;
  const advice =
    model === 'rc11' ? (error!.notes ?? []).flatMap(ordersOf) : (trace!.explanation ?? []).slice(1).flatMap(adviceOf);
  // Under the language's model there is no advice if orders alone do not help.
  if (model !== 'rc11') expect(advice.length).toBeGreaterThan(0);
  if (advice.length === 0) return;
  const result = await fixFile(path, { models: [model], defines });
  // The two accesses are in one statement, and a macro names their orders: fix can change neither, and says so.
  if (model === 'rc11' && result.kind !== 'fixed') return;
  const changes = result.kind === 'fixed' ? result.changes : [];
  const made = changes.map(({ kind, place }) => ({ kind, line: (place.behind ?? place.location)!.line }));
  const missing = advice.filter(({ kinds, isAt }) => !made.some((c) => kinds.includes(c.kind) && isAt(c.line, c.kind)));
  const told = `${missing.map(({ text }) => text).join(' | ')}; fix: ${JSON.stringify(made)}`;
  if (title in DIFFERENT) expect(missing, DIFFERENT[title]).not.toEqual([]);
  else expect(missing, told).toEqual([]);
}

/** With the models that break them, as documented in their header comments. */
const EXAMPLES: readonly (readonly [file: string, ...models: FixModel[]])[] = [
  ['dekker.c', 'tso', 'pso', 'rc11'],
  ['double-checked-locking.c', 'pso', 'rc11'],
  ['idle-wakeup.c', 'tso', 'pso', 'rc11'],
  ['message-passing.c', 'pso', 'rc11'],
  ['peterson.c', 'tso', 'pso', 'rc11'],
  ['seqlock.c', 'pso', 'rc11'],
  ['spsc-ring.c', 'pso', 'rc11'],
  ['store-buffering.c', 'tso', 'pso', 'rc11'],
  ['ticket-lock.c', 'pso', 'rc11'],
  ['treiber-stack.c', 'pso', 'rc11'],
];

describe('advice and fix', () => {
  it.each(CASES.filter(({ title }) => (DEEP && !TOO_LONG.test(title)) || EVERY_DAY.includes(title)))(
    'agree about $title',
    ({ file, defines, model, title }) => compare(`programs/${file}`, model, defines, title),
  );

  it.runIf(DEEP).each(EXAMPLES.flatMap(([file, ...models]) => models.map((model) => [file, model] as const)))(
    'agree about examples/%s under %s',
    (file, model) => compare(`examples/${file}`, model, [], `${file} ${model}`),
  );

  it('have their exceptions among the programs', () => {
    const titles = CASES.map(({ title }) => title);
    expect([...EVERY_DAY, ...Object.keys(DIFFERENT)].filter((title) => !titles.includes(title))).toEqual([]);
  });
});
