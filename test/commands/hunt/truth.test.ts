/**
 * Against the truth: every program of `programs/expected.tsv` that is wrong under TSO or PSO and correct under SC is
 * hunted with the default budget. docs/hunt.md lists exactly the errors that a hunt misses, with the reasons.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { huntForError } from '../../support/hunt.ts';
import { loadRow, ROWS } from '../../support/programs.ts';

/** Kinds of errors besides the one that the table names. */
const ALSO: Readonly<Record<string, string>> = { 'mutual-exclusion/szymanski.c': 'liveness' };

const document = readFileSync(new URL('../../../docs/hunt.md', import.meta.url), 'utf8');
/** Rows of the table of misses: program and defines, model, reason. */
const MISSED = new Set(
  [...document.matchAll(/^\| `([^`]+)` \| (tso|pso) \| \S.* \|$/gm)].map(([, name, model]) => `${name} ${model}`),
);

const cases = ROWS.filter(({ expected }) => expected.sc === 'correct').flatMap((row) =>
  (['tso', 'pso'] as const).filter((model) => row.expected[model] !== 'correct').map((model) => ({ row, model })),
);

describe('what check finds under TSO and PSO', () => {
  it.each(cases)('is found by hunting, or listed as missed: $row.name $model', async ({ row, model }) => {
    const { errors } = huntForError(await loadRow(row), model);
    const isMissed = MISSED.has(`${row.name} ${model}`);
    if (isMissed) expect(errors, 'listed as missed').toEqual([]);
    else expect([row.expected[model], ALSO[row.file]]).toContain(errors[0]?.error.kind);
  });

  it('includes everything listed as missed', () => {
    const names = cases.map(({ row, model }) => `${row.name} ${model}`);
    expect([...MISSED].filter((name) => !names.includes(name))).toEqual([]);
  });
});
