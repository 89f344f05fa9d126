/**
 * [NIDHUGG] Table 1: the paper's verdicts, on our versions of its programs (`programs/nidhugg`).
 * Each model is explored by itself, even where the program already fails under SC.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COLUMNS, MODELS, PRINTED, PRINTED_COLUMNS, ROWS } from '../../bench/nidhugg-table.ts';
import { check, compileC, loadFiles } from '../support/c.ts';
import { DEEP } from '../support/tier.ts';

/** Too many executions for the push tier; `npm run bench -- nidhugg` and the deep tier assert them. */
const SLOW: Readonly<Record<string, string>> = {
  'pgsql_bnd.c FENCE_PSO': 'seconds under each model',
  'runtime_1.c -': 'long executions: seconds under SC',
  'runtime_all.c -': 'the same',
  'runtime_2.c -': 'long executions: seconds under each model',
  'runtime_2.c NO_BARRIER': 'the same',
  'fib_true.c -': 'main looks on while the threads work: 218,243 executions under SC, 525,630 under TSO and PSO',
};

const RANK = ['correct', 'error'];

describe('the table', () => {
  it('has its columns, in order', () =>
    expect(COLUMNS).toEqual(['files', 'fences', ...MODELS, 'paper', 'loops', 'reason']));

  it("has the paper's 28 rows", () => expect(ROWS.filter(({ paper }) => paper !== '-')).toHaveLength(28));

  it('has what the paper prints for each of them', () => {
    expect(PRINTED_COLUMNS).toEqual(['row', 'lb', 'cbmc', 'goto-instrument', 'nidhugg']);
    expect([...PRINTED.keys()].sort()).toEqual(
      ROWS.map(({ paper }) => paper)
        .filter((paper) => paper !== '-')
        .sort(),
    );
    for (const { bound, ...tools } of PRINTED.values()) {
      expect(bound).toMatch(/^(-|\d+|\(\d+\))$/);
      for (const seconds of Object.values(tools)) expect(seconds).toMatch(/^((\d+\.\d\d\*?|t\/o|\?)( |$)){3}$/);
    }
  });

  it('stars only what the paper calls an error', () => {
    for (const { verdicts, printed } of ROWS) {
      printed?.nidhugg.split(' ').forEach((seconds, i) => {
        if (seconds.endsWith('*')) expect(verdicts[i]).toBe('error');
      });
    }
  });

  it.each(ROWS)('makes sense of $name', ({ verdicts, paper, printed, loops, reason }) => {
    // TSO allows SC's executions, and PSO allows TSO's.
    const ranks = verdicts.map((verdict) => RANK.indexOf(verdict));
    expect(ranks).not.toContain(-1);
    expect([...ranks].sort()).toEqual(ranks);
    expect(printed === undefined).toBe(paper === '-');
    expect([loops, reason]).not.toContain('');
  });
});

describe.each(ROWS)('$name', ({ name, files, defines, verdicts }) => {
  const slow = DEEP ? undefined : SLOW[name];
  if (slow !== undefined) {
    it.skip(`${slow}; the deep tier runs it, and so does npm run bench -- nidhugg`);
    return;
  }

  it.each(MODELS.map((model, i) => ({ model, expected: verdicts[i]! })))(
    'has its verdict under $model: $expected',
    async (one) => {
      const paths = files.map((file) => fileURLToPath(new URL(`../../programs/${file}`, import.meta.url)));
      const program = await loadFiles(paths, { defines });
      const { verdict } = check(program, one.model, { strategy: 'optimal' });
      expect(verdict.kind).toBe(one.expected === 'error' ? 'violation' : 'verified');
    },
  );
});

describe.runIf(DEEP)('every fence is needed under PSO', () => {
  const read = (file: string): string => readFileSync(new URL(`../../programs/${file}`, import.meta.url), 'utf8');
  const mended = ROWS.filter(({ defines, paper }) => defines.join() === 'FENCE_PSO' && !paper.startsWith('pgsql_bnd'));
  it.each(mended)('in $name', async ({ files: [file] }) => {
    const source = read(file!);
    for (const { 0: fence, index } of source.matchAll(/\bSTORE_(?:LOAD|STORE)\(\);/g)) {
      const without = source.slice(0, index) + source.slice(index + fence.length);
      const program = await compileC({ [file!]: without, 'fences.h': read('fences.h') }, { defines: ['FENCE_PSO'] });
      expect(check(program, 'pso', { strategy: 'optimal' }).verdict.kind).toBe('violation');
    }
  });
});
