/**
 * Our own programs (`programs/`), each with and without its fences: every verdict of `programs/expected.tsv` is proved
 * by `optimal`, and the error under the strongest model that has one is also found by random search within the default
 * number of runs, with the right kind; in the push tier in the first row that has one, of every third program.
 *
 * The deep tier searches at random in all rows and under the other models too, and checks the table in two more ways:
 * with 10,000 random runs where no error is expected, and with all reachable states of the programs (`reachable.ts`,
 * which shares no search with `optimal`). It also checks that each fence is needed.
 */
import { describe, expect, it } from 'vitest';
import { DEFAULT_RANDOM_RUNS } from '../../src/options/search.ts';
import { check, MODELS } from '../support/c.ts';
import { COLUMNS, FILES, loadRow, modelsWith, ROWS, VERDICTS, withoutOneFence } from '../support/programs.ts';
import { reachable } from '../support/reachable.ts';
import { DEEP } from '../support/tier.ts';

/** Enough for every program to end; executions that wait longer are cut, which is not an error. */
const MAX_STEPS = 400;
/** Three threads: 70,000 states with all fences, too many without. */
const LARGE = ['mutual-exclusion/filter.c'];

/** Loops that read several places: some executions are blocked (docs/decisions/0024-idle-reads-wait.md). */
const SEVERAL = ['dekker', 'filter', 'kessels', 'peterson'].map((n) => `mutual-exclusion/${n}.c`);

/** Rows with another kind of error besides the expected one, and why. */
const ALSO: Readonly<Record<string, string>> = {
  'mutual-exclusion/szymanski.c tso': 'liveness', // both threads missed the door that the other closed
  'mutual-exclusion/szymanski.c pso': 'liveness',
  'structures/treiber-stack.c pso': 'assertion', // the link of an earlier try is there, and that of the last one is not
};

/** Errors that a random run can detect: a thread that waits forever is cut off like one that waits for long. */
const isFindable = (verdict: string): boolean => verdict !== 'correct' && verdict !== 'liveness';

/** Of each file, the first row that is wrong in a way that random search finds. */
const FIRST_WRONG = new Map(
  ROWS.toReversed().flatMap((row) => (modelsWith(row, isFindable).length > 0 ? [[row.file, row] as const] : [])),
);

describe('the table', () => {
  it('has its columns, in order', () =>
    expect(COLUMNS).toEqual(['file', 'defines', ...MODELS, 'reason', 'rc11', 'rc11 reason']));

  it('has every program, in order', () => expect([...new Set(ROWS.map(({ file }) => file))].sort()).toEqual(FILES));

  it('has each program with each set of defines once', () =>
    expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length));

  it.each(ROWS)('makes sense of $name', ({ expected, reason, rc11, rc11Reason }) => {
    expect([...VERDICTS, 'unmodelled']).toContain(rc11);
    expect(rc11Reason).not.toBe('');
    // The language allows what the machines allow.
    if (expected.pso !== 'correct') expect(rc11).not.toBe('correct');
    for (const model of MODELS) expect(VERDICTS).toContain(expected[model]);
    expect(reason).not.toBe('');
    // TSO allows SC's executions, and PSO allows TSO's.
    if (expected.sc !== 'correct') expect(expected.tso).toBe(expected.sc);
    if (expected.tso !== 'correct') expect(expected.pso).toBe(expected.tso);
  });
});

describe.each(ROWS)('$name', (row) => {
  const { expected, file } = row;

  const isTried = DEEP || (FIRST_WRONG.get(file) === row && !LARGE.includes(file) && FILES.indexOf(file) % 3 === 0);
  const wrong = isTried ? modelsWith(row, isFindable).slice(0, DEEP ? MODELS.length : 1) : [];
  it.runIf(wrong.length > 0).each(wrong)('is found to be wrong under %s by random search', async (model) => {
    const result = check(await loadRow(row), model, { strategy: 'random', maxSteps: MAX_STEPS });
    const kinds = [expected[model], ALSO[`${row.name} ${model}`]];
    expect(kinds).toContain(result.errors[0]?.error.kind);
  });

  it('is as expected over all traces', async () => {
    for (const model of MODELS) {
      const { verdict, errors, bounds, blocked } = check(await loadRow(row), model, { strategy: 'optimal' });
      const kinds = [expected[model], ALSO[`${row.name} ${model}`]];
      if (/^(locks|mutual-exclusion)/.test(file)) expect(blocked > 0 && !SEVERAL.includes(file), model).toBe(false);
      expect(kinds, model).toContain(verdict.kind === 'verified' ? 'correct' : errors[0]?.error.kind);
      expect(bounds).toEqual([]);
    }
  });

  it.runIf(DEEP || !LARGE.includes(file))('is as expected in the model of the language', async () => {
    const { verdict, errors, bounds } = check(await loadRow(row), 'rc11', { strategy: 'optimal' });
    if (row.rc11 === 'unmodelled') expect(bounds.join()).toMatch(/^not modelled: /);
    else expect(verdict.kind === 'verified' ? 'correct' : errors[0]?.error.kind).toBe(row.rc11);
  });

  const silent = DEEP ? modelsWith(row, (verdict) => !isFindable(verdict)) : [];
  it.runIf(silent.length > 0).each(silent)('has no error that random search finds under %s', async (model) => {
    const options = { strategy: 'random', maxSteps: MAX_STEPS, maxExecutions: DEFAULT_RANDOM_RUNS } as const;
    expect(check(await loadRow(row), model, options).errors).toEqual([]);
  });

  const decided = DEEP ? modelsWith(row, (verdict) => !LARGE.includes(file) || verdict === 'correct') : [];
  it.runIf(decided.length > 0).each(decided)('is as expected in all states under %s', async (model) => {
    const kinds = [expected[model], ALSO[`${row.name} ${model}`]].filter((kind) => kind !== undefined);
    const { errors, cut } = reachable(await loadRow(row), model, 300_000);
    expect(errors).toEqual(kinds.filter((kind) => kind !== 'correct').sort());
    expect(cut).toBe(false);
  });
});

/** Programs with fences that are needed only with more threads, rounds or other defines, and how many. */
const SPARE: Readonly<Record<string, number>> = {
  'locks/test-and-test-and-set.c': 1,
  'mutual-exclusion/dekker.c': 1,
  'mutual-exclusion/lamport-fast.c': 1,
};

describe.runIf(DEEP)('every fence is needed', () => {
  const mended = ROWS.filter(
    ({ defines, expected, file }) =>
      /^FENCE_\w+$/.test(defines.join(' ')) && expected.pso === 'correct' && !LARGE.includes(file),
  );
  it.each(mended)('in $file', async ({ file }) => {
    const spare: number[] = [];
    for (const { line, load } of withoutOneFence(file)) {
      const { errors } = reachable(await load(), 'pso', 300_000);
      if (errors.length === 0) spare.push(line);
    }
    expect(spare, 'lines').toHaveLength(SPARE[file] ?? 0);
  });
});
